//! Judges a rule: which approvals count, and whether they are enough.

use std::collections::{BTreeMap, BTreeSet};

use super::fact::{Addition, Fact, Signature, Signer, Source};
use super::identity::Identity;
use super::people::{People, Person};
use super::rule::{After, Rule};
use super::subject::{Authors, Subject};
use super::verdict::{Missing, Seat, State, Verdict, Void};
use super::why::Why;
use tidegate_model::time::{SignedDuration, Timestamp};

/// Minimum number of digits of a digest in an approval.
const MIN_DIGITS: usize = 12;
/// How far the clocks of people may be ahead.
const SKEW: SignedDuration = SignedDuration::from_mins(5);
/// How long an approval may wait for its commit.
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(24);

/// An approval that counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Valid<'a> {
    at: Timestamp,
    fact: &'a Fact,
    addition: &'a Addition,
    signer: &'a Signer,
}

/// Judges a rule. `now` is the time of the daemon.
///
/// Facts of other add-ons are ignored. The age of an approval counts from the earlier one of the time in the entry and the time of
/// the commit that added it, because its author chooses both.
pub fn judge(rule: &Rule, people: &People, facts: &[Fact], subject: &Subject, now: Timestamp) -> Verdict {
    let judging = Judging { rule, people, subject, now, listed: Listed::of(rule, people) };
    let mut seats: BTreeMap<Person, Vec<Valid<'_>>> = BTreeMap::new();
    let mut void = Vec::new();
    let facts: BTreeSet<&Fact> = facts.iter().filter(|fact| fact.addon == subject.addon).collect();
    for fact in facts {
        match judging.counts(fact) {
            Ok((person, valid)) => seats.entry(person).or_default().push(valid),
            Err(why) => void.push(of(fact, why)),
        }
    }
    let mut have = Vec::new();
    for (person, valid) in &seats {
        // The newest one counts longest.
        let Some(best) = valid.iter().max() else { continue };
        let commit = &best.addition.commit;
        let duplicate = || Why::Duplicate { person: person.name.clone(), commit: commit.clone() };
        void.extend(valid.iter().filter(|other| *other != best).map(|other| of(other.fact, duplicate())));
        have.push(seat(person, best));
    }
    have.sort_by(|a, b| (a.at, &a.person).cmp(&(b.at, &b.person)));
    void.sort();
    let need = rule.need();
    let count = need.saturating_sub(u32::try_from(have.len()).unwrap_or(u32::MAX));
    let state = if count == 0 { State::Met } else { State::Open };
    Verdict {
        rule: rule.name.clone(),
        group: subject.group.clone(),
        state,
        need,
        missing: (state == State::Open).then(|| judging.missing(count, &seats)),
        expires: judging.expires(&have),
        have,
        void,
    }
}

fn seat(person: &Person, valid: &Valid<'_>) -> Seat {
    Seat {
        person: person.name.clone(),
        commit: valid.addition.commit.clone(),
        signer: valid.signer.principal.clone(),
        key: valid.signer.key.clone(),
        at: valid.at,
        reason: valid.fact.reason.clone(),
        break_glass: valid.fact.break_glass,
    }
}

fn of(fact: &Fact, why: Why) -> Void {
    let commit = fact.added.first().map(|addition| addition.commit.clone());
    Void { why, file: fact.file.clone(), by: fact.by.clone(), at: fact.at, commit }
}

/// Those whom a rule lists.
struct Listed {
    people: BTreeSet<Person>,
    /// A rule that names a key wants that key, not any key of its owner.
    keys: BTreeSet<Identity>,
}

impl Listed {
    fn of(rule: &Rule, people: &People) -> Self {
        let mut listed = Self { people: BTreeSet::new(), keys: BTreeSet::new() };
        for name in &rule.of {
            match Identity::listed(name) {
                key @ Identity::Key(_) => {
                    listed.keys.insert(key);
                }
                Identity::Principal(_) => listed.people.extend(people.members(name)),
            }
        }
        listed
    }
}

/// Everything that an approval is judged by.
struct Judging<'a> {
    rule: &'a Rule,
    people: &'a People,
    subject: &'a Subject,
    now: Timestamp,
    listed: Listed,
}

