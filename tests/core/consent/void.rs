//! Approvals that do not count. Each case changes one thing of an approval that would.

use tidegate_consent::{After, Author, Authors, Fact, Signature, Voucher, Why};
use tidegate_model::instance::InstanceId;

use super::builder::{Case, approval, at, commit, people, signed_as, signer};

/// A change of a case and of an approval.
type Change = fn(&mut Case, &mut Fact);

fn changed(change: Change) -> Why {
    let (mut case, mut fact) = (Case::new(), approval("bob"));
    assert!(case.judge(std::slice::from_ref(&fact)).is_met());
    change(&mut case, &mut fact);
    case.why(fact)
}

fn is_author(case: &mut Case, email: &str) {
    let author = Author { emails: vec![email.to_owned()], ..Author::default() };
    case.subject.authors = Authors::Known(vec![author]);
}

#[test]
fn an_approval_of_something_else_does_not_count() {
    let cases: &[(&str, Change, &str)] = &[
        ("another digest", |_, f| f.digest = "0".repeat(64), "otherDigest"),
        ("another digest with the same first digits", |_, f| f.digest.replace_range(63.., "x"), "shortDigest"),
        (
            "the last digit differs",
            |_, f| {
                let last = if f.digest.ends_with('0') { "1" } else { "0" };
                f.digest.replace_range(63.., last);
            },
            "otherDigest",
        ),
        ("more digits than a digest has", |_, f| f.digest.push('0'), "shortDigest"),
        ("the first twelve digits, which a prepared change may share", |_, f| f.digest.truncate(12), "shortDigest"),
        ("all digits but one", |_, f| f.digest.truncate(63), "shortDigest"),
        ("no digits", |_, f| f.digest.clear(), "shortDigest"),
        ("uppercase digits", |_, f| f.digest = f.digest.to_uppercase(), "shortDigest"),
        ("a digest after a space", |_, f| f.digest.insert(0, ' '), "shortDigest"),
        ("another group", |_, f| f.group = Some("canary".to_owned()), "otherGroup"),
        ("the start of the rollout", |_, f| f.group = None, "otherGroup"),
        ("a group that does not exist", |_, f| f.group = Some("rest/../x".to_owned()), "otherGroup"),
        ("the group in other letters", |_, f| f.group = Some("Rest".to_owned()), "otherGroup"),
        ("a group with a space", |_, f| f.group = Some("rest ".to_owned()), "otherGroup"),
        ("an empty group", |_, f| f.group = Some(String::new()), "otherGroup"),
        ("a rule for another group", |c, _| c.rule.group = Some("canary".to_owned()), "otherGroup"),
        ("a rule for the start", |c, _| c.rule.group = None, "otherGroup"),
        ("another instance", |_, f| f.instance = InstanceId::of(8), "otherInstance"),
    ];
    check(cases);
}

#[test]
fn an_approval_without_a_good_signature_does_not_count() {
    let cases: &[(&str, Change, &str)] = &[
        ("no commit is known", |_, f| f.added.clear(), "unknownCommit"),
        ("no signature", |_, f| f.added[0].signature = Signature::Missing, "unsigned"),
        ("a bad signature", |_, f| f.added[0].signature = Signature::Bad("it does not match".into()), "badSignature"),
        ("an unknown key", |_, f| f.added[0].signature = Signature::Unknown("of no one".into()), "untrustedKey"),
        ("a revoked key", |_, f| f.added[0].signature = Signature::Revoked("stolen".into()), "revokedKey"),
        ("an expired key", |_, f| f.added[0].signature = Signature::Expired("in May".into()), "expiredKey"),
        ("it was withdrawn", |_, f| f.withdrawn = Some(commit(3)), "withdrawn"),
        (
            "two commits, neither signed",
            |_, f| {
                f.added[0].signature = Signature::Missing;
                let again = f.added[0].clone();
                f.added.push(again);
            },
            "unsigned",
        ),
    ];
    check(cases);
}

