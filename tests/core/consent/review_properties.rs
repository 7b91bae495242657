//! Properties of the judge, for reviews of several pull requests: evidence that is void, missing or taken away opens nothing.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tidegate_consent::{
    After, Author, Authors, GateRequest, KnownMembership, PullRecord, Pulls, Reviewed, SeenOpinion, Standing, Verdict,
    Voucher,
};
use tidegate_model::digest::Digest;
use tidegate_model::forge::{Account, Membership, Opinion, Says};
use tidegate_model::instance::InstanceId;

use super::builder::{Case, at, commit, digest, people};

/// The team that the rule names besides people.
const TEAM: &str = "team:platform/leads";

/// Returns an account: of Ada, of Bob, of someone in no list, or of a program.
fn account() -> impl Strategy<Value = Account> {
    let all = [(1, "ada", false), (2, "bob", false), (3, "cy", false), (4, "eve", false), (5, "renovate", true)];
    prop::sample::select(all.to_vec()).prop_map(|(id, login, is_bot)| Account { id, login: login.to_owned(), is_bot })
}

fn opinion() -> impl Strategy<Value = SeenOpinion> {
    let by = prop::option::weighted(0.95, account());
    let saw = prop::option::weighted(0.9, 1..4_u64);
    let says = prop::sample::select(vec![Says::Approved, Says::Approved, Says::Approved, Says::Refused]);
    (by, saw, says, prop::option::of(0..120_u8), prop::bool::weighted(0.1), 0..120_u8).prop_map(
        |(by, saw, says, given, is_dismissed, seen)| {
            let time = |minute: u8| at(&format!("{:02}:{:02}:00", 9 + minute / 60, minute % 60));
            let opinion = Opinion {
                by,
                says,
                commit: saw.map(commit),
                at: given.map(time),
                is_dismissed,
                url: "https://forge.example.com/review".to_owned(),
            };
            SeenOpinion { opinion, seen: time(seen) }
        },
    )
}

fn tree() -> impl Strategy<Value = Reviewed> {
    let authors = prop::option::weighted(0.9, prop::option::of(account()));
    (prop::bool::weighted(0.8), authors).prop_map(|(is_same, authors)| {
        let digest = if is_same { digest() } else { Digest::of(b"another one") };
        let author = |account| Author {
            emails: vec!["ada@example.com".to_owned()],
            account,
            voucher: Voucher::Forge,
            ..Author::default()
        };
        let authors = authors.map_or_else(
            || Authors::Unknown("the history is incomplete".to_owned()),
            |account| Authors::Known(vec![author(account)]),
        );
        Reviewed { digests: [("istio".parse().unwrap(), digest)].into(), authors, seen: at("09:00:00") }
    })
}

/// Returns what is known about the memberships of accounts, by their numbers.
fn memberships() -> impl Strategy<Value = Vec<KnownMembership>> {
    let is = prop_oneof![Just(Membership::Yes), Just(Membership::No), Just(Membership::Unknown("403".to_owned()))];
    let known = |(id, is)| KnownMembership { id, of: TEAM.to_owned(), is };
    prop::collection::btree_map(1..6_u64, is, 0..4).prop_map(move |all| all.into_iter().map(known).collect())
}

fn gate() -> impl Strategy<Value = GateRequest> {
    (prop::bool::weighted(0.9), 1..4_u64, prop::bool::weighted(0.1)).prop_map(|(is_own, head, is_withdrawn)| {
        GateRequest {
            addon: "istio".parse().unwrap(),
            digest: digest(),
            group: Some("rest".to_owned()),
            instance: InstanceId::of(if is_own { 7 } else { 8 }),
            since: at("08:00:00"),
            commit: commit(head),
            is_withdrawn,
        }
    })
}

fn pull() -> impl Strategy<Value = PullRecord> {
    let state = prop::sample::select(vec![Standing::Merged, Standing::Merged, Standing::Open, Standing::Closed]);
    (
        prop::option::weighted(0.9, account()),
        state,
        prop::option::weighted(0.3, gate()),
        prop::collection::btree_map(1..4_u64, tree(), 0..4),
        prop::collection::vec(opinion(), 0..6),
        memberships(),
        prop::bool::weighted(0.9),
    )
        .prop_map(|(author, state, gate, trees, opinions, memberships, is_linked)| PullRecord {
            url: "https://forge.example.com/7".to_owned(),
            title: "upgrade".to_owned(),
            author,
            state,
            head: commit(1),
            pushers: Vec::new(),
            linked: BTreeSet::new(),
            gate,
            brought: [("istio".parse().unwrap(), commit(if is_linked { 50 } else { 49 }))].into(),
            trees: trees.into_iter().map(|(head, tree)| (commit(head), tree)).collect(),
            opinions,
            memberships,
            commands: Vec::new(),
            ended: None,
            comment: None,
        })
}

fn pulls() -> impl Strategy<Value = Pulls> {
    prop::collection::btree_map(1..50_u64, pull(), 0..4)
}

fn case() -> impl Strategy<Value = Case> {
    (0..3_u32, prop::bool::ANY, prop::bool::ANY).prop_map(|(count, by_author, is_reached)| {
        let mut case = Case::new();
        case.people = people(&[
            ("ada", &["ada@example.com", "forge:ada"]),
            ("bob", &["bob@example.com", "forge:bob#2"]),
            ("sre", &["ada", "bob"]),
        ]);
        case.rule.of.push(TEAM.to_owned());
        (case.rule.count, case.rule.by_author) = (count, by_author);
        case.rule.after = if is_reached { After::Reached } else { After::Any };
        case
    })
}

