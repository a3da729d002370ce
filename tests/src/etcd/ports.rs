//! Ports that a member has for its whole life, also over a restart.

use std::net::{SocketAddr, TcpListener};

/// Below what operating systems give to connections, which come and go while a member is down.
const RANGE: std::ops::Range<u16> = 15_000..32_000;

/// So many loopback addresses where nobody listens now.
///
/// # Panics
/// When there are none, after a thousand tries for each.
pub(super) fn free(count: usize) -> Vec<SocketAddr> {
    let mut kept = Vec::new();
    for _ in 0..count * 1000 {
        if kept.len() == count {
            break;
        }
        let address = SocketAddr::from(([127, 0, 0, 1], fastrand::u16(RANGE)));
        // Listened on until all are found, so that none is found twice.
        kept.extend(TcpListener::bind(address).ok());
    }
    assert_eq!(kept.len(), count, "free ports");
    let addresses = kept.iter().map(TcpListener::local_addr);
    addresses
        .map(|address| address.expect("an address"))
        .collect()
}
