//! What chart is requested, and what is returned.

use super::requested::{Chart, ChartRequest};

use tidegate_model::digest::Digest;
use tidegate_model::line::one_line;

use super::archive::unpack;
use super::constraint::{Constraint, InvalidConstraint};
use super::{oci, repository};
use crate::Error;
use crate::web::Web;

impl ChartRequest {
    /// Returns the range of versions.
    pub(super) fn constraint(&self) -> Result<Constraint, Error> {
        let version = self.range();
        version.parse().map_err(|why: InvalidConstraint| Error::Content {
            what: format!("the version {version:?} of the chart {:?}", self.name),
            why: format!("{why}; write a version (1.2.3) or a range (^1.2, ~1.2, \">=1.2 <2\", 1.x)"),
        })
    }

    /// Returns the version or range as helm understands it.
    pub(super) fn range(&self) -> &str {
        match (self.version.trim(), self.devel) {
            ("", true) => ">0.0.0-0",
            ("", false) => "*",
            (version, _) => version,
        }
    }

    /// Returns the error if no version matches.
    pub(super) fn no_version<'a>(&self, known: impl Iterator<Item = &'a str>) -> Error {
        let known: Vec<String> = known.take(6).map(one_line).collect();
        let known = match known.split_at_checked(5) {
            _ if known.is_empty() => "it has no versions of that chart; check the name and the repository".to_owned(),
            Some((first, rest)) if !rest.is_empty() => format!("the newest are {}", first.join(", ")),
            _ => format!("it has {}", known.join(", ")),
        };
        Error::Version {
            repository: self.repository.clone(),
            chart: self.name.clone(),
            wanted: self.range().to_owned(),
            known,
        }
    }
}

/// Downloads a chart.
pub(crate) fn chart(web: &Web, request: &ChartRequest) -> Result<Chart, Error> {
    let archive = match request.repository.strip_prefix("oci://") {
        Some(place) => oci::archive(web, place, request)?,
        None => repository::archive(web, request)?,
    };
    let files = unpack(&archive.bytes).map_err(|why| Error::Content {
        what: format!("the archive of the chart {} {} from {}", request.name, archive.version, request.repository),
        why: why.to_string(),
    })?;
    Ok(Chart { version: archive.version, digest: Digest::of(&archive.bytes), files })
}
