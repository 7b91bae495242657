//! A server on a free port that answers as a test says, and remembers what it was asked.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use serde_json::Value;
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

/// A running server.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) origin: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Starts a server. It runs until the test ends.
    pub(crate) async fn start(answer: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (noted, answer) = (Arc::clone(&seen), Arc::new(answer));
        let router = Router::new().fallback(move |request: Request| {
            let (noted, answer) = (Arc::clone(&noted), Arc::clone(&answer));
            async move {
                let request = read(request).await;
                noted.lock().unwrap().push(request.clone());
                let Answer { status, headers, body } = answer(&request);
                let mut response = Response::builder().status(status);
                for (name, value) in headers {
                    response = response.header(name, value);
                }
                response.body(Body::from(body)).unwrap()
            }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { origin, seen }
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

async fn read(request: Request) -> Seen {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 1 << 24).await.unwrap();
    let url = reqwest::Url::parse(&format!("http://h{}", parts.uri)).unwrap();
    let headers = parts.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    Seen {
        line: format!("{} {}", parts.method, parts.uri.path()),
        query: url.query_pairs().into_owned().collect(),
        headers: headers.collect(),
        body: if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap() },
    }
}
