//! HTTP remotes: certificates, proxies, time limits, and the messages of servers that refuse a request.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gix::protocol::transport::Service;
use reqwest::blocking::ClientBuilder;
use reqwest::{Certificate, StatusCode};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject};

use super::proxy::Proxies;
use super::public::PublicOnly;
use super::timeouts::Timeouts;
use super::tls::install_tls_provider;
use crate::Error;
use crate::sanitize::one_line;

/// Time limit for a server to explain a refusal.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum size of an explanation in bytes.
const MESSAGE_BYTES: u64 = 4 << 10;

/// Status codes with which a server asks the client to retry later.
const RETRY_LATER: [StatusCode; 2] = [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT];

/// Settings of every HTTP client for a remote.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) timeouts: Timeouts,
    pub(super) authorities: Vec<Certificate>,
    /// `None` for a remote on this machine, which is never behind a proxy.
    pub(super) proxies: Option<Vec<reqwest::Proxy>>,
    /// The resolver, if private addresses are refused.
    pub(super) resolver: Option<Arc<PublicOnly>>,
}

impl Client {
    /// Configures a client builder. Certificates are added to the public ones.
    pub(crate) fn configure(&self, builder: ClientBuilder) -> ClientBuilder {
        install_tls_provider();
        // The environment has already been read; the client would read it by its own rules.
        let builder = builder.connect_timeout(self.timeouts.connect).timeout(self.timeouts.request).no_proxy();
        let builder = self.proxies.iter().flatten().cloned().fold(builder, ClientBuilder::proxy);
        let builder = match &self.resolver {
            Some(resolver) => builder.dns_resolver(Arc::clone(resolver)),
            None => builder,
        };
        if self.authorities.is_empty() { builder } else { builder.tls_certs_merge(self.authorities.iter().cloned()) }
    }

    /// Asks a server that refused a request for its message, which the transport drops. Returns an empty string if it has
    /// no plain-text message.
    pub(super) fn refusal_message(&self, repository: &str, service: Service, authorization: Option<&str>) -> String {
        let ask = || -> reqwest::Result<String> {
            let client = self.configure(ClientBuilder::new()).timeout(self.timeouts.request.min(MESSAGE_TIMEOUT));
            let client = client.redirect(reqwest::redirect::Policy::none()).build()?;
            let address = format!("{}/info/refs?service={}", repository.trim_end_matches('/'), service.as_str());
            let mut request = client.get(address);
            if let Some(authorization) = authorization {
                request = request.header(reqwest::header::AUTHORIZATION, authorization);
            }
            let response = request.send()?;
            let kind = response.headers().get(reqwest::header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            if !response.status().is_client_error() || !kind.is_some_and(|kind| kind.starts_with("text/plain")) {
                return Ok(String::new());
            }
            let mut text = Vec::new();
            let read = response.take(MESSAGE_BYTES).read_to_end(&mut text);
            Ok(read.map(|_| one_line(&text)).unwrap_or_default())
        };
        // The message is optional: the failure is reported without it, too.
        ask().unwrap_or_default()
    }
}

/// Returns a builder of HTTP clients that reach servers as a remote over HTTP is reached, for downloads beside Git.
///
/// `authority` is a file with certificates that are trusted in addition to the public ones. Without `proxies`, none is used.
///
/// # Errors
/// [`Error::File`] if the file is unusable, [`Error::Proxy`] if the address of a proxy is.
pub fn http_client(
    timeouts: Timeouts,
    authority: Option<&Path>,
    proxies: Option<&Proxies>,
) -> Result<ClientBuilder, Error> {
    let client = Client {
        timeouts,
        authorities: authority.map(authorities).transpose()?.unwrap_or_default(),
        proxies: proxies.map(Proxies::resolve).transpose()?,
        resolver: None,
    };
    Ok(client.configure(ClientBuilder::new()))
}

/// Returns `true` if the server may have a message for this error. A server that is rate limiting is not asked again.
pub(super) fn may_have_message(error: &gix::Error) -> bool {
    let status = error.downcast_any_ref::<reqwest::Error>().and_then(reqwest::Error::status);
    let refused = status.is_some_and(|status| status.is_client_error() && !RETRY_LATER.contains(&status));
    refused || error.is_unauthenticated()
}

/// Returns `true` if the response broke off or came too late, or the server asked to retry later, as forges do when a rate
/// limit is reached.
pub(super) fn is_transient_response(error: &gix::Error) -> bool {
    let passing = |error: &reqwest::Error| {
        let asked_to_wait = error.status().is_some_and(|status| RETRY_LATER.contains(&status));
        asked_to_wait || error.is_timeout() || error.is_body() || error.is_decode()
    };
    error.downcast_any_ref::<reqwest::Error>().is_some_and(passing)
}

/// Reads the certificates in a file.
///
/// # Errors
/// [`Error::File`] if the file has no certificate or an invalid one.
pub(super) fn authorities(path: &Path) -> Result<Vec<Certificate>, Error> {
    let refuse = |why: String| Error::File { what: "CA file", path: path.to_owned(), why };
    let bytes = std::fs::read(path).map_err(|error| refuse(error.to_string()))?;
    let mut authorities = Vec::new();
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        let certificate = certificate.map_err(|error| refuse(format!("it is not PEM: {}", damage(&error))))?;
        let trusted = rustls::RootCertStore::empty().add(certificate.clone());
        trusted.map_err(|error| refuse(format!("it contains something that is not a certificate, {error}")))?;
        authorities.push(Certificate::from_der(&certificate).map_err(|error| refuse(error.to_string()))?);
    }
    if authorities.is_empty() {
        return Err(refuse("it contains no certificate in PEM form".to_owned()));
    }
    Ok(authorities)
}

/// Describes damage to a PEM file. The library prints the bytes of a line as numbers.
fn damage(error: &pem::Error) -> String {
    match error {
        pem::Error::MissingSectionEnd { end_marker } => {
            format!(
                "the section {} has no END line; the file may be cut off",
                String::from_utf8_lossy(end_marker).trim()
            )
        }
        pem::Error::IllegalSectionStart { line } => {
            format!("a section starts with the line {:?}", String::from_utf8_lossy(line).trim())
        }
        other => other.to_string(),
    }
}
