//! Requests are answered by git or by the API of the forge.

use axum::http::HeaderMap;
use bytes::Bytes;
use serde_json::Value;

use super::super::git::{GitRequest, repository_of};
use super::super::instance::Instance;
use super::super::request::{self, Answer, BadToken, Call, Exchange, decoded};
use super::super::state::Role;
use super::super::traffic::Log;
use super::super::{gitea, github, gitlab};
use super::shared::Shared;
use tidegate_model::forge::ForgeKind;

/// A request.
#[derive(Clone)]
pub(crate) struct Received {
    pub(crate) method: String,
    /// The path and the query.
    pub(crate) target: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Answers a request.
pub(crate) fn answer(shared: &Shared, received: &Received) -> Answer {
    let (path, query) = received.target.split_once('?').unwrap_or((&received.target, ""));
    if let Some((owner, name)) = repository_of(path) {
        return git(shared, received, path, query, (owner, name));
    }
    match path.strip_prefix(shared.api_path()) {
        Some(rest) => shared.act(|forge| api(shared, forge, received, rest, query)),
        None => Answer::text(404, "404 page not found\n").unknown(),
    }
}

/// Answers a request of git.
fn git(shared: &Shared, received: &Received, path: &str, query: &str, (owner, name): (&str, &str)) -> Answer {
    let is_push = query.contains("service=git-receive-pack") || path.ends_with("/git-receive-pack");
    let access = shared.act(|forge| {
        let caller = request::caller(forge, &received.headers).ok()?;
        let repository = forge.repository_of(owner).filter(|_| name == forge.name()).cloned();
        let login = caller.account.and_then(|id| forge.store.account(id)).map(|account| account.login.clone());
        let is_own = login.as_deref() == Some(owner);
        let may = if is_push { is_own || caller.role(forge) >= Role::Write } else { caller.may_read(forge) };
        Some((repository, may, login, forge.options.directory.clone()))
    });
    let unauthorized = || Answer::text(401, "Unauthorized\n").with("www-authenticate", "Basic realm=\"git\"");
    let Some((repository, may, login, directory)) = access else { return unauthorized() };
    let repository = match (may, repository) {
        (false, _) if login.is_none() => return unauthorized(),
        (false, _) => return Answer::text(403, "You are not allowed to use this repository.\n"),
        (true, None) => return Answer::text(404, "Not found\n"),
        (true, Some(repository)) => repository,
    };
    let header = |name: &str| received.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let request = GitRequest {
        method: &received.method,
        path,
        query,
        content_type: header("content-type"),
        content_encoding: header("content-encoding"),
        protocol: header("git-protocol"),
        body: &received.body,
        user: login.as_deref().filter(|_| is_push).unwrap_or_default(),
    };
    let answer = match repository.serve(&directory, &request) {
        Ok(response) => {
            Answer { status: response.status, headers: response.headers, body: response.body, is_unknown: false }
        }
        Err(error) => Answer::text(500, &error.to_string()),
    };
    if is_push {
        // The next request looks at the branches again, so an error here is not lost.
        shared.act(|forge| forge.follow_pushes().ok());
    }
    answer
}

/// Answers a request for the API.
fn api(shared: &Shared, forge: &mut Instance, received: &Received, path: &str, query: &str) -> Answer {
    if let Err(refusal) = forge.follow_pushes() {
        return Answer::text(500, &format!("{refusal:?}"));
    }
    let now = forge.now;
    let mut usage = shared.usage.lock();
    if let Some(usage) = usage.as_mut() {
        usage.renew(now);
        if !usage.count() {
            let refusal = usage.refusal(shared.kind, now);
            return with_headers(refusal, usage.headers(shared.kind));
        }
    }
    let call = call(received, path, query);
    let mut log = shared.log.lock();
    let answer = of_forge(forge, &call, &mut log);
    if !call.is_read() && (200..300).contains(&answer.status) {
        log.count_write(now);
    }
    match usage.as_mut() {
        None => answer,
        Some(usage) => {
            if answer.status == 304 {
                usage.forgive();
            }
            with_headers(answer, usage.headers(shared.kind))
        }
    }
}

fn of_forge(forge: &mut Instance, call: &Call, log: &mut Log) -> Answer {
    let segments: Vec<&str> = call.segments.iter().map(String::as_str).collect();
    if forge.kind == ForgeKind::GitHub && github::is_for_app(&segments) {
        return github::answer_app(forge, call, &segments);
    }
    let caller = match request::caller(forge, &call.headers) {
        Ok(caller) => caller,
        Err(error) => return bad_token(forge, &error),
    };
    let mut exchange = Exchange { forge, call, caller, log };
    match exchange.forge.kind {
        ForgeKind::GitHub => github::answer(&mut exchange),
        ForgeKind::GitLab => gitlab::answer(&mut exchange),
        ForgeKind::Gitea => gitea::answer(&mut exchange),
    }
}

fn bad_token(forge: &Instance, error: &BadToken) -> Answer {
    match forge.kind {
        ForgeKind::GitHub => github::bad_token(error),
        ForgeKind::GitLab => gitlab::bad_token(error),
        ForgeKind::Gitea => gitea::error(forge, 401, "invalid username, password or token"),
    }
}

fn with_headers(mut answer: Answer, headers: Vec<(String, String)>) -> Answer {
    answer.headers.extend(headers);
    answer
}

fn call(received: &Received, path: &str, query: &str) -> Call {
    let decode = |text: &str| decoded(&text.replace('+', " "));
    let pairs = query.split('&').filter(|part| !part.is_empty());
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decode(name), decode(value))
    };
    Call {
        method: received.method.clone(),
        segments: path.split('/').filter(|segment| !segment.is_empty()).map(decoded).collect(),
        query: pairs.map(pair).collect(),
        headers: received.headers.clone(),
        body: serde_json::from_slice(&received.body).unwrap_or(Value::Null),
    }
}
