//! Approvals to judge: a change of Ada's, approved by Bob.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_consent::{
    Addition, After, Approvals, Author, Authors, Fact, People, Pulls, Rule, Signature, Signer, Subject, Verdict,
    Voucher, Why, Written, judge,
};
use tidegate_model::digest::Digest;
use tidegate_model::instance::InstanceId;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};

/// Returns a time of the day of the tests.
pub(super) fn at(time: &str) -> Timestamp {
    format!("2026-11-23T{time}Z").parse().unwrap()
}

/// Returns the commit whose id is this number.
pub(super) fn commit(number: u64) -> CommitId {
    format!("{number:040x}").parse().unwrap()
}

/// Returns the digest that is to be approved.
pub(super) fn digest() -> Digest {
    Digest::of(b"istio 1.27")
}

/// Returns a signer by the first part of the address: `ada` is ada@example.com with the key SHA256:ada.
pub(super) fn signer(name: &str) -> Signer {
    Signer { principal: format!("{name}@example.com"), key: format!("SHA256:{name}") }
}

/// Returns people from aliases and their members.
pub(super) fn people(aliases: &[(&str, &[&str])]) -> People {
    let owned = |members: &[&str]| members.iter().map(|member| (*member).to_owned()).collect();
    let aliases: BTreeMap<String, Vec<String>> =
        aliases.iter().map(|(alias, members)| ((*alias).to_owned(), owned(members))).collect();
    People::new(aliases)
}

/// Returns Ada, Bob and Cy, who are the team `sre`. Bob has two addresses and a key of his own.
pub(super) fn team() -> People {
    people(&[
        ("ada", &["ada@example.com"]),
        ("bob", &["bob@example.com", "bob@home.example", "key:SHA256:bob-2"]),
        ("cy", &["cy@example.com"]),
        ("sre", &["ada", "bob", "cy"]),
    ])
}

/// Returns an approval of the group `rest` by a person, who signed commit 1 at 10:00.
pub(super) fn approval(name: &str) -> Fact {
    Fact {
        file: "approvals/istio/rest.yaml".to_owned(),
        addon: "istio".parse().unwrap(),
        digest: digest().as_str().to_owned(),
        group: Some("rest".to_owned()),
        instance: InstanceId::of(7),
        by: name.to_owned(),
        at: at("09:59:00"),
        reason: String::new(),
        break_glass: false,
        added: vec![Addition {
            commit: commit(1),
            committed: at("10:00:00"),
            seen: None,
            signature: Signature::Good(signer(name)),
            written: Written { by: format!("{name}@example.com"), is_again: false, has_only_approvals: true },
        }],
        withdrawn: None,
    }
}

/// Returns the approval with another signature of its commit.
pub(super) fn signed(mut fact: Fact, signature: Signature) -> Fact {
    let addition = &mut fact.added[0];
    // The owner of a key may be a pattern, which is no address of an author.
    if let Signature::Good(signer) = &signature
        && !signer.principal.contains('*')
    {
        let address = signer.principal.rsplit('<').next().unwrap_or_default();
        address.trim_end_matches('>').clone_into(&mut addition.written.by);
    }
    addition.signature = signature;
    fact
}

/// Returns the approval of a person, signed with another key and as another owner.
pub(super) fn signed_as(name: &str, principal: &str, key: &str) -> Fact {
    let signer = Signer { principal: principal.to_owned(), key: key.to_owned() };
    signed(approval(name), Signature::Good(signer))
}

/// A case: a rule, its subject and the time, which a test changes.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) rule: Rule,
    pub(super) people: People,
    pub(super) subject: Subject,
    pub(super) now: Timestamp,
}

impl Case {
    /// Returns a rule that wants one of `sre`, at 11:00; Ada wrote the change.
    pub(super) fn new() -> Self {
        Self {
            rule: Rule {
                name: "prod".to_owned(),
                group: Some("rest".to_owned()),
                count: 1,
                of: vec!["sre".to_owned()],
                by_author: false,
                max_age: Some(SignedDuration::from_hours(24 * 7)),
                after: After::Any,
                break_glass: false,
            },
            people: team(),
            subject: Subject {
                addon: "istio".parse().unwrap(),
                digest: digest(),
                group: Some("rest".to_owned()),
                instance: InstanceId::of(7),
                authors: Authors::Known(vec![Author {
                    emails: vec!["ada@example.com".to_owned()],
                    signer: Some(signer("ada")),
                    voucher: Voucher::Signature,
                    ..Author::default()
                }]),
                earlier: Authors::Known(Vec::new()),
                change: Some(commit(50)),
                replaced: None,
                reached: Some(at("09:00:00")),
            },
            now: at("11:00:00"),
        }
    }

    /// Judges approvals.
    pub(super) fn judge(&self, facts: &[Fact]) -> Verdict {
        self.judge_all(facts, Pulls::new())
    }

    /// Judges approvals in Git and on the forge.
    pub(super) fn judge_all(&self, facts: &[Fact], pulls: Pulls) -> Verdict {
        let approvals = Approvals { facts: facts.to_vec(), pulls: Arc::new(pulls), ..Approvals::default() };
        judge(&self.rule, &self.people, &approvals, &self.subject, self.now)
    }

    /// Returns why an approval does not count.
    pub(super) fn why(&self, fact: Fact) -> Why {
        let verdict = self.judge(&[fact]);
        assert!(!verdict.is_met(), "{verdict:?}");
        let [void] = verdict.void.as_slice() else { panic!("{verdict:?}") };
        void.why.clone()
    }
}
