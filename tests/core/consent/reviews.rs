//! Reviews on a forge as approvals.

use std::collections::{BTreeMap, BTreeSet};

use super::builder::{Case, approval, at, commit, digest, people};
use tidegate_consent::{
    After, Author, Authors, Commanded, GateRequest, KnownMembership, PullRecord, Pulls, Reviewed, SeenOpinion,
    Standing, Verdict, Voucher, Why,
};
use tidegate_model::digest::Digest;
use tidegate_model::forge::{Account, Membership, Opinion, Says};
use tidegate_model::instance::InstanceId;

/// Returns the account with a login; the number is that of its first letter.
fn account(login: &str) -> Account {
    Account { id: u64::from(login.as_bytes()[0]), login: login.to_owned(), is_bot: false }
}

/// Returns an opinion of an account about commit 2, given and seen at a time.
fn opinion(login: &str, says: Says, time: &str) -> SeenOpinion {
    let opinion = Opinion {
        by: Some(account(login)),
        says,
        commit: Some(commit(2)),
        at: Some(at(time)),
        is_dismissed: false,
        url: format!("https://forge.example.com/7#{login}-{time}"),
    };
    SeenOpinion { opinion, seen: at(time) }
}

fn tree(digest: &Digest) -> Reviewed {
    let author = Author {
        emails: vec!["ada@example.com".to_owned()],
        account: Some(account("ada")),
        voucher: Voucher::Forge,
        ..Author::default()
    };
    Reviewed {
        digests: [("istio".parse().unwrap(), digest.clone())].into(),
        authors: Authors::Known(vec![author]),
        seen: at("09:30:00"),
    }
}

/// Returns Ada's merged pull request 7, which Bob approved.
fn pull() -> PullRecord {
    PullRecord {
        url: "https://forge.example.com/7".to_owned(),
        title: "upgrade".to_owned(),
        author: Some(account("ada")),
        state: Standing::Merged,
        head: commit(2),
        pushers: Vec::new(),
        linked: BTreeSet::new(),
        gate: None,
        brought: [("istio".parse().unwrap(), commit(50))].into(),
        trees: [(commit(2), tree(&digest()))].into(),
        opinions: vec![opinion("bob", Says::Approved, "10:00:00")],
        commands: Vec::new(),
        memberships: Vec::new(),
        ended: None,
        comment: None,
    }
}

/// Returns a request of the daemon for the group `rest`, which Bob approved.
fn request() -> PullRecord {
    let gate = GateRequest {
        addon: "istio".parse().unwrap(),
        digest: digest(),
        group: Some("rest".to_owned()),
        instance: InstanceId::of(7),
        since: at("09:00:00"),
        commit: commit(2),
        is_withdrawn: false,
    };
    PullRecord { author: Some(account("tidegate")), state: Standing::Open, gate: Some(gate), ..pull() }
}

/// Returns the case with accounts in `[people]`.
fn case() -> Case {
    let people = people(&[
        ("ada", &["ada@example.com", "forge:ada"]),
        ("bob", &["bob@example.com", "forge:bob"]),
        ("cy", &["cy@example.com", "forge:cy#990"]),
        ("sre", &["ada", "bob", "cy"]),
    ]);
    Case { people, ..Case::new() }
}

fn judged(case: &Case, pull: PullRecord) -> Verdict {
    case.judge_all(&[], Pulls::from([(7, pull)]))
}

#[test]
fn a_review_of_a_merged_pull_request_approves_what_it_brought() {
    let verdict = judged(&case(), pull());
    assert!(verdict.is_met(), "{verdict:?}");
    let seat = &verdict.have[0];
    let review = seat.review.as_ref().unwrap();
    assert_eq!((seat.person.as_str(), review.pull, review.account.login.as_str()), ("bob", 7, "bob"));
    assert_eq!(seat.commit, commit(2));
}

#[test]
fn whoever_merges_a_reviewed_pull_request_may_have_approved_it() {
    let mut case = case();
    let merger = Author { emails: vec!["bob@example.com".to_owned()], ..Author::default() };
    case.subject.authors = case.subject.authors.with(&[merger]);
    assert!(judged(&case, pull()).is_met());
}

