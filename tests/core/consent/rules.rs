//! Rules that are met, and what is missing if they are not.

use std::sync::Arc;

use tidegate_consent::{After, Approvals, Author, Authors, Change, GoodDigests, RulesInForce, State, Vouched};
use tidegate_model::digest::Digest;
use tidegate_model::time::SignedDuration;

use super::builder::{Case, approval, at, commit, signed_as};

#[test]
fn one_approval_of_a_member_opens_the_gate() {
    let case = Case::new();
    let verdict = case.judge(&[approval("bob")]);
    assert_eq!((verdict.state, verdict.need), (State::Met, 1));
    let [seat] = verdict.have.as_slice() else { panic!("{verdict:?}") };
    assert_eq!((seat.person.as_str(), seat.key.as_str(), seat.at), ("bob", "SHA256:bob", at("09:59:00")));
    assert_eq!(seat.commit, commit(1));
    assert_eq!((verdict.missing, verdict.void), (None, Vec::new()));
    assert_eq!(verdict.expires, Some("2026-11-30T09:59:00Z".parse().unwrap()));
}

#[test]
fn a_closed_gate_names_those_who_can_open_it() {
    let mut case = Case::new();
    case.rule.count = 2;
    let missing = case.judge(&[approval("bob")]).missing.unwrap();
    assert_eq!(missing.to_string(), "1 more person must approve, of cy");
    let missing = case.judge(&[]).missing.unwrap();
    assert_eq!(missing.to_string(), "2 more people must approve, of bob, cy");
    case.rule.count = 3;
    let missing = case.judge(&[]).missing.unwrap();
    assert_eq!(missing.to_string(), "3 more people must approve, of bob, cy, which is not enough people");
    case.rule.of = vec!["ser".to_owned()];
    let missing = case.judge(&[]).missing.unwrap();
    assert_eq!(missing.who, ["ser"]);
    assert_eq!(missing.unknown, ["ser"]);
    case.rule.of = Vec::new();
    let missing = case.judge(&[approval("bob")]).missing.unwrap();
    assert_eq!(missing.to_string(), "3 more people must approve, but no one is left who may");
}

#[test]
fn an_author_may_approve_if_the_rule_says_so() {
    let mut case = Case::new();
    assert!(!case.judge(&[approval("ada")]).is_met());
    case.rule.by_author = true;
    assert!(case.judge(&[approval("ada")]).is_met());
    case.subject.authors = Authors::Unknown("the history is shallow".to_owned());
    assert!(case.judge(&[approval("ada")]).is_met());
}

#[test]
fn a_person_is_recognized_by_any_address_or_key() {
    let case = Case::new();
    for (by, principal, key) in [
        ("bob", "bob@example.com", "SHA256:new"),
        ("bob", "BOB@Example.com", "SHA256:new"),
        ("bob", "Bob <bob@home.example>", "ABCDEF0123456789"),
        ("bob@home.example", "bob@example.com", "SHA256:bob"),
        ("key:SHA256:bob-2", "bob@example.com", "SHA256:bob"),
        ("bob", "unlisted@example.com", "SHA256:bob-2"),
        ("bob", "*@example.com", "SHA256:bob-2"),
    ] {
        let verdict = case.judge(&[signed_as(by, principal, key)]);
        assert!(verdict.is_met(), "{by} {principal} {key}: {:?}", verdict.void);
        assert_eq!(verdict.have[0].person, "bob");
    }
}

#[test]
fn a_rule_may_list_people_without_an_alias() {
    let mut case = Case::new();
    case.people = tidegate_consent::People::default();
    for of in ["bob@example.com", "BOB@example.com", "key:SHA256:bob"] {
        case.rule.of = vec![of.to_owned()];
        let mut fact = approval("bob");
        fact.by = "bob@example.com".to_owned();
        assert!(case.judge(&[fact.clone()]).is_met(), "{of}");
        fact.by = "key:SHA256:bob".to_owned();
        assert!(case.judge(&[fact]).is_met(), "{of}");
    }
}

#[test]
fn a_rule_that_lists_a_key_wants_that_key() {
    let mut case = Case::new();
    case.rule.of = vec!["key:SHA256:bob-2".to_owned()];
    assert!(!case.judge(&[approval("bob")]).is_met());
    assert!(case.judge(&[signed_as("bob", "bob@example.com", "SHA256:bob-2")]).is_met());
}

#[test]
fn an_approval_at_the_turn_of_the_group_counts() {
    let mut case = Case::new();
    case.rule.after = After::Reached;
    case.subject.reached = Some(at("10:00:00"));
    assert!(case.judge(&[approval("bob")]).is_met());
    let mut fact = approval("bob");
    fact.added[0].seen = Some(at("10:00:00"));
    assert!(case.judge(&[fact]).is_met());
}

