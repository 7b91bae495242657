//! Two revisions and a fleet that has everything that the first one declares.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::name::UnitName;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_model::tree::Tree;
use tidegate_plan::{Input, Past, PlacementMode};
use tidegate_repository::{Archive, Loaded, Repository, hold, load};
use tidegate_review::proposal::document::{AddonPlan, Plan, Revision};
use tidegate_review::proposal::{Request, Side, assumed, propose};
use tidegate_rollout::gate::checks::Observations;

/// Two revisions and a fleet.
pub(crate) struct Scene {
    pub(crate) base: Tree,
    pub(crate) head: Tree,
    pub(crate) fleet: Fleet,
    pub(crate) latencies: BTreeMap<UnitName, SignedDuration>,
}

impl Scene {
    /// The example repository, and a fleet of these clusters, each with its labels in addition to `fleet: demo`.
    pub(crate) fn example(clusters: impl IntoIterator<Item = (String, Value)>) -> Self {
        let tree = crate::example_tree::tree();
        let mut fleet = Fleet::default();
        for (name, mut labels) in clusters {
            labels["fleet"] = json!("demo");
            let cluster =
                json!({ "metadata": { "name": name, "labels": labels }, "spec": { "hubAcceptsClient": true } });
            fleet.clusters.insert(name.parse().unwrap(), Arc::new(serde_json::from_value(cluster).unwrap()));
        }
        Self { base: tree.clone(), head: tree, fleet, latencies: BTreeMap::new() }
    }

    /// Replaces text in a file of the head.
    pub(crate) fn edit(mut self, file: &str, from: &str, to: &str) -> Self {
        let text = String::from_utf8(self.head.files[file].clone()).unwrap();
        assert!(text.contains(from), "{file} does not contain {from:?}");
        self.head.files.insert(file.to_owned(), text.replace(from, to).into_bytes());
        self
    }

    /// Adds a file to the head.
    pub(crate) fn add(mut self, file: &str, text: &str) -> Self {
        self.head.files.insert(file.to_owned(), text.as_bytes().to_vec());
        self
    }

    /// Adds a file to both revisions.
    pub(crate) fn add_to_both(mut self, file: &str, text: &str) -> Self {
        self.base.files.insert(file.to_owned(), text.as_bytes().to_vec());
        self.add(file, text)
    }

    /// Removes a file from the head.
    pub(crate) fn remove(mut self, file: &str) -> Self {
        assert!(self.head.files.remove(file).is_some(), "{file} does not exist");
        self
    }

    pub(crate) fn plan(&self) -> Plan {
        let base = load(&self.base, "fleet");
        let head = load(&self.head, "fleet");
        let base_repository = hold(base.clone(), &BTreeMap::new(), None);
        let good: BTreeMap<UnitName, Arc<Repository>> = {
            let shared = Arc::new(base_repository.clone());
            base_repository.addons.keys().map(|name| (name.clone(), Arc::clone(&shared))).collect()
        };
        let head_repository = hold(head.clone(), &good, Some(&base_repository));
        let fleet = self.fleet_at(&base_repository);
        propose(&Request {
            base: side("base", &base, &base_repository),
            head: side("head", &head, &head_repository),
            fleet: &fleet,
            source: "a test",
            as_of: None,
            instance: &crate::instance::instance(),
            latencies: &self.latencies,
            now: now(),
            only: None,
        })
    }

    /// Returns the fleet with the add-ons of a repository.
    pub(crate) fn fleet_at(&self, repository: &Repository) -> Fleet {
        let (unobserved, past, archive) = (BTreeSet::new(), Past::default(), Archive::default());
        assumed(&Input {
            repository,
            fleet: &self.fleet,
            unobserved: &unobserved,
            placement_mode: PlacementMode::Builtin,
            delivery: Delivery::Native,
            instance: &crate::instance::instance(),
            revision: None,
            past: &past,
            archive: &archive,
            approvals: Approvals::none(),
            observations: Observations::none(),
            now: now(),
        })
    }

    /// Returns what happens to one add-on.
    pub(crate) fn addon(&self, name: &str) -> AddonPlan {
        self.plan().addons.into_iter().find(|addon| addon.name.as_str() == name).unwrap()
    }
}

fn side<'a>(name: &str, loaded: &'a Loaded, repository: &'a Repository) -> Side<'a> {
    Side { revision: Revision { name: name.to_owned(), commit: None }, loaded, repository }
}

pub(crate) fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

/// Clusters of two clouds, of which the first `canaries` are canaries.
pub(crate) fn clouds(clusters: usize, canaries: usize) -> Vec<(String, Value)> {
    let cluster = |number: usize| {
        let cloud = if number.is_multiple_of(2) { "aws" } else { "gcp" };
        let mut labels = json!({ "cloud": cloud });
        if number < canaries {
            labels["tier"] = json!("canary");
        }
        (format!("{cloud}-{:04}", number / 2 + 1), labels)
    };
    (0..clusters).map(cluster).collect()
}