#[test]
fn a_review_of_an_older_head_counts_if_the_add_on_is_the_same() {
    let mut pull = pull();
    pull.head = commit(3);
    pull.trees.insert(commit(3), tree(&digest()));
    assert!(judged(&case(), pull).is_met());
}

/// A change to the pull request or to the case.
type Change = fn(&mut PullRecord, &mut Case);

#[test]
fn a_review_that_is_not_proven_in_every_respect_does_not_count() {
    let cases: &[(&str, Change, &str)] = &[
        ("the account is gone", |pull, _| pull.opinions[0].opinion.by = None, "the forge does not tell who wrote it"),
        ("a bot", |pull, _| pull.opinions[0].opinion.by.as_mut().unwrap().is_bot = true, "bob is a bot"),
        ("dismissed", |pull, _| pull.opinions[0].opinion.is_dismissed = true, "it was dismissed"),
        ("no commit", |pull, _| pull.opinions[0].opinion.commit = None, "does not tell which commit"),
        (
            "a commit that is gone",
            |pull, _| pull.opinions[0].opinion.commit = Some(commit(9)),
            "not available any more",
        ),
        (
            "an earlier version",
            |pull, _| {
                pull.trees.insert(commit(1), tree(&Digest::of(b"istio 1.26")));
                pull.opinions[0].opinion.commit = Some(commit(1));
            },
            "it was given for digest",
        ),
        (
            "a version without the add-on",
            |pull, _| {
                let tree = Reviewed { digests: BTreeMap::new(), ..tree(&digest()) };
                pull.trees.insert(commit(1), tree);
                pull.opinions[0].opinion.commit = Some(commit(1));
            },
            "it was given for digest",
        ),
        ("not merged", |pull, _| pull.state = Standing::Open, "pull request 7 is not merged"),
        ("closed", |pull, _| pull.state = Standing::Closed, "pull request 7 is not merged"),
        (
            "a pull request that the forge links to nothing that is in force",
            |pull, _| pull.brought.clear(),
            "the forge does not link pull request 7 to the change",
        ),
        (
            "an old pull request, whose digest another change brought back",
            |_, case| case.subject.change = Some(commit(51)),
            "the forge does not link pull request 7 to the change",
        ),
        ("a change that is not known", |_, case| case.subject.change = None, "the forge does not link"),
        (
            "given before the digest was reverted",
            |_, case| case.subject.replaced = Some(at("10:00:01")),
            "it was given before 2026-11-23T10:00:01Z",
        ),
        (
            "seen before the digest was reverted, and dated later",
            |pull, case| {
                pull.opinions[0].opinion.at = Some(at("10:30:00"));
                case.subject.replaced = Some(at("10:15:00"));
            },
            "it was given before 2026-11-23T10:15:00Z",
        ),
        ("in the future", |pull, _| pull.opinions[0].opinion.at = Some(at("23:00:00")), "which is in the future"),
        ("too old", |_, case| case.now = "2026-12-24T11:00:00Z".parse().unwrap(), "it counted only until"),
        (
            "before the turn of the group",
            |_, case| {
                case.rule.after = After::Reached;
                case.subject.reached = Some(at("10:30:00"));
            },
            "before the turn of the group",
        ),
        (
            "seen before the turn of the group",
            |pull, case| {
                case.rule.after = After::Reached;
                case.subject.reached = Some(at("10:30:00"));
                pull.opinions[0].opinion.at = Some(at("10:40:00"));
            },
            "before the turn of the group",
        ),
        ("a stranger", |pull, _| pull.opinions[0].opinion.by = Some(account("eve")), "eve is not among those"),
        (
            "another account with the login of a listed one",
            |pull, _| pull.opinions[0].opinion.by = Some(account("cy")),
            "cy is not among those",
        ),
        (
            "a number and a login of different people",
            |pull, _| pull.opinions[0].opinion.by = Some(Account { id: 990, ..account("bob") }),
            "for different people",
        ),
        ("an author of a commit", |pull, _| pull.opinions[0].opinion.by = Some(account("ada")), "ada took part"),
        ("the one who opened it", |pull, _| pull.author = Some(account("bob")), "bob took part"),
        (
            "the one who opened it is gone",
            |pull, _| pull.author = None,
            "the account that opened the pull request is gone",
        ),
        (
            "an author by a hidden address",
            |pull, _| {
                let emails = vec!["98+bobby@users.noreply.github.com".to_owned()];
                pull.trees.get_mut(&commit(2)).unwrap().authors =
                    Authors::Known(vec![Author { emails, ..Author::default() }]);
            },
            "bob took part",
        ),
        (
            "an author by the address of an alias",
            |pull, _| {
                let emails = vec!["bob@example.com".to_owned()];
                pull.trees.get_mut(&commit(2)).unwrap().authors =
                    Authors::Known(vec![Author { emails, ..Author::default() }]);
            },
            "bob took part",
        ),
        (
            "an author of a change before it",
            |_, case| {
                let emails = vec!["bob@example.com".to_owned()];
                case.subject.earlier = Authors::Known(vec![Author { emails, ..Author::default() }]);
            },
            "bob took part",
        ),
        (
            "unknown authors",
            |pull, _| pull.trees.get_mut(&commit(2)).unwrap().authors = Authors::Unknown("gone".to_owned()),
            "it is not known who made the change",
        ),
        (
            "a team that does not list the account",
            |pull, case| {
                case.rule.of = vec!["team:platform/leads".to_owned()];
                let is = Membership::No;
                pull.memberships = vec![KnownMembership { id: 98, of: "team:platform/leads".to_owned(), is }];
            },
            "bob is not among those",
        ),
        (
            "a team that may not be read",
            |pull, case| {
                case.rule.of = vec!["team:platform/leads".to_owned()];
                let is = Membership::Unknown("403 Forbidden".to_owned());
                pull.memberships = vec![KnownMembership { id: 98, of: "team:platform/leads".to_owned(), is }];
            },
            "it is not known whether bob belongs to team:platform/leads: 403 Forbidden",
        ),
        (
            "a team that was not asked",
            |_, case| case.rule.of = vec!["team:platform/leads".to_owned()],
            "the forge was not asked yet",
        ),
        (
            "a team in which another account is",
            |pull, case| {
                case.rule.of = vec!["team:platform/leads".to_owned()];
                let is = Membership::Yes;
                pull.memberships = vec![KnownMembership { id: 97, of: "team:platform/leads".to_owned(), is }];
            },
            "the forge was not asked yet",
        ),
    ];
    for (name, change, expected) in cases {
        let (mut pull, mut case) = (pull(), case());
        change(&mut pull, &mut case);
        let verdict = judged(&case, pull);
        assert!(!verdict.is_met(), "{name}: {verdict:?}");
        let [void] = verdict.void.as_slice() else { panic!("{name}: {verdict:?}") };
        assert!(void.why.to_string().contains(expected), "{name}: {}", void.why);
    }
}

