//! How long clusters took in earlier rollouts.

use std::collections::BTreeMap;

use super::documents::sealed_path;
use super::record::SealedRollout;
use tidegate_model::name::AddonName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::SignedDuration;

/// The number of rollouts that count.
const ROLLOUTS: usize = 5;

/// Returns how long a cluster took in the last five rollouts of each add-on, from its start until it was done: the median. `files` are
/// those of the journal, by path.
pub fn latencies(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<AddonName, SignedDuration> {
    let mut sealed: BTreeMap<AddonName, BTreeMap<u32, &[u8]>> = BTreeMap::new();
    for (path, bytes) in files {
        if let Some((addon, number)) = sealed_path(path) {
            sealed.entry(addon).or_default().insert(number, bytes);
        }
    }
    let median = |(addon, rollouts): (AddonName, BTreeMap<u32, &[u8]>)| {
        let read = |bytes: &&[u8]| serde_saphyr::from_str::<SealedRollout>(std::str::from_utf8(bytes).ok()?).ok();
        let spans = rollouts.values().rev().filter_map(read).map(|rollout| spans(&rollout)).filter(|s| !s.is_empty());
        let mut spans: Vec<SignedDuration> = spans.take(ROLLOUTS).flatten().collect();
        spans.sort_unstable();
        Some((addon, *spans.get(spans.len() / 2)?))
    };
    sealed.into_iter().filter_map(median).collect()
}

fn spans(rollout: &SealedRollout) -> Vec<SignedDuration> {
    let done = rollout.clusters.iter().filter(|cluster| cluster.state == ClusterState::Succeeded);
    let span = |cluster: &super::record::SealedCluster| Some(cluster.started?.duration_until(cluster.finished?));
    done.filter_map(span).filter(|span| !span.is_negative()).collect()
}
