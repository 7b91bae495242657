//! A web server for `git http-backend` on its own port, which can require a token.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::git_command::git_command;

/// How the server answers.
#[derive(Clone)]
pub(crate) enum Answer {
    /// It serves everyone.
    Open,
    /// It serves clients that send this `Authorization` header.
    Authorized(&'static str),
    /// It serves everyone, but does not support protocol version 2.
    Old,
    /// It answers every request with this status line and header lines.
    Always(String),
    /// It answers every request with this status line and this text.
    Refused(&'static str, &'static str),
    /// It sends this many bytes of a packfile and closes the connection.
    Cut(usize),
    /// It sends this many bytes of a packfile, one at a time, and then hangs.
    Stalled(usize),
    /// It lists its refs, but never answers a request for objects.
    ListsOnly,
}

/// A running server; it stops when dropped.
pub(crate) struct HttpBackend {
    address: SocketAddr,
    scheme: &'static str,
    state: Arc<State>,
    stop: Arc<AtomicBool>,
    server: Option<JoinHandle<()>>,
}

struct State {
    root: PathBuf,
    answer: Mutex<Answer>,
    authorizations: Mutex<Vec<Option<String>>>,
}

struct Request {
    method: String,
    path: String,
    query: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl HttpBackend {
    /// Serves the repositories in a directory.
    pub(crate) fn serve(root: &Path, answer: Answer) -> Self {
        Self::start(root, answer, None)
    }

    /// Serves them over TLS.
    pub(crate) fn serve_tls(root: &Path, answer: Answer, tls: Arc<ServerConfig>) -> Self {
        Self::start(root, answer, Some(tls))
    }

    fn start(root: &Path, answer: Answer, tls: Option<Arc<ServerConfig>>) -> Self {
        let is_tls = tls.is_some();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state =
            Arc::new(State { root: root.to_owned(), answer: Mutex::new(answer), authorizations: Mutex::default() });
        let stop = Arc::new(AtomicBool::new(false));
        let (served, stopped) = (state.clone(), stop.clone());
        let server = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                // Ignore clients that close the connection early.
                let served = |mut stream: TcpStream| match &tls {
                    None => served.handle(&mut stream),
                    Some(tls) => {
                        let session = ServerConnection::new(tls.clone()).unwrap();
                        let mut stream = StreamOwned::new(session, stream);
                        let handled = served.handle(&mut stream);
                        stream.conn.send_close_notify();
                        handled.and_then(|()| stream.flush())
                    }
                };
                stream.and_then(served).ok();
            }
        });
        let scheme = if is_tls { "https" } else { "http" };
        Self { address, scheme, state, stop, server: Some(server) }
    }

    /// Returns the address of a path on this server.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}://{}/{path}", self.scheme, self.address)
    }

    /// Changes the answer, from the next request on.
    pub(crate) fn answer(&self, answer: Answer) {
        *self.state.answer.lock().unwrap() = answer;
    }

    /// Returns the `Authorization` header of each request so far.
    pub(crate) fn authorizations(&self) -> Vec<Option<String>> {
        self.state.authorizations.lock().unwrap().clone()
    }
}

impl Drop for HttpBackend {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        TcpStream::connect(self.address).ok();
        self.server.take().unwrap().join().unwrap();
    }
}

impl State {
    fn handle(&self, stream: &mut (impl Read + Write)) -> std::io::Result<()> {
        let Some(request) = Request::read(&mut BufReader::new(&mut *stream))? else { return Ok(()) };
        let authorization = request.headers.get("authorization").cloned();
        self.authorizations.lock().unwrap().push(authorization.clone());
        let answer = self.answer.lock().unwrap().clone();
        let response = match &answer {
            Answer::Always(head) => empty(head),
            Answer::Refused(status, text) => {
                let head = format!("Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}", text.len());
                format!("HTTP/1.1 {status}\r\n{head}\r\nConnection: close\r\n\r\n{text}").into_bytes()
            }
            Answer::Authorized(expected) if authorization.as_deref() != Some(expected) => {
                empty("401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"git\"")
            }
            Answer::ListsOnly if holds(&request.body, b"command=fetch") => return hang(stream),
            Answer::Old => self.run(&Request { headers: without(&request.headers, "git-protocol"), ..request })?,
            _ => self.run(&request)?,
        };
        let pack = response.windows(4).position(|four| four == b"PACK");
        match (answer, pack) {
            (Answer::Cut(bytes), Some(start)) => stream.write_all(&response[..start + bytes]),
            (Answer::Stalled(bytes), Some(start)) => {
                stream.write_all(&response[..start])?;
                for byte in &response[start..start + bytes] {
                    stream.write_all(std::slice::from_ref(byte))?;
                    stream.flush()?;
                }
                hang(stream)
            }
            _ => stream.write_all(&response),
        }
    }

