//! A chart: what is asked for, and what is received.

use std::collections::BTreeMap;
use tidegate_model::digest::Digest;

/// A chart in a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartRequest {
    /// The address of a chart repository (`https://...`), or the address of an OCI repository without the name (`oci://...`).
    pub repository: String,
    /// The name of the chart.
    pub name: String,
    /// The version or range; the newest stable version if it is empty.
    pub version: String,
    /// Whether an empty version also selects prereleases.
    pub devel: bool,
}

/// A downloaded chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// The exact version.
    pub version: String,
    /// The digest of the archive.
    pub digest: Digest,
    /// The files, relative to the directory of the chart.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// An archive, and the version that it was requested with.
pub(super) struct Archive {
    pub(super) version: String,
    pub(super) bytes: Vec<u8>,
}
