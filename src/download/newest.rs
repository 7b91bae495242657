//! The newest version of something: of a chart, an image, or a Git repository with tags.

use semver::Version;
use tempfile::TempDir;
use tidegate_git::Reference;

use crate::chart::{ChartRequest, index_versions, tags};
use crate::git::mirror;
use crate::web::Web;
use crate::{Access, Error};

/// Something with versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Versioned {
    /// A chart.
    Chart {
        /// The address of the chart repository, or of an OCI repository without the name.
        repository: String,
        /// The name of the chart.
        name: String,
    },
    /// An image without its tag, such as `quay.io/team/web`.
    Image(String),
    /// A Git repository.
    Git(String),
}

/// Returns the newest version, if it is newer than one.
pub(crate) fn newer(web: &Web, access: &Access, what: &Versioned, than: &str) -> Result<Option<String>, Error> {
    match what {
        Versioned::Chart { repository, name } => {
            let request = ChartRequest {
                repository: repository.clone(),
                name: name.clone(),
                version: String::new(),
                devel: false,
            };
            let known = match repository.strip_prefix("oci://") {
                Some(place) => tags(web, place, &request)?,
                None => index_versions(web, &request)?,
            };
            Ok(newest(than, known.iter().map(String::as_str)))
        }
        Versioned::Image(image) => {
            let (place, name) = image_place(image);
            let repository = format!("oci://{place}");
            let request = ChartRequest { repository, name, version: String::new(), devel: false };
            Ok(newest(than, tags(web, &place, &request)?.iter().map(String::as_str)))
        }
        Versioned::Git(repository) => git(web, access, repository, than),
    }
}

/// Returns the highest of the versions that is newer than one and written as it is: with or without a `v`. Prereleases do not count.
fn newest<'a>(than: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let (has_v, current) = version(than)?;
    let versions = known.filter_map(|text| Some((version(text).filter(|(v, _)| *v == has_v)?.1, text)));
    let newer = versions.filter(|(version, _)| version.pre.is_empty() && version.cmp_precedence(&current).is_gt());
    newer.max_by(|(one, _), (other, _)| one.cmp_precedence(other)).map(|(_, text)| text.to_owned())
}

/// Returns a version, and `true` if it has a `v`; `None` if it is not a full version.
fn version(text: &str) -> Option<(bool, Version)> {
    let bare = text.strip_prefix('v');
    Some((bare.is_some(), Version::parse(bare.unwrap_or(text)).ok()?))
}

/// Returns the registry and the path above an image, and its last part. Images without a registry are those of Docker.
fn image_place(image: &str) -> (String, String) {
    let has_registry = image.split_once('/').is_some_and(|(host, _)| host.contains(['.', ':']) || host == "localhost");
    let full = match (has_registry, image.contains('/')) {
        (true, _) => image.to_owned(),
        (false, true) => format!("docker.io/{image}"),
        (false, false) => format!("docker.io/library/{image}"),
    };
    match full.rsplit_once('/') {
        Some((place, name)) => (place.to_owned(), name.to_owned()),
        None => (String::new(), full),
    }
}

/// Returns the highest tag of a repository above a version.
fn git(web: &Web, access: &Access, repository: &str, than: &str) -> Result<Option<String>, Error> {
    let Some((has_v, current)) = version(than) else { return Ok(None) };
    let directory = TempDir::new()
        .map_err(|source| Error::Local { what: "a temporary directory cannot be created".to_owned(), source })?;
    let mirror = mirror(web, access, repository, &directory)?;
    let Ok(range) = format!(">{current}").parse::<Reference>() else { return Ok(None) };
    let tag = mirror.follow(&range)?.map(|tip| tip.name.trim_start_matches("refs/tags/").to_owned());
    Ok(tag.filter(|tag| version(tag).is_some_and(|(v, _)| v == has_v)))
}

#[cfg(test)]
mod tests {
    use super::{image_place, newest};

    #[test]
    fn only_a_newer_release_that_is_written_alike_counts() {
        let known = ["v0.9.0", "v0.10.0", "v0.11.0-rc.1", "0.12.0", "latest", "v1", "v0.10.0-alpine"];
        assert_eq!(newest("v0.9.0", known.into_iter()).as_deref(), Some("v0.10.0"));
        assert_eq!(newest("0.9.0", known.into_iter()).as_deref(), Some("0.12.0"));
        for current in ["v0.10.0", "v0.10.1", "latest", "", "v1", "main"] {
            assert_eq!(newest(current, known.into_iter()), None, "{current}");
        }
        assert_eq!(newest("v0.10.0-rc.1", known.into_iter()).as_deref(), Some("v0.10.0"));
    }

    #[test]
    fn images_without_a_registry_are_those_of_docker() {
        for (image, place, name) in [
            ("quay.io/team/web", "quay.io/team", "web"),
            ("localhost:5000/web", "localhost:5000", "web"),
            ("grafana/loki", "docker.io/grafana", "loki"),
            ("nginx", "docker.io/library", "nginx"),
        ] {
            assert_eq!(image_place(image), (place.to_owned(), name.to_owned()), "{image}");
        }
    }
}
