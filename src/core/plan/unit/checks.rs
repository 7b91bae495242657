//! The checks of a placement: how far its groups are, and what an expression can read of a cluster.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::ruling;
use crate::context::Context;
use crate::node::{Child, Node};
use crate::report::builder;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{FeedbackValue, FieldValue, ManifestCondition};
use tidegate_delivery::status::{State, state};
use tidegate_model::name::ClusterName;
use tidegate_rollout::GroupKey;
use tidegate_rollout::gate::Gates;
use tidegate_rollout::gate::checks::{Checkable, Judged, Member, Stage, Standing};

/// Judges the checks of a node.
pub(super) fn judged(context: &Context<'_>, node: &Node<'_>, gates: &Gates<'_>) -> Judged {
    // Clusters that return to the last good digest wait for nothing.
    if node.rolls_back || !gates.has_checks(context.name, node.placement.as_ref()) {
        return Judged::default();
    }
    let children: BTreeMap<&ClusterName, &Child<'_>> = node.children.iter().map(|child| (child.name, child)).collect();
    let stages: Vec<Stage<'_>> = stages(context, node, &children);
    let before = context.input.past.report.addons.get(context.name);
    let cluster = |name: &ClusterName| children.get(name).map_or(Value::Null, |child| value(context, child));
    gates.checked(&Checkable {
        unit: context.name,
        digest: &context.unit.digest,
        placement: node.placement.as_ref(),
        mandatory: node.mandatory(),
        stages: &stages,
        before: before.map_or(&[], |report| &report.checks),
        observations: context.input.observations,
        cluster: &cluster,
        now: context.input.now,
    })
}

/// Returns the groups of a node, with the clusters that belong to it.
fn stages<'n>(
    context: &Context<'_>,
    node: &'n Node<'_>,
    children: &BTreeMap<&ClusterName, &Child<'_>>,
) -> Vec<Stage<'n>> {
    let awaited: BTreeSet<&ClusterName> = node.awaited.iter().map(|(name, _)| name).collect();
    let member = |name: &'n ClusterName| {
        let standing = match children.get(name) {
            _ if node.aside.includes(name) => Standing::Aside,
            Some(child) => standing(context, node, child),
            // A cluster without the add-on has not started. All others belong to another placement or instance.
            None if awaited.contains(name) => Standing::Waiting,
            None => return None,
        };
        Some(Member { name, standing })
    };
    let groups = node.groups.iter().map(|group| Stage {
        group: GroupKey { index: group.index, name: group.name.clone() },
        members: group.clusters.iter().filter_map(member).collect(),
    });
    groups.collect()
}

fn standing(context: &Context<'_>, node: &Node<'_>, child: &Child<'_>) -> Standing {
    if child.state == State::ToApply {
        return Standing::Waiting;
    }
    // Without a valid strategy, it is not known whether the cluster has soaked.
    match tidegate_rollout::finished_since(
        &node.strategy,
        &ruling::taking_part(context, node, child),
        context.input.now,
    ) {
        Ok(Some(since)) => Standing::Done { since },
        Ok(None) | Err(_) => Standing::Underway,
    }
}

/// Returns what an expression can read of a cluster.
fn value(context: &Context<'_>, child: &Child<'_>) -> Value {
    let has_it = state::is_assigned(child.addon, &child.desired);
    let status = child.cluster.status.as_ref();
    let claims: Map<String, Value> = status
        .into_iter()
        .flat_map(|status| &status.cluster_claims)
        .map(|claim| (claim.name.clone(), json!(claim.value)))
        .collect();
    let conditions = child.addon.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    let is_unavailable = condition::find(conditions, key::AVAILABLE).is_some_and(|found| found.status == "False");
    let works = context.works(child.name);
    let statuses = works.values().filter_map(|work| work.status.as_ref()?.resource_status.as_ref());
    let feedback: Map<String, Value> = statuses.flat_map(|status| &status.manifests).filter_map(feedback).collect();
    json!({
        "name": child.name,
        "labels": child.cluster.metadata.labels.clone().unwrap_or_default(),
        "claims": claims,
        "version": if has_it { builder::target_version(context.name, &child.desired) } else { String::new() },
        "state": match child.state {
            State::ToApply => "Waiting",
            State::Progressing { .. } => "Progressing",
            State::Failed { .. } => "Failed",
            State::Succeeded { .. } => "Succeeded",
        },
        "degraded": is_unavailable || tidegate_delivery::cause(context.owner, child.cluster, works).is_some(),
        "conditions": conditions.iter().map(|found| (found.type_.clone(), json!(found.status))).collect::<Map<_, _>>(),
        "feedback": feedback,
    })
}

/// Returns the values that a cluster reports about an object, with the object as messages name it: `Deployment hello/agent`.
fn feedback(manifest: &ManifestCondition) -> Option<(String, Value)> {
    let object = manifest.resource_meta.key();
    let values = manifest.status_feedback.iter().flat_map(|feedback| &feedback.values);
    let values: Map<String, Value> =
        values.filter_map(|FeedbackValue { name, field_value }| Some((name.clone(), read(field_value)?))).collect();
    (!values.is_empty()).then(|| (object.to_string(), Value::Object(values)))
}

fn read(value: &FieldValue) -> Option<Value> {
    match value.type_.as_str() {
        "Integer" => value.integer.map(|integer| json!(integer)),
        "String" => value.string.as_ref().map(|string| json!(string)),
        "Boolean" => value.boolean.map(|boolean| json!(boolean)),
        "JsonRaw" => serde_json::from_str(value.json_raw.as_ref()?).ok(),
        _ => None,
    }
}

/// Returns which check of a placement failed, if one did.
pub(super) fn failed(checks: &Judged) -> Option<String> {
    let failed = tidegate_rollout::gate::checks::failed(&checks.judgements)?;
    Some(format!("check {:?} of {} failed: {}", failed.check, failed.group, failed.result()))
}
