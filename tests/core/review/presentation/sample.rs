//! Plans with every field.

use tidegate_consent::{Missing, Refusal, ReviewRef, Seat, State, Verdict as Judged, Void, Why};
use tidegate_model::digest::Digest;
use tidegate_model::forge::Account;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_repository::PolicySeverity;
use tidegate_review::proposal::document::{
    Action, AddonPlan, AddonSide, Applies, BrokenPolicy, Change, Class, DeclaredChange, Finding, FleetSource,
    GroupCount, GroupPlan, ObjectChange, Overlap, Plan, PlanApproval, Revision, SettingChange, Verdict, Wave, WorkSize,
};

/// Returns a plan with something in every field; `text` returns the strings.
pub(super) fn plan(text: &mut dyn FnMut() -> String) -> Plan {
    let change = [Change::Changed, Change::Added, Change::Removed, Change::Blocked];
    let addons =
        change.into_iter().enumerate().map(|(at, change)| addon(&format!("addon-{at}"), change, text)).collect();
    Plan {
        api_version: text(),
        kind: text(),
        base: Revision { name: text(), commit: None },
        head: Revision { name: text(), commit: None },
        fleet: FleetSource { source: text(), clusters: 1_240, as_of: Some("2026-03-01T12:00:00Z".parse().unwrap()) },
        result: Verdict::Blocked,
        clusters: 1_003,
        addons,
        rules: None,
        objects: vec![DeclaredChange { object: text(), change: Change::Added }],
        complaints: vec![finding(true, text), finding(false, text)],
        policies: [Applies::Now, Applies::NextChange].map(|applies| policy(applies, text)).to_vec(),
        approvals: vec![approval(text)],
        notices: vec![text(), text()],
    }
}

fn policy(applies: Applies, text: &mut dyn FnMut() -> String) -> BrokenPolicy {
    BrokenPolicy {
        policy: text(),
        severity: PolicySeverity::Error,
        applies,
        addons: vec!["addon-0".parse().unwrap()],
        message: text(),
        remedy: Some(text()),
        place: text(),
    }
}

fn approval(text: &mut dyn FnMut() -> String) -> PlanApproval {
    let (commit, at): (CommitId, Timestamp) = ("a".repeat(40).parse().unwrap(), Timestamp::UNIX_EPOCH);
    let account = Account { id: 7, login: text(), is_bot: false };
    let seat = Seat {
        person: text(),
        commit: commit.clone(),
        signer: text(),
        key: text(),
        review: Some(ReviewRef { pull: 1, account, url: text() }),
        at,
        reason: text(),
        break_glass: false,
    };
    let refused = vec![Refusal { person: Some(text()), url: text() }, Refusal { person: None, url: text() }];
    let void = Void {
        why: Why::NotListed { person: text() },
        file: text(),
        by: text(),
        at,
        commit: Some(commit),
        url: Some(text()),
    };
    let verdict = Judged {
        rule: text(),
        group: Some(text()),
        state: State::Open,
        need: 2,
        have: vec![seat],
        missing: Some(Missing { count: 1, who: vec![text()], unknown: vec![text()], refused, on: vec![text()] }),
        void: vec![void],
        expires: None,
    };
    PlanApproval {
        addon: "addon-0".parse().unwrap(),
        digest: Digest::of(b"1"),
        comment: Some(text()),
        policy: text(),
        at_its_turn: false,
        verdict,
    }
}

fn finding(is_error: bool, text: &mut dyn FnMut() -> String) -> Finding {
    Finding { place: text(), message: text(), is_error }
}

fn addon(name: &str, change: Change, text: &mut dyn FnMut() -> String) -> AddonPlan {
    AddonPlan {
        name: name.parse().unwrap(),
        change,
        base: Some(AddonSide { version: text(), digest: text() }),
        head: Some(AddonSide { version: text(), digest: text() }),
        settings: vec![SettingChange { of: text(), field: text(), from: Some(text()), to: Some(text()) }],
        classes: vec![class(Action::Blocked, 1, text), class(Action::Update, 12, text), class(Action::Update, 7, text)],
        unchanged: 4,
        placements: Vec::new(),
        groups: vec![group(0, text), group(1, text)],
        overlaps: vec![Overlap { placement: text(), winner: text(), clusters: 3, kind: Default::default() }],
        waves: vec![wave(0, text), wave(1, text)],
        gates: vec![text(), text()],
        earliest: Some(text()),
        expected: Some("3h10m".to_owned()),
        blocked: vec![text()],
        removed: 2,
        works: Some(WorkSize { works: 2, largest: 1_686, limit: 409_600 }),
        permissions: vec![text()],
    }
}

/// Returns a class of clusters.
pub(super) fn class(action: Action, clusters: usize, text: &mut dyn FnMut() -> String) -> Class {
    Class {
        action,
        clusters,
        exemplar: "edge-7".parse().unwrap(),
        names: text(),
        labels: vec![text(), text()],
        groups: vec![GroupCount { group: text(), clusters }],
        reason: (action == Action::Blocked).then(&mut *text),
        objects: vec![
            ObjectChange {
                object: text(),
                change: Change::Changed,
                added: 2,
                removed: 1,
                manner: Some(text()),
                diff: Some(text()),
            },
            ObjectChange { object: text(), change: Change::Removed, added: 0, removed: 0, manner: None, diff: None },
        ],
    }
}

fn group(index: i32, text: &mut dyn FnMut() -> String) -> GroupPlan {
    GroupPlan { placement: text(), index, group: text(), clusters: 10, changed: 10 }
}

fn wave(stage: usize, text: &mut dyn FnMut() -> String) -> Wave {
    Wave {
        placement: text(),
        step: text(),
        group: text(),
        stage,
        clusters: 10,
        at_once: 5,
        first: 5,
        starts: text(),
        done: text(),
        expected_start: Some(text()),
        expected_done: Some(text()),
    }
}
