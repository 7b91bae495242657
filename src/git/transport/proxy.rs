//! The proxies for HTTP remotes.

use std::fmt;

use crate::Error;

/// The proxies for HTTP remotes, from the usual environment variables.
///
/// The addresses may contain passwords, so printing this value shows only which variables they come from.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    https: Option<Proxy>,
    http: Option<Proxy>,
    except: String,
}

/// A proxy address, and the variable that it comes from.
#[derive(Clone, PartialEq, Eq)]
struct Proxy {
    place: String,
    address: String,
}

impl Proxies {
    /// Returns a configuration without proxies.
    pub fn none() -> Self {
        Self::default()
    }

    /// Reads `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`. Lowercase names take precedence.
    pub fn from_environment() -> Self {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    /// Reads the same variables from elsewhere.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let one = |name: &str| {
            let names = [name.to_lowercase(), name.to_owned()];
            let found = names.into_iter().filter_map(|name| Some((variable(&name)?.trim().to_owned(), name)));
            let mut found = found.filter(|(value, _)| !value.is_empty());
            found.next().map(|(address, place)| Proxy { place, address })
        };
        let all = one("ALL_PROXY");
        Self {
            https: one("HTTPS_PROXY").or_else(|| all.clone()),
            http: one("HTTP_PROXY").or(all),
            except: one("NO_PROXY").map(|list| list.address).unwrap_or_default(),
        }
    }

    /// Returns the names of the hosts of the proxies.
    ///
    /// # Errors
    /// [`Error::Proxy`] if an address is unusable.
    pub fn hosts(&self) -> Result<Vec<String>, Error> {
        let named = [&self.https, &self.http].into_iter().flatten();
        named.map(|proxy| Ok(url(proxy)?.host_str().unwrap_or_default().to_owned())).collect()
    }

    /// Returns the proxies for the HTTP client.
    pub(crate) fn resolve(&self) -> Result<Vec<reqwest::Proxy>, Error> {
        let except = reqwest::NoProxy::from_string(&self.except);
        let one = |proxy: &Option<Proxy>, make: fn(reqwest::Url) -> reqwest::Result<reqwest::Proxy>| {
            let url = proxy.as_ref().map(url).transpose()?;
            let Some((proxy, url)) = proxy.as_ref().zip(url) else { return Ok(None) };
            let unusable = |_| refusal(proxy, "the HTTP client does not accept it");
            make(url).map(|made| Some(made.no_proxy(except.clone()))).map_err(unusable)
        };
        let made = [one(&self.https, reqwest::Proxy::https)?, one(&self.http, reqwest::Proxy::http)?];
        Ok(made.into_iter().flatten().collect())
    }
}

/// Parses an address, in which the scheme may be missing. The address itself is never included in an error.
fn url(proxy: &Proxy) -> Result<reqwest::Url, Error> {
    let address = &proxy.address;
    let full = if address.contains("://") { address.clone() } else { format!("http://{address}") };
    let url = reqwest::Url::parse(&full).map_err(|_| refusal(proxy, "it is not a URL: write http://host:port"))?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(url),
        _ => Err(refusal(proxy, "only http and https proxies are supported: write http://host:port")),
    }
}

fn refusal(proxy: &Proxy, why: &'static str) -> Error {
    Error::Proxy { place: proxy.place.clone(), why }
}

impl fmt::Debug for Proxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |proxy: &Option<Proxy>| proxy.as_ref().map(|proxy| proxy.place.clone());
        f.debug_struct("Proxies")
            .field("https", &place(&self.https))
            .field("http", &place(&self.http))
            .field("except", &self.except)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Proxies {
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Proxies::from_variables(find)
    }

    #[test]
    fn lowercase_and_more_specific_variables_take_precedence() {
        let place = |proxy: Option<Proxy>| proxy.map(|proxy| proxy.place);
        let all = read(&[("ALL_PROXY", "a:1"), ("https_proxy", "b:1"), ("HTTPS_PROXY", "c:1"), ("NO_PROXY", "x, y")]);
        assert_eq!((place(all.https), place(all.http)), (Some("https_proxy".to_owned()), Some("ALL_PROXY".to_owned())));
        assert_eq!(all.except, "x, y");
        assert_eq!(read(&[("https_proxy", " "), ("NO_PROXY", "*")]).resolve().unwrap().len(), 0);
        assert_eq!(
            read(&[("HTTPS_PROXY", "proxy:3128"), ("HTTP_PROXY", "http://u:p@proxy")]).resolve().unwrap().len(),
            2
        );
    }

    #[test]
    fn unusable_address_is_reported_by_its_variable_and_never_printed() {
        for address in ["socks5://u:hunter2@x:1", "http://u:hunter2@", "::hunter2::", "ftp://hunter2"] {
            let proxies = read(&[("HTTPS_PROXY", address)]);
            let error = proxies.resolve().unwrap_err();
            assert!(error.to_string().starts_with("the proxy in HTTPS_PROXY cannot be used: "), "{error}");
            assert!(!format!("{error:?} {proxies:?}").contains("hunter2"), "{error:?}");
        }
    }
}
