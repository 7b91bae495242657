//! URLs and their parts.
//!
//! # Source
//! Go `net/url`.

use std::fmt;
use std::net::IpAddr;

use super::escape::Part;

/// A URL.
#[derive(Debug, Default)]
pub(crate) struct Url {
    pub(crate) scheme: String,
    /// The part after the scheme, if it is not a path.
    pub(crate) opaque: String,
    pub(crate) user: Option<(Vec<u8>, Option<Vec<u8>>)>,
    pub(crate) host: Vec<u8>,
    pub(crate) omits_host: bool,
    pub(crate) path: Vec<u8>,
    /// The path as written, if it differs from the default encoding.
    pub(crate) raw_path: Option<String>,
    pub(crate) query: String,
    pub(crate) asks_nothing: bool,
    pub(crate) fragment: String,
}

impl Url {
    /// Returns `true` if a string can be used as a request URI.
    pub(crate) fn is_request(text: &str) -> bool {
        Self::parse(text, true).is_some()
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
        let mut url = Self::parse(before, false)?;
        let unescaped = Part::Fragment.unescape(fragment)?;
        let usual = Part::Fragment.escape(&unescaped);
        url.fragment = if is_valid(fragment, Part::Fragment) { fragment.to_owned() } else { usual };
        Some(url)
    }

    fn parse(text: &str, request: bool) -> Option<Self> {
        if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) || (text.is_empty() && request) {
            return None;
        }
        if text == "*" {
            return Some(Self { path: b"*".to_vec(), ..Self::default() });
        }
        let (scheme, rest) = split_scheme(text)?;
        let mut url = Self { scheme: scheme.to_ascii_lowercase(), ..Self::default() };
        let mut rest = match rest.strip_suffix('?') {
            Some(before) if !before.contains('?') => {
                url.asks_nothing = true;
                before
            }
            _ => {
                let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
                url.query = query.to_owned();
                before
            }
        };
        if !rest.starts_with('/') {
            if !url.scheme.is_empty() {
                url.opaque = rest.to_owned();
                return Some(url);
            }
            let first = rest.split('/').next().unwrap_or_default();
            if request || first.contains(':') {
                return None;
            }
        }
        let has_authority = !url.scheme.is_empty() || (!request && !rest.starts_with("///"));
        if has_authority && let Some(authority) = rest.strip_prefix("//") {
            let end = authority.find('/').unwrap_or(authority.len());
            let (authority, path) = authority.split_at_checked(end)?;
            url.set_authority(authority)?;
            rest = path;
        } else {
            url.omits_host = !url.scheme.is_empty() && rest.starts_with('/');
        }
        url.path = Part::Path.unescape(rest)?;
        url.raw_path = (Part::Path.escape(&url.path) != rest).then(|| rest.to_owned());
        Some(url)
    }

    fn set_authority(&mut self, authority: &str) -> Option<()> {
        let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        self.host = read_host(&self.scheme, host)?;
        if let Some(user) = user {
            let allowed = |c: char| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c);
            if !user.chars().all(allowed) {
                return None;
            }
            self.user = Some(match user.split_once(':') {
                Some((name, password)) => (Part::User.unescape(name)?, Some(Part::User.unescape(password)?)),
                None => (Part::User.unescape(user)?, None),
            });
        }
        Some(())
    }

    pub(crate) fn escaped_path(&self) -> String {
        match &self.raw_path {
            Some(raw) if is_valid(raw, Part::Path) => raw.clone(),
            _ if self.path == b"*" => "*".to_owned(),
            _ => Part::Path.escape(&self.path),
        }
    }

    /// Returns the host without brackets and the port without the colon.
    pub(crate) fn host_and_port(&self) -> (String, String) {
        let text = String::from_utf8_lossy(&self.host).into_owned();
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host.to_owned(), port.to_owned()),
            _ => (text, String::new()),
        };
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).map(str::to_owned);
        (bare.unwrap_or(host), port)
    }
}

/// Splits off the scheme; `None` if a colon is the first character.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return None,
            b':' => return text.split_once(':'),
            _ => break,
        }
    }
    Some(("", text))
}

/// Returns `true` if a string is validly encoded as it is.
fn is_valid(text: &str, part: Part) -> bool {
    text.bytes().all(|byte| b"!$&'()*+,;=:@[]%".contains(&byte) || part.is_plain(byte))
}

fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn read_host(scheme: &str, host: &str) -> Option<Vec<u8>> {
    match host.rfind('[') {
        Some(0) => return read_literal(host),
        Some(_) => return None,
        None => {}
    }
    let first = host.find(':');
    let last = host.rfind(':');
    let strict = matches!(scheme, "http" | "https");
    let colon = if strict { first } else { last };
    if !colon.is_none_or(|at| host.get(at..).is_some_and(is_port)) {
        return None;
    }
    Part::Host.unescape(host)
}

/// Parses an IPv6 address in brackets.
fn read_literal(host: &str) -> Option<Vec<u8>> {
    let close = host.rfind(']')?;
    let (inner, port) = (host.get(1..close)?, host.get(close + 1..)?);
    if !is_port(port) {
        return None;
    }
    let name = match inner.find("%25") {
        Some(at) => {
            let (address, zone) = inner.split_at_checked(at)?;
            [Part::Host.unescape(address)?, Part::Zone.unescape(zone)?].concat()
        }
        None => Part::Host.unescape(inner)?,
    };
    let text = String::from_utf8_lossy(&name).into_owned();
    let (address, zone) = text.split_once('%').map_or((text.as_str(), None), |(address, zone)| (address, Some(zone)));
    let is_version_6 = address.parse::<IpAddr>().is_ok_and(|address| address.is_ipv6());
    (is_version_6 && zone != Some("")).then(|| [b"[", name.as_slice(), b"]", port.as_bytes()].concat())
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        if self.opaque.is_empty() {
            let nobody = self.host.is_empty() && self.user.is_none();
            let mut path = self.escaped_path();
            if !(nobody && (self.scheme.is_empty() || self.omits_host)) {
                if !(nobody && self.path.is_empty()) {
                    f.write_str("//")?;
                }
                if let Some((name, password)) = &self.user {
                    f.write_str(&Part::User.escape(name))?;
                    if let Some(password) = password {
                        write!(f, ":{}", Part::User.escape(password))?;
                    }
                    f.write_str("@")?;
                }
                f.write_str(&Part::Host.escape(&self.host))?;
            }
            if self.omits_host && nobody && path.starts_with("//") {
                path.replace_range(..1, "%2F");
            }
            if !path.is_empty() && !path.starts_with('/') && !self.host.is_empty() {
                f.write_str("/")?;
            }
            f.write_str(&path)?;
        } else {
            f.write_str(&self.opaque)?;
        }
        if self.asks_nothing || !self.query.is_empty() {
            write!(f, "?{}", self.query)?;
        }
        if !self.fragment.is_empty() {
            write!(f, "#{}", self.fragment)?;
        }
        Ok(())
    }
}
