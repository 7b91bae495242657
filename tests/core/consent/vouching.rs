//! Who vouches for the authors of a change, and what follows if no one does.

use std::sync::Arc;

use super::builder::{Case, approval, commit, digest, people, signer};
use tidegate_consent::{
    Approvals, Author, Authors, Change, GoodDigests, People, PullRecord, Pulls, Reviewed, RulesInForce, Standing,
    Voucher, Why,
};
use tidegate_model::digest::Digest;
use tidegate_model::forge::Account;

fn account(id: u64, login: &str) -> Account {
    Account { id, login: login.to_owned(), is_bot: false }
}

/// Returns an author with an address, of commit 3.
fn by(email: &str, voucher: Voucher) -> Author {
    Author { emails: vec![email.to_owned()], commit: Some(commit(3)), voucher, ..Author::default() }
}

fn signed(name: &str) -> Author {
    Author { signer: Some(signer(name)), ..by(&format!("{name}@example.com"), Voucher::Signature) }
}

fn of_account(id: u64, login: &str) -> Author {
    let author = by(&format!("{login}@example.com"), Voucher::Forge);
    Author { account: Some(account(id, login)), ..author }
}

/// Returns whether Bob's signed approval of a change by these authors counts, or why not.
fn approved(people: People, authors: Vec<Author>) -> Result<(), Why> {
    let mut case = Case { people, ..Case::new() };
    case.rule.of = vec!["bob@example.com".to_owned()];
    case.subject.authors = Authors::Known(authors);
    let verdict = case.judge(&[approval("bob@example.com").clone()].map(|mut fact| {
        fact.added[0].signature = tidegate_consent::Signature::Good(signer("bob"));
        fact.added[0].written.by = "bob@example.com".to_owned();
        fact
    }));
    if verdict.is_met() { Ok(()) } else { Err(verdict.void[0].why.clone()) }
}

fn is_unknown(result: Result<(), Why>) -> bool {
    matches!(result, Err(Why::AuthorsUnknown { .. }))
}

#[test]
fn an_author_counts_as_someone_else_only_if_that_is_known() {
    let none = || people(&[]);
    let both = || people(&[("ada", &["ada@example.com"]), ("bob", &["bob@example.com"])]);
    let with_account = || people(&[("bob", &["bob@example.com", "forge:bob"])]);
    assert!(is_unknown(approved(both(), vec![by("ada@example.com", Voucher::Nobody)])), "a claim");
    assert!(is_unknown(approved(both(), vec![signed("ada"), by("eve@example.com", Voucher::Nobody)])), "one claim");
    assert_eq!(approved(none(), vec![by("ada@example.com", Voucher::Operator)]), Ok(()));
    assert_eq!(approved(none(), vec![by("ada@example.com", Voucher::Unneeded)]), Ok(()));
    assert_eq!(approved(none(), vec![signed("ada")]), Ok(()), "two keys");
    assert!(is_unknown(approved(none(), vec![of_account(1, "ada")])), "an account and a key");
    assert_eq!(approved(with_account(), vec![of_account(1, "ada")]), Ok(()), "two accounts");
    assert_eq!(approved(both(), vec![of_account(1, "ada")]), Ok(()), "two aliases");
    let bot = Account { is_bot: true, ..account(9, "renovate[bot]") };
    assert_eq!(approved(none(), vec![Author { account: Some(bot), ..of_account(9, "renovate") }]), Ok(()));
    // The forge lists the commit, but has no account for the address.
    assert_eq!(approved(both(), vec![by("ada@example.com", Voucher::Listed)]), Ok(()));
    assert!(is_unknown(approved(both(), vec![by("bob@home.example", Voucher::Listed)])), "an address of no one");
}

#[test]
fn what_a_signer_claims_about_the_author_does_not_make_the_signer_someone_else() {
    let people = || people(&[("ada", &["ada@example.com", "forge:ada"]), ("bob", &["bob@example.com", "forge:bob"])]);
    let mut claims = signed("mallory");
    claims.emails = vec!["ada@example.com".to_owned()];
    let mut case = Case { people: people(), ..Case::new() };
    case.rule.of = vec!["role:write".to_owned()];
    case.subject.authors = Authors::Known(vec![claims.clone()]);
    let mallory = account(7, "mallory");
    let told = case.judge_all(&[], reviewed(&[claims], &mallory));
    assert!(matches!(told.void[0].why, Why::AuthorsUnknown { .. }), "{told:?}");
}

