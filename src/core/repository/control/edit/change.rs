//! The changes of a control file, as values.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::control::digest_start::DigestStart;
use crate::control::types::Mode;
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;

/// A change of a control file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// No further cluster starts. A pause that is in force stays as it is.
    Pause {
        /// Why.
        reason: String,
    },
    /// The pause ends.
    Resume,
    /// The rollout of a digest ends.
    Abort {
        /// The digest.
        digest: DigestStart,
        /// Why.
        reason: String,
    },
    /// The rollout continues.
    Continue,
    /// Clusters start again. An earlier retry is replaced.
    Retry {
        /// The digest.
        digest: DigestStart,
        /// The clusters; `None` for all.
        clusters: Option<BTreeSet<ClusterName>>,
        /// Only clusters that started before this time start again.
        at: Timestamp,
        /// Why.
        reason: String,
    },
    /// Clusters are left out of the rollouts. Those that are in a quarantine of this mode stay as they are.
    Quarantine {
        /// The clusters.
        clusters: BTreeSet<ClusterName>,
        /// What it means for them.
        mode: Mode,
        /// Why.
        reason: String,
    },
    /// Clusters take part in the rollouts again.
    Release {
        /// The clusters; `None` for all.
        clusters: Option<BTreeSet<ClusterName>>,
    },
}

impl Change {
    /// Returns the field that changes.
    pub(super) fn field(&self) -> &'static str {
        match self {
            Self::Pause { .. } | Self::Resume => "pause",
            Self::Abort { .. } | Self::Continue => "abort",
            Self::Retry { .. } => "retry",
            Self::Quarantine { .. } | Self::Release { .. } => "quarantine",
        }
    }

    /// Returns the new value of the field; `None` if the field is removed.
    pub(super) fn apply(&self, before: Option<&Value>) -> Option<Value> {
        match self {
            Self::Pause { .. } if before.is_some() => before.cloned(),
            Self::Pause { reason } => Some(json!({ "reason": reason })),
            Self::Resume | Self::Continue => None,
            Self::Abort { digest, reason } => {
                let is_same = |before: &&Value| {
                    before
                        .get("digest")
                        .and_then(Value::as_str)
                        .is_some_and(|old| old.starts_with(digest.as_str()) || digest.as_str().starts_with(old))
                };
                let kept = before.filter(is_same).cloned();
                Some(kept.unwrap_or_else(|| json!({ "digest": digest.as_str(), "reason": reason })))
            }
            Self::Retry { digest, clusters, at, reason } => {
                let mut retry = json!({ "digest": digest.as_str(), "at": at.to_string(), "reason": reason });
                if let Some(clusters) = clusters {
                    retry["clusters"] = json!(clusters);
                }
                Some(retry)
            }
            Self::Quarantine { clusters, mode, reason } => {
                let name = name_of(*mode);
                let (mut entries, others): (Vec<Value>, Vec<Value>) =
                    items(before).into_iter().partition(|entry| mode_of(entry) == name);
                let is_new = |cluster: &&ClusterName| !entries.iter().any(|entry| has(entry, cluster));
                let new: BTreeSet<&ClusterName> = clusters.iter().filter(is_new).collect();
                let moves = others.iter().any(|entry| clusters.iter().any(|cluster| has(entry, cluster)));
                entries = if moves {
                    // A cluster has one mode.
                    without(others, Some(clusters)).into_iter().chain(entries).collect()
                } else {
                    items(before)
                };
                if !new.is_empty() {
                    entries.push(json!({ "clusters": new, "mode": name, "reason": reason }));
                }
                Some(Value::Array(entries))
            }
            Self::Release { clusters } => {
                let left = without(items(before), clusters.as_ref());
                (!left.is_empty()).then_some(Value::Array(left))
            }
        }
    }
}

fn items(list: Option<&Value>) -> Vec<Value> {
    list.and_then(Value::as_array).cloned().unwrap_or_default()
}

fn name_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Ignore => "Ignore",
        Mode::Exclude => "Exclude",
    }
}

fn mode_of(entry: &Value) -> &str {
    entry.get("mode").and_then(Value::as_str).unwrap_or("Ignore")
}

fn has(entry: &Value, cluster: &ClusterName) -> bool {
    let clusters = entry.get("clusters").and_then(Value::as_array).into_iter().flatten();
    clusters.into_iter().any(|name| name == cluster.as_str())
}

/// Returns quarantines without some clusters, or without all; those that are left without clusters are dropped.
fn without(entries: Vec<Value>, clusters: Option<&BTreeSet<ClusterName>>) -> Vec<Value> {
    let Some(clusters) = clusters else { return Vec::new() };
    let leaves = |name: &Value| name.as_str().is_some_and(|name| clusters.contains(name));
    let mut left = entries;
    for entry in &mut left {
        if let Some(names) = entry.get_mut("clusters").and_then(Value::as_array_mut) {
            names.retain(|name| !leaves(name));
        }
    }
    left.retain(|entry| entry.get("clusters").and_then(Value::as_array).is_some_and(|names| !names.is_empty()));
    left
}

/// Returns a document with one field changed.
pub(super) fn changed(document: &Map<String, Value>, change: &Change) -> Map<String, Value> {
    let mut changed = document.clone();
    match change.apply(document.get(change.field())) {
        Some(value) => drop(changed.insert(change.field().to_owned(), value)),
        None => drop(changed.remove(change.field())),
    }
    changed
}
