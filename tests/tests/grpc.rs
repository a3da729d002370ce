//! gRPC callers over real HTTP/2: refusals that they understand, and calls that pass with their
//! trailers as they were.

use std::net::SocketAddr;

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::Envoy;
use fencegate_tests::grpc::GrpcServer;
use fencegate_tests::http::Request;
use fencegate_tests::issuer::{Grant, Issuer};
use fencegate_tests::wire::Wire;
use serde_json::json;

const MESSAGE: &[u8] = &[0, 0, 0, 0, 2, 8, 1];

struct Fenced {
    envoy: Envoy,
    server: GrpcServer,
    address: SocketAddr,
    issuer: Issuer,
}

fn started() -> Fenced {
    let server = GrpcServer::start().expect("a server");
    let config = Config::example("fencegate")
        .expect("the example")
        .with_store(server.address())
        .with(|bootstrap| {
            let cluster = &mut bootstrap["static_resources"]["clusters"][0];
            cluster["typed_extension_protocol_options"] = json!({
                "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                    "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
                    "explicit_http_config": { "http2_protocol_options": {} },
                },
            });
        });
    let envoy = Envoy::start(&config).expect("an Envoy");
    let address = envoy.address(FENCED).expect("a listener");
    let issuer = Issuer::at(address);
    issuer.wait_until_ready().expect("ready");
    Fenced {
        envoy,
        server,
        address,
        issuer,
    }
}

fn call(grant: Option<&Grant>) -> Request {
    let request = Request::new("POST", "/jobs/1/Write")
        .header("Host", "store.example")
        .header("Content-Type", "application/grpc+proto")
        .header("TE", "trailers")
        .body(MESSAGE);
    match grant {
        Some(grant) => request
            .header("Fencing-Token", &grant.token)
            .header("Fencing-Holder", &grant.holder),
        None => request,
    }
}

#[test]
fn an_admitted_call_passes_with_its_message_and_the_trailers_of_both_sides() {
    let fenced = started();
    let grant = fenced.issuer.acquire_patiently("job:1", "worker-a", 60_000);
    let grant = grant.expect("a grant");
    let request = call(Some(&grant)).trailer("x-checksum", "abc");
    let answer = Wire::Http2
        .send(fenced.address, &request)
        .expect("an answer");
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.text("grpc-status").as_deref(),
        Some("0"),
        "the server's own trailers"
    );
    assert_eq!(answer.text("fencing-token-mark"), Some(grant.token.clone()));
    assert_eq!(answer.body, MESSAGE);
    let calls = fenced.server.calls();
    let arrived = &calls[0];
    assert_eq!((calls.len(), arrived.path.as_str()), (1, "/jobs/1/Write"));
    assert_eq!(arrived.body, MESSAGE);
    assert_eq!(arrived.headers["fencing-token"], grant.token.as_str());
    let trailers = arrived.trailers.as_ref().expect("trailers");
    assert_eq!(trailers["x-checksum"], "abc");
}

#[test]
fn a_refused_call_gets_a_grpc_status_and_nothing_of_it_arrives() {
    let fenced = started();
    let old = fenced
        .issuer
        .acquire_patiently("job:1", "worker-a", 1000)
        .expect("a grant");
    fenced.issuer.release(&old, true).expect("an answer");
    let new = fenced
        .issuer
        .acquire_patiently("job:1", "worker-b", 60_000)
        .expect("a grant");
    let other_holder = Grant {
        holder: "worker-c".to_owned(),
        ..new.clone()
    };
    let nonsense = Grant {
        token: "nonsense".to_owned(),
        ..new.clone()
    };
    let above = Grant {
        token: "4294967295.1".to_owned(),
        ..new.clone()
    };
    let in_trailers = call(None)
        .trailer("fencing-token", &new.token)
        .trailer("fencing-holder", &new.holder);
    let cases = [
        (call(Some(&old)), "9", "stale"),
        (call(None), "9", "token_required"),
        (in_trailers, "9", "token_required"),
        (call(Some(&other_holder)), "9", "held_by_another"),
        (call(Some(&nonsense)), "3", "malformed"),
        (call(Some(&above)), "7", "never_issued"),
        (
            call(Some(&new)).header("Early-Data", "1"),
            "14",
            "too_early",
        ),
    ];
    for (request, status, reason) in cases {
        let answer = Wire::Http2
            .send(fenced.address, &request)
            .expect("an answer");
        let told = format!("{reason}: {answer:?}");
        assert_eq!(answer.status, 200, "{told}");
        assert_eq!(
            answer.text("grpc-status").as_deref(),
            Some(status),
            "{told}"
        );
        assert!(
            answer
                .text("grpc-message")
                .is_some_and(|text| !text.is_empty()),
            "{told}"
        );
        let counter = format!("wasmcustom.fencegate_rejected_{reason}_total");
        assert!(fenced.envoy.counter(&counter).expect("stats") > 0, "{told}");
    }
    assert_eq!(fenced.server.calls().len(), 0);
    let answer = Wire::Http2
        .send(fenced.address, &call(Some(&new)))
        .expect("an answer");
    assert_eq!(answer.text("grpc-status").as_deref(), Some("0"));
}