#[test]
fn an_approval_of_someone_else_does_not_count() {
    let cases: &[(&str, Change, &str)] = &[
        ("Mallory signs for Bob", |_, f| *f = signed_as("bob", "mallory@example.com", "SHA256:mallory"), "otherSigner"),
        ("Ada's commit names Bob", |_, f| *f = signed_as("bob", "ada@example.com", "SHA256:ada"), "otherSigner"),
        ("it names a team", |_, f| f.by = "sre".into(), "notOnePerson"),
        ("it names no one", |_, f| f.by = String::new(), "notOnePerson"),
        ("it names an unknown alias", |_, f| f.by = "bobby".into(), "otherSigner"),
        ("the alias in other letters", |_, f| f.by = "Bob".into(), "otherSigner"),
        ("the alias with a space", |_, f| f.by = "bob ".into(), "otherSigner"),
        ("a Cyrillic letter in the alias", |_, f| f.by = "b\u{43e}b".into(), "otherSigner"),
        ("a Cyrillic letter in the address", |_, f| f.by = "b\u{43e}b@example.com".into(), "otherSigner"),
        (
            "a Cyrillic letter in the owner of the key",
            |_, f| {
                *f = signed_as("bob", "b\u{43e}b@example.com", "SHA256:new");
            },
            "otherSigner",
        ),
        (
            "a Kelvin sign in the owner of the key",
            |c, f| {
                c.people = people(&[("kay", &["kay@example.com"]), ("sre", &["kay"])]);
                *f = signed_as("kay", "\u{212a}ay@example.com", "SHA256:new");
            },
            "otherSigner",
        ),
        ("a right-to-left override in the alias", |_, f| f.by = "bob\u{202e}".into(), "otherSigner"),
        ("an invisible character in the address", |_, f| f.by = "bob\u{200b}@example.com".into(), "otherSigner"),
        ("a longer address", |_, f| *f = signed_as("bob", "bob@example.com.evil.example", "SHA256:new"), "otherSigner"),
        (
            "an address below a name",
            |_, f| {
                *f = signed_as("bob", "<bob@example.com> <mallory@example.com>", "SHA256:new");
            },
            "otherSigner",
        ),
        ("an address with a tag", |_, f| *f = signed_as("bob", "bob+git@example.com", "SHA256:new"), "otherSigner"),
        ("a key of Bob that is Ada's", |_, f| *f = signed_as("bob", "ada@example.com", "SHA256:bob-2"), "ambiguous"),
        ("a key for everyone", |_, f| *f = signed_as("bob", "*", "SHA256:new"), "ambiguous"),
        ("a key for a domain", |_, f| *f = signed_as("bob", "*@example.com", "SHA256:new"), "ambiguous"),
        ("an owner without a name", |_, f| *f = signed_as("bob", "", "SHA256:new"), "ambiguous"),
        ("the alias as owner of the key", |_, f| *f = signed_as("bob", "bob", "SHA256:new"), "otherSigner"),
        (
            "the fingerprint as owner of the key",
            |_, f| {
                *f = signed_as("bob", "key:SHA256:bob-2", "SHA256:new");
            },
            "otherSigner",
        ),
        ("another fingerprint in the entry", |_, f| f.by = "key:SHA256:mallory".into(), "otherSigner"),
        ("a person whom the rule does not list", |c, _| c.rule.of = vec!["cy".into()], "notListed"),
        ("a rule that lists no one", |c, _| c.rule.of.clear(), "notListed"),
        ("a rule that lists no one, with count 0", |c, _| (c.rule.of, c.rule.count) = (Vec::new(), 0), "notListed"),
        ("a rule for an unknown alias", |c, _| c.rule.of = vec!["sr".into()], "notListed"),
        ("a rule for everyone", |c, _| c.rule.of = vec!["*".into()], "notListed"),
        ("a rule for a domain", |c, _| c.rule.of = vec!["*@example.com".into()], "notListed"),
        ("a rule for an empty name", |c, _| c.rule.of = vec![String::new()], "notListed"),
        ("a rule for another key of Bob", |c, _| c.rule.of = vec!["key:SHA256:bob-2".into()], "notListed"),
        (
            "a rule for a team that is a cycle",
            |c, _| {
                c.people = people(&[("bob", &["bob@example.com"]), ("a", &["b"]), ("b", &["a"])]);
                c.rule.of = vec!["a".into()];
            },
            "notListed",
        ),
        (
            "someone who left the team",
            |c, _| c.people = people(&[("bob", &["bob@example.com"]), ("sre", &["cy"])]),
            "notListed",
        ),
    ];
    check(cases);
}

#[test]
fn an_approval_of_an_author_does_not_count() {
    let cases: &[(&str, Change, &str)] = &[
        ("the author", |c, _| is_author(c, "bob@example.com"), "author"),
        ("the author in other letters", |c, _| is_author(c, "BOB@EXAMPLE.COM"), "author"),
        ("the author with spaces", |c, _| is_author(c, " bob@example.com "), "author"),
        ("the author by another address", |c, _| is_author(c, "bob@home.example"), "author"),
        (
            "a signer",
            |c, _| {
                let signer = Some(signer("bob"));
                c.subject.authors = Authors::Known(vec![Author { emails: Vec::new(), signer, ..Author::default() }]);
            },
            "author",
        ),
        (
            "a signer with another key",
            |c, _| {
                let mut bob = signer("other");
                bob.key = "SHA256:bob-2".to_owned();
                c.subject.authors =
                    Authors::Known(vec![Author { emails: Vec::new(), signer: Some(bob), ..Author::default() }]);
            },
            "author",
        ),
        (
            "a signer with the same key and another name",
            |c, _| {
                let mut other = signer("other");
                other.key = "SHA256:bob".to_owned();
                c.subject.authors =
                    Authors::Known(vec![Author { emails: Vec::new(), signer: Some(other), ..Author::default() }]);
            },
            "author",
        ),
        (
            "one of several addresses of a commit",
            |c, _| {
                let emails = vec!["ada@example.com".to_owned(), "bob@example.com".to_owned()];
                c.subject.authors = Authors::Known(vec![Author { emails, ..Author::default() }]);
            },
            "author",
        ),
        (
            "an unknown author",
            |c, _| {
                c.subject.authors = Authors::Unknown("the history is shallow".to_owned());
            },
            "authorsUnknown",
        ),
    ];
    check(cases);
    // A tag in an address makes it another address, of which nothing is known.
    let mut case = Case::new();
    let emails = vec!["bob+git@example.com".to_owned()];
    let author = Author { emails, signer: Some(signer("ada")), voucher: Voucher::Signature, ..Author::default() };
    case.subject.authors = Authors::Known(vec![author]);
    assert!(case.judge(&[approval("bob")]).is_met());
}

