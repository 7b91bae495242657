//! The ways in which a kustomization names a directory of another repository.

use super::path::join;

const SCHEMES: [&str; 4] = ["ssh://", "https://", "http://", "file://"];

/// A directory of another repository.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RemoteDirectory {
    /// The entry as it is written in the kustomization. It identifies the directory in the lock.
    pub source: String,
    /// What Git fetches: a URL, or `user@host:path`. It never contains a password, and a user only for SSH.
    pub repository: String,
    /// The branch, tag or commit; `None` for the default branch.
    pub reference: Option<String>,
    /// The path of the directory in that repository, without `.` and `..`; empty for the root.
    pub path: String,
    /// Whether the declaration allows submodules, as it does unless it says `submodules=false`.
    pub submodules: bool,
}

/// Why an entry does not name a directory of another repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotRemote {
    /// It is a path in this repository.
    #[error("it is a path in this repository")]
    Path,
    /// It names a host, but no repository.
    #[error("it names no repository on that host; write https://host/organization/repository//directory?ref=version")]
    NoRepository,
    /// The path of the directory leaves the repository.
    #[error("its directory is outside of that repository; remove the `..`")]
    Outside,
    /// It contains a password.
    #[error("it contains a password; remove it, and configure a credential helper of Git")]
    Password,
    /// It contains a character that no repository, branch or directory needs.
    #[error("it contains a control character, or a part that starts with `-`; remove that")]
    Unsafe,
}

impl NotRemote {
    /// Returns a message about an entry. It does not repeat a password.
    pub(super) fn about(self, source: &str) -> String {
        let source = if self == Self::Password { "this URL" } else { source };
        format!("{source} cannot be vendored: {self}")
    }
}

impl RemoteDirectory {
    /// Parses an entry of `resources`, `bases` or `components`.
    ///
    /// # Errors
    /// [`NotRemote`] if kustomize would not clone a repository for it, or it must not be fetched.
    ///
    /// # Source
    /// kustomize `NewRepoSpecFromURL`. Users in URLs of HTTP servers are removed, since Git asks its credential helpers for them.
    pub fn parse(source: &str) -> Result<Self, NotRemote> {
        if source.starts_with('/') {
            return Err(NotRemote::Path);
        }
        let (address, query) = source.split_once('?').unwrap_or((source, ""));
        let (host, rest) = host(address)?;
        let (repository, path) = split(rest, &host)?;
        let path = join("", path).ok_or(NotRemote::Outside)?;
        let query = Query::parse(query);
        let repository = format!("{}{repository}", without_user(&host)?);
        let reference = query.reference.filter(|reference| !reference.is_empty());
        let is_option = |part: &str| part.starts_with('-');
        let is_unsafe = is_option(&repository)
            || path.split('/').any(is_option)
            || reference.as_deref().is_some_and(is_option)
            || [&repository, &path].into_iter().chain(&reference).any(|part| part.contains(char::is_control));
        if is_unsafe {
            return Err(NotRemote::Unsafe);
        }
        Ok(Self { source: source.to_owned(), repository, reference, path, submodules: query.submodules })
    }

    /// Returns `true` if the repository is a directory of the machine that fetches it.
    pub fn is_local(&self) -> bool {
        self.repository.starts_with("file://")
    }
}

/// Returns the part of an address up to the path of the repository, and the rest.
fn host(address: &str) -> Result<(String, &str), NotRemote> {
    let address = strip_prefix(address, "git::").unwrap_or(address);
    let scheme = SCHEMES.into_iter().find_map(|scheme| Some((scheme, strip_prefix(address, scheme)?)));
    let (scheme, rest) = scheme.unwrap_or(("", address));
    if scheme == "file://" {
        // All of it is a path, even what looks like a user.
        return Ok((scheme.to_owned(), rest));
    }
    let (user, rest) = user(rest);
    let is_github = strip_prefix(rest, "github.com").is_some_and(|rest| rest.starts_with(['/', ':']));
    let is_scp = scheme.is_empty() && (!user.is_empty() || is_github);
    if scheme.is_empty() && !is_scp {
        return Err(NotRemote::Path);
    }
    let end = separator(rest, is_scp).ok_or(NotRemote::NoRepository)?;
    let (host, rest) = rest.split_at_checked(end + 1).ok_or(NotRemote::NoRepository)?;
    Ok(match (is_github, scheme == "ssh://" || !user.is_empty()) {
        (true, true) => (format!("{user}github.com:"), rest),
        (true, false) => ("https://github.com/".to_owned(), rest),
        (false, _) => (format!("{scheme}{user}{host}"), rest),
    })
}

