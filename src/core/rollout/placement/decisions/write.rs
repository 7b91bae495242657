//! The writes that update PlacementDecisions and the status of their Placement to the result of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::{Value, json};

use super::page::DecisionPage;
use super::read::{decided_names, placement_of};
use crate::placement::outcome::{Code, Outcome};
use tidegate_api::condition::find;
use tidegate_api::key::{CLUSTER_GROUP, PLACEMENT_SATISFIED};
use tidegate_api::ocm::placement::{Placement, PlacementDecision, PlacementStatus};
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::json_text::JsonText;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::object::ObjectKey;

/// Returns the writes that are needed after a run. Objects that are already correct are not written.
///
/// If [`Outcome::keep_decisions`] is set, the decisions are left unchanged, and the status of the Placement reports the problem
/// while it still describes the existing decisions.
///
/// # Shape
/// Empty if nothing has to be written. Each new page that holds only new clusters gets a lane of its own. All other writes form
/// one lane, ordered so that a cluster that moves between pages is briefly in both pages rather than in none, provided that all
/// clusters move in the same direction. Surplus pages are deleted after that, and the status of the Placement comes last.
///
/// # Assumptions
/// `placement` and `decisions` are from the observation that was scheduled.
pub fn decision_writes(
    outcome: &Outcome,
    placement: &Placement,
    decisions: &BTreeMap<NamespacedName, Arc<PlacementDecision>>,
) -> Vec<Lane> {
    let mut lanes = Vec::new();
    let mut ordered = Vec::new();
    if !outcome.keep_decisions {
        let observed = Observed::of(placement, decisions);
        for page in &outcome.decisions {
            if observed.is_fresh(page) {
                lanes.push(Lane { stage: Stage::Decide, writes: create(page, placement) });
            }
        }
        ordered = observed.ordered(&outcome.decisions, placement);
    }
    ordered.extend(status_write(outcome, placement));
    if !ordered.is_empty() {
        lanes.push(Lane { stage: Stage::Decide, writes: ordered });
    }
    lanes
}

/// The observed decisions of one namespace.
struct Observed<'a> {
    by_name: BTreeMap<&'a str, &'a PlacementDecision>,
    /// The decisions with the label of the placement, by name.
    own: BTreeMap<&'a str, &'a PlacementDecision>,
    /// Each cluster in the decisions of the placement, with the name of the last page that holds it.
    pages_of: BTreeMap<&'a str, &'a str>,
}

impl<'a> Observed<'a> {
    fn of(placement: &Placement, decisions: &'a BTreeMap<NamespacedName, Arc<PlacementDecision>>) -> Self {
        let meta = &placement.metadata;
        let id = NamespacedName::new(meta.namespace.clone().unwrap_or_default(), meta.name.clone().unwrap_or_default());
        let by_name: BTreeMap<&str, &PlacementDecision> = decisions
            .range(NamespacedName::new(id.namespace.as_str(), "")..)
            .take_while(|(key, _)| key.namespace == id.namespace)
            .map(|(key, decision)| (key.name.as_str(), &**decision))
            .collect();
        let own: BTreeMap<_, _> = by_name
            .iter()
            .filter(|(_, decision)| placement_of(decision).as_ref() == Some(&id))
            .map(|(name, decision)| (*name, *decision))
            .collect();
        let pages_of =
            own.iter().flat_map(|(page, decision)| decided_names(decision).map(|cluster| (cluster, *page))).collect();
        Self { by_name, own, pages_of }
    }

    fn is_fresh(&self, page: &DecisionPage) -> bool {
        !self.by_name.contains_key(page.name.as_str())
            && !page.clusters.iter().any(|cluster| self.pages_of.contains_key(cluster.as_str()))
    }

    fn ordered(&self, pages: &[DecisionPage], placement: &Placement) -> Vec<Write> {
        let mut moving: Vec<Vec<Write>> = pages
            .iter()
            .filter(|page| !self.is_fresh(page))
            .map(|page| match self.by_name.get(page.name.as_str()) {
                Some(decision) => update(page, decision),
                None => create(page, placement),
            })
            .collect();
        if self.moves_later(pages) {
            moving.reverse();
        }
        let wanted: BTreeSet<&str> = pages.iter().map(|page| page.name.as_str()).collect();
        let surplus = self.own.iter().filter(|(name, _)| !wanted.contains(*name)).map(|(_, decision)| Write::Delete {
            key: key("PlacementDecision", &decision.metadata),
            precondition: Precondition { resource_version: None, ..precondition(&decision.metadata) },
        });
        moving.into_iter().flatten().chain(surplus).collect()
    }

