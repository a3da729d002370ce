//! Serves a folder of static files on loopback: the built page, for the demo.
//!
//! All files are read when it starts, and a request can name one of them or nothing: no path leads
//! anywhere else, whatever its spelling.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::{Method, Response, StatusCode};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::accept::accept;

/// A folder that is being served. It stops when it is dropped.
pub struct Site {
    address: SocketAddr,
    _runtime: Runtime,
}

/// A file's content, and what it is.
struct File {
    kind: &'static str,
    content: Bytes,
}

/// The files by the path that names them in a request, with the slash that it begins with.
type Files = BTreeMap<String, File>;

impl Site {
    /// Serves what is in `folder` now, on a free loopback port.
    ///
    /// # Errors
    /// When the folder cannot be read or has no `index.html`, or no port is free.
    pub fn start(folder: &Path) -> io::Result<Self> {
        let mut files = Files::new();
        read(folder, "/", &mut files)?;
        if !files.contains_key("/index.html") {
            let what = format!("{} has no index.html", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, what));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let listener = runtime.block_on(TcpListener::bind(any))?;
        let address = listener.local_addr()?;
        let files = Arc::new(files);
        runtime.spawn(accept(listener, move |request| {
            let answer = answer(&files, request.method(), request.uri().path());
            async move { Ok::<_, Infallible>(answer) }
        }));
        Ok(Self {
            address,
            _runtime: runtime,
        })
    }

    /// Where it is served.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address as a browser takes it.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

/// Reads a folder and those in it. Links are left out: they may lead out of it.
fn read(folder: &Path, path: &str, files: &mut Files) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let (kind, place) = (entry.file_type()?, entry.path());
        if kind.is_dir() {
            read(&place, &format!("{path}{name}/"), files)?;
        } else if kind.is_file() {
            let file = File {
                kind: kind_of(&place),
                content: fs::read(&place)?.into(),
            };
            files.insert(format!("{path}{name}"), file);
        }
    }
    Ok(())
}

fn kind_of(file: &Path) -> &'static str {
    match file.extension().and_then(OsStr::to_str) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        _ => "application/octet-stream",
    }
}

fn answer(files: &Files, method: &Method, path: &str) -> Response<Full<Bytes>> {
    if method != Method::GET && method != Method::HEAD {
        let mut answer = plain(StatusCode::METHOD_NOT_ALLOWED, "this is only to be read\n");
        let methods = HeaderValue::from_static("GET, HEAD");
        answer.headers_mut().insert(ALLOW, methods);
        return answer;
    }
    let index = path
        .strip_suffix('/')
        .map(|folder| format!("{folder}/index.html"));
    match files.get(index.as_deref().unwrap_or(path)) {
        Some(file) => found(file.kind, file.content.clone()),
        None => plain(StatusCode::NOT_FOUND, "no such file\n"),
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut answer = found(
        "text/plain; charset=utf-8",
        Bytes::from_static(text.as_bytes()),
    );
    *answer.status_mut() = status;
    answer
}

fn found(kind: &'static str, content: Bytes) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::new(content));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Another demo may have the same port and a newer page.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}