#[test]
fn a_pull_request_that_does_not_bring_the_digest_is_ignored() {
    let mut pull = pull();
    pull.trees = [(commit(2), tree(&Digest::of(b"istio 1.28")))].into();
    let verdict = judged(&case(), pull);
    assert!(!verdict.is_met() && verdict.void.is_empty(), "{verdict:?}");
}

#[test]
fn a_rule_may_list_an_account_without_an_alias() {
    for (listed, is_met) in [("forge:zoe", true), ("forge:Zoe#122", true), ("forge:zoe#1", false), ("forge:zo", false)]
    {
        let mut case = case();
        case.rule.of = vec![listed.to_owned()];
        let mut pull = pull();
        pull.opinions = vec![opinion("zoe", Says::Approved, "10:00:00")];
        assert_eq!(judged(&case, pull).is_met(), is_met, "{listed}");
    }
}

#[test]
fn a_team_on_the_forge_may_approve() {
    let mut case = case();
    case.rule.of = vec!["role:admin".to_owned(), "team:platform/leads".to_owned()];
    let mut pull = pull();
    pull.opinions = vec![opinion("zoe", Says::Approved, "10:00:00")];
    pull.memberships = vec![
        KnownMembership { id: 122, of: "role:admin".to_owned(), is: Membership::Unknown("403 Forbidden".to_owned()) },
        KnownMembership { id: 122, of: "team:platform/leads".to_owned(), is: Membership::Yes },
    ];
    let verdict = judged(&case, pull);
    assert!(verdict.is_met(), "{verdict:?}");
    assert_eq!(verdict.have[0].person, "zoe");
}