/// Splits a user name from the start of an address, including the `@`.
fn user(address: &str) -> (&str, &str) {
    let is_user = |user: &str| {
        user.starts_with(|c: char| c.is_ascii_alphabetic())
            && user.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    match address.split_once('@') {
        Some((name, _)) if is_user(name) => address.split_at_checked(name.len() + 1).unwrap_or(("", address)),
        _ => ("", address),
    }
}

/// Returns the position of the character between a host and a path. A colon counts only in the form `user@host:path`.
fn separator(address: &str, is_scp: bool) -> Option<usize> {
    let slash = address.find('/');
    let colon = address.find(':').filter(|_| is_scp);
    match (slash, colon) {
        (Some(slash), Some(colon)) if colon > 0 && colon < slash => Some(colon),
        (None, colon) => colon,
        (slash, _) => slash,
    }
}

/// Splits the path of the repository from that of the directory.
fn split<'a>(rest: &'a str, host: &str) -> Result<(&'a str, &'a str), NotRemote> {
    let at = |index: usize| rest.split_at_checked(index).ok_or(NotRemote::NoRepository);
    let (repository, path) = if let Some(marker) = rest.find("_git/") {
        let name = marker + "_git/".len();
        let end = rest.get(name..).and_then(|after| after.find('/')).map_or(rest.len(), |length| name + length);
        at(end)?
    } else if let Some(marker) = rest.find("//") {
        at(marker)?
    } else if let Some(marker) = rest.find(".git") {
        at(marker + ".git".len())?
    } else if host == "file://" {
        (rest, "")
    } else {
        let slashes = rest.match_indices('/').map(|(index, _)| index);
        let mut ends = slashes.chain([rest.len()]);
        ends.next().ok_or(NotRemote::NoRepository)?;
        at(ends.next().ok_or(NotRemote::NoRepository)?)?
    };
    if repository.is_empty() { Err(NotRemote::NoRepository) } else { Ok((repository, path)) }
}

/// Removes the user from the URL of an HTTP server.
fn without_user(host: &str) -> Result<String, NotRemote> {
    let Some((scheme, rest)) = host.split_once("://").filter(|(scheme, _)| *scheme != "file") else {
        return Ok(host.to_owned());
    };
    let Some((user, server)) = rest.rsplit_once('@') else { return Ok(host.to_owned()) };
    match (user.contains(':'), scheme) {
        (true, _) => Err(NotRemote::Password),
        (false, "ssh") => Ok(host.to_owned()),
        (false, _) => Ok(format!("{scheme}://{server}")),
    }
}

fn strip_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// The parameters after the `?`.
struct Query {
    reference: Option<String>,
    submodules: bool,
}

impl Query {
    /// Parses the parameters. As in kustomize, none counts if one of them is malformed.
    fn parse(query: &str) -> Self {
        let mut found = Self { reference: None, submodules: true };
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pair = |pair: &str| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (!pair.contains(';')).then_some((unescaped(key)?, unescaped(value)?))
        };
        let Some(pairs) = pairs.map(pair).collect::<Option<Vec<_>>>() else { return found };
        let first = |name: &str| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        found.reference = first("ref").filter(|reference| !reference.is_empty()).or_else(|| first("version"));
        let refusals = ["0", "f", "F", "FALSE", "false", "False"];
        found.submodules = !first("submodules").is_some_and(|value| refusals.contains(&value.as_str()));
        found
    }
}

/// Decodes a part of a query; `None` if an escape is malformed, or the result is not UTF-8.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => digit(bytes.next())? * 16 + digit(bytes.next())?,
            byte => byte,
        });
    }
    String::from_utf8(decoded).ok()
}
