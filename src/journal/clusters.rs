//! `clusters.yaml`: one line per cluster, so that one cluster's change is one line of diff.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::record::API_VERSION;
use crate::model::name::{AddonName, ClusterName};
use crate::plan::report::ClusterReport;

/// The part of the document that is read back.
#[derive(Deserialize)]
struct Document {
    clusters: BTreeMap<ClusterName, ClusterReport>,
}

/// Reads the document back.
///
/// # Errors
/// The words of the YAML parser for a text that is not of the form that [`document`] writes.
pub fn read(bytes: &[u8]) -> Result<BTreeMap<ClusterName, ClusterReport>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let document: Document = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
    Ok(document.clusters)
}

/// Returns the document.
///
/// # Shape
/// A YAML document; under `clusters`, one line per cluster, sorted by name, each a mapping in flow style.
pub fn document(addon: &AddonName, clusters: &BTreeMap<ClusterName, ClusterReport>) -> String {
    let mut text = format!("apiVersion: {API_VERSION}\nkind: ClusterList\naddon: {}\n", quoted(addon.as_str()));
    text.push_str(if clusters.is_empty() { "clusters: {}\n" } else { "clusters:\n" });
    for (name, cluster) in clusters {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "  {}: {{{}}}", quoted(name.as_str()), members(cluster).join(", "));
    }
    text
}

fn members(cluster: &ClusterReport) -> Vec<String> {
    let ClusterReport { state, version, hash, group, started, since, reason, opens, look_at } = cluster;
    let text = |name: &str, value: &str| (!value.is_empty()).then(|| format!("{name}: {}", quoted(value)));
    let time =
        |name: &str, value: &Option<_>| value.map(|at: crate::model::time::Timestamp| format!("{name}: \"{at}\""));
    [
        Some(format!("state: {state}")),
        text("version", version),
        text("hash", hash),
        group.map(|group| format!("group: {group}")),
        time("started", started),
        time("since", since),
        text("reason", reason),
        text("opens", opens),
        time("lookAt", look_at),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// JSON's way to write a string is one of YAML's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