#[test]
fn an_approval_at_the_wrong_time_does_not_count() {
    let cases: &[(&str, Change, &str)] = &[
        ("too old", |c, _| c.now = "2026-11-30T09:59:00Z".parse().unwrap(), "tooOld"),
        (
            "the entry is old and the commit new",
            |c, f| {
                c.now = "2026-11-30T10:01:00Z".parse().unwrap();
                f.at = "2026-11-23T10:00:00Z".parse().unwrap();
                f.added[0].committed = "2026-11-24T09:00:00Z".parse().unwrap();
            },
            "tooOld",
        ),
        ("the entry is in the future", |_, f| f.at = at("11:05:01"), "future"),
        ("the commit is in the future", |_, f| f.added[0].committed = at("11:05:01"), "future"),
        ("the end of time", |_, f| f.at = tidegate_model::time::Timestamp::MAX, "future"),
        ("the start of time", |_, f| f.at = tidegate_model::time::Timestamp::MIN, "datedApart"),
        (
            "the commit is of the start of time",
            |_, f| {
                f.added[0].committed = tidegate_model::time::Timestamp::MIN;
            },
            "datedApart",
        ),
        ("dated days before its commit", |_, f| f.at = "2026-11-21T10:00:00Z".parse().unwrap(), "datedApart"),
        ("dated long after its commit", |_, f| f.at = at("10:30:00"), "datedApart"),
        (
            "before the turn of the group",
            |c, _| {
                (c.rule.after, c.subject.reached) = (After::Reached, Some(at("10:00:01")));
            },
            "beforeReached",
        ),
        (
            "seen before the turn of the group",
            |c, f| {
                (c.rule.after, c.subject.reached) = (After::Reached, Some(at("10:00:00")));
                f.added[0].seen = Some(at("09:59:59"));
            },
            "beforeReached",
        ),
        (
            "the turn of the group has not come",
            |c, _| {
                (c.rule.after, c.subject.reached) = (After::Reached, None);
            },
            "notReached",
        ),
        ("given before the digest was reverted", |c, _| c.subject.replaced = Some(at("09:59:01")), "replaced"),
        (
            "seen before the digest was reverted, and dated later",
            |c, f| {
                c.subject.replaced = Some(at("09:58:00"));
                f.added[0].seen = Some(at("09:57:00"));
            },
            "replaced",
        ),
        ("it does not break the glass", |c, _| c.rule.break_glass = true, "notBreakGlass"),
    ];
    check(cases);
}

#[test]
fn an_approval_of_another_add_on_is_ignored() {
    let case = Case::new();
    let mut fact = approval("bob");
    fact.addon = "otel".parse().unwrap();
    let verdict = case.judge(&[fact]);
    assert!(!verdict.is_met() && verdict.void.is_empty());
}

#[test]
fn a_rule_with_count_0_needs_one_approval() {
    let mut case = Case::new();
    case.rule.count = 0;
    assert!(!case.judge(&[]).is_met());
    assert!(case.judge(&[approval("bob")]).is_met());
}

#[test]
fn two_keys_addresses_or_aliases_of_one_person_fill_one_seat() {
    let mut case = Case::new();
    case.rule.count = 2;
    let facts = [
        approval("bob"),
        signed_as("bob", "bob@home.example", "SHA256:laptop"),
        signed_as("bob@home.example", "bob@home.example", "SHA256:phone"),
        signed_as("key:SHA256:bob-2", "someone@example.com", "SHA256:bob-2"),
    ];
    let verdict = case.judge(&facts);
    assert!(!verdict.is_met());
    assert_eq!((verdict.have.len(), verdict.void.len()), (1, 3));
    // Two aliases that share an address are one person, too.
    case.people = people(&[
        ("bob", &["bob@example.com", "bob@home.example"]),
        ("robert", &["bob@home.example", "robert@example.com"]),
        ("sre", &["bob", "robert"]),
    ]);
    assert!(!case.judge(&[approval("bob"), approval("robert")]).is_met());
    // So are all addresses that a team lists directly.
    case.people = people(&[("sre", &["bob@example.com", "cy@example.com"])]);
    let mut facts = [approval("bob"), approval("cy")];
    facts.iter_mut().for_each(|fact| fact.by = format!("{}@example.com", fact.by));
    assert!(!case.judge(&facts).is_met());
}

fn check(cases: &[(&str, Change, &str)]) {
    for (name, change, reason) in cases {
        let why = changed(*change);
        let found = serde_json::to_value(&why).unwrap();
        assert_eq!(found["reason"], **reason, "{name}: {why}");
    }
}
