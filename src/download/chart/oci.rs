//! Charts in OCI registries: the manifest of a tag, and the layer with the archive.
//!
//! # Source
//! The OCI distribution specification 1.1, the token authentication of the Docker registry, and helm's media types.

use reqwest::StatusCode;
use reqwest::header::{LINK, WWW_AUTHENTICATE};
use semver::Version;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tidegate_model::line::brief;

use super::challenge::Challenge;
use super::constraint::version;
use super::requested::{Archive, ChartRequest};
use crate::Error;
use crate::files::{digest, is_digest_of};
use crate::web::{Authorization, Reply, Target, Web, is_loopback, is_page};

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CHART_LAYER: &str = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

/// Most pages of tags, and most tags.
const PAGES: usize = 100;
const TAGS: usize = 100_000;

#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    media_type: String,
    digest: String,
    size: u64,
}

#[derive(Deserialize)]
struct Tags {
    #[serde(default)]
    tags: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Token {
    #[serde(default)]
    token: String,
    #[serde(default)]
    access_token: String,
}

/// A repository of a registry, and the token for it.
struct Registry<'a> {
    web: &'a Web,
    /// The address of the repository below `/v2/`.
    address: Target,
    token: Option<String>,
}

/// Downloads the archive of the version that matches a request. `place` is the address of the repository without `oci://`.
pub(super) fn archive(web: &Web, place: &str, request: &ChartRequest) -> Result<Archive, Error> {
    let mut registry = Registry::new(web, place, request)?;
    let tag = registry.tag(request)?;
    // A `+` is not allowed in a tag.
    let reply = registry.get(&format!("manifests/{}", tag.replace('+', "_")), MANIFEST)?;
    let (what, body) = registry.body(reply)?;
    let manifest: Manifest = document(&what, &body)?;
    let Some(layer) = manifest.layers.iter().find(|layer| layer.media_type == CHART_LAYER) else {
        let why = "it is not the manifest of a helm chart: no layer contains one".to_owned();
        return Err(Error::Content { what, why });
    };
    if !is_sha256(&layer.digest) {
        return Err(Error::Content { what, why: "the digest of the chart is not one of SHA-256".to_owned() });
    }
    let reply = registry.get(&format!("blobs/{}", layer.digest), "*/*")?;
    let (_, bytes) = registry.body(reply)?;
    let what = format!("the archive of {} {tag} from {}", request.name, request.repository);
    if u64::try_from(bytes.len()).ok() != Some(layer.size) || !is_digest_of(&layer.digest, &bytes) {
        let why = format!(
            "it has {} bytes and the digest {}, but the registry says {} bytes and {}",
            bytes.len(),
            digest(&bytes),
            layer.size,
            layer.digest
        );
        return Err(Error::Content { what, why });
    }
    Ok(Archive { version: tag, bytes })
}

/// Returns the tags of a repository. `place` is its address without `oci://`, up to the name of the request.
pub(crate) fn tags(web: &Web, place: &str, request: &ChartRequest) -> Result<Vec<String>, Error> {
    Registry::new(web, place, request)?.tags()
}

