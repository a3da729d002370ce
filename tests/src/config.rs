//! Envoy configurations for tests, made from the very files in `examples/`.
//!
//! A test names an example and says in which points it differs; ports, paths and addresses are put
//! in when an Envoy is started ([`Config::fitted`]). So what users copy is what runs. This file
//! knows the shape of the examples and nothing of running processes.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::etcd::{Certificates, Etcd};

/// The name of the listener that the examples have.
pub const FENCED: &str = "fenced";
/// The name of the listener that [`Config::with_plain_listener`] adds.
pub const PLAIN: &str = "plain";

/// The name of etcd's cluster in the examples that have one.
pub const ETCD: &str = "etcd";

const WASM_IN_EXAMPLES: &str = "/etc/envoy/fencegate.wasm";
const FILTER: &str = "fencegate";
const CONNECTION_MANAGER: &str = "/filter_chains/0/filters/0/typed_config";

/// An Envoy bootstrap, still with the example's paths and ports.
#[derive(Clone, Debug)]
pub struct Config {
    bootstrap: Value,
    store: Option<SocketAddr>,
    certificates: Option<Certificates>,
}

/// The folder of the examples.
pub fn examples_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

impl Config {
    /// Reads `examples/NAME.yaml`.
    ///
    /// # Errors
    /// When there is no such file or it is no YAML.
    pub fn example(name: &str) -> io::Result<Self> {
        let text = fs::read_to_string(examples_folder().join(format!("{name}.yaml")))?;
        Self::from_yaml(&text)
    }

    /// Reads a bootstrap from YAML.
    ///
    /// # Errors
    /// When it is no YAML.
    pub fn from_yaml(text: &str) -> io::Result<Self> {
        let bootstrap = serde_saphyr::from_str(text).map_err(io::Error::other)?;
        Ok(Self {
            bootstrap,
            store: None,
            certificates: None,
        })
    }

    /// Sends admitted requests to the store at `address`.
    #[must_use]
    pub fn with_store(mut self, address: SocketAddr) -> Self {
        self.store = Some(address);
        self
    }

    /// Keeps marks and leases in this etcd.
    ///
    /// # Panics
    /// When the example has no cluster of that name.
    #[must_use]
    pub fn with_etcd(mut self, etcd: &Etcd) -> Self {
        self.certificates = etcd.certificates().cloned();
        self.with_members(&etcd.addresses())
    }

    /// Looks for etcd's members at these addresses.
    ///
    /// # Panics
    /// When the example has no cluster of that name.
    #[must_use]
    pub fn with_members(self, members: &[SocketAddr]) -> Self {
        let socket =
            |address: &SocketAddr| json!({ "address": "127.0.0.1", "port_value": address.port() });
        let endpoints = members.iter().map(socket);
        let endpoint = |socket| json!({ "endpoint": { "address": { "socket_address": socket } } });
        let endpoints: Value = endpoints.map(endpoint).collect();
        self.with_etcd_cluster(|cluster| {
            cluster["load_assignment"]["endpoints"][0]["lb_endpoints"] = endpoints;
        })
    }

    /// Changes the cluster of etcd's members.
    ///
    /// # Panics
    /// When the example has no cluster of that name.
    #[must_use]
    pub fn with_etcd_cluster(mut self, change: impl FnOnce(&mut Value)) -> Self {
        let clusters = array(&mut self.bootstrap["static_resources"]["clusters"]);
        let mut clusters = clusters.iter_mut();
        let cluster = clusters.find(|cluster| cluster["name"] == ETCD);
        change(cluster.expect("a cluster of etcd's members"));
        self
    }

    /// Has these certificates where the example names files for them.
    #[must_use]
    pub fn with_certificates(mut self, certificates: &Certificates) -> Self {
        self.certificates = Some(certificates.clone());
        self
    }

    /// Answers admitted requests with 200 in the proxy itself, for speed.
    #[must_use]
    pub fn with_direct_response(mut self) -> Self {
        self.each_connection_manager(|manager| {
            let route = &mut manager["route_config"]["virtual_hosts"][0]["routes"][0];
            *route = json!({ "match": route["match"], "direct_response": { "status": 200 } });
        });
        self
    }

    /// Adds a listener that is the fenced one without the filter: the same store, nobody checks.
    #[must_use]
    pub fn with_plain_listener(mut self) -> Self {
        let mut plain = self.listeners()[0].clone();
        plain["name"] = json!(PLAIN);
        filters(&mut plain).retain(|filter| filter["name"] != FILTER);
        self.listeners().push(plain);
        self
    }

    /// Has a script judge what comes to a listener that has no filter.
    #[must_use]
    pub fn with_lua(mut self, listener: &str, script: &str) -> Self {
        for it in self.listeners() {
            if it["name"] == listener {
                let lua = json!({
                    "name": "envoy.filters.http.lua",
                    "typed_config": {
                        "@type": "type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua",
                        "default_source_code": { "inline_string": script },
                    },
                });
                filters(it).insert(0, lua);
            }
        }
        self
    }

    /// Changes the filter's own configuration as JSON.
    ///
    /// # Panics
    /// When the example's configuration is no JSON.
    #[must_use]
    pub fn with_policy(self, change: impl FnOnce(&mut Value)) -> Self {
        let mut policy = serde_json::from_str(&self.policy())
            .expect("the example's filter configuration is JSON");
        change(&mut policy);
        self.with_policy_text(&policy.to_string())
    }

