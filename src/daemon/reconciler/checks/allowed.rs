//! The servers that checks may ask.

use std::collections::BTreeSet;
use std::str::FromStr;

use reqwest::Url;

/// The origins that checks may ask: scheme, host and port.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed(BTreeSet<String>);

/// An entry that is not an origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an origin; write scheme, host and port only, such as \"https://prometheus.example.com\"")]
pub struct InvalidOrigin(String);

/// Why an address may not be asked. It does not contain the address, because a query may contain a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// It is not an address.
    #[error("the address is invalid: {0}")]
    Invalid(<Url as FromStr>::Err),
    /// It contains credentials.
    #[error("the address has a user name or password")]
    Credentials,
    /// The operator does not allow its origin.
    #[error("[checks] allow of the daemon does not list {0}")]
    Unlisted(String),
}

impl Allowed {
    /// Reads a list of origins.
    ///
    /// # Errors
    /// [`InvalidOrigin`] for an entry with more or less than scheme, host and port.
    pub fn read(origins: &[String]) -> Result<Self, InvalidOrigin> {
        let read = |text: &String| {
            let url = Url::parse(text).ok().filter(|url| {
                let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
                matches!(url.scheme(), "http" | "https") && is_bare && !has_credentials(url)
            });
            url.map(|url| origin(&url)).ok_or_else(|| InvalidOrigin(text.clone()))
        };
        origins.iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the address to ask.
    ///
    /// # Errors
    /// [`Forbidden`]
    pub(super) fn permit(&self, address: &str) -> Result<Url, Forbidden> {
        let url = Url::parse(address).map_err(Forbidden::Invalid)?;
        let origin = origin(&url);
        if has_credentials(&url) {
            return Err(Forbidden::Credentials);
        }
        if self.0.contains(&origin) { Ok(url) } else { Err(Forbidden::Unlisted(origin)) }
    }
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(origins: &[&str]) -> Result<Allowed, InvalidOrigin> {
        Allowed::read(&origins.iter().map(|origin| (*origin).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn only_listed_origins_may_be_asked() {
        let allowed = allowed(&["https://prometheus.example.com", "http://10.0.0.1:9090/"]).unwrap();
        for permitted in ["https://PROMETHEUS.example.com:443/api/v1/query?query=1", "http://10.0.0.1:9090/x"] {
            assert!(allowed.permit(permitted).is_ok(), "{permitted}");
        }
        for refused in [
            "http://prometheus.example.com/",
            "https://prometheus.example.com:8443/",
            "https://prometheus.example.com.evil.example/",
            "https://prometheus.example.com@evil.example/",
            "https://user:secret@prometheus.example.com/",
            "https://evil.example/#https://prometheus.example.com",
            "file:///etc/passwd",
            "https://[",
        ] {
            let why = allowed.permit(refused).unwrap_err().to_string();
            assert!(!why.contains("secret"), "{why}");
        }
        assert_eq!(
            Allowed::default().permit("http://169.254.169.254/latest").unwrap_err().to_string(),
            "[checks] allow of the daemon does not list http://169.254.169.254"
        );
    }

    #[test]
    fn an_entry_with_more_than_an_origin_is_refused() {
        for entry in ["prometheus.example.com", "https://p/api", "https://p/?a", "ftp://p", "https://user@p", "*", ""] {
            assert!(allowed(&[entry]).is_err(), "{entry}");
        }
    }
}
