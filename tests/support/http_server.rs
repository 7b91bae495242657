//! An HTTP server on a free port, whose answers a closure writes.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A request.
#[derive(Clone)]
pub(crate) struct Seen {
    /// The path with the query; the whole URL for a request to a proxy.
    pub(crate) target: String,
    pub(crate) authorization: Option<String>,
}

/// A running server; it stops when dropped.
pub(crate) struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    seen: Arc<Mutex<Vec<Seen>>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Answers each request on a thread of its own.
    pub(crate) fn start(answer: impl Fn(&Seen, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, seen, answer) =
            (Arc::new(AtomicBool::new(false)), Arc::<Mutex<Vec<Seen>>>::default(), Arc::new(answer));
        let (stopped, recorded) = (stop.clone(), seen.clone());
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let (recorded, answer) = (recorded.clone(), answer.clone());
                std::thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    if let Some(request) = request(&stream) {
                        recorded.lock().unwrap().push(request.clone());
                        answer(&request, &mut stream);
                    }
                });
            }
        });
        Self { address, stop, seen, thread: Some(thread) }
    }

    /// Answers with the body of the path; 404 for any other.
    pub(crate) fn of(bodies: &[(&str, &[u8])]) -> Self {
        let bodies: BTreeMap<String, Vec<u8>> =
            bodies.iter().map(|(path, body)| ((*path).to_owned(), body.to_vec())).collect();
        Self::start(move |request, stream| match bodies.get(&request.target) {
            Some(body) => send(stream, "200 OK", "", body),
            None => send(stream, "404 Not Found", "", b"nothing here"),
        })
    }

    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns the paths of the requests, in order.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.target).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        TcpStream::connect(self.address).ok();
        self.thread.take().unwrap().join().unwrap();
    }
}

fn request(stream: &TcpStream) -> Option<Seen> {
    let mut lines = BufReader::new(stream).lines();
    let target = lines.next()?.ok()?.split(' ').nth(1)?.to_owned();
    let mut authorization = None;
    for line in lines {
        let line = line.ok()?;
        match line.split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => authorization = Some(value.to_owned()),
            Some(_) => {}
            None => break,
        }
    }
    Some(Seen { target, authorization })
}

/// Sends an answer. `headers` are lines that end with `\r\n`.
pub(crate) fn send(stream: &mut TcpStream, status: &str, headers: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    // The client may have given up.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

pub(crate) fn redirect(stream: &mut TcpStream, location: &str) {
    send(stream, "302 Found", &format!("Location: {location}\r\n"), b"");
}