    /// Replaces the filter's own configuration by any text.
    #[must_use]
    pub fn with_policy_text(mut self, text: &str) -> Self {
        self.each_filter(|filter| {
            filter["typed_config"]["config"]["configuration"]["value"] = json!(text)
        });
        self
    }

    /// Gives the filter another `vm_id` than the keeper has.
    #[must_use]
    pub fn with_vm_id(mut self, vm_id: &str) -> Self {
        self.each_filter(|filter| {
            filter["typed_config"]["config"]["vm_config"]["vm_id"] = json!(vm_id)
        });
        self
    }

    /// The filter's own configuration.
    pub fn policy(&self) -> String {
        let mut found = String::new();
        self.clone().each_filter(|filter| {
            found = filter["typed_config"]["config"]["configuration"]["value"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
        });
        found
    }

    /// Changes any part of the bootstrap.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Value)) -> Self {
        change(&mut self.bootstrap);
        self
    }

    /// Changes each listener's connection manager.
    #[must_use]
    pub fn with_connection_manager(mut self, change: impl FnMut(&mut Value)) -> Self {
        self.each_connection_manager(change);
        self
    }

    /// Leaves the keeper out, to show what it is for.
    #[must_use]
    pub fn without_keeper(self) -> Self {
        self.with(|bootstrap| bootstrap["bootstrap_extensions"] = json!([]))
    }

    /// Leaves every listener out.
    #[must_use]
    pub fn without_listeners(mut self) -> Self {
        self.listeners().clear();
        self
    }

    /// The bootstrap as an Envoy of the tests loads it: the compiled filter at `wasm`, files in
    /// `folder`, free loopback ports, the store's real address.
    pub fn fitted(&self, wasm: &Path, folder: &Path) -> Value {
        let mut bootstrap = self.bootstrap.clone();
        fit(
            &mut bootstrap,
            &|key, value| match (key, value.as_str(), value.as_u64()) {
                ("filename", Some(WASM_IN_EXAMPLES), _) => Some(json!(wasm)),
                ("filename", Some(file), _) => self.certificate(file).map(|file| json!(file)),
                ("path", Some("/dev/stdout"), _) => Some(json!(folder.join("access.log"))),
                ("address", Some("0.0.0.0"), _) => Some(json!("127.0.0.1")),
                ("port_value", _, Some(9901 | 10000)) => Some(json!(0)),
                ("port_value", _, Some(9000)) => self.store.map(|store| json!(store.port())),
                _ => None,
            },
        );
        bootstrap
    }

    fn certificate(&self, file: &str) -> Option<&Path> {
        let certificates = self.certificates.as_ref()?;
        match file.strip_prefix("/etc/envoy/etcd-")? {
            "authority.pem" => Some(&certificates.authority),
            "client.pem" => Some(&certificates.client),
            "client.key" => Some(&certificates.client_key),
            _ => None,
        }
    }

    fn listeners(&mut self) -> &mut Vec<Value> {
        array(&mut self.bootstrap["static_resources"]["listeners"])
    }

    fn each_connection_manager(&mut self, mut change: impl FnMut(&mut Value)) {
        for listener in self.listeners() {
            change(
                listener
                    .pointer_mut(CONNECTION_MANAGER)
                    .expect("a listener of the examples' shape"),
            );
        }
    }

    fn each_filter(&mut self, mut change: impl FnMut(&mut Value)) {
        for listener in self.listeners() {
            for filter in filters(listener) {
                if filter["name"] == FILTER {
                    change(filter);
                }
                // Behind the router, where an example has them.
                let behind = filter.pointer_mut("/typed_config/upstream_http_filters");
                for filter in behind.and_then(Value::as_array_mut).into_iter().flatten() {
                    if filter["name"] == FILTER {
                        change(filter);
                    }
                }
            }
        }
    }
}

/// Takes the listeners out of a fitted bootstrap and has them read from `file` instead, which Envoy
/// watches: a renamed-in file is a new configuration. Returns the file's content.
pub(crate) fn listeners_from_file(bootstrap: &mut Value, file: &Path) -> Value {
    let mut listeners = bootstrap["static_resources"]["listeners"].take();
    bootstrap["static_resources"]["listeners"] = json!([]);
    bootstrap["node"] = json!({ "id": "fencegate-tests", "cluster": "fencegate-tests" });
    bootstrap["dynamic_resources"]["lds_config"] = json!({
        "resource_api_version": "V3",
        "path_config_source": { "path": file, "watched_directory": { "path": file.parent() } },
    });
    for listener in array(&mut listeners) {
        listener["@type"] = json!("type.googleapis.com/envoy.config.listener.v3.Listener");
    }
    json!({ "resources": listeners })
}

fn filters(listener: &mut Value) -> &mut Vec<Value> {
    let manager = listener
        .pointer_mut(CONNECTION_MANAGER)
        .expect("a listener of the examples' shape");
    array(&mut manager["http_filters"])
}

fn array(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().expect("a list in the examples' shape")
}

/// Replaces every value for which `replace`, given its key, has another one.
fn fit(value: &mut Value, replace: &dyn Fn(&str, &Value) -> Option<Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| fit(item, replace)),
        Value::Object(fields) => {
            for (key, field) in fields {
                match replace(key, field) {
                    Some(new) => *field = new,
                    None => fit(field, replace),
                }
            }
        }
        _ => {}
    }
}