#[test]
fn an_approval_counts_from_before_its_digest_is_in_force_and_after_it_has_returned() {
    let mut case = Case::new();
    assert!(case.judge(&[approval("bob")]).is_met());
    case.subject.replaced = Some(at("09:58:00"));
    assert!(case.judge(&[approval("bob")]).is_met());
}

#[test]
fn the_newest_approval_of_a_person_fills_the_seat() {
    let case = Case::new();
    let mut again = approval("bob");
    (again.at, again.added[0].committed, again.added[0].commit) = (at("10:30:00"), at("10:30:10"), commit(2));
    let verdict = case.judge(&[again, approval("bob")]);
    assert_eq!((verdict.have.len(), verdict.have[0].commit.clone()), (1, commit(2)));
    assert_eq!(verdict.void[0].why.to_string(), "bob has a seat already, by commit 000000000000");
}

#[test]
fn a_gate_closes_when_the_approval_that_it_needs_gets_too_old() {
    let mut case = Case::new();
    (case.rule.count, case.rule.max_age) = (2, Some(SignedDuration::from_hours(2)));
    let mut cy = approval("cy");
    (cy.at, cy.added[0].committed) = (at("10:30:00"), at("10:30:00"));
    let facts = [approval("bob"), cy];
    let verdict = case.judge(&facts);
    assert_eq!(verdict.expires, Some(at("11:59:00")));
    case.now = at("11:58:59");
    assert!(case.judge(&facts).is_met());
    case.now = at("11:59:00");
    assert!(!case.judge(&facts).is_met());
    // With one more approval than needed, the gate stays open longer.
    case.rule.count = 1;
    case.now = at("11:00:00");
    assert_eq!(case.judge(&facts).expires, Some(at("12:30:00")));
}

#[test]
fn a_rule_for_freezes_wants_approvals_that_break_the_glass() {
    let mut case = Case::new();
    case.rule.break_glass = true;
    assert!(!case.judge(&[approval("bob")]).is_met());
    let mut fact = approval("bob");
    fact.break_glass = true;
    assert!(case.judge(&[fact.clone()]).is_met());
    case.rule.break_glass = false;
    assert!(case.judge(&[fact]).have[0].break_glass);
}

#[test]
fn one_good_commit_is_enough_if_two_added_the_same_entry() {
    let case = Case::new();
    let mut fact = approval("bob");
    let mut mallory = approval("mallory").added.remove(0);
    mallory.commit = commit(2);
    fact.added.push(mallory);
    assert!(case.judge(&[fact.clone()]).is_met());
    fact.added.reverse();
    assert!(case.judge(&[fact]).is_met());
}

#[test]
fn all_changes_since_the_last_good_digest_are_judged_together() {
    let [first, second, third] = ["1", "2", "3"].map(|text| Digest::of(text.as_bytes()));
    let author = |email: &str| Author { emails: vec![email.to_owned()], ..Author::default() };
    let [bob, cy] = ["bob@example.com", "cy@example.com"].map(author);
    let change = |digest: &Digest, from: Option<&Digest>, author: &Author| Change {
        digest: digest.clone(),
        from: from.cloned(),
        commit: commit(1),
        authors: Authors::Known(vec![author.clone()]),
        rules: vec![Vouched::nothing()],
        before: Arc::default(),
        after: Arc::default(),
    };
    let of = |changes: Vec<Change>, good: Option<&Digest>| {
        let addon: tidegate_model::name::UnitName = "istio".parse().unwrap();
        let approvals = Approvals { changes: [("istio".parse().unwrap(), changes)].into(), ..Approvals::default() };
        let good: GoodDigests = good.map(|good| (addon.clone(), good.clone())).into_iter().collect();
        let judges = approvals.of(&addon, &third, &good, &RulesInForce::Followed);
        (judges.authors().clone(), judges.earlier().clone())
    };
    let known = |authors: &[&Author]| Authors::Known(authors.iter().copied().cloned().collect());
    let changes = vec![change(&third, Some(&second), &cy), change(&second, Some(&first), &bob)];
    for good in [&second, &third] {
        assert_eq!(of(changes.clone(), Some(good)), (known(&[&cy]), known(&[])));
    }
    assert_eq!(of(changes.clone(), Some(&first)), (known(&[&bob, &cy]), known(&[&bob])));
    // Without a digest that all clusters completed, nothing of what they have was approved.
    for good in [None, Some(&Digest::of(b"0"))] {
        assert!(matches!(of(changes.clone(), good).0, Authors::Unknown(_)), "older changes are not recorded");
    }
    let from_the_start = vec![change(&third, Some(&second), &cy), change(&second, None, &bob)];
    assert_eq!(of(from_the_start, None), (known(&[&bob, &cy]), known(&[&bob])));
}
