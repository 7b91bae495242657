//! The waves of a rollout: its groups, in the order in which they start.

use std::collections::BTreeMap;

use super::run::{Forecast, Run};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The clusters of one group that start in a rollout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    /// The stage: waves of the same stage run at the same time, and a stage begins only after the ones before.
    pub stage: usize,
    /// Index of the group.
    pub group: i32,
    /// The number of clusters that start.
    pub clusters: usize,
    /// The largest number of clusters that take a slot at the same time while its stage is open, but at most all of its clusters.
    pub at_once: usize,
    /// The number of clusters that start at the begin of the wave.
    pub first: usize,
    /// When the first cluster starts, from the begin of the rollout.
    pub starts: SignedDuration,
    /// When the last report of a cluster comes, from the begin of the rollout; `None` if no cluster reports anything.
    pub reported: Option<SignedDuration>,
    /// When the last cluster no longer takes a slot, from the begin of the rollout; `None` if one never finishes.
    pub finished: Option<SignedDuration>,
}

/// Returns the waves of a forecast, in the order in which they start.
pub fn waves(forecast: &Forecast) -> Vec<Wave> {
    let mut groups: BTreeMap<(usize, i32), Vec<&Run>> = BTreeMap::new();
    for run in forecast.clusters.iter().filter(|run| run.started.is_some()) {
        groups.entry((run.stage, run.group)).or_default().push(run);
    }
    let since = |at: Timestamp| forecast.begin.duration_until(at);
    let wave = |((stage, group), runs): ((usize, i32), Vec<&Run>)| {
        let begin = runs.iter().filter_map(|run| run.started).min()?;
        Some(Wave {
            stage,
            group,
            clusters: runs.len(),
            at_once: forecast.at_once.get(&stage).copied().unwrap_or_default().min(runs.len()),
            first: runs.iter().filter(|run| run.started == Some(begin)).count(),
            starts: since(begin),
            reported: runs.iter().filter_map(|run| run.reported).max().map(since),
            finished: runs
                .iter()
                .map(|run| run.finished)
                .collect::<Option<Vec<_>>>()
                .and_then(|all| all.into_iter().max())
                .map(since),
        })
    };
    groups.into_iter().filter_map(wave).collect()
}

/// Returns the name of a group as people know it. Groups without a name, and groups that share one, have a number.
pub fn group_name(groups: &[DecisionGroup], index: i32) -> String {
    let name = groups.iter().find(|group| group.index == index).map_or("", |group| group.name.as_str());
    match groups.iter().filter(|group| group.name == name).count() {
        _ if name.is_empty() => format!("group {index}"),
        0 | 1 => name.to_owned(),
        _ => format!("{name} (group {index})"),
    }
}
