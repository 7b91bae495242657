//! Completes the authors that Git reports with those that the forge reports for the pull requests that brought the commits.

use super::change::Change;
use super::pull::{PullRecord, Pulls, Reviewed, Standing};
use super::subject::{Author, Authors, Voucher};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;

/// Returns who made a change of an add-on: those that Git and the pull requests name that the forge links to its commits.
///
/// A merged pull request vouches for a commit that it lists. If the digest of the add-on is the same at its head, it vouches for the whole
/// change, because everything that the digest contains was made by those who made the head: so a squashed or rebased commit, which the pull
/// request does not list, needs no voucher of its own.
pub(super) fn of_change(change: &Change, addon: &UnitName, pulls: &Pulls) -> Authors {
    vouched_authors(&change.authors, (addon, &change.digest), pulls)
}

/// Completes the authors of a change to a digest of an add-on, as Git reports them, with those that pull requests name.
pub fn vouched_authors(authors: &Authors, (addon, digest): (&UnitName, &Digest), pulls: &Pulls) -> Authors {
    let Authors::Known(known) = authors else { return authors.clone() };
    let is_linked = |pull: &PullRecord| {
        let commits = known.iter().filter_map(|author| author.commit.as_ref());
        !pull.linked.is_empty() && commits.into_iter().any(|commit| pull.linked.contains(commit))
    };
    let linked: Vec<(&PullRecord, &Reviewed)> = merged(pulls).filter(|(pull, _)| is_linked(pull)).collect();
    let is_equal = |head: &Reviewed| head.digests.get(addon) == Some(digest);
    let equal: Vec<&Reviewed> = linked.iter().map(|(_, head)| *head).filter(|head| is_equal(head)).collect();
    let own = known.iter().flat_map(|author| {
        let found = of_commit(author, pulls);
        let is_unknown = found.iter().any(|author| author.voucher == Voucher::Nobody);
        if is_unknown && !equal.is_empty() { vec![unneeded(author)] } else { found }
    });
    let mut all: Vec<Author> = own.collect();
    for head in equal {
        match of_pull(&head.authors, pulls) {
            Authors::Known(authors) => all.extend(authors),
            unknown => return unknown,
        }
    }
    let lets_claims_count = known.iter().any(|author| author.voucher == Voucher::Operator);
    for (pull, _) in linked {
        let Some(participants) = pull.participants() else {
            return Authors::Unknown("the account that opened the pull request is gone".to_owned());
        };
        all.extend(participants.iter().map(|one| if lets_claims_count { unneeded(one) } else { one.clone() }));
    }
    Authors::known(all)
}

/// Returns who made a commit of a pull request, completed with the authors that other pull requests list for commits that it contains as well.
pub(super) fn of_pull(authors: &Authors, pulls: &Pulls) -> Authors {
    match authors {
        Authors::Known(known) => Authors::known(known.iter().flat_map(|author| of_commit(author, pulls)).collect()),
        Authors::Unknown(_) => authors.clone(),
    }
}

/// Returns who made the commit of an author: those whom a merged pull request lists, if no one else vouches for it.
fn of_commit(author: &Author, pulls: &Pulls) -> Vec<Author> {
    let Some(commit) = author.commit.as_ref().filter(|_| author.voucher == Voucher::Nobody) else {
        return vec![author.clone()];
    };
    let lists = |(pull, head): (&PullRecord, &Reviewed)| {
        let found: Vec<Author> = listed(head, commit).cloned().collect();
        let participants = pull.participants().filter(|_| !found.is_empty())?;
        Some(found.into_iter().chain(participants).collect::<Vec<_>>())
    };
    let mut found = merged(pulls).filter_map(lists).flatten().peekable();
    if found.peek().is_none() { vec![author.clone()] } else { found.chain([unneeded(author)]).collect() }
}

/// Returns those whom the forge names for a commit of a pull request.
fn listed<'a>(head: &'a Reviewed, commit: &'a CommitId) -> impl Iterator<Item = &'a Author> {
    let known = match &head.authors {
        Authors::Known(known) => known.as_slice(),
        Authors::Unknown(_) => &[],
    };
    known.iter().filter(move |author| author.voucher != Voucher::Nobody && author.commit.as_ref() == Some(commit))
}

/// Returns the merged pull requests that are no requests of the daemon, with what is known of their heads.
fn merged(pulls: &Pulls) -> impl Iterator<Item = (&PullRecord, &Reviewed)> {
    let merged = pulls.values().filter(|pull| pull.gate.is_none() && pull.state == Standing::Merged);
    merged.filter_map(|pull| Some((pull, pull.trees.get(&pull.head)?)))
}

/// Returns an author for whom no one has to vouch.
fn unneeded(author: &Author) -> Author {
    Author { voucher: Voucher::Unneeded, ..author.clone() }
}