    /// Returns `true` if more clusters move to a later page than to an earlier one, as happens when a cluster is added at the
    /// front.
    fn moves_later(&self, pages: &[DecisionPage]) -> bool {
        let numbers: BTreeMap<&str, usize> =
            pages.iter().enumerate().map(|(i, page)| (page.name.as_str(), i)).collect();
        let was =
            |cluster: &ClusterName| self.pages_of.get(cluster.as_str()).and_then(|page| numbers.get(page)).copied();
        let moves = || pages.iter().enumerate().flat_map(|(is, page)| page.clusters.iter().map(move |c| (c, is)));
        let later = moves().filter(|(cluster, is)| was(cluster).is_some_and(|was| was < *is)).count();
        let earlier = moves().filter(|(cluster, is)| was(cluster).is_some_and(|was| was > *is)).count();
        later > earlier
    }
}

fn create(page: &DecisionPage, placement: &Placement) -> Vec<Write> {
    let meta = &placement.metadata;
    let object = json!({
        "apiVersion": "cluster.open-cluster-management.io/v1beta1",
        "kind": "PlacementDecision",
        "metadata": {
            "name": page.name,
            "namespace": page.namespace,
            "labels": page.labels,
            "ownerReferences": [{
                "apiVersion": "cluster.open-cluster-management.io/v1beta1",
                "kind": "Placement",
                "name": meta.name,
                "uid": meta.uid,
                "controller": true,
                "blockOwnerDeletion": true,
            }],
        },
    });
    let mut writes = vec![Write::Create { object: object.into() }];
    // An object without status means the same as one with an empty list.
    if !page.clusters.is_empty() {
        let key = ObjectKey::new(CLUSTER_GROUP, "PlacementDecision", &page.namespace, &page.name);
        writes.push(Write::PatchStatus { key, precondition: None, status: decided(page) });
    }
    writes
}

fn update(page: &DecisionPage, decision: &PlacementDecision) -> Vec<Write> {
    let key = key("PlacementDecision", &decision.metadata);
    let mut precondition = precondition(&decision.metadata);
    let mut writes = Vec::new();
    if !decided_names(decision).eq(page.clusters.iter().map(ClusterName::as_str)) {
        let guarded = Some(precondition.clone());
        writes.push(Write::PatchStatus { key: key.clone(), precondition: guarded, status: decided(page) });
        // The previous write changed the resource version; only that write needs the precondition.
        precondition.resource_version = None;
    }
    let no_labels = BTreeMap::new();
    let labels = decision.metadata.labels.as_ref().unwrap_or(&no_labels);
    if *labels != page.labels {
        let surplus = labels.keys().filter(|key| !page.labels.contains_key(*key)).map(|key| (key.clone(), Value::Null));
        let wanted = page.labels.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
        let labels: serde_json::Map<String, Value> = surplus.chain(wanted).collect();
        writes.push(Write::Patch { key, precondition, patch: json!({ "metadata": { "labels": labels } }).into() });
    }
    writes
}

fn decided(page: &DecisionPage) -> JsonText {
    let entries: Vec<Value> =
        page.clusters.iter().map(|cluster| json!({ "clusterName": cluster.as_str(), "reason": "" })).collect();
    json!({ "decisions": entries }).into()
}

fn status_write(outcome: &Outcome, placement: &Placement) -> Option<Write> {
    let observed = placement.status.clone().unwrap_or_default();
    let status = if outcome.keep_decisions { standing(&observed, outcome) } else { outcome.status.clone() };
    if status == observed {
        return None;
    }
    Some(Write::PatchStatus {
        key: key("Placement", &placement.metadata),
        precondition: Some(precondition(&placement.metadata)),
        status: json!(status).into(),
    })
}

/// Returns the observed status with the new conditions. The rest still describes the decisions, which are kept.
fn standing(observed: &PlacementStatus, outcome: &Outcome) -> PlacementStatus {
    let mut status = observed.clone();
    status.conditions.clone_from(&outcome.status.conditions);
    let is_understood = matches!(outcome.code, Code::Success | Code::Warning(_));
    if let Some(satisfied) = find(&observed.conditions, PLACEMENT_SATISFIED).filter(|_| !is_understood) {
        for condition in status.conditions.iter_mut().filter(|condition| condition.type_ == PLACEMENT_SATISFIED) {
            condition.clone_from(satisfied);
        }
    }
    status
}

fn key(kind: &str, meta: &ObjectMeta) -> ObjectKey {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    ObjectKey::new(CLUSTER_GROUP, kind, &text(&meta.namespace), &text(&meta.name))
}

fn precondition(meta: &ObjectMeta) -> Precondition {
    Precondition { uid: meta.uid.clone().unwrap_or_default(), resource_version: meta.resource_version.clone() }
}
