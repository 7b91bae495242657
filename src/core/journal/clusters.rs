//! `clusters.yaml`: one line per cluster, so that a change to one cluster is one line of diff.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;

use super::record::{API_VERSION, ClusterReport, Clusters};
use tidegate_model::name::{ClusterName, UnitName};

/// `addons/<add-on>/clusters.yaml`: the state of each cluster of an add-on.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterList {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `ClusterList`.
    #[schemars(extend("const" = "ClusterList"))]
    pub kind: String,
    /// The add-on.
    pub addon: UnitName,
    /// Its clusters, by name.
    pub clusters: Clusters,
}

/// The bytes are not a document as [`document`] writes it.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// They are not text.
    #[error("the file is not UTF-8 text")]
    Text(#[source] std::str::Utf8Error),
    /// They are not such a document.
    #[error("the file is not a list of clusters")]
    Yaml(#[source] serde_saphyr::Error),
}

/// Parses the document.
///
/// # Errors
/// [`Unreadable`] if the bytes do not have the form that [`document`] writes.
pub fn read(bytes: &[u8]) -> Result<Clusters, Unreadable> {
    let text = std::str::from_utf8(bytes).map_err(Unreadable::Text)?;
    let document: ClusterList = serde_saphyr::from_str(text).map_err(Unreadable::Yaml)?;
    Ok(document.clusters)
}

/// Returns the document.
///
/// # Shape
/// A YAML document; under `clusters`, one line per cluster, sorted by name, each a mapping in flow style.
pub fn document(addon: &UnitName, clusters: &Clusters) -> String {
    let mut text = format!("apiVersion: {API_VERSION}\nkind: ClusterList\naddon: {}\n", quoted(addon.as_str()));
    text.push_str(if clusters.is_empty() { "clusters: {}\n" } else { "clusters:\n" });
    for (name, cluster) in clusters {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{}", line(name, cluster));
    }
    text
}

/// Returns the line of one cluster.
pub fn line(name: &ClusterName, cluster: &ClusterReport) -> String {
    format!("  {}: {{{}}}", quoted(name.as_str()), members(cluster).join(", "))
}

fn members(cluster: &ClusterReport) -> Vec<String> {
    let ClusterReport {
        state,
        version,
        hash,
        group,
        placement,
        joined,
        started,
        since,
        reason,
        reported,
        degraded,
        left_out,
        opens,
        look_at,
    } = cluster;
    let text = |name: &str, value: &str| (!value.is_empty()).then(|| format!("{name}: {}", quoted(value)));
    let time =
        |name: &str, value: &Option<_>| value.map(|at: tidegate_model::time::Timestamp| format!("{name}: \"{at}\""));
    [
        Some(format!("state: {state}")),
        text("version", version),
        text("hash", hash),
        group.map(|group| format!("group: {group}")),
        text("placement", placement),
        time("joined", joined),
        time("started", started),
        time("since", since),
        text("reason", reason),
        time("reported", reported),
        degraded.as_deref().map(|why| format!("degraded: {}", quoted(why))),
        left_out.as_deref().map(|why| format!("leftOut: {}", quoted(why))),
        text("opens", opens),
        time("lookAt", look_at),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A JSON string is also a valid YAML string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
