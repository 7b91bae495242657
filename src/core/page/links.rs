//! Addresses within the page: relative ones, so that it works below any path and as files.

use std::fmt::Write as _;

/// How pages refer to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Links<'a> {
    kind: Kind,
    /// The number of folders that the page is in.
    depth: usize,
    /// The moment of the past that is shown: links lead to the same moment.
    at: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Pages have no suffix, and may have a query.
    Served,
    Files,
}

impl<'a> Links<'a> {
    /// Returns the links of a served page. `at` is the moment of the past that was asked for.
    pub fn served(path: &str, at: Option<&'a str>) -> Self {
        Self { kind: Kind::Served, depth: depth(path), at }
    }

    /// Returns the links of a page that is a file.
    pub fn files(path: &str) -> Self {
        Self { kind: Kind::Files, depth: depth(path), at: None }
    }

    /// Returns the links to the present.
    pub fn now(self) -> Self {
        Self { at: None, ..self }
    }

    /// Returns the moment that links lead to.
    pub fn at(self) -> Option<&'a str> {
        self.at
    }

    /// Returns `true` if the page may be asked for something else by a query.
    pub fn has_queries(self) -> bool {
        self.kind == Kind::Served
    }

    /// Returns the address of a page. `parts` are the parts of its path.
    pub fn page(self, parts: &[&str]) -> String {
        self.query(parts, &[])
    }

    /// Returns the address of a page with a query; that of the page alone if it is a file. Values that are empty are left out.
    pub fn query(self, parts: &[&str], query: &[(&str, &str)]) -> String {
        let path: Vec<String> = parts.iter().map(|part| encoded(part)).collect();
        let (up, path) = (self.up(), path.join("/"));
        match self.kind {
            Kind::Files if path.is_empty() => return format!("{up}index.html"),
            Kind::Files => return format!("{up}{path}.html"),
            Kind::Served => {}
        }
        let at = self.at.map(|at| ("at", at));
        let pairs = query.iter().copied().chain(at).filter(|(_, value)| !value.is_empty());
        let pairs: Vec<String> = pairs.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let page = if path.is_empty() { format!("{up}./") } else { up + &path };
        if pairs.is_empty() { page } else { format!("{page}?{}", pairs.join("&")) }
    }

    /// Returns the address of a file that is the same for all pages.
    pub fn asset(self, name: &str) -> String {
        self.up() + name
    }

    fn up(self) -> String {
        "../".repeat(self.depth)
    }
}

/// Returns the number of folders that a page is in.
fn depth(path: &str) -> usize {
    path.trim_matches('/').matches('/').count()
}

/// Encodes everything that has a meaning in an address.
fn encoded(part: &str) -> String {
    let mut text = String::new();
    for byte in part.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(byte)),
            // Writing into a String cannot fail.
            byte => drop(write!(text, "%{byte:02X}")),
        }
    }
    text
}
