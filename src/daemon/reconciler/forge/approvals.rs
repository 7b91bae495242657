//! The approvals that a pull request needs, and those that it has.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::planner::Planned;
use tidegate_consent::{
    Approvals, Authors, Basis, Command, GoodDigests, PullRecord, Reviewed, RulesApproval, RulesProposal, RulesVoucher,
    Standing, Vouched,
};
use tidegate_forge::State;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::NamespacedName;
use tidegate_model::plural::counted;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_repository::Repository;
use tidegate_review::proposal::document::PlanApproval;
use tidegate_rollout::GroupKey;
use tidegate_rollout::gate::{Approvable, Policies};

/// Judges the approvals of a pull request as if it were merged now.
pub(super) fn needed(
    planned: &Planned,
    (number, record): (u64, &PullRecord),
    (base, approvals, commands): (&Repository, &Approvals, bool),
    good: &GoodDigests,
    instance: &InstanceId,
    now: Timestamp,
) -> Vec<PlanApproval> {
    let tree = record.trees.get(&record.head);
    let authors =
        tree.map_or_else(|| Authors::Unknown("its commits could not be read".to_owned()), |tree| tree.authors.clone());
    let before = Arc::new(tidegate_repository::basis(base));
    let after = &planned.basis;
    let brought = tree.into_iter().flat_map(|tree| tree.digests.keys()).map(|name| (name.clone(), record.head.clone()));
    let merged = PullRecord { state: Standing::Merged, brought: brought.collect(), ..record.clone() };
    let approvals = Approvals { pulls: Arc::new([(number, merged)].into()), ..approvals.clone() };
    let rules = of_rules((&before, after), (tree, &authors), &approvals, (instance, &record.head), now);
    let comment = |approval: &PlanApproval| Command::line(&approval.addon, None, &approval.digest);
    let with_comment =
        |approval: PlanApproval| PlanApproval { comment: commands.then(|| comment(&approval)).flatten(), ..approval };
    let mut found: Vec<PlanApproval> = rules.into_iter().map(with_comment).collect();
    for addon in &planned.plan.addons {
        let digest = tree.and_then(|tree| tree.digests.get(&addon.name));
        let Some(digest) = digest.filter(|_| !addon.groups.is_empty()) else { continue };
        let before = Vouched::new(before.clone(), RulesVoucher::Base);
        let reach = after.addons.get(&addon.name);
        let judges =
            approvals.of_proposal(&addon.name, before, reach, (authors.clone(), Some(record.head.clone())), good);
        let all = [(addon.name.clone(), judges.clone())].into();
        let policies = Policies::new(&planned.basis.policies, &all).with(&approvals.operator);
        let mut placements: BTreeMap<&str, Vec<GroupKey>> = BTreeMap::new();
        for group in &addon.groups {
            placements.entry(&group.placement).or_default().push(group.key());
        }
        for (placement, groups) in placements {
            let placement = placement.split_once('/').map(|(namespace, name)| NamespacedName::new(namespace, name));
            let subject = Approvable {
                unit: &addon.name,
                digest,
                placement: placement.as_ref(),
                instance,
                approvals: &approvals,
                judges: &judges,
                now,
            };
            let needed = policies.needed(&subject, &groups).into_iter().filter(|judged| !judged.breaks_glass);
            let of = |judged: tidegate_rollout::gate::Judged| PlanApproval {
                addon: addon.name.clone(),
                digest: digest.clone(),
                comment: commands
                    .then(|| Command::line(&addon.name, judged.verdict.group.as_deref(), digest))
                    .flatten(),
                policy: judged.source,
                at_its_turn: judged.at_its_turn,
                verdict: judged.verdict,
            };
            for approval in needed.map(of) {
                if !found.contains(&approval) {
                    found.push(approval);
                }
            }
        }
    }
    // They are shown on the pull request itself.
    for missing in found.iter_mut().filter_map(|approval| approval.verdict.missing.as_mut()) {
        missing.on.clear();
    }
    found
}

/// Judges the approvals that a change of the rules needs.
fn of_rules(
    (before, after): (&Arc<Basis>, &Basis),
    (tree, authors): (Option<&Reviewed>, &Authors),
    approvals: &Approvals,
    (instance, head): (&InstanceId, &CommitId),
    now: Timestamp,
) -> Vec<PlanApproval> {
    let Some(digest) = tree.and_then(|tree| tree.digests.get(&Approvals::rules())) else { return Vec::new() };
    let before = Vouched::new(before.clone(), RulesVoucher::Base);
    let proposal = RulesProposal { before: &before, digest, after, authors: authors.clone(), commit: Some(head) };
    // Which clusters exist is decided when the change is followed.
    let judged = proposal.judged((approvals, instance, now), |_| None);
    let of = |approval: RulesApproval| PlanApproval {
        addon: Approvals::rules(),
        digest: digest.clone(),
        comment: None,
        policy: approval.policy,
        at_its_turn: false,
        verdict: approval.verdict,
    };
    judged.approvals.into_iter().map(of).collect()
}

/// Returns the state of the status for the approvals of a commit of a pull request, and its text. There always is one, because a branch may
/// require it.
pub(super) fn status(record: &PullRecord, head: &CommitId, approvals: &[PlanApproval]) -> (State, String) {
    match &record.gate {
        Some(gate) if gate.commit == *head => (State::Success, "a request of Tidegate changes nothing".to_owned()),
        Some(gate) => {
            let text =
                format!("{} was added to the request {}; propose it separately", head.short(), gate.commit.short());
            (State::Failure, text)
        }
        // Which approvals a change needs is known only once its commits are.
        None if !record.trees.contains_key(head) => (State::Pending, "its commits are not read yet".to_owned()),
        None => of_change(approvals),
    }
}

fn of_change(approvals: &[PlanApproval]) -> (State, String) {
    if approvals.is_empty() {
        return (State::Success, "no rule asks for an approval".to_owned());
    }
    // Those that are given later must not keep the pull request from being merged.
    let now: Vec<&PlanApproval> = approvals.iter().filter(|approval| !approval.at_its_turn).collect();
    let open: Vec<&&PlanApproval> = now.iter().filter(|approval| !approval.verdict.is_met()).collect();
    let later = approvals.len() - now.len();
    let Some(first) = open.first() else {
        let later =
            if later > 0 { format!("; {} during the rollout", counted(later, "approval")) } else { String::new() };
        return (State::Success, format!("approved{later}"));
    };
    let PlanApproval { addon, verdict, .. } = first;
    let missing = verdict.missing.as_ref().map(ToString::to_string).unwrap_or_default();
    let more = if open.len() > 1 { format!("; and {} more", open.len() - 1) } else { String::new() };
    (State::Pending, format!("{} of {} for {addon}: {missing}{more}", verdict.have.len(), verdict.need))
}
