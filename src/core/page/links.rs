//! Addresses within the page: relative ones, so that it works below any path and as files.

use std::fmt::Write as _;

/// How pages refer to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// They are served: pages have no suffix, and may have a query.
    Served {
        /// The number of folders that the page is in.
        depth: usize,
    },
    /// They are files.
    Files {
        /// The number of folders that the page is in.
        depth: usize,
    },
}

impl Links {
    /// Returns the links of a served page.
    pub fn served(path: &str) -> Self {
        Self::Served { depth: depth(path) }
    }

    /// Returns the links of a page that is a file.
    pub fn files(path: &str) -> Self {
        Self::Files { depth: depth(path) }
    }

    /// Returns `true` if the page may be asked for something else by a query.
    pub fn has_queries(self) -> bool {
        matches!(self, Self::Served { .. })
    }

    /// Returns the address of a page. `parts` are the parts of its path.
    pub fn page(self, parts: &[&str]) -> String {
        let path: Vec<String> = parts.iter().map(|part| encoded(part)).collect();
        match (self, path.as_slice()) {
            (Self::Served { .. }, []) => format!("{}./", self.up()),
            (Self::Files { .. }, []) => format!("{}index.html", self.up()),
            (Self::Served { .. }, path) => self.up() + &path.join("/"),
            (Self::Files { .. }, path) => self.up() + &path.join("/") + ".html",
        }
    }

    /// Returns the address of a page with a query; that of the page alone if it is a file.
    pub fn query(self, parts: &[&str], query: &[(&str, &str)]) -> String {
        let page = self.page(parts);
        if query.is_empty() || !self.has_queries() {
            return page;
        }
        let pairs: Vec<String> =
            query.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        format!("{page}?{}", pairs.join("&"))
    }

    /// Returns the address of a file that is the same for all pages.
    pub fn asset(self, name: &str) -> String {
        self.up() + name
    }

    fn up(self) -> String {
        let (Self::Served { depth } | Self::Files { depth }) = self;
        "../".repeat(depth)
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
