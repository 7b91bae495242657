//! Who made the commits of a pull request, according to the forge.

use std::collections::BTreeMap;

use tidegate_consent::{Author, Authors, Voucher};
use tidegate_forge::{CommitAuthor, Error, ListedCommits, Result};
use tidegate_model::forge::Account;
use tidegate_model::revision::CommitId;

/// Completes the authors that Git reports with the accounts that the forge lists.
///
/// The forge vouches for a commit without a trusted signature if it has accounts for its author and its committer: the addresses are theirs.
/// It does not prove that they pushed the commit, so the accounts that did are known besides, where the forge names them. A list without
/// all commits could lack an author, so then no one is known.
pub(super) fn with_accounts(authors: Authors, listed: &ListedCommits) -> Authors {
    let Authors::Known(known) = authors else { return authors };
    if !listed.is_complete {
        return Authors::Unknown(
            "the pull request has more commits than the forge lists; split it, or approve with tidegate approve"
                .to_owned(),
        );
    }
    let people: BTreeMap<&CommitId, &[CommitAuthor]> =
        listed.commits.iter().map(|commit| (&commit.id, commit.authors.as_slice())).collect();
    let completed = known.iter().flat_map(|author| {
        let people = author.commit.as_ref().and_then(|commit| people.get(commit));
        people.map_or_else(|| vec![author.clone()], |people| completed(author, people))
    });
    Authors::known(completed.collect())
}

/// Returns the author of a commit, and the people whom the forge names for it.
fn completed(author: &Author, people: &[CommitAuthor]) -> Vec<Author> {
    let is_claimed = author.voucher == Voucher::Nobody;
    let person = |person: &CommitAuthor| Author {
        emails: vec![person.email.clone()],
        account: person.account.clone(),
        voucher: match (is_claimed, &person.account) {
            (false, _) => author.voucher,
            (true, Some(_)) => Voucher::Forge,
            (true, None) => Voucher::Listed,
        },
        ..author.clone()
    };
    // Co-authors are in no list, and their addresses only make more people authors.
    let own = if is_claimed { Author { voucher: Voucher::Unneeded, ..author.clone() } } else { author.clone() };
    [own].into_iter().chain(people.iter().map(person)).collect()
}

/// Returns the accounts that pushed to a branch: those that were known before, and those of an answer. A forge that does not report
/// pushes adds none.
///
/// # Errors
/// That of the request, unless the forge does not report pushes.
pub(super) fn pushers(before: &[Account], answer: Result<Vec<Account>>) -> Result<Vec<Account>> {
    let found = match answer {
        Err(Error::Denied(_) | Error::NotFound(_) | Error::Unsupported(_)) => Vec::new(),
        answer => answer?,
    };
    let mut all: Vec<Account> = before.iter().cloned().chain(found).collect();
    all.sort();
    all.dedup();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_forge::ListedCommit;

    fn commit(digit: char) -> CommitId {
        digit.to_string().repeat(40).parse().unwrap()
    }

    fn listed(authors: Vec<CommitAuthor>, is_complete: bool) -> ListedCommits {
        ListedCommits { commits: vec![ListedCommit { id: commit('1'), authors }], is_complete }
    }

    fn ada() -> Account {
        Account { id: 1, login: "ada".to_owned(), is_bot: false }
    }

    fn claimed(digit: char) -> Author {
        Author { emails: vec!["ada@example.com".to_owned()], commit: Some(commit(digit)), ..Author::default() }
    }

    #[test]
    fn the_forge_vouches_only_for_the_commits_that_it_lists_with_accounts() {
        let person = |account| CommitAuthor { account, email: "ada@example.com".to_owned() };
        let vouchers = |authors: Authors| match authors {
            Authors::Known(known) => known.iter().map(|author| author.voucher).collect::<Vec<_>>(),
            Authors::Unknown(why) => panic!("{why}"),
        };
        let both = Authors::Known(vec![claimed('1'), claimed('2')]);
        let found = vouchers(with_accounts(both.clone(), &listed(vec![person(Some(ada()))], true)));
        assert_eq!(found, [Voucher::Unneeded, Voucher::Nobody, Voucher::Forge]);
        let found = vouchers(with_accounts(both, &listed(vec![person(None)], true)));
        assert_eq!(found, [Voucher::Listed, Voucher::Unneeded, Voucher::Nobody]);
    }

    #[test]
    fn the_authors_of_a_pull_request_with_more_commits_than_are_listed_are_not_known() {
        let signed = Author { voucher: Voucher::Signature, ..claimed('1') };
        let found = with_accounts(Authors::Known(vec![signed]), &listed(Vec::new(), false));
        assert!(matches!(found, Authors::Unknown(_)), "{found:?}");
    }

    #[test]
    fn a_forge_that_does_not_report_pushes_leaves_what_was_known() {
        let denied = Err(Error::Denied("403".to_owned()));
        assert_eq!(pushers(&[ada()], denied), Ok(vec![ada()]));
        assert!(pushers(&[ada()], Err(Error::Unreachable("down".to_owned()))).is_err());
    }
}
