//! What a staged rollout asks for beside its order, as RolloutPolicies.

use tidegate_api::rollout_policy::{
    After, Approval, FailureAction, Limit, OnFailure, PolicySelector, RolloutPolicy, RolloutPolicySpec,
};

use crate::imported::Options;
use crate::report::Report;
use crate::rollout::{Rollout, Stage};

/// Returns one policy for the whole rollout, and one for each stage with limits or windows; none where nothing is asked for. Approvals
/// without a person who may give them are reported.
pub(crate) fn policies(rollout: &Rollout<'_>, options: &Options<'_>, report: &mut Report) -> Vec<RolloutPolicy> {
    let approvals: Vec<_> = rollout.stages.iter().filter_map(|stage| approval(stage, options, report)).collect();
    let on_failure = (rollout.on_failure != FailureAction::default())
        .then(|| OnFailure { action: rollout.on_failure, ..OnFailure::default() });
    let mut policies = Vec::new();
    let limits: Vec<Limit> = rollout.at_once.into_iter().map(limit).collect();
    if !approvals.is_empty() || on_failure.is_some() || !limits.is_empty() {
        let selector = selector(options, &[]);
        let spec = RolloutPolicySpec { selector, approvals, on_failure, limits, ..RolloutPolicySpec::default() };
        policies.push(RolloutPolicy::new(options.addon, spec));
    }
    let with_gates =
        rollout.stages.iter().enumerate().filter(|(_, stage)| stage.at_once.is_some() || !stage.windows.is_empty());
    for (at, stage) in with_gates {
        let spec = RolloutPolicySpec {
            selector: selector(options, std::slice::from_ref(&stage.name)),
            limits: stage.at_once.into_iter().map(limit).collect(),
            windows: stage.windows.clone(),
            ..RolloutPolicySpec::default()
        };
        policies.push(RolloutPolicy::new(&format!("{}-{}", options.addon, suffix(at, stage)), spec));
    }
    policies
}

fn limit(clusters: u32) -> Limit {
    Limit { name: "at-once".to_owned(), max_clusters: Some(clusters), ..Limit::default() }
}

/// Returns the part of the policy's name that is about a stage.
fn suffix(at: usize, stage: &Stage<'_>) -> String {
    let is_free = tidegate_go::label::is_dns_label(&stage.name) && !stage.name.starts_with("stage-");
    if is_free { stage.name.clone() } else { format!("stage-{}", at + 1) }
}

fn selector(options: &Options<'_>, groups: &[String]) -> PolicySelector {
    PolicySelector { add_ons: vec![options.addon.to_owned()], groups: groups.to_vec(), ..PolicySelector::default() }
}

/// Returns the approval before a stage. It counts only once the stages before are done, as in the other tools.
fn approval(stage: &Stage<'_>, options: &Options<'_>, report: &mut Report) -> Option<Approval> {
    let field = stage.approval.as_ref()?;
    if options.approvers.is_empty() {
        let how = "an approval is asked for: name who may give it with --approver, such as an alias of `[people]` in tidegate.toml";
        field.refuse(report, how);
        return None;
    }
    Some(Approval {
        name: stage.name.clone(),
        count: 1,
        of: options.approvers.to_vec(),
        before: vec![stage.name.clone()],
        after: After::Reached,
        ..Approval::default()
    })
}
