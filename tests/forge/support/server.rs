//! A server that answers as a test says, and remembers what it was asked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, Method, Response};
use serde_json::Value;
use tidegate_forge::Transport;
use tokio::net::TcpListener;

/// A request as the server received it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// Method and path, as in `GET /api/v1/user`. The path is as it was sent, with its encoding.
    pub(crate) line: String,
    /// The query as it was sent, without encoding of its values.
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Seen {
    /// Returns the value of a parameter of the query.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the page that was asked for.
    pub(crate) fn page(&self) -> usize {
        self.get("page").map_or(1, |page| page.parse().unwrap())
    }
}

/// What the server answers.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
}

impl Answer {
    pub(crate) fn new(status: u16, body: impl Into<String>) -> Self {
        Self { status, headers: Vec::new(), body: body.into() }
    }

    pub(crate) fn json(status: u16, body: Value) -> Self {
        Self::new(status, body.to_string())
    }

    pub(crate) fn ok(body: Value) -> Self {
        Self::json(200, body)
    }

    /// A list of Gitea, with the number of all its entries.
    pub(crate) fn counted(total: usize, body: Value) -> Self {
        Self::ok(body).with("x-total-count", total)
    }

    pub(crate) fn not_found() -> Self {
        Self::json(404, serde_json::json!({ "message": "Not Found" }))
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }
}

/// A server, and what it was asked.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) origin: String,
    /// How clients reach it in process; `None` if they connect to its port.
    pub(crate) transport: Option<Transport>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

/// Notes a request, and returns what the server answers.
type Service = Arc<dyn Fn(Seen) -> Response<String> + Send + Sync>;

impl Server {
    /// Starts a server that clients call in process.
    pub(crate) async fn start(answer: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(1);
        let origin = format!("https://forge-{}.example.com", COUNT.fetch_add(1, Ordering::SeqCst));
        let (service, seen) = service(answer);
        let own = origin.clone();
        let transport = Transport::new(move |request: reqwest::Request| {
            let (url, body) = (request.url(), request.body().and_then(reqwest::Body::as_bytes).unwrap_or_default());
            assert_eq!(url.origin().ascii_serialization(), own, "a request to another server");
            let response = service(read(request.method(), url, request.headers(), body));
            async move { Ok(reqwest::Response::from(response)) }
        });
        Self { origin, transport: Some(transport), seen }
    }

    /// Starts a server on a free port, for tests whose subject is the connection. It runs until the test ends.
    pub(crate) async fn listen(answer: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let (service, seen) = service(answer);
        let router = Router::new().fallback(move |request: Request| {
            let service = Arc::clone(&service);
            async move {
                let (parts, body) = request.into_parts();
                let body = to_bytes(body, 1 << 24).await.unwrap();
                let url = reqwest::Url::parse(&format!("http://h{}", parts.uri)).unwrap();
                service(read(&parts.method, &url, &parts.headers, &body)).map(Body::from)
            }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { origin, transport: None, seen }
    }

    /// Returns a server on another port, which a test serves by itself.
    pub(crate) fn at(listener: &TcpListener) -> Self {
        Self { origin: format!("http://{}", listener.local_addr().unwrap()), transport: None, seen: Arc::default() }
    }

    /// Returns what the server was asked so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns the lines of what the server was asked so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }

    /// Returns the requests that were not reads.
    pub(crate) fn writes(&self) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| !seen.line.starts_with("GET ")).collect()
    }
}

fn service(answer: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> (Service, Arc<Mutex<Vec<Seen>>>) {
    let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let noted = Arc::clone(&seen);
    let service = move |request: Seen| {
        noted.lock().unwrap().push(request.clone());
        let Answer { status, headers, body } = answer(&request);
        let mut response = Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(name, value);
        }
        response.body(body).unwrap()
    };
    (Arc::new(service), seen)
}

fn read(method: &Method, url: &reqwest::Url, headers: &HeaderMap, body: &[u8]) -> Seen {
    let headers = headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    Seen {
        line: format!("{method} {}", url.path()),
        query: url.query_pairs().into_owned().collect(),
        headers: headers.collect(),
        body: if body.is_empty() { Value::Null } else { serde_json::from_slice(body).unwrap() },
    }
}
