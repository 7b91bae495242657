//! What a commit to a control file decided.

use std::collections::{BTreeMap, BTreeSet};

use super::types::{Control, Controls, Mode};
use tidegate_model::name::{ClusterName, UnitName};

/// A decision of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// What was decided, such as `paused`.
    pub what: String,
    /// Why; empty for the end of an earlier decision.
    pub reason: String,
}

impl Controls {
    /// Returns what was decided since `before`, about which add-on; `None` for all add-ons.
    pub fn decided_since(&self, before: &Self) -> Vec<(Option<UnitName>, Decided)> {
        let nothing = Control::default();
        let fleet = self.fleet.decided_since(&before.fleet).into_iter().map(|decided| (None, decided));
        let addons: BTreeSet<&UnitName> = self.addons.keys().chain(before.addons.keys()).collect();
        let of_addon = |addon: &UnitName| {
            let [now, then] = [self, before].map(|controls| controls.addons.get(addon).unwrap_or(&nothing));
            now.decided_since(then).into_iter().map(|decided| (Some(addon.clone()), decided)).collect::<Vec<_>>()
        };
        fleet.chain(addons.into_iter().flat_map(of_addon)).collect()
    }
}

impl Control {
    /// Returns what was decided since `before`.
    fn decided_since(&self, before: &Self) -> Vec<Decided> {
        let mut all = Vec::new();
        let mut decide = |what: String, reason: &str| all.push(Decided { what, reason: reason.to_owned() });
        match &self.pause {
            Some(pause) if before.pause.as_ref() != Some(pause) => decide("paused".to_owned(), &pause.reason),
            None if before.pause.is_some() => decide("resumed".to_owned(), ""),
            _ => {}
        }
        match &self.abort {
            Some(abort) if before.abort.as_ref() != Some(abort) => {
                decide(format!("aborted the rollout of digest {}", abort.digest), &abort.reason);
            }
            None if before.abort.is_some() => decide("let the aborted rollout continue".to_owned(), ""),
            _ => {}
        }
        if let Some(retry) = self.retry.as_ref().filter(|retry| before.retry.as_ref() != Some(*retry)) {
            let of = retry.clusters.as_ref().map_or_else(|| "what failed".to_owned(), listed);
            decide(format!("retried {of}"), &retry.reason);
        }
        let (now, then) = (self.quarantined(), before.quarantined());
        let mut added: BTreeMap<(Mode, &str), BTreeSet<ClusterName>> = BTreeMap::new();
        for (cluster, how) in now.iter().filter(|(cluster, how)| then.get(*cluster) != Some(*how)) {
            added.entry(*how).or_default().insert((*cluster).clone());
        }
        for ((mode, reason), clusters) in added {
            let verb = if mode == Mode::Exclude { "excluded" } else { "quarantined" };
            decide(format!("{verb} {}", listed(&clusters)), reason);
        }
        let released: BTreeSet<ClusterName> =
            then.keys().filter(|cluster| !now.contains_key(*cluster)).map(|c| (*c).clone()).collect();
        if !released.is_empty() {
            decide(format!("released {}", listed(&released)), "");
        }
        all
    }

    /// Returns how each cluster is quarantined, and why.
    fn quarantined(&self) -> BTreeMap<&ClusterName, (Mode, &str)> {
        let entries = self.quarantine.iter();
        entries
            .flat_map(|entry| entry.clusters.iter().map(|cluster| (cluster, (entry.mode, entry.reason.as_str()))))
            .collect()
    }
}

/// Returns the names of clusters, of which many are counted.
fn listed(clusters: &BTreeSet<ClusterName>) -> String {
    const NAMED: usize = 3;
    let names: Vec<&str> = clusters.iter().take(NAMED).map(ClusterName::as_str).collect();
    match clusters.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