/// Returns Ada's pull request 5, whose head is commit 2, which an account approved.
fn reviewed(authors: &[Author], by: &Account) -> Pulls {
    let mut pull = pull(authors, &digest());
    let opinion = tidegate_model::forge::Opinion {
        by: Some(by.clone()),
        says: tidegate_model::forge::Says::Approved,
        commit: Some(commit(2)),
        at: None,
        is_dismissed: false,
        url: String::new(),
    };
    let seen = super::builder::at("10:00:00");
    pull.opinions = vec![tidegate_consent::SeenOpinion { opinion, seen }];
    let is = tidegate_model::forge::Membership::Yes;
    pull.memberships = vec![tidegate_consent::KnownMembership { id: by.id, of: "role:write".to_owned(), is }];
    [(5, pull)].into()
}

/// Returns Ada's merged pull request 5, whose head is commit 2. The forge links commit 4 to it.
fn pull(authors: &[Author], digest: &Digest) -> PullRecord {
    let tree = Reviewed {
        digests: [("istio".parse().unwrap(), digest.clone())].into(),
        authors: Authors::Known(authors.to_vec()),
        seen: super::builder::at("09:00:00"),
    };
    PullRecord {
        url: "https://forge.example.com/5".to_owned(),
        title: "upgrade".to_owned(),
        author: Some(account(1, "ada")),
        state: Standing::Merged,
        head: commit(2),
        pushers: Vec::new(),
        linked: [commit(4)].into(),
        brought: [("istio".parse().unwrap(), commit(50))].into(),
        gate: None,
        trees: [(commit(2), tree)].into(),
        opinions: Vec::new(),
        commands: Vec::new(),
        memberships: Vec::new(),
        ended: None,
        comment: None,
    }
}

#[test]
fn a_reviewer_who_pushed_to_the_branch_does_not_approve() {
    let judged = |pushers: &[Account]| {
        let mut case = Case { people: people(&[]), ..Case::new() };
        case.rule.of = vec!["role:write".to_owned()];
        let mut pulls = reviewed(&[of_account(1, "ada")], &account(2, "bob"));
        pulls.get_mut(&5).unwrap().pushers = pushers.to_vec();
        case.judge_all(&[], pulls)
    };
    assert!(judged(&[account(1, "ada")]).is_met());
    let verdict = judged(&[account(1, "ada"), account(2, "bob")]);
    assert!(matches!(verdict.void[0].why, Why::Author { .. }), "{verdict:?}");
}

/// Returns who made a change that commit 4 brought, if these pull requests are known.
fn made(pull: PullRecord, claimed: &Author) -> Authors {
    let change = Change {
        digest: digest(),
        from: None,
        authors: Authors::Known(vec![claimed.clone()]),
        commit: commit(4),
        rules: Vec::new(),
        before: Arc::default(),
        after: Arc::default(),
    };
    let addon: tidegate_model::name::UnitName = "istio".parse().unwrap();
    let changes = [(addon.clone(), vec![change])].into();
    let approvals = Approvals { pulls: Arc::new([(5, pull)].into()), changes, ..Approvals::default() };
    approvals.of(&addon, &digest(), &GoodDigests::new(), &RulesInForce::Followed).authors().clone()
}

fn has_claim(authors: &Authors) -> bool {
    match authors {
        Authors::Known(known) => known.iter().any(|author| author.voucher == Voucher::Nobody),
        Authors::Unknown(_) => true,
    }
}

#[test]
fn a_merged_pull_request_with_the_same_digest_vouches_for_a_squashed_commit() {
    let squashed = Author { commit: Some(commit(4)), ..by("ada@example.com", Voucher::Nobody) };
    let ada = of_account(1, "ada");
    let known = made(pull(std::slice::from_ref(&ada), &digest()), &squashed);
    assert!(!has_claim(&known), "{known:?}");
    let other = made(pull(std::slice::from_ref(&ada), &Digest::of(b"istio 1.26")), &squashed);
    assert!(has_claim(&other), "the squashed commit has something else: {other:?}");
    let unlinked = PullRecord { linked: [commit(9)].into(), ..pull(&[ada], &digest()) };
    assert!(has_claim(&made(unlinked, &squashed)), "the commit is not of the pull request");
    let doubtful = made(pull(&[by("eve@example.com", Voucher::Nobody)], &digest()), &squashed);
    assert!(has_claim(&doubtful), "{doubtful:?}");
}

#[test]
fn a_merged_pull_request_vouches_for_the_commits_that_it_lists() {
    let claimed = by("ada@example.com", Voucher::Nobody);
    let ada = of_account(1, "ada");
    let other = Digest::of(b"istio 1.26");
    let known = made(pull(std::slice::from_ref(&ada), &other), &claimed);
    assert!(!has_claim(&known), "{known:?}");
    let open = PullRecord { state: Standing::Open, ..pull(std::slice::from_ref(&ada), &other) };
    assert!(has_claim(&made(open, &claimed)), "it is not merged");
    let gone = PullRecord { author: None, ..pull(&[ada], &other) };
    assert!(has_claim(&made(gone, &claimed)), "the account that opened it is gone");
}
