//! Which void approvals the verdicts of an add-on name.

use tidegate_consent::{After, Fact, Verdict, keep_relevant};

use super::builder::{Case, approval, commit};

/// Returns an approval with a commit of its own.
fn by(name: &str, number: u64) -> Fact {
    let mut fact = approval(name);
    fact.added[0].commit = commit(number);
    fact
}

fn of_digest(digit: &str, name: &str, number: u64, at: &str) -> Fact {
    let mut fact = by(name, number);
    fact.digest = digit.repeat(64);
    fact.at = super::builder::at(at);
    fact
}

/// Returns the reasons of a verdict, with the persons.
fn void(verdict: &Verdict) -> Vec<String> {
    verdict
        .void
        .iter()
        .map(|void| format!("{} {}", void.by, serde_json::to_value(&void.why).unwrap()["reason"]))
        .collect()
}

#[test]
fn first_use_c3_an_approval_that_counts_for_one_rule_is_not_void_for_another() {
    let facts = [by("bob", 1), by("cy", 2)];
    let of = |name: &str, listed: &str, group: &str| {
        let mut case = Case::new();
        case.rule.of = vec![listed.to_owned()];
        case.rule.group = Some(group.to_owned());
        case.rule.name = name.to_owned();
        case.subject.group = case.rule.group.clone();
        case.judge(&facts)
    };
    let (mut first, mut second) = (of("first", "bob", "rest"), of("second", "cy", "canary"));
    assert_eq!(void(&first), ["cy \"notListed\""]);
    assert_eq!(void(&second), ["bob \"otherGroup\"", "cy \"otherGroup\""]);
    keep_relevant(&mut [&mut first, &mut second]);
    assert!(first.is_met() && !second.is_met());
    assert_eq!(
        (void(&first), void(&second)),
        (vec!["cy \"notListed\"".to_owned()], vec!["cy \"otherGroup\"".to_owned()])
    );
    // The rule before the change does not list the person whom the changed one lists.
    let (mut after, mut before) = (of("first", "bob", "rest"), of("first", "ada", "rest"));
    keep_relevant(&mut [&mut after, &mut before]);
    assert_eq!(void(&before), ["bob \"notListed\"", "cy \"notListed\""]);
}

#[test]
fn first_use_c3_an_approval_from_before_the_turn_is_not_named_once_its_person_has_approved_since() {
    let early = |name: &str, number: u64| {
        let mut fact = by(name, number);
        fact.at = super::builder::at("08:00:00");
        fact.added[0].committed = fact.at;
        fact
    };
    let mut case = Case::new();
    case.rule.after = After::Reached;
    case.subject.reached = Some(super::builder::at("09:00:00"));
    let mut verdict = case.judge(&[early("bob", 3), by("bob", 1), early("cy", 4)]);
    assert_eq!(void(&verdict), ["bob \"beforeReached\"", "cy \"beforeReached\""]);
    keep_relevant(&mut [&mut verdict]);
    assert!(verdict.is_met());
    assert_eq!(void(&verdict), ["cy \"beforeReached\""]);
}

#[test]
fn incident_approvals_of_other_digests_are_named_once_for_each_person() {
    let old = [
        of_digest("a", "cy", 3, "08:00:00"),
        of_digest("b", "cy", 4, "09:00:00"),
        of_digest("a", "bob", 5, "08:00:00"),
    ];
    let mut open = Case::new().judge(&old);
    assert_eq!(open.void.len(), 3);
    keep_relevant(&mut [&mut open]);
    let named: Vec<_> = open.void.iter().map(|void| (void.by.as_str(), void.commit.clone().unwrap())).collect();
    assert_eq!(named, [("bob", commit(5)), ("cy", commit(4))]);
    let mut met = Case::new().judge(&[&old[..], &[by("bob", 1)]].concat());
    keep_relevant(&mut [&mut met]);
    assert!(met.is_met() && met.void.is_empty(), "{:?}", met.void);
}
