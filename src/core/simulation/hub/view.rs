//! What a replica knows of the hub: watches that lag behind it, each kind on its own.

use std::collections::BTreeMap;
use tidegate_api::fleet::Fleet;
use tidegate_model::object::ObjectKey;
use tidegate_model::random::Random;

use super::place::Placed;
use super::store::{Change, Hub};

/// How watches deliver, in thousandths.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lag {
    /// How often a watch delivers nothing.
    pub silent: u64,
    /// How often it delivers only a part of what has changed.
    pub partial: u64,
    /// How often it delivers an earlier change once more.
    pub doubled: u64,
}

/// What is known of the objects of a hub.
#[derive(Debug, Clone, Default)]
pub struct View {
    fleet: Fleet,
    versions: BTreeMap<ObjectKey, u64>,
    /// By kind: how many changes were delivered.
    delivered: BTreeMap<String, usize>,
    /// Counts what was taken in.
    state: u64,
}

impl View {
    /// Returns the fleet as far as it is known.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// Returns a number that grows with every change that becomes known.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// Lists everything.
    pub fn list(&mut self, hub: &Hub) {
        self.state += 1;
        self.fleet = hub.fleet.clone();
        self.versions = hub.versions.iter().map(|(key, (version, _))| (key.clone(), *version)).collect();
        self.delivered = hub.changes.iter().map(|(kind, changes)| (kind.clone(), changes.len())).collect();
    }

    /// Receives what the watches deliver.
    pub fn receive(&mut self, hub: &Hub, lag: Lag, random: &mut Random) {
        for (kind, changes) in &hub.changes {
            let from = self.delivered.get(kind).copied().unwrap_or_default();
            let left = changes.len().saturating_sub(from);
            if random.chance(lag.doubled)
                && let Some(change) = random.pick(&changes[..from])
            {
                self.take(change);
            }
            if left == 0 || random.chance(lag.silent) {
                continue;
            }
            let all = left as u64;
            let share = if random.chance(lag.partial) { 1 + random.below(all) } else { all };
            let to = from + usize::try_from(share).unwrap_or(left);
            changes[from..to].iter().for_each(|change| self.take(change));
            self.delivered.insert(kind.clone(), to);
        }
    }

    /// Returns `true` if the watches have not delivered everything yet.
    pub fn is_behind(&self, hub: &Hub) -> bool {
        hub.changes.iter().any(|(kind, changes)| self.delivered.get(kind).is_none_or(|at| *at < changes.len()))
    }

    /// Takes in the current state of an object, as the answer to a request shows it.
    pub fn read(&mut self, hub: &Hub, key: &ObjectKey) {
        if let Some((version, placed)) = hub.versions.get(key) {
            self.note(key, *version, placed);
        }
    }

    fn take(&mut self, change: &Change) {
        self.note(&change.key, change.version, &change.placed);
    }

    /// Takes in a state of an object, unless a newer one is known.
    fn note(&mut self, key: &ObjectKey, version: u64, placed: &Placed) {
        let known = self.versions.entry(key.clone()).or_default();
        if *known < version {
            *known = version;
            self.state += 1;
            placed.put(&mut self.fleet, key);
        }
    }
}
