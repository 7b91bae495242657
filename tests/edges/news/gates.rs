//! News about approvals that are awaited, and about rollbacks.

use super::{changed, kinds, report, sentences};
use tidegate_consent::{Missing, State, Verdict};
use tidegate_daemon::reconciler::news::News;
use tidegate_daemon::reconciler::news::compare::compare;
use tidegate_model::digest::Digest;
use tidegate_model::progress::ClusterState::{Progressing, Succeeded, Waiting};
use tidegate_model::progress::Phase;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::{AddonReport, ApprovalReport, GateReport, Report};
use tidegate_rollout::{Barrier, Gate, GroupKey};

fn verdict(state: State) -> Verdict {
    let missing = Missing {
        count: 1,
        who: vec!["ada".to_owned(), "bob".to_owned()],
        unknown: Vec::new(),
        refused: Vec::new(),
        on: Vec::new(),
    };
    let group = Some("rest".to_owned());
    let (have, void) = (Vec::new(), Vec::new());
    Verdict { rule: "prod".to_owned(), group, state, need: 1, have, missing: Some(missing), void, expires: None }
}

/// Returns a rollout whose second group needs an approval, and waits for it if `is_its_turn`.
fn gated(digest: &str, state: State, is_its_turn: bool) -> Report {
    let source = "RolloutPolicy production".to_owned();
    let group = GroupKey { index: 1, name: "rest".to_owned() };
    let missing = verdict(state).missing.unwrap().to_string();
    let barrier = Barrier::Approval { rule: "prod".to_owned(), group: Some(group.clone()), have: 0, need: 1, missing };
    let gate = Gate { source: source.clone(), barrier };
    let (opens, since) = (gate.opens(), Timestamp::UNIX_EPOCH);
    let (placement, gate) = (String::new(), gate.lasting());
    let gate = GateReport { placement, group, gate, opens, since, look_at: None, clusters: 7 };
    let approval = ApprovalReport {
        placement: String::new(),
        policy: source,
        breaks_glass: false,
        reached: None,
        selects_clusters: false,
        verdict: verdict(state),
    };
    changed(report("2", Phase::Progressing, &[("a", Succeeded), ("b", Waiting)]), |addon| {
        addon.digest = Some(Digest::of(digest.as_bytes()));
        addon.approvals = vec![approval];
        addon.gates = if is_its_turn { vec![gate] } else { Vec::new() };
    })
}

#[test]
fn an_awaited_approval_is_reported_once_it_is_the_turn_of_its_group() {
    let (before, after) = (gated("a", State::Open, false), gated("a", State::Open, true));
    assert_eq!(
        sentences(&before, &after),
        [
            "The rollout of 2 waits for approval \"prod\" before group 1 (\"rest\") (RolloutPolicy production); 7 clusters wait until it is \
             approved (tidegate approve): 1 more person must approve, of ada, bob"
        ]
    );
    assert_eq!(kinds(Some(&after), &after), [""; 0]);
    assert_eq!(
        kinds(Some(&after), &gated("b", State::Open, true)),
        ["ApprovalAwaited"],
        "another digest needs its own"
    );
    assert_eq!(kinds(None, &after), ["ApprovalAwaited"], "it is still open when a process starts");
    assert_eq!(kinds(Some(&before), &gated("a", State::Met, true)), [""; 0], "a gate that is open is not awaited");
}

#[test]
fn real_forge_d9_the_command_names_the_group_and_each_gate_is_named_once() {
    let after = changed(gated("a", State::Open, true), |addon| addon.gates.push(addon.gates[0].clone()));
    let news = compare(Some(&gated("a", State::Open, false)), &after);
    let [News::ApprovalAwaited { commands, gates, .. }] = &news[..] else { panic!("{news:?}") };
    assert_eq!(commands[..], ["tidegate approve hello --group rest"]);
    assert_eq!(gates.to_string(), "waits for approval \"prod\" before group 1 (\"rest\") (RolloutPolicy production)");
}

#[test]
fn a_gate_that_no_approval_opens_is_no_news() {
    let paused = |addon: &mut AddonReport| addon.gates[0].gate = "paused by control/hello.yaml: lunch".to_owned();
    let after = changed(gated("a", State::Open, true), paused);
    assert_eq!(kinds(Some(&gated("a", State::Open, false)), &after), [""; 0]);
}

#[test]
fn a_rollback_is_reported_as_such_and_not_as_a_held_add_on() {
    let before = report("2", Phase::Progressing, &[("a", Progressing)]);
    let problem = |why: &str| {
        changed(report("1", Phase::Progressing, &[("a", Progressing)]), |addon| {
            addon.problem = Some(why.to_owned());
        })
    };
    let back = problem("rolled back by RolloutPolicy production: digest 0123456789ab failed");
    assert_eq!(
        sentences(&before, &back)[0],
        "The add-on returns to 1 on 1 cluster: rolled back by RolloutPolicy production: digest 0123456789ab failed"
    );
    assert_eq!(kinds(None, &back), ["RolledBack"]);
    assert_eq!(kinds(Some(&back), &problem("held at an older revision: no")), ["AddonHeld"]);
}
