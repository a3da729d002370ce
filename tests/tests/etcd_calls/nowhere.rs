//! Calls for which there is nobody.

use std::net::SocketAddr;
use std::path::Path;

use fencegate_tests::config::{Config, ETCD};
use fencegate_tests::envoy::Options;
use fencegate_tests::etcd::Etcd;
use fencegate_tests::fleet::Fleet;
use fencegate_tests::http::Request;
use fencegate_tests::rig::write;
use serde_json::{Value, json};

use super::scene::{failures, no_filter_died, timed, unavailable, until};

fn started(change: impl FnOnce(Config) -> Config) -> Fleet {
    let config = Config::example("etcd").expect("the example");
    Fleet::start_as_is(1, change(config), &Options::default()).expect("an Envoy")
}

/// All that needs a call is refused in time and counted; what needs none goes on.
fn refuses(fleet: &Fleet) {
    let failed = failures(fleet);
    let proxy = &fleet.proxies[0];
    for _ in 0..4 {
        let put = write("/jobs/1/report.pdf", "1.1", "A");
        unavailable(&timed(|| fleet.send(0, &put)).0);
        let acquired = timed(|| proxy.issuer.acquire("job:1", "A", 2000).expect("an answer"));
        unavailable(&acquired.0);
    }
    unavailable(&proxy.issuer.ready().expect("an answer"));
    let unguarded = Request::new("GET", "/other").header("Host", "store.example");
    assert_eq!(fleet.send(0, &unguarded).status, 404);
    assert!(failures(fleet) > failed, "no failure was counted");
    assert_eq!(fleet.reached(), 1, "only what is not guarded");
    no_filter_died(&proxy.envoy);
}

#[test]
fn a_cluster_that_envoy_does_not_have() {
    let fleet = started(|config| {
        config.with_policy(|policy| policy["authority"]["etcd"]["cluster"] = json!("nowhere"))
    });
    refuses(&fleet);
}

/// What Envoy reads of a cluster's endpoints.
fn write_endpoints(file: &Path, members: &[SocketAddr]) {
    let socket =
        |address: &SocketAddr| json!({ "address": "127.0.0.1", "port_value": address.port() });
    let endpoint =
        |member| json!({ "endpoint": { "address": { "socket_address": socket(member) } } });
    let endpoints: Vec<Value> = members.iter().map(endpoint).collect();
    let content = json!({ "resources": [{
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": ETCD,
        "endpoints": [{ "lb_endpoints": endpoints }],
    }] });
    let new = file.with_extension("new");
    std::fs::write(&new, content.to_string()).expect("a file");
    std::fs::rename(new, file).expect("the file in its place");
}

#[test]
fn a_cluster_without_endpoint_and_then_with_one() {
    let etcd = Etcd::start(1).expect("an etcd");
    etcd.operate(&["init", "--window", "250ms"])
        .expect("an init");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("endpoints.json");
    write_endpoints(&file, &[]);
    let fleet = started(|config| {
        let config = config.with(|bootstrap| {
            bootstrap["node"] = json!({ "id": "fencegate-tests", "cluster": "fencegate-tests" });
        });
        config.with_etcd_cluster(|cluster| {
            let cluster = cluster.as_object_mut().expect("a cluster");
            cluster.remove("load_assignment");
            cluster.insert("type".to_owned(), json!("EDS"));
            let source = json!({ "path_config_source": {
                "path": file, "watched_directory": { "path": folder.path() } } });
            cluster.insert(
                "eds_cluster_config".to_owned(),
                json!({ "eds_config": source }),
            );
        })
    });
    refuses(&fleet);
    write_endpoints(&file, &etcd.addresses());
    let issuer = &fleet.proxies[0].issuer;
    until(
        |status| status == 201,
        || issuer.acquire("job:1", "A", 2000).expect("an answer"),
    );
    no_filter_died(&fleet.proxies[0].envoy);
}
