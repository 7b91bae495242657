//! Several changes of the rules that were followed since the last decision, as while the hub was away.

use std::sync::Arc;

use proptest::prelude::*;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::{Approval, RolloutPolicy, RolloutPolicySpec};
use tidegate_consent::{
    Approvals, Authors, Basis, Change, RulesInForce, RulesProposal, RulesState, RulesSubject, RulesVoucher, Vouched,
    rules_in_force,
};
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::digest::Digest;
use tidegate_model::instance::InstanceId;

use super::builder::{at, commit, team};

/// Policies: which of them exist, and whether they want an approval.
type Rules = [Option<bool>; 3];

fn basis(rules: Rules) -> Arc<Basis> {
    let policy = |wants_approval: bool| {
        let approval = Approval { name: "review".to_owned(), of: vec!["bob".to_owned()], ..Approval::default() };
        let spec = RolloutPolicySpec {
            approvals: wants_approval.then_some(approval).into_iter().collect(),
            ..RolloutPolicySpec::default()
        };
        Arc::new(RolloutPolicy { metadata: Default::default(), spec })
    };
    let policies =
        rules.iter().enumerate().filter_map(|(number, wants)| Some((format!("policy-{number}"), policy((*wants)?))));
    Arc::new(Basis { rules: digest(rules), people: Arc::new(team()), policies: policies.collect(), ..Basis::default() })
}

fn digest(rules: Rules) -> Digest {
    Digest::of(format!("{rules:?}").as_bytes())
}

/// Returns the changes of a sequence of rules, newest first, each recorded when the first ones were in force.
fn changes(sequence: &[Rules]) -> Vec<Change> {
    let steps = sequence.windows(2).enumerate().filter(|(_, step)| step[0] != step[1]);
    let change = |(number, step): (usize, &[Rules])| Change {
        digest: digest(step[1]),
        from: Some(digest(step[0])),
        commit: commit(number as u64 + 1),
        authors: Authors::Known(Vec::new()),
        rules: vec![Vouched::new(basis(sequence[0]), tidegate_consent::RulesVoucher::InForce(commit(0)))],
        before: basis(step[0]),
        after: basis(step[1]),
    };
    let mut changes: Vec<Change> = steps.map(change).collect();
    changes.reverse();
    changes
}

/// Decides on changes. Returns the state, and the policies that still judge while others wait.
fn decided(changes: &[Change], last: Option<&RulesState>) -> (Option<RulesState>, Option<Digest>) {
    let approvals = Approvals { changes: [(Approvals::rules(), changes.to_vec())].into(), ..Approvals::default() };
    let (instance, clock) = (InstanceId::of(7), ClockSteps::default());
    let subject = RulesSubject { approvals: &approvals, last, instance: &instance, clock: &clock, now: at("10:00:00") };
    let decision = rules_in_force(&subject, |_| None);
    let before = match decision.in_force {
        RulesInForce::Waiting { before } => Some(before.fact.rules.clone()),
        RulesInForce::Followed | RulesInForce::Approved { .. } => None,
    };
    (decision.state.or_else(|| last.cloned()), before)
}

fn first(rules: Rules) -> RulesState {
    RulesState { digest: digest(rules), approved: false, approvals: Vec::new(), waiting: None }
}

#[test]
fn a_cluster_that_exists_and_is_not_declared_any_more_could_be_declared_with_other_labels() {
    let cluster = Arc::new(ManagedCluster::new("c1", serde_json::from_value(serde_json::json!({})).unwrap()));
    let without = basis([Some(true), None, None]);
    let clusters = std::collections::BTreeMap::from([("c1".parse().unwrap(), cluster.clone())]).into();
    let with = Arc::new(Basis { clusters, ..Basis::clone(&without) });
    let before = Vouched::new(with, RulesVoucher::Base);
    let digest = Digest::default();
    let authors = Authors::Known(Vec::new());
    let proposal = RulesProposal { before: &before, digest: &digest, after: &without, authors, commit: None };
    let judged = |on_hub: Option<&ManagedCluster>| {
        let (approvals, instance) = (Approvals::none(), InstanceId::of(7));
        proposal.judged((approvals, &instance, at("10:00:00")), |_| on_hub)
    };
    let waiting = judged(Some(&cluster));
    assert_eq!(waiting.changes, ["ManagedCluster c1, which exists, is not declared any more"]);
    assert_eq!(waiting.approvals.len(), 1);
    assert_eq!(judged(None).changes, Vec::<String>::new());
}

#[test]
fn a_policy_that_took_effect_is_not_removed_by_a_change_that_was_followed_right_after_it() {
    let (without, with, other) = ([None, None, None], [Some(true), None, None], [None, Some(false), None]);
    let all = changes(&[without, with, other]);
    for last in [None, Some(first(without))] {
        let (state, before) = decided(&all, last.as_ref());
        let state = state.unwrap();
        assert_eq!(state.digest, digest(with), "the policy is in force");
        let waiting = state.waiting.clone().unwrap();
        assert_eq!((waiting.digest, waiting.approvals.len()), (digest(other), 1));
        assert_eq!(before, Some(digest(with)), "its approvals are needed");
        // The next decision starts from that state, and finds the same.
        assert_eq!(decided(&all, Some(&state)), (Some(state.clone()), before));
    }
}

fn rules() -> impl Strategy<Value = Rules> {
    prop::array::uniform3(prop::option::of(any::<bool>()))
}

proptest! {
    #[test]
    fn one_decision_finds_what_a_decision_after_each_change_would_have_found(
        sequence in prop::collection::vec(rules(), 2..7),
        is_decided in prop::collection::vec(any::<bool>(), 7),
    ) {
        // Rules that return are the same as before: it is not known whether they were decided on before or after the others.
        prop_assume!((0..sequence.len()).all(|at| !sequence[..at].contains(&sequence[at])));
        let run = |is_decided: &dyn Fn(usize) -> bool| {
            let mut last = first(sequence[0]);
            for length in 2..=sequence.len() {
                if length == sequence.len() || is_decided(length) {
                    last = decided(&changes(&sequence[..length]), Some(&last)).0.unwrap();
                }
            }
            (last.digest, last.waiting.map(|waiting| (waiting.digest, waiting.changes, waiting.approvals)))
        };
        let after_each = run(&|_| true);
        prop_assert_eq!(run(&|_| false), after_each.clone());
        prop_assert_eq!(run(&|length| is_decided[length - 1]), after_each);
    }
}
