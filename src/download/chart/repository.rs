//! Chart repositories: an `index.yaml`, and archives that it names.

use super::index::{entries, select};
use super::requested::{Archive, ChartRequest};
use crate::Error;
use crate::files::{self, is_digest_of};
use crate::web::{Authorization, Target, Web, is_page};

/// Downloads the archive of the version that the index has for a request.
pub(super) fn archive(web: &Web, request: &ChartRequest) -> Result<Archive, Error> {
    let (index, target, from) = index(web, request)?;
    let entry = select(&index, request, &target.shown())?;
    if let Some(address) = entry.url.strip_prefix("oci://") {
        let why = format!("the index refers to oci://{address}; declare that address instead of the repository");
        return Err(Error::Content { what: target.shown(), why });
    }
    let reply = web.get(&from.lead(&entry.url)?, "*/*", Authorization::OfHost)?;
    let what = format!("the archive of {} {} from {}", request.name, entry.version, target.shown());
    let bytes = web.success(reply)?;
    match &entry.digest {
        Some(digest) if !is_digest_of(digest, &bytes) => {
            let why = format!(
                "its digest is {}, but the index says {digest}; a proxy or the repository may have changed it",
                files::digest(&bytes)
            );
            Err(Error::Content { what, why })
        }
        _ => Ok(Archive { version: entry.version, bytes }),
    }
}

/// Returns the versions of a chart.
pub(crate) fn index_versions(web: &Web, request: &ChartRequest) -> Result<Vec<String>, Error> {
    let (index, target, _) = index(web, request)?;
    let entries = entries(&index, &request.name, &target.shown())?;
    Ok(entries.into_iter().map(|entry| entry.version).collect())
}

/// Downloads the index of a repository. Returns it with its address, and with where it is after redirects: archives are relative to that.
fn index(web: &Web, request: &ChartRequest) -> Result<(Vec<u8>, Target, Target), Error> {
    let base = request.repository.trim_end_matches('/');
    let target = web.target(&format!("{base}/index.yaml"))?;
    let reply = web.get(&target, "*/*", Authorization::OfHost)?;
    let from = reply.target.clone();
    let index = web.success(reply)?;
    if is_page(&index) {
        let why = "it is an HTML page, such as a login page, and not the index of a chart repository; check `repo`, and whether it \
                   needs credentials (--credentials-file)";
        return Err(Error::Content { what: target.shown(), why: why.to_owned() });
    }
    Ok((index, target, from))
}