#[test]
fn the_last_opinion_of_a_person_counts() {
    let (approved, refused) = (Says::Approved, Says::Refused);
    let cases = [
        (vec![(approved, false), (refused, false)], false, Some("bob requests changes")),
        (vec![(refused, false), (approved, false)], true, None),
        (vec![(refused, true)], false, Some("1 more person")),
        (vec![(approved, false), (refused, true)], false, Some("1 more person")),
        (vec![(approved, false), (approved, true)], false, Some("1 more person")),
        (vec![(approved, true), (approved, false)], true, None),
    ];
    for (opinions, is_met, missing) in cases {
        let mut pull = pull();
        let with = |(index, (says, is_dismissed)): (usize, &(Says, bool))| {
            let mut seen = opinion("bob", *says, &format!("10:0{index}:00"));
            seen.opinion.is_dismissed = *is_dismissed;
            seen
        };
        pull.opinions = opinions.iter().enumerate().map(with).collect();
        let verdict = judged(&case(), pull);
        assert_eq!(verdict.is_met(), is_met, "{opinions:?}: {verdict:?}");
        let text = verdict.missing.map(|missing| missing.to_string());
        assert_eq!(text.as_deref().map(|text| text.contains(missing.unwrap_or_default())), missing.map(|_| true));
    }
}

#[test]
fn a_refusal_by_one_of_the_rule_closes_the_gate_whoever_else_approves() {
    let mut case = case();
    let with = |refuser: SeenOpinion| {
        let mut pull = pull();
        pull.opinions.push(refuser);
        pull
    };
    let mut cy = opinion("cy", Says::Refused, "10:10:00");
    cy.opinion.by = Some(Account { id: 990, ..account("cy") });
    let verdict = judged(&case, with(cy.clone()));
    assert!(!verdict.is_met());
    assert_eq!(verdict.missing.unwrap().to_string(), "cy requests changes (https://forge.example.com/7#cy-10:10:00)");
    assert!(judged(&case, with(opinion("eve", Says::Refused, "10:10:00"))).is_met(), "the rule does not list eve");
    // Whether eve belongs to the team is not known.
    case.rule.of.push("team:platform/leads".to_owned());
    assert!(!judged(&case, with(opinion("eve", Says::Refused, "10:10:00"))).is_met());
    // A signed approval after the refusal is the last word.
    let mut later = approval("cy");
    (later.at, later.added[0].committed) = (at("10:20:00"), at("10:20:00"));
    assert!(case.judge_all(&[later], Pulls::from([(7, with(cy))])).is_met());
}

#[test]
fn an_approval_replaces_a_refusal_only_if_it_is_later() {
    let mut refused = pull();
    refused.opinions.push(opinion("bob", Says::Refused, "10:10:00"));
    for (time, is_met) in [("10:09:59", false), ("10:10:00", false), ("10:10:01", true)] {
        let mut signed = approval("bob");
        (signed.at, signed.added[0].committed) = (at(time), at(time));
        let verdict = case().judge_all(&[signed], Pulls::from([(7, refused.clone())]));
        assert_eq!(verdict.is_met(), is_met, "{time}: {verdict:?}");
    }
}

#[test]
fn a_request_of_the_daemon_is_approved_by_reviews_of_its_commit() {
    let mut case = case();
    case.rule.after = After::Reached;
    assert!(judged(&case, request()).is_met(), "it was opened when it was the turn of the group");
    assert!(judged(&case, PullRecord { state: Standing::Merged, ..request() }).is_met());
    let changed = |change: fn(&mut GateRequest)| {
        let mut pull = request();
        pull.gate.as_mut().map(change).unwrap();
        judged(&case, pull)
    };
    let verdict = changed(|gate| gate.commit = commit(8));
    assert!(matches!(verdict.void[0].why, Why::OtherCommit { .. }), "{verdict:?}");
    let others: [fn(&mut GateRequest); 4] = [
        |gate| gate.digest = Digest::of(b"istio 1.28"),
        |gate| gate.group = None,
        |gate| gate.addon = "otel".parse().unwrap(),
        |gate| gate.instance = InstanceId::of(8),
    ];
    for other in others {
        let verdict = changed(other);
        assert!(!verdict.is_met() && verdict.void.is_empty(), "{verdict:?}");
    }
    let mut by_author = request();
    by_author.opinions = vec![opinion("ada", Says::Approved, "10:00:00")];
    assert!(matches!(judged(&case, by_author).void[0].why, Why::Author { .. }));
}

