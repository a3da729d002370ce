//! A small gRPC server: HTTP/2, an answer with trailers, and a list of what reached it.
//!
//! It echoes the message of a call and ends with `grpc-status: 0` in trailers, as every unary gRPC
//! answer does. It knows no message formats.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A call as it reached the server.
#[derive(Clone, Debug)]
pub struct Call {
    /// The path, which names the method.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The message with its prefix.
    pub body: Vec<u8>,
    /// The trailers, if any came.
    pub trailers: Option<HeaderMap>,
}

/// A running server. It stops when it is dropped.
pub struct GrpcServer {
    address: SocketAddr,
    calls: Arc<Mutex<Vec<Call>>>,
    runtime: Option<Runtime>,
}

impl GrpcServer {
    /// Starts it on a free loopback port, on a thread of its own.
    ///
    /// # Errors
    /// When there is no port or no thread.
    pub fn start() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", 0)))?;
        let address = listener.local_addr()?;
        let calls = Arc::new(Mutex::new(Vec::new()));
        runtime.spawn(serve(listener, Arc::clone(&calls)));
        Ok(Self {
            address,
            calls,
            runtime: Some(runtime),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Everything that reached it so far, to its end.
    pub fn calls(&self) -> Vec<Call> {
        let calls = self.calls.lock();
        calls.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for GrpcServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn serve(listener: TcpListener, calls: Arc<Mutex<Vec<Call>>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let calls = Arc::clone(&calls);
        let service = service_fn(move |request| answer(Arc::clone(&calls), request));
        let connection = http2::Builder::new(TokioExecutor::new());
        let connection = connection.serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move { connection.await.ok() });
    }
}

type Answer = Response<http_body_util::combinators::BoxBody<Bytes, Infallible>>;

async fn answer(
    calls: Arc<Mutex<Vec<Call>>>,
    request: Request<Incoming>,
) -> Result<Answer, hyper::Error> {
    let (head, body) = request.into_parts();
    let collected = body.collect().await?;
    let trailers = collected.trailers().cloned();
    let body = collected.to_bytes();
    calls
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(Call {
            path: head.uri.path().to_owned(),
            headers: head.headers,
            body: body.to_vec(),
            trailers,
        });
    let mut end = HeaderMap::new();
    end.insert("grpc-status", HeaderValue::from_static("0"));
    let body = Full::new(body).with_trailers(async move { Some(Ok(end)) });
    let mut answer = Response::new(body.boxed());
    let kind = HeaderValue::from_static("application/grpc");
    answer.headers_mut().insert("content-type", kind);
    Ok(answer)
}
