//! Git over HTTP: requests are answered by `git http-backend`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::process::Output;

use parking_lot::Mutex;

use super::answers::{Answers, Holds};
use super::program::{self, GitError};

/// The start of a list of capabilities.
///
/// # Source
/// Git's `gitprotocol-v2`, section "Capability Advertisement".
const CAPABILITIES: &[u8] = b"000eversion 2\n";

/// Responses to clients that fetch.
pub(super) type Served = Answers<Question, GitResponse>;

/// What decides the response to a client that fetches, besides the refs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    method: String,
    path: String,
    query: String,
    content_type: String,
    content_encoding: String,
    protocol: String,
    body: Vec<u8>,
    user: String,
}

/// A request for a repository.
pub(crate) struct GitRequest<'a> {
    pub(crate) method: &'a str,
    /// The path from the root of the repositories, with a leading slash.
    pub(crate) path: &'a str,
    pub(crate) query: &'a str,
    pub(crate) content_type: &'a str,
    pub(crate) content_encoding: &'a str,
    /// The `Git-Protocol` header.
    pub(crate) protocol: &'a str,
    pub(crate) body: &'a [u8],
    /// Who may push; no one if it is empty.
    pub(crate) user: &'a str,
}

impl GitRequest<'_> {
    /// Returns `true` if the request may move refs.
    pub(super) fn is_push(&self) -> bool {
        self.path.ends_with("/git-receive-pack")
    }

    /// Returns the request as a value.
    pub(super) fn question(&self) -> Question {
        Question {
            method: self.method.to_owned(),
            path: self.path.to_owned(),
            query: self.query.to_owned(),
            content_type: self.content_type.to_owned(),
            content_encoding: self.content_encoding.to_owned(),
            protocol: self.protocol.to_owned(),
            body: self.body.to_owned(),
            user: self.user.to_owned(),
        }
    }
}

/// A response of the program.
#[derive(Debug, Clone)]
pub(crate) struct GitResponse {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl GitResponse {
    /// Returns how long a client that fetches gets this response: what the server can do does not depend on the refs.
    pub(super) fn holds(&self) -> Holds {
        let are_capabilities = self.body.windows(CAPABILITIES.len()).take(64).any(|part| part == CAPABILITIES);
        if are_capabilities { Holds::Forever } else { Holds::UntilRefsMove }
    }
}

/// Answers a request for a repository below `root`.
///
/// # Errors
/// If the program does not start, or does not answer with a header.
pub(crate) fn serve(root: &Path, request: &GitRequest<'_>) -> Result<GitResponse, GitError> {
    let mut command = program::command(root);
    command
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("REQUEST_METHOD", request.method)
        .env("PATH_INFO", request.path)
        .env("QUERY_STRING", request.query)
        .env("CONTENT_TYPE", request.content_type)
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.content_encoding)
        .env("GIT_PROTOCOL", request.protocol)
        .env("REMOTE_ADDR", "127.0.0.1");
    if !request.user.is_empty() {
        // The program accepts pushes only of a user that the server has authenticated.
        command.env("REMOTE_USER", request.user);
    }
    let Output { stdout: output, stderr, .. } = program::output(&mut command, request.body)?;
    let failed = || {
        let message = format!("it sent no header: {}", String::from_utf8_lossy(&stderr).trim().trim_end_matches('.'));
        GitError::Failed { arguments: "http-backend".to_owned(), message }
    };
    let end = output.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(failed)?;
    let head = String::from_utf8_lossy(&output[..end]);
    let mut response = GitResponse { status: 200, headers: Vec::new(), body: output[end + 4..].to_vec() };
    for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
        if name == "Status" {
            response.status = value.split(' ').next().and_then(|code| code.parse().ok()).unwrap_or(500);
        } else {
            response.headers.push((name.to_owned(), value.to_owned()));
        }
    }
    Ok(response)
}

/// The paths of programs with which git has served a repository before.
static SERVING: Mutex<BTreeSet<OsString>> = Mutex::new(BTreeSet::new());

/// Checks that git can serve a repository, such as `platform/fleet`. The answer is about the machine, so a process asks only once.
///
/// # Errors
/// [`GitError::NoBackend`] if it cannot, and those of [`serve`].
pub(crate) fn check(root: &Path, project: &str) -> Result<(), GitError> {
    let programs = std::env::var_os("PATH").unwrap_or_default();
    if SERVING.lock().contains(&programs) {
        return Ok(());
    }
    let path = format!("/{project}.git/info/refs");
    let query = "service=git-upload-pack";
    let (content_type, content_encoding, protocol, body, user) = ("", "", "", b"".as_slice(), "");
    let request =
        GitRequest { method: "GET", path: &path, query, content_type, content_encoding, protocol, body, user };
    match serve(root, &request) {
        Ok(GitResponse { status: 200, .. }) => {
            SERVING.lock().insert(programs);
            Ok(())
        }
        Ok(GitResponse { status, .. }) => Err(GitError::NoBackend(format!("it answers with status {status}"))),
        Err(GitError::Failed { message, .. }) => Err(GitError::NoBackend(message)),
        Err(error) => Err(error),
    }
}

/// Returns the owner and the name of the repository of a path such as `/platform/fleet.git/info/refs`.
pub(crate) fn repository_of(path: &str) -> Option<(&str, &str)> {
    let mut parts = path.strip_prefix('/')?.split('/');
    let (owner, name) = (parts.next()?, parts.next()?.strip_suffix(".git")?);
    parts.next().map(|_| (owner, name)).filter(|(owner, name)| !owner.starts_with('.') && !name.is_empty())
}
