//! The guards that are off.

use super::facts::{OperatorFacts, Unguarded};
use crate::{Loaded, Repository};

/// Returns the guards that are off, the most important one first.
pub(super) fn off(loaded: &Loaded, operator: &OperatorFacts) -> Vec<Unguarded> {
    let mut off = of_policies(&loaded.repository);
    off.extend(of_operator(operator));
    off
}

fn guard(guard: impl Into<String>, means: &str, remedy: &str) -> Unguarded {
    Unguarded { guard: guard.into(), means: means.to_owned(), remedy: remedy.to_owned() }
}

fn of_policies(repository: &Repository) -> Vec<Unguarded> {
    let mut off = Vec::new();
    let approvals = || {
        repository
            .policies
            .iter()
            .flat_map(|(name, policy)| policy.spec.approvals.iter().map(move |approval| (name, approval)))
    };
    if approvals().next().is_none() {
        off.push(guard(
            "approvals",
            "everyone who may push decides what runs on every cluster, and which rules hold",
            "declare a RolloutPolicy with approvals (docs/gates.md)",
        ));
    } else if repository.policies.values().all(|policy| is_for_some(&policy.spec.selector.add_ons)) {
        off.push(guard(
            "approvals of new add-ons",
            "the policies name add-ons, so an add-on with another name needs no approval",
            "declare a RolloutPolicy without selector.addOns",
        ));
    }
    for (policy, approval) in approvals() {
        let name = format!("approval {:?} of RolloutPolicy {policy}", approval.name);
        if approval.by_author {
            off.push(guard(format!("four eyes in {name}"), "authors approve their own changes", "remove byAuthor"));
        }
        if approval.of.is_empty() {
            off.push(guard(format!("people of {name}"), "no one can approve, so it never opens", "list people in of"));
        }
    }
    off
}

fn is_for_some(names: &[String]) -> bool {
    !names.is_empty() && !names.iter().any(|name| name == "*")
}

fn of_operator(operator: &OperatorFacts) -> Vec<Unguarded> {
    if !operator.has_file {
        return vec![guard(
            "the daemon's file",
            "what it says is not shown, so this page shows its defaults",
            "name it with --config",
        )];
    }
    let mut off = of_signatures(operator);
    if operator.policies == 0 && !operator.has_people {
        off.push(guard(
            "rules of the operator",
            "the people in the repository can change all rules together",
            "set [policies] rollouts and [people] in the daemon's file",
        ));
    }
    if let Some(delay) = &operator.delay {
        let means = format!("a change of the rules takes effect after {delay}, also if no one approves it");
        off.push(guard("approval of changes of the rules", &means, "remove [policies] delay"));
    }
    if operator.has_commands {
        off.push(guard("reviews as the only approvals", "comments count as well", "remove [forge] commands"));
    }
    for instance in &operator.adopts {
        let means = format!("the repository takes over the objects of instance {instance}");
        off.push(guard("consent of another instance", &means, "remove [adopt] instances after the takeover"));
    }
    off
}

/// The guards that keys give.
fn of_signatures(operator: &OperatorFacts) -> Vec<Unguarded> {
    let OperatorFacts { signed_commits, has_keys, accepts_rewrites, signs_journal, .. } = operator;
    let mut off = Vec::new();
    if signed_commits.is_none() {
        off.push(guard(
            "signatures of revisions",
            "the forge and its branch protection alone decide who may push",
            "set [verify] commits",
        ));
    }
    if !has_keys && !operator.has_forge {
        off.push(guard(
            "trusted keys",
            "no approval counts, because no signature can be checked",
            "set [verify] trusted_keys, or [forge]",
        ));
    }
    if operator.claimed_authors {
        off.push(guard(
            "proof of authors",
            "everyone who may push can commit in the name of someone else, and approve that",
            "remove [approvals] claimed_authors",
        ));
    }
    if *accepts_rewrites {
        off.push(guard(
            "refusal of rewritten history",
            "everyone who may force-push can return to any earlier content, if the policies let it through",
            "set [verify] rewrites",
        ));
    }
    if !signs_journal {
        off.push(guard(
            "signatures of the journal",
            "after a restart without the state directory, the journal is believed",
            "set [journal] signing_key_file, and keep --state-dir",
        ));
    }
    off
}
