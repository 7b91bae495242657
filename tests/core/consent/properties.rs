//! Properties of the judge, for approvals of a small group of people.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tidegate_consent::{After, Fact, Signature, State};
use tidegate_model::instance::InstanceId;
use tidegate_model::time::SignedDuration;

use super::builder::{Case, approval, at, commit, signed_as, signer};

/// Returns an approval that may be wrong in several respects.
fn fact() -> impl Strategy<Value = Fact> {
    let who = prop::sample::select(vec!["ada", "bob", "cy", "bob@home.example", "mallory", "sre"]);
    let signed = prop::sample::select(vec!["ada", "bob", "cy", "bob-2", "mallory", "none"]);
    let minutes = -600_i64..600;
    (who, signed, minutes, 0..40_u8, prop::bool::ANY, 0..4_u64).prop_map(|(by, key, minutes, kind, glass, number)| {
        let mut fact = match key {
            "none" => super::builder::signed(approval(by), Signature::Missing),
            "bob-2" => signed_as(by, "bob@example.com", "SHA256:bob-2"),
            name => super::builder::signed(approval(by), Signature::Good(signer(name))),
        };
        let moved = SignedDuration::from_mins(minutes);
        fact.at = fact.at.saturating_add(moved).unwrap();
        fact.added[0].committed = fact.added[0].committed.saturating_add(moved).unwrap();
        (fact.added[0].commit, fact.break_glass) = (commit(number), glass);
        match kind {
            0 => fact.digest = "0".repeat(64),
            1 => fact.group = None,
            2 => fact.instance = InstanceId::of(9),
            3 => fact.withdrawn = Some(commit(9)),
            4 => fact.added.clear(),
            5 => fact.digest.truncate(11),
            _ => {}
        }
        fact
    })
}

fn case() -> impl Strategy<Value = Case> {
    let age = prop::option::of(1_i64..20);
    (0..4_u32, age, prop::bool::ANY, prop::bool::ANY, prop::bool::ANY).prop_map(
        |(count, age, by_author, is_reached, break_glass)| {
            let mut case = Case::new();
            (case.rule.count, case.rule.by_author, case.rule.break_glass) = (count, by_author, break_glass);
            case.rule.max_age = age.map(SignedDuration::from_hours);
            case.rule.after = if is_reached { After::Reached } else { After::Any };
            case
        },
    )
}

proptest! {
    #[test]
    fn a_void_approval_opens_nothing(case in case(), mut facts in prop::collection::vec(fact(), 0..8), more in fact()) {
        let before = case.judge(&facts);
        let alone = case.judge(std::slice::from_ref(&more));
        facts.push(more);
        let after = case.judge(&facts);
        if alone.have.is_empty() {
            prop_assert_eq!(before.state, after.state);
            prop_assert_eq!(before.have, after.have);
        }
    }

    #[test]
    fn fewer_approvals_open_nothing(case in case(), facts in prop::collection::vec(fact(), 1..8), at in 0..8_usize) {
        let all = case.judge(&facts);
        let mut fewer = facts;
        fewer.remove(at % fewer.len());
        prop_assert!(all.is_met() || !case.judge(&fewer).is_met());
    }

    #[test]
    fn the_order_of_approvals_does_not_matter(case in case(), facts in prop::collection::vec(fact(), 0..8), turn in 0..8_usize) {
        let mut turned = facts.clone();
        turned.reverse();
        let by = turn % turned.len().max(1);
        turned.rotate_left(by);
        prop_assert_eq!(case.judge(&facts), case.judge(&turned));
    }

    #[test]
    fn a_met_rule_has_as_many_people_as_it_needs(case in case(), facts in prop::collection::vec(fact(), 0..12)) {
        let verdict = case.judge(&facts);
        let people: BTreeSet<&str> = verdict.have.iter().map(|seat| seat.person.as_str()).collect();
        prop_assert_eq!(people.len(), verdict.have.len());
        prop_assert_eq!(verdict.is_met(), people.len() >= case.rule.count.max(1) as usize);
        prop_assert!(people.iter().all(|person| ["ada", "bob", "cy"].contains(person)));
        prop_assert!(case.rule.by_author || !people.contains("ada"));
        prop_assert_eq!(verdict.missing.is_some(), verdict.state == State::Open);
    }

    #[test]
    fn a_met_rule_stays_met_until_it_expires(mut case in case(), facts in prop::collection::vec(fact(), 0..8), later in 0..3_000_i64) {
        let verdict = case.judge(&facts);
        if verdict.is_met() {
            case.now = at("11:00:00").saturating_add(SignedDuration::from_mins(later)).unwrap();
            let is_over = verdict.expires.is_some_and(|expires| expires <= case.now);
            let then = case.judge(&facts);
            // Another approval may count by then, because its clock was ahead.
            prop_assert!(then.is_met() || is_over);
            if is_over && then.is_met() {
                prop_assert!(then.expires > verdict.expires);
            }
        }
    }

    #[test]
    fn a_verdict_survives_the_journal(case in case(), facts in prop::collection::vec(fact(), 0..8)) {
        let verdict = case.judge(&facts);
        let written = serde_json::to_string(&verdict).unwrap();
        prop_assert_eq!(serde_json::from_str::<tidegate_consent::Verdict>(&written).unwrap(), verdict);
    }
}
