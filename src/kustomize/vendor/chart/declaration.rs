//! A chart that a declaration asks for, with everything that decides its output except the chart itself.

use serde_json::{Value, json};

use super::values::ChartValues;
use crate::vendor::VendoredChart;
use tidegate_go::canonical::go_json;
use tidegate_model::digest::Digest;

/// A chart that a declaration asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartDeclaration {
    /// The path of the file that declares it.
    pub used_by: String,
    /// The name of the chart: parts of letters, digits, `.`, `_` and `-`, with `/` between them.
    pub name: String,
    /// Where the chart is.
    pub source: ChartSource,
    /// The name of the release, which Helm accepts. `release-name` if the declaration gives none.
    pub release: String,
    /// The namespace of the release; `None` leaves it to Helm.
    pub namespace: Option<String>,
    /// The other options.
    pub options: ChartOptions,
    /// The values.
    pub values: ChartValues,
}

/// Where a chart is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartSource {
    /// In this repository.
    Local(LocalChart),
    /// In a chart repository, which has an index.
    Repository {
        /// The URL of the repository: `https://` or `http://`.
        url: String,
        /// The requested version, which may be a range; `None` for the latest.
        version: Option<String>,
    },
    /// In an OCI registry.
    Registry {
        /// The URL of the directory of the chart, `oci://host/path`. The name of the chart follows after a `/`.
        url: String,
        /// The requested version, which may be a range; `None` for the latest.
        version: Option<String>,
    },
}

/// A chart in this repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalChart {
    /// The directory that holds `Chart.yaml`.
    pub directory: String,
}

/// The options of a chart that are not values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChartOptions {
    /// The template of the release name; the release has no other name then.
    pub name_template: Option<String>,
    /// Whether the output contains the CRDs of the chart.
    pub include_crds: bool,
    /// Whether the output leaves out hooks.
    pub skip_hooks: bool,
    /// Whether the output leaves out tests.
    pub skip_tests: bool,
    /// The versions of APIs that templates find in addition.
    pub api_versions: Vec<String>,
    /// The version of Kubernetes that templates find.
    pub kube_version: Option<String>,
    /// Whether versions for development count.
    pub devel: bool,
}

impl ChartSource {
    /// Returns the URL of the repository or registry, or the path of the local chart: `repository` in the lock.
    pub fn repository(&self) -> &str {
        match self {
            Self::Local(local) => &local.directory,
            Self::Repository { url, .. } | Self::Registry { url, .. } => url,
        }
    }

    /// Returns the requested version; `None` for the latest, and for a local chart.
    pub fn version(&self) -> Option<&str> {
        match self {
            Self::Local(_) => None,
            Self::Repository { version, .. } | Self::Registry { version, .. } => version.as_deref(),
        }
    }
}

impl ChartDeclaration {
    /// Returns the hash of everything that decides the output, except the chart, its version, the release and its namespace, which the
    /// lock holds by themselves: the values files, the inline values and the options.
    pub fn values_digest(&self) -> Digest {
        let ChartOptions { name_template, include_crds, skip_hooks, skip_tests, api_versions, kube_version, devel } =
            &self.options;
        let files = self.values.files.iter().map(|file| Digest::of(file).as_str().to_owned());
        let decides = json!({
            "additional": files.collect::<Vec<_>>(),
            "apiVersions": api_versions,
            "devel": devel,
            "file": self.values.file.as_ref().map(|file| Digest::of(file).as_str().to_owned()),
            "includeCRDs": include_crds,
            "inline": self.values.inline.as_ref().map_or(Value::Null, |inline| inline.clone()),
            "kubeVersion": kube_version,
            "merge": self.values.merge.name(),
            "nameTemplate": name_template,
            "skipHooks": skip_hooks,
            "skipTests": skip_tests,
        });
        Digest::of(go_json(&decides).as_bytes())
    }

    /// Returns `true` if an entry of the lock is for this declaration, perhaps with other values.
    pub fn is(&self, chart: &VendoredChart) -> bool {
        self.is_like(chart)
            && chart.name == self.name
            && chart.repository == self.source.repository()
            && chart.request.as_deref() == self.source.version()
    }

    /// Returns `true` if an entry of the lock is for the same release of the same file, perhaps of another chart or version.
    pub fn is_like(&self, chart: &VendoredChart) -> bool {
        chart.used_by == self.used_by && chart.release == self.release && chart.namespace == self.namespace
    }
}
