//! How clusters behaved in earlier rollouts.

use std::collections::BTreeMap;

use super::file::JournalFile;
use super::record::{SealedCluster, SealedRollout};
use tidegate_model::name::UnitName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::SignedDuration;

/// The number of rollouts that count.
const ROLLOUTS: usize = 5;

/// How the clusters of an add-on behaved in its last five rollouts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Experience {
    /// How long each cluster took, from its start until it was done, sorted.
    pub latencies: Vec<SignedDuration>,
    /// The share of the clusters that started and failed or timed out, from 0 to 1.
    pub failing: f64,
}

impl Experience {
    /// Returns how long a cluster took: the median.
    pub fn median(&self) -> Option<SignedDuration> {
        self.latencies.get(self.latencies.len() / 2).copied()
    }
}

/// Returns how clusters behaved, by add-on. `files` are those of the journal, by path.
pub fn experience(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<UnitName, Experience> {
    let mut sealed: BTreeMap<UnitName, BTreeMap<u32, &[u8]>> = BTreeMap::new();
    for (path, bytes) in files {
        if let Some(JournalFile::Sealed(addon, number)) = JournalFile::of(path) {
            sealed.entry(addon).or_default().insert(number, bytes);
        }
    }
    let of_addon = |(addon, rollouts): (UnitName, BTreeMap<u32, &[u8]>)| {
        let read = |bytes: &&[u8]| serde_saphyr::from_str::<SealedRollout>(std::str::from_utf8(bytes).ok()?).ok();
        let last: Vec<SealedRollout> = rollouts.values().rev().filter_map(read).take(ROLLOUTS).collect();
        (addon, of_rollouts(&last))
    };
    sealed.into_iter().map(of_addon).collect()
}

fn of_rollouts(rollouts: &[SealedRollout]) -> Experience {
    let started = rollouts.iter().flat_map(|rollout| &rollout.clusters).filter(|cluster| cluster.started.is_some());
    let (mut latencies, mut failed, mut total) = (Vec::new(), 0_usize, 0_usize);
    for cluster in started {
        match cluster.state {
            ClusterState::Succeeded => latencies.extend(span(cluster)),
            ClusterState::Failed | ClusterState::TimedOut => failed += 1,
            // It was still under way when the rollout ended.
            _ => continue,
        }
        total += 1;
    }
    latencies.sort_unstable();
    Experience { latencies, failing: failed as f64 / total.max(1) as f64 }
}

fn span(cluster: &SealedCluster) -> Option<SignedDuration> {
    Some(cluster.started?.duration_until(cluster.finished?)).filter(|span| !span.is_negative())
}
