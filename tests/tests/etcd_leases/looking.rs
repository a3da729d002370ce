//! What is told to those who look.

use std::collections::BTreeMap;

use super::scene::{refused, scene, told};

#[test]
fn a_lease_can_be_looked_at_through_either_proxy() {
    let scene = scene();
    let look = |proxy: usize| {
        let issuer = &scene.fleet.proxies[proxy].issuer;
        issuer.leases("job:looked-at", "").expect("an answer")
    };
    for proxy in [0, 1] {
        refused(&look(proxy), 404, "no_grant");
    }
    let grant = scene.grant(0, "job:looked-at", "A", 30_000);
    for (state, release) in [("held", false), ("released", true)] {
        if release {
            assert_eq!(scene.release(1, &grant, true).status, 200);
        }
        for proxy in [0, 1] {
            let answer = look(proxy);
            let lease = answer.json();
            assert_eq!(answer.status, 200, "{}", told(&answer));
            assert_eq!(lease["state"], state, "{lease}");
            assert_eq!(lease["mark"], grant.token.as_str(), "{lease}");
            assert_eq!(lease["holder"], "A", "{lease}");
        }
    }
}

#[test]
fn all_leases_are_paged_through_each_once_at_either_proxy() {
    let scene = scene();
    let names: Vec<String> = (0..7).map(|job| format!("job:paged-{job}")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            let scene = &scene;
            scope.spawn(move || scene.grant(0, name, "P", 30_000));
        }
    });
    for proxy in [0, 1] {
        for limit in [1, 3, 100] {
            let mut found = BTreeMap::<String, usize>::new();
            let mut query = format!("limit={limit}");
            for page in 0.. {
                assert!(page < 200, "no end");
                let issuer = &scene.fleet.proxies[proxy].issuer;
                let answer = issuer.leases("", &query).expect("an answer");
                assert_eq!(answer.status, 200, "{}", told(&answer));
                let body = answer.json();
                let leases = body["leases"].as_array().expect("a list");
                assert!(leases.len() <= limit, "{body}");
                for lease in leases.iter().filter(|lease| lease["holder"] == "P") {
                    let name = lease["resource"].as_str().expect("a name");
                    assert_eq!(lease["state"], "held", "{lease}");
                    *found.entry(name.to_owned()).or_default() += 1;
                }
                let Some(next) = body["next"].as_str() else {
                    break;
                };
                query = format!("limit={limit}&after={next}");
            }
            let wanted: BTreeMap<_, _> = names.iter().map(|name| (name.clone(), 1)).collect();
            assert_eq!(found, wanted, "proxy {proxy}, {limit} a page");
        }
    }
}

#[test]
fn both_proxies_say_that_they_are_ready() {
    let scene = scene();
    for proxy in &scene.fleet.proxies {
        let answer = proxy.issuer.ready().expect("an answer");
        let body = answer.json();
        assert_eq!(answer.status, 200, "{}", told(&answer));
        assert_eq!(body["ready"], true, "{body}");
        assert_eq!(body["generation"], 1, "{body}");
    }
}