    /// Runs the CGI program and turns what it prints into a response.
    fn run(&self, request: &Request) -> std::io::Result<Vec<u8>> {
        let header = |name: &str| request.headers.get(name).cloned().unwrap_or_default();
        let mut child = git_command(&self.root)
            .arg("http-backend")
            .env("GIT_PROJECT_ROOT", &self.root)
            .env("GIT_HTTP_EXPORT_ALL", "1")
            .env("REQUEST_METHOD", &request.method)
            .env("PATH_INFO", &request.path)
            .env("QUERY_STRING", &request.query)
            .env("CONTENT_TYPE", header("content-type"))
            .env("CONTENT_LENGTH", request.body.len().to_string())
            .env("GIT_PROTOCOL", header("git-protocol"))
            // Only a signed-in user may push; the token was already checked.
            .env("REMOTE_USER", "ann")
            .env("REMOTE_ADDR", "127.0.0.1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut input = child.stdin.take().unwrap();
        let body = request.body.clone();
        let feeder = std::thread::spawn(move || input.write_all(&body));
        let output = child.wait_with_output()?.stdout;
        feeder.join().unwrap().ok();
        let end = output.windows(4).position(|four| four == b"\r\n\r\n").expect("the CGI program ends its header");
        let (head, body) = (String::from_utf8_lossy(&output[..end]).into_owned(), &output[end + 4..]);
        let status = head.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK").to_owned();
        let rest: String =
            head.lines().filter(|line| !line.starts_with("Status: ")).map(|line| format!("{line}\r\n")).collect();
        let mut response =
            format!("HTTP/1.1 {status}\r\n{rest}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len())
                .into_bytes();
        response.extend_from_slice(body);
        Ok(response)
    }
}

impl Request {
    fn read(from: &mut impl BufRead) -> std::io::Result<Option<Self>> {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_whitespace();
        let (method, target) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
        // Requests to a proxy contain the whole URL.
        let target = match target.strip_prefix("http://") {
            Some(rest) => rest.split_once('/').map_or_else(String::new, |(_, path)| format!("/{path}")),
            None => target,
        };
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            from.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let mut body = Vec::new();
        if let Some(length) = headers.get("content-length") {
            from.take(length.parse().unwrap()).read_to_end(&mut body)?;
        } else if headers.contains_key("transfer-encoding") {
            read_chunks(from, &mut body)?;
        }
        Ok(Some(Self { method, path: path.to_owned(), query: query.to_owned(), headers, body }))
    }
}

fn without(headers: &BTreeMap<String, String>, name: &str) -> BTreeMap<String, String> {
    let rest = headers.iter().filter(|(key, _)| *key != name);
    rest.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn holds(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// Sends nothing until the client gives up.
fn hang(stream: &mut impl Read) -> std::io::Result<()> {
    stream.read_to_end(&mut Vec::new()).map(drop)
}

/// Returns a response without a body.
fn empty(head: &str) -> Vec<u8> {
    format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").into_bytes()
}

fn read_chunks(from: &mut impl BufRead, body: &mut Vec<u8>) -> std::io::Result<()> {
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let length = u64::from_str_radix(line.trim_end(), 16).unwrap();
        from.take(length).read_to_end(body)?;
        from.read_line(&mut String::new())?;
        if length == 0 {
            return Ok(());
        }
    }
}
