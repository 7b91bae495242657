//! The entries of the lock file.

use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;

/// The lock file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    /// The entries, sorted by directory.
    ///
    /// # Shape
    /// No directory is that of another entry, or is inside of it. No two entries have the same [`What`] apart from what was fetched.
    pub entries: Vec<Entry>,
    /// The applications that another program rendered, sorted by file.
    pub applications: Vec<VendoredApplication>,
}

/// An application that `vela dry-run` rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendoredApplication {
    /// The path of the file that was written.
    pub file: String,
    /// The path of the file that it was rendered from.
    pub app: String,
    /// The path of the file or directory with the definitions.
    pub definitions: String,
    /// The hash of these files, as [`inputs`](crate::vendor::inputs()) returns it.
    pub inputs: Digest,
    /// The version of vela.
    pub vela: String,
    /// The hash of the file that was written.
    pub content: Digest,
    /// Where the entry is in the lock file; the default for one that was not read from there.
    pub place: Place,
}

/// One vendored directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path, below [`DIRECTORY`](crate::vendor::DIRECTORY).
    pub directory: String,
    /// Its content.
    pub what: What,
    /// The hash of its files, as [`hash`](crate::vendor::hash()) returns it.
    pub files: Digest,
    /// Where the entry is in the lock file; the default for one that was not read from there.
    pub place: Place,
}

/// What was vendored, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Files of another repository, in its layout.
    Git(VendoredDirectory),
    /// A file from a server.
    File(VendoredFile),
    /// The output of a chart, in [`MANIFESTS`](crate::vendor::MANIFESTS).
    Chart(VendoredChart),
}

/// Files of another repository. The directory has the layout of that repository, but need not contain all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendoredDirectory {
    /// The entry of the kustomization as it is written: the key.
    pub source: String,
    /// What was fetched, without credentials.
    pub repository: String,
    /// The branch, tag or commit; `None` for the default branch.
    pub reference: Option<String>,
    /// The commit: 40 hexadecimal digits, or 64 for SHA-256.
    pub commit: String,
    /// The path of the named directory in the repository, and so in the vendored directory; empty for the root.
    pub path: String,
}

/// A file from a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendoredFile {
    /// The URL as it is written: the key.
    pub source: String,
    /// The name of the file in the vendored directory.
    pub name: String,
}

/// The output of a chart.
///
/// # Shape
/// The fields from `used_by` to `request` are the key, together with `values`: the same chart may be rendered twice for one file, with
/// other values for each overlay that uses the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendoredChart {
    /// The file that declares it.
    pub used_by: String,
    /// The name of the chart.
    pub name: String,
    /// The name of the release.
    pub release: String,
    /// The namespace of the release; `None` if the declaration leaves it to Helm. That of a kustomization without one of its own comes
    /// from the overlay around it, so that one base may be rendered for several namespaces.
    pub namespace: Option<String>,
    /// The URL of the repository or registry, or the path of the local chart in this repository.
    pub repository: String,
    /// The version as the declaration requests it, which may be a range; `None` for the latest.
    pub request: Option<String>,
    /// The exact version.
    pub version: String,
    /// The hash of the archive, or of the files of a local chart.
    pub digest: Digest,
    /// The hash of everything else that decided the output, as [`ChartDeclaration::values`](crate::vendor::ChartDeclaration) has it.
    pub values: Digest,
    /// The version of Helm that rendered it.
    pub helm: String,
}

impl What {
    /// Returns what identifies it in the lock: what the declaration names, without what was fetched.
    pub(in crate::vendor) fn key(&self) -> (&'static str, Vec<String>) {
        match self {
            Self::Git(git) => ("git", vec![git.source.clone()]),
            Self::File(file) => ("file", vec![file.source.clone()]),
            Self::Chart(chart) => {
                let VendoredChart { used_by, name, release, repository, values, .. } = chart;
                let values = values.as_str();
                let given = [used_by, name, release, repository, values].map(str::to_owned);
                let options = [&chart.namespace, &chart.request].map(|option| format!("{option:?}"));
                ("chart", given.into_iter().chain(options).collect())
            }
        }
    }
}

impl Lock {
    /// Returns the number of its entries, applications included.
    pub fn len(&self) -> usize {
        self.entries.len() + self.applications.len()
    }

    /// Returns `true` if it has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the entry of a remote directory.
    pub fn directory(&self, source: &str) -> Option<(&Entry, &VendoredDirectory)> {
        self.entries.iter().find_map(|entry| match &entry.what {
            What::Git(git) if git.source == source => Some((entry, git)),
            _ => None,
        })
    }

    /// Returns the entry of a remote file.
    pub fn file(&self, source: &str) -> Option<(&Entry, &VendoredFile)> {
        self.entries.iter().find_map(|entry| match &entry.what {
            What::File(file) if file.source == source => Some((entry, file)),
            _ => None,
        })
    }

    /// Returns the entry whose directory contains a path.
    pub fn owner(&self, path: &str) -> Option<&Entry> {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        let entry = |directory: &str| {
            let index = self.entries.binary_search_by(|entry| entry.directory.as_str().cmp(directory)).ok()?;
            self.entries.get(index)
        };
        ends.filter_map(|end| path.get(..end)).find_map(entry)
    }
}
