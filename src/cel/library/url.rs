//! Addresses of resources.
//!
//! # Source
//! Go `net/url`.

use std::fmt;
use std::net::IpAddr;
use std::rc::Rc;

use super::declare::Row;
use crate::cel::run::{Context, Fault};
use crate::cel::value::{Built, Map, Value};

pub(super) const ROWS: &[Row] = &[
    Row("url", "string_to_url", "(string) -> url", Some(read)),
    Row("getScheme", "url_get_scheme", "url.() -> string", Some(scheme)),
    Row("getHost", "url_get_host", "url.() -> string", Some(host)),
    Row("getHostname", "url_get_hostname", "url.() -> string", Some(hostname)),
    Row("getPort", "url_get_port", "url.() -> string", Some(port)),
    Row("getEscapedPath", "url_get_escaped_path", "url.() -> string", Some(path)),
    Row("getQuery", "url_get_query", "url.() -> map(string, list(string))", Some(query)),
    Row("isURL", "is_url_string", "(string) -> bool", Some(is_url)),
];

/// A URL.
#[derive(Debug, Default)]
pub(in crate::cel) struct Url {
    scheme: String,
    /// What stands behind the scheme where no path does.
    opaque: String,
    user: Option<(Vec<u8>, Option<Vec<u8>>)>,
    host: Vec<u8>,
    omits_host: bool,
    path: Vec<u8>,
    /// The path as written, where it is written otherwise than needed.
    raw_path: Option<String>,
    query: String,
    asks_nothing: bool,
    fragment: String,
}

/// What is being written, which decides what has to be escaped.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Path,
    Host,
    Zone,
    User,
    Query,
    Fragment,
}

impl Part {
    /// Says whether a byte can stand for itself.
    fn is_plain(self, byte: u8) -> bool {
        let always = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        always
            || match self {
                Self::Path => b"$&+,/:;=@".contains(&byte),
                Self::Host | Self::Zone => b"!$&'()*+,;=:[]<>\"".contains(&byte),
                Self::User => b"$&+,;=".contains(&byte),
                Self::Query => false,
                Self::Fragment => b"$&+,/:;=?@!()*".contains(&byte),
            }
    }

    fn escape(self, bytes: &[u8]) -> String {
        let escaped = bytes.iter().map(|byte| match byte {
            byte if self.is_plain(*byte) => char::from(*byte).to_string(),
            byte => format!("%{byte:02X}"),
        });
        escaped.collect()
    }

    fn unescape(self, text: &str) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((byte, behind)) = rest.split_first() {
            rest = behind;
            match byte {
                b'%' => {
                    let (digits, behind) = rest.split_first_chunk::<2>()?;
                    let digits = std::str::from_utf8(digits).ok()?;
                    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                    let value = u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
                    // In a host only what is not ASCII is escaped, and in a zone only what could stand there anyway.
                    let allowed = match self {
                        Self::Host => value >= 0x80 || value == b'%',
                        Self::Zone => value == b'%' || value == b' ' || Self::Host.is_plain(value),
                        _ => true,
                    };
                    out.push(allowed.then_some(value)?);
                    rest = behind;
                }
                b'+' if self == Self::Query => out.push(b' '),
                byte if matches!(self, Self::Host | Self::Zone) && byte.is_ascii() && !self.is_plain(*byte) => {
                    return None;
                }
                byte => out.push(*byte),
            }
        }
        Some(out)
    }
}

impl Url {
    /// Says whether a text can stand in a request.
    pub(super) fn is_request(text: &str) -> bool {
        Self::parse(text, true).is_some()
    }

    fn read(text: &str) -> Option<Self> {
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

    fn escaped_path(&self) -> String {
        match &self.raw_path {
            Some(raw) if is_valid(raw, Part::Path) => raw.clone(),
            _ if self.path == b"*" => "*".to_owned(),
            _ => Part::Path.escape(&self.path),
        }
    }

    /// Returns the host without and the port without brackets and colon.
    fn host_and_port(&self) -> (String, String) {
        let text = String::from_utf8_lossy(&self.host).into_owned();
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host.to_owned(), port.to_owned()),
            _ => (text, String::new()),
        };
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).map(str::to_owned);
        (bare.unwrap_or(host), port)
    }
}

/// Cuts off the scheme; `None` if a colon is the first character.
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

/// Says whether what is written can stay as it is.
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

/// Reads an address of version 6 in brackets.
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

fn read<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let [Value::Text(text)] = args else { return Err(Fault::Failed) };
    let url = Url::read(text).filter(|_| Url::is_request(text));
    url.map(|url| Value::Url(Rc::new(url))).ok_or(Fault::Failed)
}

fn is_url<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let [Value::Text(text)] = args else { return Err(Fault::Failed) };
    Ok(Value::Bool(Url::is_request(text)))
}

fn part<'a>(args: &[Value<'a>], part: impl FnOnce(&Url) -> String) -> Result<Value<'a>, Fault> {
    match args {
        [Value::Url(url)] => Ok(Value::text(part(url))),
        _ => Err(Fault::Failed),
    }
}

fn scheme<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    part(args, |url| url.scheme.clone())
}

fn host<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    part(args, |url| String::from_utf8_lossy(&url.host).into_owned())
}

fn hostname<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    part(args, |url| url.host_and_port().0)
}

fn port<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    part(args, |url| url.host_and_port().1)
}

fn path<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    part(args, Url::escaped_path)
}

fn query<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let [Value::Url(url)] = args else { return Err(Fault::Failed) };
    context.meter.allocate(url.query.len().saturating_mul(4))?;
    let mut members: Vec<(String, Vec<Value<'a>>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for pair in url.query.split('&').filter(|pair| !pair.is_empty() && !pair.contains(';')) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (Some(key), Some(value)) = (Part::Query.unescape(key), Part::Query.unescape(value)) else { continue };
        let key = String::from_utf8_lossy(&key).into_owned();
        let value = Value::text(String::from_utf8_lossy(&value));
        let at = *places.entry(key.clone()).or_insert(members.len());
        match members.get_mut(at) {
            Some((_, values)) => values.push(value),
            None => members.push((key, vec![value])),
        }
    }
    let mut built = Built::default();
    members.into_iter().for_each(|(key, values)| built.insert(Value::text(key), Value::list(values)));
    Ok(Value::Map(Map::of(built)))
}
