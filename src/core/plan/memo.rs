//! Results that are kept from one plan for the next ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use k8s_openapi::api::rbac::v1::RoleBinding;
use serde_json::Value;

use super::at_rest::AtRest;
use super::context::Action;
use super::kept_declared::KeptDeclared;
use super::kept_selections::KeptSelections;
use super::kept_works::KeptWorks;
use tidegate_api::fleet::Fleet;
use tidegate_delivery::Template;
use tidegate_delivery::registration::Decision;
use tidegate_delivery::status::{Desired, Progress};
use tidegate_delivery::upstream::{Delivery, Views};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;
use tidegate_repository::Settings;

/// Everything that the writes for a cluster depend on, except the settings and the time: time only dates a change, and never causes
/// one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inputs {
    /// Who delivers.
    pub(super) delivery: Delivery,
    /// What to do with the cluster.
    pub(super) action: Action,
    /// Whether condition `Configured` is set even if the cluster is under way or failed.
    pub(super) is_configured: bool,
    /// Whether its deadline has passed.
    pub(super) is_overdue: bool,
    /// The resourceVersions of its add-on, of the cluster, of its works, of its RoleBindings and of its objects for tokens.
    pub(super) versions: Vec<Option<String>>,
    /// The generations of its configurations on the hub.
    pub(super) generations: Vec<Option<i64>>,
    /// Whether the RoleBindings of the hub cannot be watched, and the objects for tokens.
    pub(super) is_blind: [bool; 2],
    /// What it should have.
    pub(super) desired: Shared<Vec<Desired>>,
    /// The objects that it has and that another unit has by now.
    pub(super) released: BTreeSet<ObjectKey>,
}

/// What is known about a cluster that needs no writes.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    /// Its progress.
    pub(super) progress: Option<Progress>,
    /// The bindings that its agent shares with those of other clusters.
    pub(super) shared: Option<Vec<RoleBinding>>,
}

/// What the decision about a request for a certificate is based on, besides this instance.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Evidenced {
    /// The uid and resourceVersion of the request, of the add-on on its cluster, and of the cluster.
    pub(super) versions: [Option<(String, String)>; 3],
    /// The AddOnTemplate that the cluster was assigned; `None` if it is not known.
    pub(super) template: Option<Arc<Value>>,
    /// Whether this instance drives the add-on.
    pub(super) is_driven: bool,
}

/// Templates and other results of earlier plans, reused while their inputs are the same. They affect how long a plan takes, never its
/// result. An exception is the number of requests for certificates that a plan judges: those that were judged do not count.
#[derive(Debug, Default)]
pub struct Memo {
    /// The settings for which `settled` and `works` are valid.
    settings: Option<Settings>,
    templates: BTreeMap<(UnitName, String), Arc<Template>>,
    settled: BTreeMap<UnitName, SettledClusters>,
    /// The declared objects that need no writes.
    pub(super) declared: KeptDeclared,
    /// The works of clusters that need no writes.
    pub(super) works: KeptWorks,
    /// The fleet with assignments in place.
    pub(super) views: Views,
    decisions: BTreeMap<String, (Evidenced, Decision)>,
    /// The clusters of the Placements.
    pub(super) selections: KeptSelections,
    /// The units that need not be planned again.
    pub(super) at_rest: AtRest,
}

/// The clusters of one unit that need no writes.
type SettledClusters = HashMap<ClusterName, (Inputs, Settled)>;

impl Memo {
    /// Returns a prepared template of an add-on; prepares it if the memo has no template for `fingerprint`.
    pub(super) fn template<E>(
        &mut self,
        addon: &UnitName,
        fingerprint: &str,
        prepare: impl FnOnce() -> Result<Template, E>,
    ) -> Result<Arc<Template>, E> {
        let key = (addon.clone(), fingerprint.to_owned());
        if let Some(template) = self.templates.get(&key) {
            return Ok(template.clone());
        }
        let template = Arc::new(prepare()?);
        self.templates.insert(key, template.clone());
        Ok(template)
    }

    /// Returns what was recorded about a cluster that needed no writes, if it was recorded for the same inputs.
    pub(super) fn recall(&self, addon: &UnitName, cluster: &ClusterName, inputs: &Inputs) -> Option<Settled> {
        let known = self.settled.get(addon)?.get(cluster);
        known.filter(|(known, _)| known == inputs).map(|(_, settled)| settled.clone())
    }

    /// Records that a cluster needs no writes with these inputs.
    pub(super) fn remember(&mut self, addon: &UnitName, cluster: &ClusterName, inputs: Inputs, settled: Settled) {
        self.settled.entry(addon.clone()).or_default().insert(cluster.clone(), (inputs, settled));
    }

    /// Returns what was decided about a request for a certificate, if it was decided on the same evidence.
    pub(super) fn decision(&self, request: &str, on: &Evidenced) -> Option<&Decision> {
        self.decisions.get(request).filter(|(known, _)| known == on).map(|(_, decision)| decision)
    }

    /// Records what was decided about a request for a certificate.
    pub(super) fn decided(&mut self, request: &str, on: Evidenced, decision: Decision) -> &Decision {
        self.decisions.remove(request);
        &self.decisions.entry(request.to_owned()).or_insert((on, decision)).1
    }

    /// Drops entries of clusters, add-ons and requests that are gone, results for other settings, and all templates once there are too many.
    pub(super) fn retain(&mut self, fleet: &Fleet, settings: &Settings) {
        if self.settings.as_ref() != Some(settings) {
            self.settled.clear();
            self.works.clear();
            self.settings = Some(settings.clone());
        }
        self.settled.retain(|name, settled| {
            let Some(clusters) = fleet.cluster_addons.get(name) else { return false };
            if settled.len() > clusters.len() {
                settled.retain(|cluster, _| clusters.contains_key(cluster));
            }
            true
        });
        self.works.retain(fleet);
        self.decisions.retain(|request, _| fleet.requests.contains_key(request));
        // A fleet of many versions and per-cluster configurations has a few hundred; preparing one again costs milliseconds.
        if self.templates.len() > 1_000 {
            self.templates.clear();
        }
    }
}
