//! Who may acquire, where that is a property of the authenticated peer: the issuer behind TLS with
//! client certificates. The clients' TLS is done by a second Envoy, one listener for each of them.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use fencegate_tests::config::Config;
use fencegate_tests::envoy::Envoy;
use fencegate_tests::http::Answer;
use fencegate_tests::issuer::{Grant, Issuer};
use fencegate_tests::origin::Origin;
use fencegate_tests::rig::check_problem;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer as Signer,
    KeyPair, SanType,
};
use serde_json::{Value, json};

const A: &str = "spiffe://example/worker-a";
const B: &str = "spiffe://example/worker-b";
const OPERATOR: &str = "spiffe://example/operator";

/// A fenced store behind TLS, and a way to it for each of three peers.
struct Peers {
    a: Issuer,
    b: Issuer,
    operator: Issuer,
    _clients: Envoy,
    _fenced: Envoy,
    origin: Origin,
    _folder: tempfile::TempDir,
}

impl Peers {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        certificates(folder.path());
        let origin = Origin::start(&folder.path().join("objects")).expect("an origin");
        let config = behind_tls(folder.path()).with_store(origin.address());
        let fenced = Envoy::start(&config).expect("an Envoy");
        let clients = clients(folder.path(), fenced.address("fenced").expect("a listener"));
        let clients = Envoy::start(&clients).expect("an Envoy");
        let issuer = |name: &str| Issuer::at(clients.address(name).expect("a listener"));
        let peers = (issuer("a"), issuer("b"), issuer("operator"));
        peers.0.wait_until_ready().expect("a ready issuer");
        let (a, b, operator) = peers;
        Self {
            a,
            b,
            operator,
            _clients: clients,
            _fenced: fenced,
            origin,
            _folder: folder,
        }
    }
}

/// Writes an authority's certificate and, signed by it, one for the server and one for each peer.
fn certificates(folder: &Path) {
    let write = |name: &str, text: String| fs::write(folder.join(name), text).expect("written");
    let mut authority = parameters("authority");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    write(
        "authority.pem",
        authority.self_signed(&key).expect("signed").pem(),
    );
    let signer = Signer::new(authority, key);
    let uri = |text: &str| SanType::URI(text.try_into().expect("a URI"));
    let names = [
        ("server", uri("spiffe://example/store")),
        ("a", uri(A)),
        ("b", uri(B)),
        ("operator", uri(OPERATOR)),
    ];
    for (file, name) in names {
        let mut params = parameters(file);
        params.subject_alt_names = vec![name];
        let key = KeyPair::generate().expect("a key");
        write(
            &format!("{file}.pem"),
            params.signed_by(&key, &signer).expect("signed").pem(),
        );
        write(&format!("{file}.key"), key.serialize_pem());
    }
}

/// Each certificate needs a subject of its own, or it looks as if it had signed itself.
fn parameters(subject: &str) -> CertificateParams {
    let mut params = CertificateParams::new(vec![]).expect("parameters");
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, subject);
    params
}

/// What both sides of TLS have in common: their own certificate, and whom they trust.
fn tls(folder: &Path, name: &str) -> Value {
    json!({
        "tls_certificates": [{
            "certificate_chain": { "filename": folder.join(format!("{name}.pem")) },
            "private_key": { "filename": folder.join(format!("{name}.key")) },
        }],
        "validation_context": { "trusted_ca": { "filename": folder.join("authority.pem") } },
    })
}

/// The example, with client certificates required and the holder taken from them.
fn behind_tls(folder: &Path) -> Config {
    let config = Config::example("fencegate")
        .expect("the example")
        .with_policy(|policy| {
            let issuer = &mut policy["issuer"]["fencegate"];
            issuer["access"] = json!({ "peer": "uri_san" });
            issuer["break_access"] = json!({ "peers": { "by": "uri_san", "names": [OPERATOR] } });
        });
    let socket = json!({
        "name": "envoy.transport_sockets.tls",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
            "require_client_certificate": true,
            "common_tls_context": tls(folder, "server"),
        },
    });
    config.with(|bootstrap| {
        bootstrap["static_resources"]["listeners"][0]["filter_chains"][0]["transport_socket"] =
            socket;
    })
}

