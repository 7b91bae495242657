//! What a cluster reports about a Rollout: replicas that a controller there replaces in batches.
//!
//! A status can be that of an earlier rollout. So it counts only if it names the target, the size or the generation that it is about.
//!
//! # Source
//! KubeVela 1.1, `standard.oam.dev/v1alpha1`; Argo Rollouts, `argoproj.io/v1alpha1`; OpenKruise, `rollouts.kruise.io`.

use tidegate_api::ocm::manifest_work::ManifestCondition;

use super::values::{NotAnInteger, number, text, values};
use super::wanted::{Plan, Wanted};
use crate::template::workload::Kind;
use crate::works::feedback::{
    CURRENT_BATCH, GENERATION, LAST_TARGET, OBSERVED, PHASE, ROLLED_SIZE, ROLLING_STATE, TARGET_REVISION, TARGET_SIZE,
    UPGRADED_READY,
};

/// Returns why a Rollout is not known to be done.
pub(super) fn doubt_of(
    kind: Kind,
    what: &str,
    report: &ManifestCondition,
    wanted: Option<&Wanted>,
) -> Result<Option<String>, NotAnInteger> {
    if has_failed(kind, report, wanted) {
        return Ok(Some(format!("{what} has failed")));
    }
    Ok(progress(kind, report, wanted)?.map(|how| format!("{what} is under way: {how}")))
}

/// Returns how far a Rollout is, which has not failed; `None` if it is done.
pub(super) fn progress(
    kind: Kind,
    report: &ManifestCondition,
    wanted: Option<&Wanted>,
) -> Result<Option<String>, NotAnInteger> {
    match kind {
        Kind::Rollout => by_batches(report, plan(wanted)),
        _ => by_phase(report),
    }
}

/// Returns `true` if a Rollout is reported as failed in what it is about now. A failure of an earlier rollout does not count.
pub(super) fn has_failed(kind: Kind, report: &ManifestCondition, wanted: Option<&Wanted>) -> bool {
    match kind {
        Kind::Rollout => {
            text(report, ROLLING_STATE.0) == Some("rolloutFailed")
                && started(report, plan(wanted)).is_ok_and(|why| why.is_none())
        }
        _ => text(report, PHASE.0) == Some("Degraded") && is_observed(report).unwrap_or(false),
    }
}

fn plan(wanted: Option<&Wanted>) -> Option<&Plan> {
    match wanted? {
        Wanted::Plan(plan) => Some(plan),
        _ => None,
    }
}

/// Returns why the controller of a Rollout has not started with what it is about.
fn started(report: &ManifestCondition, wanted: Option<&Plan>) -> Result<Option<String>, NotAnInteger> {
    let (target, size) = (text(report, TARGET_REVISION.0), number(report, &[TARGET_SIZE.0])?);
    let is_wanted = wanted.is_none_or(|wanted| wanted.target.as_deref() == target && wanted.size == size);
    if target.is_none() || !is_wanted {
        return Ok(Some("the cluster does not report it as it should be".to_owned()));
    }
    let (last, rolled) = (text(report, LAST_TARGET.0), number(report, &[ROLLED_SIZE.0])?);
    let is_of_size = rolled.is_none() || size.is_none() || rolled == size;
    let why = || format!("its controller has not started with revision {}", target.unwrap_or_default());
    Ok((last != target || !is_of_size).then(why))
}

fn by_batches(report: &ManifestCondition, wanted: Option<&Plan>) -> Result<Option<String>, NotAnInteger> {
    if let Some(why) = started(report, wanted)? {
        return Ok(Some(why));
    }
    // Without a size of its own, a Rollout has the one that its controller found.
    let size = number(report, &[TARGET_SIZE.0])?.or(number(report, &[ROLLED_SIZE.0])?);
    let ready = number(report, &[UPGRADED_READY.0])?.unwrap_or(0);
    if text(report, ROLLING_STATE.0) == Some("rolloutSucceed") && Some(ready) == size {
        return Ok(None);
    }
    let (size, ready) = (size.unwrap_or(0).max(0), ready.max(0));
    let batches = wanted.map(|wanted| wanted.batches).filter(|batches| *batches > 0);
    let last = batches.and_then(|batches| i64::try_from(batches).ok()).unwrap_or(i64::MAX);
    let batch = number(report, &[CURRENT_BATCH.0])?.unwrap_or(0).saturating_add(1).clamp(1, last);
    let of = batches.map(|batches| format!("/{batches}")).unwrap_or_default();
    let percent = if size > 0 { ready.min(size).saturating_mul(100) / size } else { 0 };
    Ok(Some(format!("batch {batch}{of}, {ready} of {size} replicas ({percent} %)")))
}

fn by_phase(report: &ManifestCondition) -> Result<Option<String>, NotAnInteger> {
    if !is_observed(report)? {
        return Ok(Some("its controller has not processed its generation".to_owned()));
    }
    Ok(match text(report, PHASE.0) {
        Some("Healthy") => None,
        Some(phase) => Some(format!("its phase is {phase}")),
        None => Some("it has no phase".to_owned()),
    })
}

/// Returns `true` if the controller has processed the generation. Argo Rollouts writes the number as a string.
fn is_observed(report: &ManifestCondition) -> Result<bool, NotAnInteger> {
    let written = text(report, OBSERVED.0).and_then(|text| text.parse::<i64>().ok());
    let is_text = values(report).iter().any(|value| value.name == OBSERVED.0 && value.field_value.string.is_some());
    let observed = if is_text { written } else { number(report, &[OBSERVED.0])? };
    Ok(number(report, &[GENERATION.0])?.zip(observed).is_some_and(|(generation, observed)| observed >= generation))
}
