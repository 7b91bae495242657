//! The source of the token for a remote.

use std::io;
use std::path::PathBuf;

use crate::Error;

/// The source of the token that is sent to a remote over HTTP.
///
/// The token itself is not stored here. It is read again for every conversation, so that a rotated Secret is picked up.
/// Printing this value shows only where the token comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// No token is sent.
    None,
    /// The token is the content of a file, with surrounding whitespace removed.
    TokenFile(PathBuf),
    /// The token is the value of an environment variable, with surrounding whitespace removed.
    TokenEnv(String),
}

/// A token. It does not implement `Debug`, so that it cannot be logged by accident.
pub(crate) struct Token(pub(crate) String);

impl Token {
    /// Removes the token from a string, both in plain form and as sent: a server may repeat what it received.
    pub(crate) fn redact(&self, user: &str, text: &str) -> String {
        // A token this short is not a secret, and removing it would make text unreadable.
        if self.0.len() < 4 {
            return text.to_owned();
        }
        let sent = basic(user, self);
        text.replace(sent.trim_start_matches("Basic "), "***").replace(&self.0, "***")
    }
}

impl Credentials {
    /// Reads the token.
    pub(crate) fn token(&self) -> Result<Option<Token>, Error> {
        let (place, read) = match self {
            Self::None => return Ok(None),
            Self::TokenFile(path) => (path.display().to_string(), std::fs::read_to_string(path)),
            Self::TokenEnv(name) => (format!("${name}"), std::env::var(name).map_err(io::Error::other)),
        };
        let token = match read.as_deref().map(str::trim) {
            Ok("") => Err(io::Error::new(io::ErrorKind::InvalidData, "it is empty")),
            Ok(token) => Ok(Token(token.to_owned())),
            Err(_) => read.map(Token),
        };
        token.map(Some).map_err(|source| Error::Token { place, source })
    }
}

/// Encodes a user name and a token as the value of an `Authorization` header.
///
/// # Source
/// RFC 7617 (the Basic scheme) with the base64 of RFC 4648, section 4.
pub(super) fn basic(user: &str, token: &Token) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = format!("{user}:{}", token.0);
    let mut header = String::from("Basic ");
    for chunk in text.as_bytes().chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, at| bits << 8 | usize::from(chunk.get(at).copied().unwrap_or(0)));
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            header.push(if digit <= chunk.len() { char::from(DIGITS[value]) } else { '=' });
        }
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_removed_in_plain_and_in_encoded_form() {
        let token = Token("open sesame".to_owned());
        let echo = "no: open sesame (Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==)";
        assert_eq!(token.redact("Aladdin", echo), "no: *** (Authorization: Basic ***)");
        assert_eq!(Token("o".to_owned()).redact("Aladdin", "no"), "no");
    }

    #[test]
    fn basic_header_matches_the_published_examples() {
        // RFC 7617, section 2, and the paddings of RFC 4648, section 10.
        assert_eq!(basic("Aladdin", &Token("open sesame".to_owned())), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assert_eq!(basic("fo", &Token(String::new())), "Basic Zm86");
        assert_eq!(basic("foo", &Token("b".to_owned())), "Basic Zm9vOmI=");
    }
}