impl Judging<'_> {
    /// Returns whose approval a fact is, or why it does not count.
    fn counts<'f>(&self, fact: &'f Fact) -> Result<(Person, Valid<'f>), Why> {
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
        found.ok_or_else(|| refused.unwrap_or(Why::UnknownCommit))
    }

    fn is_about_this(&self, fact: &Fact) -> Result<(), Why> {
        let Fact { digest, group, instance, .. } = fact;
        let is_hex = digest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if digest.len() < MIN_DIGITS || !is_hex {
            return Err(Why::ShortDigest { digest: digest.clone() });
        }
        if !self.subject.digest.as_str().starts_with(digest.as_str()) {
            return Err(Why::OtherDigest { digest: digest.clone() });
        }
        if *group != self.subject.group || *group != self.rule.group {
            return Err(Why::OtherGroup { group: group.clone() });
        }
        match instance {
            Some(instance) if *instance == self.subject.instance => Ok(()),
            Some(instance) => Err(Why::OtherInstance { instance: instance.to_string() }),
            // A merge commit cannot name an instance. It is only looked at in the history of the followed branch.
            None if fact.source == Source::Trailer => Ok(()),
            None => Err(Why::NoInstance),
        }
    }

    fn is_proven<'f>(&self, fact: &'f Fact, addition: &'f Addition) -> Result<(Person, Valid<'f>), Why> {
        let signer = signer(addition)?;
        let person = self.person(fact, addition, signer)?;
        let at = self.given(fact, addition)?;
        self.may_approve(&person, signer, fact.source)?;
        if self.rule.break_glass && !fact.break_glass {
            return Err(Why::NotBreakGlass);
        }
        Ok((person, Valid { at, fact, addition, signer }))
    }

    /// Returns who approved: the person whom the entry names, if the same person signed.
    fn person(&self, fact: &Fact, addition: &Addition, signer: &Signer) -> Result<Person, Why> {
        let not_one = || Why::NotOnePerson { by: fact.by.clone() };
        if fact.source == Source::Trailer {
            if !self.people.may_vouch(signer) {
                return Err(Why::MayNotVouch { signer: signer.principal.clone() });
            }
            return self.people.addressed(&fact.by).ok_or_else(not_one);
        }
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

    /// Returns when an approval was given, if that is not too early, too late or in the future.
    fn given(&self, fact: &Fact, addition: &Addition) -> Result<Timestamp, Why> {
        let Addition { commit, committed, seen, .. } = addition;
        let latest = self.now.saturating_add(SKEW).unwrap_or(Timestamp::MAX);
        if let Some(at) = [fact.at, *committed].into_iter().find(|at| *at > latest) {
            return Err(Why::Future { at });
        }
        let apart = committed.duration_since(fact.at);
        if apart > MAX_WAIT || apart < -SKEW {
            return Err(Why::DatedApart { at: fact.at, commit: commit.clone(), committed: *committed });
        }
        let at = fact.at.min(*committed);
        if let Some(until) = self.until(at).filter(|until| *until <= self.now) {
            return Err(Why::TooOld { until });
        }
        if self.rule.after == After::Reached {
            let reached = self.subject.reached.ok_or(Why::NotReached)?;
            if *committed < reached || seen.is_some_and(|seen| seen < reached) {
                return Err(Why::BeforeReached { reached });
            }
        }
        Ok(at)
    }

    /// Returns when an approval stops to count.
    fn until(&self, at: Timestamp) -> Option<Timestamp> {
        let age = self.rule.max_age?;
        Some(at.saturating_add(age).unwrap_or(Timestamp::MAX))
    }

    fn may_approve(&self, person: &Person, signer: &Signer, source: Source) -> Result<(), Why> {
        let has_key = source == Source::Entry && self.listed.keys.contains(&Identity::Key(signer.key.clone()));
        if !has_key && !self.listed.people.contains(person) {
            return Err(Why::NotListed { person: person.name.clone() });
        }
        if self.rule.by_author {
            return Ok(());
        }
        match &self.subject.authors {
            Authors::Unknown(why) => Err(Why::AuthorsUnknown { why: why.clone() }),
            Authors::Known(_) if self.authors().contains(person) => Err(Why::Author { person: person.name.clone() }),
            // A person may be in no list, and then only the key connects the two.
            Authors::Known(authors) => {
                let is_key = |author: &Signer| author.key == signer.key && source == Source::Entry;
                match authors.iter().filter_map(|author| author.signer.as_ref()).any(is_key) {
                    true => Err(Why::Author { person: person.name.clone() }),
                    false => Ok(()),
                }
            }
        }
    }

    /// Returns everyone who took part in the change.
    fn authors(&self) -> BTreeSet<Person> {
        let Authors::Known(authors) = &self.subject.authors else { return BTreeSet::new() };
        let of_emails = authors.iter().flat_map(|author| &author.emails).map(|email| Identity::principal(email));
        let of_signers = authors.iter().filter_map(|author| author.signer.as_ref()).flat_map(Identity::of_signer);
        of_emails.chain(of_signers).map(|identity| self.people.with(&identity)).collect()
    }

    /// Returns what would open the gate.
    fn missing(&self, count: u32, seats: &BTreeMap<Person, Vec<Valid<'_>>>) -> Missing {
        let authors = if self.rule.by_author { BTreeSet::new() } else { self.authors() };
        let keys = self.listed.keys.iter().map(|key| self.people.with(key));
        let may = self.listed.people.iter().cloned().chain(keys);
        let left: BTreeSet<String> =
            may.filter(|person| !seats.contains_key(person) && !authors.contains(person)).map(|p| p.name).collect();
        let unknown = self.rule.of.iter().filter(|name| !self.people.knows(name)).cloned().collect();
        Missing { count, who: left.into_iter().collect(), unknown }
    }

    /// Returns when fewer approvals count than the rule needs.
    fn expires(&self, have: &[Seat]) -> Option<Timestamp> {
        let mut until: Vec<Timestamp> = have.iter().filter_map(|seat| self.until(seat.at)).collect();
        until.sort_by(|a, b| b.cmp(a));
        let last = usize::try_from(self.rule.need()).ok()?.checked_sub(1)?;
        until.get(last).copied()
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
