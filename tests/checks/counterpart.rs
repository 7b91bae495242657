//! A server on a port of its own that answers each connection as a test wants.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the server does with a connection, after it has read a request.
#[derive(Debug, Clone)]
pub(crate) enum Conduct {
    /// It sends these bytes and closes the connection.
    Sends(Vec<u8>),
    /// It sends these bytes and then nothing, and keeps the connection open.
    Hangs(Vec<u8>),
    /// It sends these bytes, and then the others again and again.
    Repeats(Vec<u8>, Vec<u8>),
}

/// A running server; it stops when dropped.
#[derive(Debug)]
pub(crate) struct Counterpart {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Drop for Counterpart {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns a complete answer.
pub(crate) fn answer(status: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

impl Counterpart {
    /// Starts a server. `conduct` gets the request, as far as it is in one packet.
    pub(crate) async fn start(conduct: impl Fn(&str) -> Conduct + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let (conduct, count) = (Arc::new(conduct), requests.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (conduct, count) = (conduct.clone(), count.clone());
                tokio::spawn(async move {
                    serve(stream, &*conduct, &count).await.ok();
                });
            }
        });
        Self { address, requests, task }
    }

    /// Starts a server that treats every connection alike.
    pub(crate) async fn always(conduct: Conduct) -> Self {
        Self::start(move |_| conduct.clone()).await
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns how many requests it has got.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

async fn serve(
    mut stream: TcpStream,
    conduct: &(dyn Fn(&str) -> Conduct + Send + Sync),
    count: &AtomicUsize,
) -> std::io::Result<()> {
    let mut request = vec![0; 16_384];
    let read = stream.read(&mut request).await?;
    count.fetch_add(1, Ordering::SeqCst);
    match conduct(&String::from_utf8_lossy(&request[..read])) {
        Conduct::Sends(bytes) => stream.write_all(&bytes).await,
        Conduct::Hangs(bytes) => {
            stream.write_all(&bytes).await?;
            std::future::pending().await
        }
        Conduct::Repeats(start, rest) => {
            stream.write_all(&start).await?;
            loop {
                stream.write_all(&rest).await?;
            }
        }
    }
}