impl<'a> Registry<'a> {
    fn new(web: &'a Web, place: &str, request: &ChartRequest) -> Result<Self, Error> {
        let refuse = |why: &str| Error::Address { address: request.repository.clone(), why: why.to_owned() };
        let (host, path) = place.trim_end_matches('/').split_once('/').unwrap_or((place.trim_end_matches('/'), ""));
        // The registry of Docker has a host of its own.
        let host = if host == "docker.io" { "registry-1.docker.io" } else { host };
        let path = if path.is_empty() { request.name.clone() } else { format!("{path}/{}", request.name) };
        let is_safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '/');
        if host.is_empty() || !path.chars().all(is_safe) || path.split('/').any(|part| matches!(part, "" | "." | ".."))
        {
            return Err(refuse("write oci://host/path, in lowercase, and without a tag"));
        }
        let address = web.target(&format!("https://{host}/v2/{path}/"))?;
        // The registry of a test or of a local cluster has no certificate.
        let address =
            if is_loopback(&address.url) { web.target(&format!("http://{host}/v2/{path}/"))? } else { address };
        Ok(Self { web, address, token: None })
    }

    /// Returns the tag of the version that matches, with `+` where the registry has `_`.
    fn tag(&mut self, request: &ChartRequest) -> Result<String, Error> {
        let wanted = request.version.trim();
        // helm does not list the tags for an exact version.
        if Version::parse(wanted).is_ok() {
            return Ok(wanted.to_owned());
        }
        let constraint = request.constraint();
        let tags = self.tags()?;
        if let Some(tag) = tags.iter().find(|tag| !wanted.is_empty() && *tag == wanted) {
            return Ok(tag.clone());
        }
        let constraint = constraint?;
        let mut versions: Vec<(Version, &String)> = tags.iter().filter_map(|tag| Some((version(tag)?, tag))).collect();
        versions.sort_by(|(one, a), (other, b)| other.cmp_precedence(one).then_with(|| a.cmp(b)));
        let found = versions.iter().find(|(version, _)| constraint.contains(version));
        let known = || request.no_version(versions.iter().map(|(_, tag)| tag.as_str()));
        found.map(|(_, tag)| (*tag).clone()).ok_or_else(known)
    }

    fn tags(&mut self) -> Result<Vec<String>, Error> {
        let mut tags = Vec::new();
        let mut next = "tags/list".to_owned();
        for _ in 0..PAGES {
            let reply = self.get(&next, "application/json")?;
            let link = reply.headers.get(LINK).and_then(|value| value.to_str().ok()).and_then(next_page);
            let link = link.map(|link| reply.target.lead(link)).transpose()?;
            let (what, body) = self.body(reply)?;
            let page: Tags = document(&what, &body)?;
            tags.extend(page.tags.unwrap_or_default().into_iter().map(|tag| tag.replace('_', "+")));
            match link {
                Some(link) if tags.len() <= TAGS => next = link.url.to_string(),
                _ => break,
            }
        }
        Ok(tags)
    }

    /// Requests something of the repository, and a token before if the registry wants one.
    fn get(&mut self, path: &str, accept: &str) -> Result<Reply, Error> {
        let target = self.address.lead(path)?;
        let reply = self.web.get(&target, accept, self.authorization())?;
        self.address.learn(&reply.target);
        if reply.status != StatusCode::UNAUTHORIZED || self.token.is_some() {
            return Ok(reply);
        }
        let header = reply.headers.get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok());
        match header.and_then(Challenge::parse) {
            Some(challenge) => {
                self.token = Some(self.issue(&challenge)?);
                self.web.get(&target, accept, self.authorization())
            }
            // The Basic scheme, or something that only the user can resolve.
            None => self.web.get(&target, accept, Authorization::OfHost),
        }
    }

    fn authorization(&self) -> Authorization<'_> {
        match &self.token {
            Some(token) => Authorization::Bearer { token, home: &self.address.url },
            None => Authorization::None,
        }
    }

    /// Requests a token. It is anonymous unless there are credentials for the host that issues it.
    fn issue(&self, challenge: &Challenge) -> Result<String, Error> {
        let issuer = self.address.lead(&challenge.realm)?;
        let mut url = issuer.url.clone();
        for (key, value) in &challenge.parameters {
            url.query_pairs_mut().append_pair(key, value);
        }
        let issuer = self.address.lead(url.as_str())?;
        let reply = self.web.get(&issuer, "application/json", Authorization::OfHost)?;
        let body = self.web.success(reply)?;
        let what = format!("the token for {}", self.address.shown());
        let token: Token = document(&what, &body)?;
        let token = if token.token.is_empty() { token.access_token } else { token.token };
        // A token that cannot be part of a header would make the request fail with an unclear error.
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::Content { what, why: "the answer contains no usable token".to_owned() });
        }
        Ok(token)
    }

    fn body(&self, reply: Reply) -> Result<(String, Vec<u8>), Error> {
        let what = reply.target.shown();
        Ok((what, self.web.success(reply)?))
    }
}

/// Parses a JSON document of a registry.
fn document<T: DeserializeOwned>(what: &str, body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| {
        let why = if is_page(body) {
            "it is an HTML page, and not the answer of a registry; check the address".to_owned()
        } else {
            format!("it is not the answer of a registry: {}", brief(&error.to_string(), 200))
        };
        Error::Content { what: what.to_owned(), why }
    })
}

fn is_sha256(digest: &str) -> bool {
    let hex = digest.strip_prefix("sha256:").unwrap_or_default();
    hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the address of the next page.
fn next_page(link: &str) -> Option<&str> {
    let (address, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
    parameters.contains("rel=\"next\"").then_some(address)
}
