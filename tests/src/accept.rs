//! Serves HTTP/1.1 on a listener: each connection in a task of its own, each request to one function.

use std::error::Error;
use std::future::Future;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// Takes connections until it is dropped, and lets `answer` answer what comes over them.
pub(crate) async fn accept<Answer, Work, Failed>(listener: TcpListener, answer: Answer)
where
    Answer: Fn(Request<Incoming>) -> Work + Clone + Send + 'static,
    Work: Future<Output = Result<Response<Full<Bytes>>, Failed>> + Send + 'static,
    Failed: Error + Send + Sync + 'static,
{
    while let Ok((stream, _)) = listener.accept().await {
        let answer = answer.clone();
        let connection = http1::Builder::new()
            .half_close(true)
            .serve_connection(TokioIo::new(stream), service_fn(answer));
        // A connection that breaks is the client's business; whoever answers has what arrived.
        tokio::spawn(async move { connection.await.ok() });
    }
}
