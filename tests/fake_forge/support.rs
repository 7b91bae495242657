//! A forge with people and a repository, and a plain HTTP client.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::commits::{NewCommit, target};
use crate::git_command::git;
use tidegate_fake_forge::{ForgeSandbox, Options, Role};
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::Timestamp;

/// When the clock of each forge starts.
pub(super) const START: &str = "2026-11-22T10:30:00Z";

/// A forge with the maintainer ada, the developers bob and tidegate, and the reader eve.
pub(super) struct Stage {
    pub(super) forge: ForgeSandbox,
    /// The first commit.
    pub(super) first: String,
    directory: TempDir,
    clock: Arc<AtomicI64>,
}

impl Stage {
    pub(super) async fn new(kind: ForgeKind) -> Self {
        Self::with(kind, |_| {}).await
    }

    pub(super) async fn with(kind: ForgeKind, change: impl FnOnce(&mut Options)) -> Self {
        let directory = TempDir::new().unwrap();
        let clock = Arc::new(AtomicI64::new(START.parse::<Timestamp>().unwrap().as_second()));
        let read = Arc::clone(&clock);
        let now = move || Timestamp::from_second(read.load(Ordering::SeqCst)).unwrap();
        let mut options = Options::new(directory.path().join("forge"), now);
        change(&mut options);
        let forge = ForgeSandbox::start(kind, options).await.unwrap();
        for (login, role) in
            [("ada", Role::Admin), ("bob", Role::Write), ("tidegate", Role::Write), ("eve", Role::Read)]
        {
            forge.add_account(login, role);
        }
        let mut stage = Self { forge, first: String::new(), directory, clock };
        stage.first = stage.commit_on(&[], "main", "fleet.yaml", "version: 1\n", "The first one");
        // The forge sees this push now, and not together with the next one.
        assert_eq!(stage.forge.pulls().len(), 0);
        stage
    }

    /// Returns the directory of the project's repository.
    pub(super) fn repository(&self) -> PathBuf {
        self.directory.path().join("forge/platform/fleet.git")
    }

    /// Returns the commit of a ref of the project; `None` if it does not exist.
    pub(super) fn target(&self, name: &str) -> Option<String> {
        target(&self.repository(), name)
    }

    /// Commits a file to an existing branch of the project, and returns the commit.
    pub(super) fn commit(&self, branch: &str, path: &str, text: &str) -> String {
        let tip = self.target(&format!("refs/heads/{branch}")).unwrap();
        self.commit_on(&[&tip], branch, path, text, path)
    }

    /// Commits a file after these commits, and moves a branch of the project there.
    pub(super) fn commit_on(&self, parents: &[&str], branch: &str, path: &str, text: &str, message: &str) -> String {
        let (files, at) = (&[(path, Some(text))], self.now().as_second());
        NewCommit { branch, parents, files, message, at }.write(&self.repository())
    }

    /// Adds a branch with a change of the first commit, opens a pull request as ada, and returns its number and its head.
    pub(super) async fn pull(&self, branch: &str) -> (u64, String) {
        let path = format!("{branch}.yaml");
        let head = self.commit_on(&[&self.first], branch, &path, "version: 2\n", &path);
        (self.forge.open_pull("ada", branch, "main", &format!("Change {branch}")).unwrap(), head)
    }

    /// Runs git in a directory, while the forge answers.
    pub(super) async fn git_in(&self, directory: &Path, arguments: &[&str]) -> String {
        let directory = directory.to_owned();
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let run = move || git(&directory, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        tokio::task::spawn_blocking(run).await.unwrap()
    }

    /// Clones the project over HTTP, commits a file to a new branch of the clone, and returns the clone and the commit.
    pub(super) async fn cloned(&self, branch: &str) -> (PathBuf, String) {
        let clone = self.directory.path().join("clone");
        let url = self.forge.git_url();
        self.git_in(self.directory.path(), &["clone", "--quiet", &url, "clone"]).await;
        self.git_in(&clone, &["checkout", "--quiet", "-b", branch]).await;
        std::fs::write(clone.join(format!("{branch}.yaml")), "version: 3\n").unwrap();
        self.git_in(&clone, &["add", "."]).await;
        self.git_in(&clone, &["commit", "--quiet", "-m", branch]).await;
        let commit = self.git_in(&clone, &["rev-parse", "HEAD"]).await;
        (clone, commit)
    }

    /// Returns an address of the forge with the token of an account.
    pub(super) fn with_token(&self, url: &str, login: &str) -> String {
        url.replacen("http://", &format!("http://{login}:{}@", self.forge.token_of(login)), 1)
    }

    pub(super) fn now(&self) -> Timestamp {
        Timestamp::from_second(self.clock.load(Ordering::SeqCst)).unwrap()
    }

    pub(super) fn advance(&self, seconds: i64) {
        self.clock.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(super) async fn get(&self, login: &str, path: &str) -> Answer {
        self.send("GET", login, path, &Value::Null).await
    }

    pub(super) async fn post(&self, login: &str, path: &str, body: Value) -> Answer {
        self.send("POST", login, path, &body).await
    }

    /// Sends a request with the token of an account; as a visitor if the login is empty.
    pub(super) async fn send(&self, method: &str, login: &str, path: &str, body: &Value) -> Answer {
        let token = if login.is_empty() { String::new() } else { self.forge.token_of(login) };
        let authorization = format!("Bearer {token}");
        let mut headers = vec![("User-Agent", "test"), ("Authorization", &*authorization)];
        headers.truncate(if login.is_empty() { 1 } else { 2 });
        self.request(method, path, &headers, body).await.unwrap()
    }

    /// Sends a request with these headers. Returns an error if the connection ends before the answer is complete.
    pub(super) async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Result<Answer, String> {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.forge.url()) };
        let rest = url.strip_prefix("http://").unwrap();
        let (host, target) = rest.split_once('/').unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut head = format!("{method} /{target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        let mut stream = TcpStream::connect(host).await.map_err(|error| error.to_string())?;
        stream.write_all(head.as_bytes()).await.map_err(|error| error.to_string())?;
        let mut received = Vec::new();
        stream.read_to_end(&mut received).await.map_err(|error| error.to_string())?;
        Answer::read(&received)
    }
}

/// An answer of a forge.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Value,
}

impl Answer {
    fn read(received: &[u8]) -> Result<Self, String> {
        let end = received.windows(4).position(|four| four == b"\r\n\r\n").ok_or("no answer")?;
        let head = String::from_utf8_lossy(&received[..end]).into_owned();
        let body = &received[end + 4..];
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: BTreeMap<String, String> =
            lines.filter_map(|line| line.split_once(": ")).map(|(n, v)| (n.to_lowercase(), v.to_owned())).collect();
        let length: usize = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        if body.len() < length && status != 304 {
            return Err(format!("{} of {length} bytes", body.len()));
        }
        let body = serde_json::from_slice(body).unwrap_or_else(|_| json!(String::from_utf8_lossy(body)));
        Ok(Self { status, headers, body })
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Returns a field of each item of a list.
    pub(super) fn each(&self, field: &str) -> Vec<&Value> {
        self.body.as_array().unwrap().iter().map(|item| &item[field]).collect()
    }
}