#[test]
fn a_request_of_an_earlier_rollout_of_the_digest_neither_approves_nor_refuses() {
    let mut case = case();
    case.rule.after = After::Reached;
    // The digest was reverted at 9:30 and came back.
    case.subject.replaced = Some(at("09:30:00"));
    let verdict = judged(&case, request());
    assert!(!verdict.is_met());
    assert_eq!(verdict.void[0].why, Why::EarlierRequest { pull: 7 }, "though Bob reviewed it at 10:00");
    let closed = judged(&case, PullRecord { state: Standing::Closed, ..request() });
    assert_eq!(closed.missing.unwrap().refused, []);
    let mut newest = request();
    newest.gate.as_mut().unwrap().since = at("09:45:00");
    assert!(judged(&case, newest.clone()).is_met());
    // An approval from before the turn of the group does not count on a request either.
    case.subject.reached = Some(at("10:30:00"));
    assert!(matches!(judged(&case, newest).void[0].why, Why::BeforeReached { .. }));
}

#[test]
fn a_request_is_not_approved_by_those_who_made_the_change_though_git_knows_only_their_addresses() {
    let mut case = case();
    case.rule.of = vec!["forge:ada".to_owned(), "forge:eve".to_owned()];
    case.people = people(&[]);
    let by = |login: &str| PullRecord { opinions: vec![opinion(login, Says::Approved, "10:00:00")], ..request() };
    assert!(matches!(judged(&case, by("ada")).void[0].why, Why::Author { .. }));
    assert!(judged(&case, by("eve")).is_met());
    let unknown = judged(&case, PullRecord { trees: BTreeMap::new(), ..by("eve") });
    assert!(matches!(unknown.void[0].why, Why::AuthorsUnknown { .. }), "{unknown:?}");
}

#[test]
fn a_request_that_was_closed_is_refused() {
    let verdict = judged(&case(), PullRecord { state: Standing::Closed, ..request() });
    assert!(!verdict.is_met());
    assert_eq!(
        verdict.missing.unwrap().to_string(),
        "the request to approve was closed; reopen it to ask again (https://forge.example.com/7)"
    );
    let mut by_daemon = PullRecord { state: Standing::Closed, ..request() };
    by_daemon.gate.as_mut().unwrap().is_withdrawn = true;
    assert!(judged(&case(), by_daemon).is_met(), "the daemon closes it after the rollout");
}

#[test]
fn an_account_and_an_address_of_one_person_fill_one_seat() {
    let mut case = case();
    case.rule.count = 2;
    let verdict = case.judge_all(&[approval("bob")], Pulls::from([(7, pull())]));
    assert!(!verdict.is_met());
    assert_eq!((verdict.have.len(), verdict.void.len()), (1, 1), "{verdict:?}");
    let verdict = case.judge_all(&[approval("cy")], Pulls::from([(7, pull())]));
    assert!(verdict.is_met(), "{verdict:?}");
}

#[test]
fn a_review_never_breaks_the_glass() {
    let mut case = case();
    case.rule.break_glass = true;
    case.rule.group = None;
    case.subject.group = None;
    assert!(!judged(&case, pull()).is_met());
}

#[test]
fn a_pull_request_survives_the_journal() {
    for pull in [pull(), request()] {
        let text = serde_json::to_string(&pull).unwrap();
        assert_eq!(serde_json::from_str::<PullRecord>(&text).unwrap(), pull);
    }
}

