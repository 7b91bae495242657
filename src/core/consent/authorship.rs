//! Whether a person is an author of a change, as far as someone vouches for who made it.

use std::collections::BTreeSet;

use super::identity::identities;
use super::identity::{Identity, address};
use super::judging::Judging;
use super::people::Person;
use super::subject::{Author, Authors, Voucher};
use super::why::Why;

/// Why it is not known who made a change, or whether that is someone else than the approver. Displays as a sentence with what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Doubt {
    /// No one vouches for a commit.
    #[error(
        "commit {commit} is not signed with a trusted key, and no merged pull request lists it with accounts; sign commits, or merge them \
         with a pull request"
    )]
    Claimed { commit: String },
    /// A pull request lists a commit with an address of no one.
    #[error("commit {commit} has the address {email:?}, for which the forge names no account; list it in [people]")]
    Address { commit: String, email: String },
    /// The author and the approver are known in different ways.
    #[error(
        "{author} took part in it, which may be {person}; in [people], list the addresses and the account of each under one alias"
    )]
    Incomparable { author: String, person: String },
}

/// What is known of a person in order to tell it from others.
#[derive(Default)]
struct Known {
    is_listed: bool,
    has_account: bool,
    has_key: bool,
}

impl Judging<'_> {
    /// Returns `true` if a person, with the identities of a key or an account, is among authors.
    ///
    /// # Errors
    /// [`Why::AuthorsUnknown`] if that is not known.
    pub(super) fn is_among(&self, authors: &Authors, person: &Person, own: &[Identity]) -> Result<bool, Why> {
        let known = match authors {
            Authors::Unknown(why) => return Err(Why::AuthorsUnknown { why: why.clone() }),
            Authors::Known(known) => known,
        };
        // A person may be in no list, and then only the key or the account connects the two.
        let is_person = |identity: &Identity| own.contains(identity) || self.people.with(identity).id == person.id;
        if identities(known).iter().any(is_person) {
            return Ok(true);
        }
        let approver = self.known(own.iter(), Some(person));
        match known.iter().find_map(|author| self.doubt(author, known, (person, &approver))) {
            Some(doubt) => Err(Why::AuthorsUnknown { why: doubt.to_string() }),
            None => Ok(false),
        }
    }

    /// Returns why an author may be the approver, although nothing connects the two.
    fn doubt(&self, author: &Author, all: &[Author], (person, approver): (&Person, &Known)) -> Option<Doubt> {
        let commit = || author.commit.as_ref().map(|commit| commit.short().to_owned()).unwrap_or_default();
        let proven: Vec<Identity> = match author.voucher {
            Voucher::Operator | Voucher::Unneeded => return None,
            Voucher::Nobody => return Some(Doubt::Claimed { commit: commit() }),
            Voucher::Signature => author.signer.iter().flat_map(Identity::of_signer).collect(),
            // Programs approve nothing.
            Voucher::Forge if author.account.as_ref().is_some_and(|account| account.is_bot) => return None,
            Voucher::Forge => identities(std::slice::from_ref(author)).into_iter().collect(),
            Voucher::Listed => {
                let is_unlisted = |email: &&String| !Identity::of_email(email).iter().any(|id| self.people.lists(id));
                if let Some(email) = author.emails.iter().find(is_unlisted) {
                    return Some(Doubt::Address { commit: commit(), email: email.clone() });
                }
                author.emails.iter().flat_map(|email| Identity::of_email(email)).collect()
            }
        };
        let proven = connected(proven, all);
        let author = self.known(proven.iter(), None);
        let is_comparable = (author.is_listed && approver.is_listed)
            || (author.has_account && approver.has_account)
            || (author.has_key && approver.has_key);
        let name = || proven.iter().next().map(|identity| self.people.with(identity).name).unwrap_or_default();
        (!is_comparable).then(|| Doubt::Incomparable { author: name(), person: person.name.clone() })
    }

    /// Returns what is known of someone with these identities.
    fn known<'i>(&self, identities: impl Iterator<Item = &'i Identity>, person: Option<&Person>) -> Known {
        let own: Vec<&Identity> = identities.collect();
        let persons: BTreeSet<Person> = own.iter().map(|id| self.people.with(id)).chain(person.cloned()).collect();
        let is_listed = |person: &&Person| self.people.lists(&person.id);
        let listed = persons.iter().filter(is_listed).flat_map(|person| self.people.identities(person));
        let is_account = |identity: &&Identity| matches!(identity, Identity::Account(_) | Identity::Login(_));
        let is_key = |identity: &&Identity| matches!(identity, Identity::Key(_));
        let all: Vec<&Identity> = own.iter().copied().chain(listed).collect();
        let is_principal = |identity: &&Identity| matches!(identity, Identity::Principal(_));
        // A list names the owners of keys by their addresses.
        let lists_owner = persons.iter().filter(is_listed).any(|p| self.people.identities(p).any(|i| is_principal(&i)));
        Known {
            is_listed: persons.iter().any(|person| self.people.lists(&person.id)),
            has_account: all.iter().any(is_account),
            has_key: lists_owner || all.iter().any(is_key),
        }
    }
}

/// Adds the addresses and accounts that the forge connects with identities: those of the same account, and the account with the address of
/// a key.
fn connected(identities: Vec<Identity>, all: &[Author]) -> BTreeSet<Identity> {
    let mut found: BTreeSet<Identity> = identities.into_iter().collect();
    let with_account = || all.iter().filter(|author| author.account.is_some());
    for _ in 0..2 {
        for author in with_account() {
            let own = of_account_and_address(author);
            if own.iter().any(|identity| found.contains(identity)) {
                found.extend(own);
            }
        }
    }
    found
}

/// Returns the account of an author with its address.
fn of_account_and_address(author: &Author) -> Vec<Identity> {
    let account = author.account.iter().flat_map(Identity::of_account);
    account.chain(author.emails.iter().map(|email| Identity::principal(address(email)))).collect()
}
