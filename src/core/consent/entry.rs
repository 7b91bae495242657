//! Judges approvals in Git: entries of files, which people signed.

use super::fact::{Addition, Fact, Signature, Signer};
use super::identity::Identity;
use super::judging::{Judging, Opinion, Place, SKEW, Valid};
use super::people::Person;
use super::verdict::Seat;
use super::why::Why;
use tidegate_model::digest::Digest;
use tidegate_model::time::{SignedDuration, Timestamp};

/// How long an approval may wait for its commit.
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(24);

impl Judging<'_> {
    /// Returns what an approval in Git means.
    pub(super) fn of_fact(&self, fact: &Fact) -> Opinion {
        let commit = fact.added.first().map(|addition| addition.commit.clone());
        let place = Place { file: fact.file.clone(), by: fact.by.clone(), at: fact.at, commit, url: None };
        match self.proven(fact) {
            Ok((person, seat)) => Opinion::Approved(Valid { person, seat, place }),
            Err(why) => Opinion::Void(place.void(why)),
        }
    }

    fn proven(&self, fact: &Fact) -> Result<(Person, Seat), Why> {
        self.is_about_this(fact)?;
        if let Some(commit) = &fact.withdrawn {
            return Err(Why::Withdrawn { commit: commit.clone() });
        }
        // Two branches may have added the same entry; one good commit is enough.
        let (mut found, mut refused) = (None, None);
        for addition in &fact.added {
            match self.is_proven(fact, addition) {
                Ok(proven) => found = found.max(Some(proven)),
                Err(why) => refused = refused.max(Some(why)),
            }
        }
        let (at, addition, signer, person) = found.ok_or_else(|| refused.unwrap_or(Why::UnknownCommit))?;
        let seat = Seat {
            person: person.name.clone(),
            commit: addition.commit.clone(),
            signer: signer.principal.clone(),
            key: signer.key.clone(),
            review: None,
            at,
            reason: fact.reason.clone(),
            break_glass: fact.break_glass,
        };
        Ok((person, seat))
    }

    fn is_about_this(&self, fact: &Fact) -> Result<(), Why> {
        let Fact { digest, group, instance, .. } = fact;
        self.names_this(digest, group.as_ref())?;
        if *instance == self.subject.instance {
            return Ok(());
        }
        Err(Why::OtherInstance { instance: instance.to_string() })
    }

    /// Checks that a digest and a group are those of the subject. Two changes whose first digits are equal are quickly prepared, so all
    /// digits are needed.
    pub(super) fn names_this(&self, digest: &str, group: Option<&String>) -> Result<(), Why> {
        let Ok(digest) = digest.parse::<Digest>() else {
            return Err(Why::ShortDigest { digest: digest.to_owned() });
        };
        if digest != self.subject.digest {
            return Err(Why::OtherDigest { digest: digest.to_string() });
        }
        if group != self.subject.group.as_ref() || group != self.rule.group.as_ref() {
            return Err(Why::OtherGroup { group: group.cloned() });
        }
        Ok(())
    }

    fn is_proven<'f>(
        &self,
        fact: &Fact,
        addition: &'f Addition,
    ) -> Result<(Timestamp, &'f Addition, &'f Signer, Person), Why> {
        let signer = signer(addition)?;
        let person = self.person(fact, addition, signer)?;
        let at = self.given(fact, addition)?;
        self.is_own_commit(addition, signer, &person)?;
        self.may_approve(&person, signer)?;
        if self.rule.break_glass && !fact.break_glass {
            return Err(Why::NotBreakGlass);
        }
        Ok((at, addition, signer, person))
    }

    /// Returns who approved: the person whom the entry names, if the same person signed.
    fn person(&self, fact: &Fact, addition: &Addition, signer: &Signer) -> Result<Person, Why> {
        let not_one = || Why::NotOnePerson { by: fact.by.clone() };
        let named = self.people.named(&fact.by).ok_or_else(not_one)?;
        let signed = self
            .people
            .signer(signer)
            .ok_or_else(|| Why::Ambiguous { key: signer.key.clone(), principal: signer.principal.clone() })?;
        let is_key = Identity::listed(&fact.by) == Identity::Key(signer.key.clone());
        if named == signed || is_key {
            return Ok(signed);
        }
        let commit = addition.commit.clone();
        Err(Why::OtherSigner { by: fact.by.clone(), signer: signed.name, commit })
    }

    /// Checks that the commit is one that the signer made to approve: a person who rebases or squashes commits signs what others wrote.
    fn is_own_commit(&self, addition: &Addition, signer: &Signer, person: &Person) -> Result<(), Why> {
        let Addition { commit, written, .. } = addition;
        let author = Identity::principal(&written.by);
        if self.people.with(&author) != *person && !Identity::of_signer(signer).contains(&author) {
            let (author, signer) = (written.by.clone(), signer.principal.clone());
            return Err(Why::OtherAuthor { author, signer, commit: commit.clone() });
        }
        if !written.has_only_approvals {
            return Err(Why::OtherFiles { commit: commit.clone() });
        }
        if written.is_again {
            return Err(Why::MadeAgain { commit: commit.clone() });
        }
        Ok(())
    }

    /// Returns when an approval was given, if that is not too early, too late or in the future.
    fn given(&self, fact: &Fact, addition: &Addition) -> Result<Timestamp, Why> {
        let Addition { commit, committed, seen, .. } = addition;
        self.has_come(fact.at)?;
        self.has_come(*committed)?;
        let apart = committed.duration_since(fact.at);
        if apart > MAX_WAIT || apart < -SKEW {
            return Err(Why::DatedApart { at: fact.at, commit: commit.clone(), committed: *committed });
        }
        let at = fact.at.min(*committed);
        self.still_counts(at)?;
        let earliest = |at: Timestamp| seen.map_or(at, |seen| at.min(seen));
        self.is_current(earliest(at))?;
        self.is_at_its_turn(earliest(*committed))?;
        Ok(at)
    }

    fn may_approve(&self, person: &Person, signer: &Signer) -> Result<(), Why> {
        let key = Identity::Key(signer.key.clone());
        if !self.listed.keys.contains(&key) && !self.listed.people.contains(person) {
            return Err(Why::NotListed { person: person.name.clone() });
        }
        if !self.rule.by_author && self.is_among(&self.subject.authors, person, &[key])? {
            return Err(Why::Author { person: person.name.clone() });
        }
        Ok(())
    }
}

fn signer(addition: &Addition) -> Result<&Signer, Why> {
    let commit = addition.commit.clone();
    match &addition.signature {
        Signature::Good(signer) => Ok(signer),
        Signature::Missing => Err(Why::Unsigned { commit }),
        Signature::Bad(why) => Err(Why::BadSignature { commit, why: why.clone() }),
        Signature::Unknown(why) => Err(Why::UntrustedKey { commit, why: why.clone() }),
        Signature::Revoked(why) => Err(Why::RevokedKey { commit, why: why.clone() }),
        Signature::Expired(why) => Err(Why::ExpiredKey { commit, why: why.clone() }),
    }
}