/// An Envoy that is the TLS client of three peers: the example without filter, three times.
fn clients(folder: &Path, fenced: SocketAddr) -> Config {
    let plain = Config::example("fencegate")
        .expect("the example")
        .with_plain_listener()
        .without_keeper();
    plain.with(|bootstrap| {
        let resources = &mut bootstrap["static_resources"];
        let (listener, cluster) = (
            resources["listeners"][1].clone(),
            resources["clusters"][0].clone(),
        );
        let names = ["a", "b", "operator"];
        resources["listeners"] = names
            .iter()
            .map(|name| client_listener(listener.clone(), name))
            .collect();
        resources["clusters"] = names
            .iter()
            .map(|name| client_cluster(cluster.clone(), folder, name, fenced))
            .collect();
    })
}

fn client_listener(mut listener: Value, name: &str) -> Value {
    listener["name"] = json!(name);
    let manager = &mut listener["filter_chains"][0]["filters"][0]["typed_config"];
    manager["route_config"]["virtual_hosts"][0]["routes"][0]["route"]["cluster"] = json!(name);
    listener
}

fn client_cluster(mut cluster: Value, folder: &Path, name: &str, fenced: SocketAddr) -> Value {
    cluster["name"] = json!(name);
    let assignment = &mut cluster["load_assignment"];
    assignment["cluster_name"] = json!(name);
    assignment["endpoints"][0]["lb_endpoints"][0]["endpoint"]["address"]["socket_address"]["port_value"] =
        json!(fenced.port());
    cluster["transport_socket"] = json!({
        "name": "envoy.transport_sockets.tls",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
            "common_tls_context": tls(folder, name),
        },
    });
    cluster
}

fn forbidden(answer: std::io::Result<Answer>) {
    let answer = answer.expect("an answer");
    let told = format!("{} {}", answer.status, answer.body_text());
    assert_eq!(
        (answer.status, answer.reason().as_str()),
        (403, "forbidden"),
        "{told}"
    );
    check_problem(&answer, &told);
}

#[test]
fn a_peer_acquires_in_its_own_name_only() {
    let peers = Peers::start();
    forbidden(peers.b.acquire("job:1", A, 60_000));
    forbidden(peers.b.acquire("job:1", "worker-b", 60_000));
    let answer = peers.a.acquire("job:1", A, 60_000).expect("an answer");
    let grant = Grant::from_answer(&answer)
        .unwrap_or_else(|| panic!("{} {}", answer.status, answer.body_text()));
    forbidden(peers.b.renew(&grant, 1000));
    forbidden(peers.b.release(&grant, true));
    forbidden(peers.b.claim("job:1", A, &grant.token));
    assert_eq!(
        peers.b.acquire("job:1", B, 1000).expect("an answer").status,
        409,
        "held by A"
    );
    assert_eq!(
        peers.a.renew(&grant, 60_000).expect("an answer").status,
        200
    );

    forbidden(peers.a.break_lease("job:1"));
    forbidden(peers.b.break_lease("job:1"));
    assert_eq!(
        peers
            .operator
            .break_lease("job:1")
            .expect("an answer")
            .status,
        200
    );
    assert_eq!(
        peers.b.acquire("job:1", B, 1000).expect("an answer").status,
        201
    );
    assert_eq!(peers.origin.journal().entries.len(), 0);
}

#[test]
fn without_tls_nobody_is_authenticated_and_nobody_acquires() {
    let config = Config::example("fencegate").expect("the example");
    let config = config.with_policy(|policy| {
        policy["issuer"]["fencegate"]["access"] = json!({ "peer": "uri_san" })
    });
    let envoy = Envoy::start(&config).expect("an Envoy");
    let address = envoy.address("fenced").expect("a listener");
    let issuer = Issuer::at(address);
    forbidden(issuer.acquire("job:1", A, 1000));
    forbidden(issuer.acquire("job:1", "worker-a", 1000));
    forbidden(issuer.leases("", ""));
    let spoofed = issuer
        .request("POST", "acquire")
        .header("X-Forwarded-Client-Cert", format!("URI={A}"))
        .body(json!({ "resource": "job:1", "holder": A }).to_string());
    forbidden(spoofed.send_to(address));
}