/// Returns the pull request without reviews, with an approval of Bob's in a comment.
fn commanded(change: impl FnOnce(&mut Commanded)) -> PullRecord {
    let mut command = Commanded {
        by: Some(account("bob")),
        addon: "istio".parse().unwrap(),
        group: Some("rest".to_owned()),
        digest: digest().as_str().to_owned(),
        head: commit(2),
        at: at("10:00:00"),
        seen: at("10:00:00"),
        is_edited: false,
        url: "https://forge.example.com/7#1".to_owned(),
    };
    change(&mut command);
    PullRecord { opinions: Vec::new(), commands: vec![command], ..pull() }
}

type ChangeOfCommand = fn(&mut Commanded);

#[test]
fn a_comment_approves_the_digest_and_group_that_it_names() {
    let verdict = judged(&case(), commanded(|_| {}));
    assert!(verdict.is_met(), "{verdict:?}");
    let mut at_its_turn = case();
    at_its_turn.rule.after = After::Reached;
    assert!(judged(&at_its_turn, commanded(|_| {})).is_met());
    let refused: [(ChangeOfCommand, &str); 9] = [
        (|command| command.by = None, "the forge does not tell who wrote it"),
        (|command| command.by.as_mut().unwrap().is_bot = true, "bob is a bot"),
        (|command| command.is_edited = true, "the comment was changed"),
        (|command| command.digest = "0".repeat(64), "it was given for digest 0000"),
        (|command| command.digest.truncate(12), "write all 64 digits"),
        (|command| command.group = None, "it was given for the start of the rollout"),
        (|command| command.by = Some(account("eve")), "eve is not among those"),
        (|command| command.by = Some(account("ada")), "ada took part"),
        (|command| command.at = at("23:00:00"), "which is in the future"),
    ];
    for (change, expected) in refused {
        let verdict = judged(&case(), commanded(change));
        assert!(!verdict.is_met(), "{expected}");
        assert!(verdict.void[0].why.to_string().contains(expected), "{expected}: {}", verdict.void[0].why);
    }
    let open = PullRecord { state: Standing::Open, ..commanded(|_| {}) };
    assert!(matches!(judged(&case(), open).void[0].why, Why::NotMerged { pull: 7 }));
    let other = judged(&case(), commanded(|command| command.addon = "otel".parse().unwrap()));
    assert!(!other.is_met() && other.void.is_empty());
}

#[test]
fn a_comment_counts_only_if_it_was_written_and_seen_after_the_turn_of_its_group() {
    let mut case = case();
    case.rule.after = After::Reached;
    for (written, seen, is_met) in [
        ("09:00:00", "09:00:00", true),
        ("08:59:59", "09:10:00", false),
        // The clock of the forge is ahead of that of the daemon.
        ("09:00:01", "08:59:59", false),
    ] {
        let verdict = judged(&case, commanded(|command| (command.at, command.seen) = (at(written), at(seen))));
        assert_eq!(verdict.is_met(), is_met, "written at {written}, seen at {seen}: {verdict:?}");
    }
    case.subject.reached = None;
    assert!(matches!(judged(&case, commanded(|_| {})).void[0].why, Why::NotReached));
}

#[test]
fn a_comment_does_not_approve_what_was_pushed_after_it() {
    // Bob commented on commit 1. Then Ada pushed commit 2, which has the digest that he named.
    let other = Reviewed { digests: [("istio".parse().unwrap(), Digest::of(b"benign"))].into(), ..tree(&digest()) };
    let mut pull = commanded(|command| command.head = commit(1));
    assert!(matches!(judged(&case(), pull.clone()).void[0].why, Why::CommitGone { .. }));
    pull.trees.insert(commit(1), other);
    assert!(matches!(judged(&case(), pull.clone()).void[0].why, Why::OtherDigest { .. }));
    pull.trees.insert(commit(1), tree(&digest()));
    assert!(judged(&case(), pull.clone()).is_met(), "a rebase that changes nothing");
    pull.brought.clear();
    assert!(matches!(judged(&case(), pull).void[0].why, Why::NotLinked { pull: 7 }));
    let on_request = PullRecord { commands: commanded(|command| command.head = commit(1)).commands, ..request() };
    assert!(matches!(judged(&case(), on_request).void[0].why, Why::OtherCommit { .. }));
}