fn judged(case: &Case, pulls: &Pulls) -> Verdict {
    case.judge_all(&[], pulls.clone())
}

/// Returns `true` if a record contains a refusal, whoever it is of.
fn refuses(pull: &PullRecord) -> bool {
    let is_refusal = |seen: &SeenOpinion| seen.opinion.says == Says::Refused;
    pull.opinions.iter().any(is_refusal) || (pull.gate.is_some() && pull.state == Standing::Closed)
}

/// Returns the records with a piece of evidence taken away, for each piece.
fn poorer(pulls: &Pulls) -> Vec<Pulls> {
    let mut all = Vec::new();
    for (number, pull) in pulls {
        let mut with = |changed: PullRecord| {
            let mut pulls = pulls.clone();
            pulls.insert(*number, changed);
            all.push(pulls);
        };
        with(PullRecord { author: None, ..pull.clone() });
        with(PullRecord { state: Standing::Open, ..pull.clone() });
        with(PullRecord { brought: BTreeMap::new(), ..pull.clone() });
        for commit in pull.trees.keys() {
            let mut fewer = pull.clone();
            fewer.trees.remove(commit);
            with(fewer);
        }
        for index in 0..pull.memberships.len() {
            let mut fewer = pull.clone();
            fewer.memberships.remove(index);
            with(fewer);
        }
        for index in 0..pull.opinions.len() {
            // Without its newest opinion, an older one of the same account would count.
            let by = pull.opinions[index].opinion.by.as_ref().map(|by| by.id);
            let mut fewer = pull.clone();
            fewer.opinions.retain(|seen| seen.opinion.by.as_ref().map(|by| by.id) != by);
            with(fewer);
            let mut unknown = pull.clone();
            unknown.opinions[index].opinion.commit = None;
            with(unknown);
            let mut dismissed = pull.clone();
            dismissed.opinions[index].opinion.is_dismissed = true;
            with(dismissed);
        }
    }
    all.extend(pulls.keys().map(|number| {
        let mut fewer = pulls.clone();
        fewer.remove(number);
        fewer
    }));
    all
}

proptest! {
    #[test]
    fn evidence_that_is_taken_away_opens_nothing_unless_someone_refused(case in case(), pulls in pulls()) {
        prop_assume!(!pulls.values().any(refuses));
        let all = judged(&case, &pulls);
        for fewer in poorer(&pulls) {
            let verdict = judged(&case, &fewer);
            prop_assert!(all.is_met() || !verdict.is_met(), "{fewer:#?}");
            prop_assert!(verdict.have.len() <= all.have.len(), "{fewer:#?}");
        }
    }

    #[test]
    fn a_void_review_opens_nothing(case in case(), pulls in pulls(), more in pull()) {
        let before = judged(&case, &pulls);
        let alone = judged(&case, &Pulls::from([(99, more.clone())]));
        let mut with = pulls;
        with.insert(99, more);
        let after = judged(&case, &with);
        if alone.have.is_empty() {
            prop_assert!(before.is_met() || !after.is_met());
            prop_assert_eq!(before.have, after.have);
        }
    }

    #[test]
    fn an_approval_counts_only_with_all_of_its_evidence(case in case(), pulls in pulls()) {
        for seat in judged(&case, &pulls).have {
            let review = seat.review.unwrap();
            let pull = &pulls[&review.pull];
            let is_it = |seen: &&SeenOpinion| seen.opinion.by.as_ref() == Some(&review.account);
            let opinion = &pull.latest().into_iter().find(is_it).unwrap().opinion;
            prop_assert!(opinion.says == Says::Approved && !opinion.is_dismissed && !review.account.is_bot);
            let saw = opinion.commit.as_ref().unwrap();
            match &pull.gate {
                Some(gate) => prop_assert_eq!((&gate.commit, gate.instance.clone()), (saw, InstanceId::of(7))),
                None => {
                    prop_assert_eq!(pull.state, Standing::Merged);
                    prop_assert_eq!(pull.trees[saw].digests.values().next(), Some(&digest()));
                }
            }
        }
    }

    #[test]
    fn the_numbers_of_pull_requests_do_not_matter(case in case(), pulls in prop::collection::vec(pull(), 0..4), turn in 0..4_usize) {
        let numbered = |pulls: &[PullRecord]| -> Pulls { (1..).zip(pulls.iter().cloned()).collect() };
        let mut turned = pulls.clone();
        turned.rotate_left(turn % pulls.len().max(1));
        let (one, other) = (judged(&case, &numbered(&pulls)), judged(&case, &numbered(&turned)));
        let people = |verdict: &Verdict| -> BTreeMap<String, tidegate_model::time::Timestamp> {
            verdict.have.iter().map(|seat| (seat.person.clone(), seat.at)).collect()
        };
        prop_assert_eq!((one.state, people(&one), one.void.len()), (other.state, people(&other), other.void.len()));
    }

    #[test]
    fn a_verdict_and_its_evidence_survive_the_journal(case in case(), pulls in pulls()) {
        let verdict = judged(&case, &pulls);
        let written = serde_json::to_string(&verdict).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Verdict>(&written).unwrap(), &verdict);
        let written = serde_json::to_string(&pulls).unwrap();
        let read: Pulls = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(&judged(&case, &read), &verdict);
        prop_assert_eq!(read, pulls);
    }
}
