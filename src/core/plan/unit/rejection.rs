//! The rejection of a digest on the hub, as an annotation of the ClusterManagementAddOn: the journal may be lost before it is pushed.
//!
//! It is written before the first cluster goes back, and removed when the digest is no longer in force or is retried.

use serde_json::{Value, json};

use crate::context::{Channel, Context};
use tidegate_api::key::REJECTED;
use tidegate_api::object_key;
use tidegate_api::precondition::precondition;
use tidegate_model::action::{Lane, Stage, Write};
use tidegate_model::followed::Rejection;
use tidegate_rollout::{Barrier, Gate};

/// Returns the rejection on the hub, as it is written there.
fn written(context: &Context<'_>) -> Option<Rejection> {
    let annotations = context.management()?.metadata.annotations.as_ref()?;
    serde_json::from_str(annotations.get(REJECTED)?).ok()
}

/// Returns the rejection of the digest in force, or of the one that is taken back, as far as the hub vouches for it.
///
/// Everyone who may write the ClusterManagementAddOn can write it, so it says that a digest failed, and nothing else: what to go back to comes
/// from the journal. A rejection in the future would outlast every retry, and counts for nothing.
pub(super) fn on_hub(context: &Context<'_>) -> Option<Rejection> {
    let rejection = written(context).filter(|rejection| rejection.at <= context.input.now)?;
    let taken_back = context.input.repository.rollbacks.get(context.name).map(|rollback| &rollback.rejection.digest);
    let is_current = rejection.digest == context.unit.digest || taken_back == Some(&rejection.digest);
    if !is_current || is_retried(context, &rejection) {
        return None;
    }
    let before = context.input.past.report.addons.get(context.name);
    let good = before.and_then(|report| report.last_good.clone()).filter(|good| good.digest != rejection.digest);
    Some(Rejection { good, ..rejection })
}

/// Returns the gate that holds all clusters until the digest in force is taken back; `None` if it was not rejected.
pub(super) fn hold(context: &Context<'_>) -> Option<Gate> {
    let rejection = on_hub(context).filter(|rejection| rejection.digest == context.unit.digest)?;
    Some(gate(&rejection))
}

/// Returns the gate of a cluster that goes back while the hub does not have the rejection yet.
pub(super) fn unrecorded(context: &Context<'_>) -> Option<Gate> {
    let taken_back = &context.input.repository.rollbacks.get(context.name)?.rejection;
    if matches!(context.channel(), Channel::Application(_)) {
        // It has no object that could record it. What each cluster is given says it as well.
        return None;
    }
    let is_recorded = written(context).is_some_and(|rejection| rejection.digest == taken_back.digest);
    (!is_recorded).then(|| gate(taken_back))
}

fn gate(rejection: &Rejection) -> Gate {
    let digest = rejection.digest.short().to_owned();
    Gate { source: rejection.policy.clone(), barrier: Barrier::Rejected { digest } }
}

/// Returns the write that records a rejection on the hub, or removes an old one. One that only holds the clusters stays.
pub(super) fn recorded(context: &Context<'_>, rejected: Option<&Rejection>) -> Option<Lane> {
    let metadata = &context.management()?.metadata;
    let observed = metadata.annotations.as_ref().and_then(|annotations| annotations.get(REJECTED));
    let wanted = rejected.and_then(|rejected| serde_json::to_string(rejected).ok());
    if observed == wanted.as_ref() || wanted.is_none() && hold(context).is_some() {
        return None;
    }
    let patch = json!({ "metadata": { "annotations": { REJECTED: wanted.map_or(Value::Null, Value::from) } } });
    let key = object_key::addon(context.name.as_str());
    Some(Lane {
        stage: Stage::Prepare,
        writes: vec![Write::Patch { key, precondition: precondition(metadata)?, patch: patch.into() }],
    })
}

/// Returns `true` if the hub has a rejection, of whatever digest. Time alone may end it.
pub(crate) fn is_on_hub(context: &Context<'_>) -> bool {
    let annotations = context.management().and_then(|addon| addon.metadata.annotations.as_ref());
    annotations.is_some_and(|annotations| annotations.contains_key(REJECTED))
}

/// Returns `true` if people said after the failure that the digest is to be retried.
pub(super) fn is_retried(context: &Context<'_>, rejected: &Rejection) -> bool {
    let retry = context.input.repository.controls.retry(context.name, &rejected.digest);
    retry.is_some_and(|retry| retry.at > rejected.at && retry.at <= context.input.now)
}
