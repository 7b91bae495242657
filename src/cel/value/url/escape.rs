//! Escaping in URLs.
//!
//! # Source
//! Go `net/url`, `shouldEscape` and `unescape`.

/// The part of a URL, which decides what must be escaped.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Part {
    Path,
    Host,
    Zone,
    User,
    Query,
    Fragment,
}

impl Part {
    /// Returns `true` if a byte needs no escape.
    pub(crate) fn is_plain(self, byte: u8) -> bool {
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

    pub(crate) fn escape(self, bytes: &[u8]) -> String {
        let escaped = bytes.iter().map(|byte| match byte {
            byte if self.is_plain(*byte) => char::from(*byte).to_string(),
            byte => format!("%{byte:02X}"),
        });
        escaped.collect()
    }

    pub(crate) fn unescape(self, text: &str) -> Option<Vec<u8>> {
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
                    // A host may escape only non-ASCII bytes and `%`; a zone only `%`, spaces, and bytes that need no escape.
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
