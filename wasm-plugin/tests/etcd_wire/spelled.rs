//! Base64 as the usual library has it, whatever is to be spelled or read.

use base64ct::{Base64, Encoding};
use fencegate::etcd::wire::base64::{decode, encode};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_spelled_is_spelled_alike_and_read_back(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let text = encode(&bytes);
        prop_assert_eq!(&text, &Base64::encode_string(&bytes));
        prop_assert_eq!(decode(&text), Some(bytes));
    }

    /// Other spellings too: without padding, with digits that say more than there is room for, with
    /// padding in the middle.
    #[test]
    fn what_is_read_is_read_alike(text in "[ABgw+/=\\-]{0,9}|([A-Za-z0-9+/]{4}){0,3}[A-Za-z0-9+/]{0,3}={0,3}") {
        prop_assert_eq!(decode(&text), Base64::decode_vec(&text).ok());
    }
}
