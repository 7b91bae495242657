//! What evidence is judged by: the rule, the people, the subject and the time.

use std::collections::BTreeSet;

use super::identity::Identity;
use super::identity::identities;
use super::people::{People, Person};
use super::pull::Pulls;
use super::rule::{After, Rule};
use super::subject::{Authors, Subject};
use super::verdict::{Refusal, Seat, Void};
use super::why::Why;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};

/// How far the clocks of people may be ahead.
pub(super) const SKEW: SignedDuration = SignedDuration::from_mins(5);

/// Everything that evidence is judged by.
pub(super) struct Judging<'a> {
    pub(super) rule: &'a Rule,
    pub(super) people: &'a People,
    pub(super) subject: &'a Subject,
    pub(super) pulls: &'a Pulls,
    pub(super) now: Timestamp,
    pub(super) listed: Listed,
}

/// What an approval or a review means for a rule.
pub(super) enum Opinion {
    /// It is an approval that counts.
    Approved(Valid),
    /// Someone whom the rule lists refuses.
    Refused(Option<(Person, Timestamp)>, Refusal),
    /// It is an approval that does not count.
    Void(Void),
}

/// An approval that counts.
pub(super) struct Valid {
    pub(super) person: Person,
    pub(super) seat: Seat,
    /// Where it is.
    pub(super) place: Place,
}

/// Where an approval is.
pub(super) struct Place {
    pub(super) file: String,
    pub(super) by: String,
    pub(super) at: Timestamp,
    pub(super) commit: Option<CommitId>,
    pub(super) url: Option<String>,
}

impl Place {
    /// Returns the approval as one that does not count.
    pub(super) fn void(self, why: Why) -> Void {
        let Self { file, by, at, commit, url } = self;
        Void { why, file, by, at, commit, url }
    }
}

/// Those whom a rule lists.
pub(super) struct Listed {
    pub(super) people: BTreeSet<Person>,
    /// A rule that names a key wants that key, not any key of its owner.
    pub(super) keys: BTreeSet<Identity>,
}

impl Listed {
    pub(super) fn of(rule: &Rule, people: &People) -> Self {
        let mut listed = Self { people: BTreeSet::new(), keys: BTreeSet::new() };
        for name in &rule.of {
            match Identity::listed(name) {
                key @ Identity::Key(_) => {
                    listed.keys.insert(key);
                }
                _ => listed.people.extend(people.members(name)),
            }
        }
        listed
    }
}

impl Judging<'_> {
    /// Returns when an approval stops to count.
    pub(super) fn until(&self, at: Timestamp) -> Option<Timestamp> {
        let age = self.rule.max_age?;
        Some(at.saturating_add(age).unwrap_or(Timestamp::MAX))
    }

    /// Checks that a moment is not in the future.
    pub(super) fn has_come(&self, at: Timestamp) -> Result<(), Why> {
        let latest = self.now.saturating_add(SKEW).unwrap_or(Timestamp::MAX);
        if at > latest { Err(Why::Future { at }) } else { Ok(()) }
    }

    /// Checks that an approval is not too old.
    pub(super) fn still_counts(&self, at: Timestamp) -> Result<(), Why> {
        match self.until(at).filter(|until| *until <= self.now) {
            Some(until) => Err(Why::TooOld { until }),
            None => Ok(()),
        }
    }

    /// Checks that an approval is not from before the digest left force. That approval was not for its return.
    pub(super) fn is_current(&self, at: Timestamp) -> Result<(), Why> {
        match self.subject.replaced.filter(|replaced| at < *replaced) {
            Some(replaced) => Err(Why::Replaced { at: replaced }),
            None => Ok(()),
        }
    }

    /// Checks that an approval is not from before the turn of the group, if the rule wants that.
    pub(super) fn is_at_its_turn(&self, at: Timestamp) -> Result<(), Why> {
        if self.rule.after == After::Any {
            return Ok(());
        }
        let reached = self.subject.reached.ok_or(Why::NotReached)?;
        if at < reached { Err(Why::BeforeReached { reached }) } else { Ok(()) }
    }

    /// Returns everyone who took part in the change.
    pub(super) fn authors(&self) -> BTreeSet<Person> {
        self.persons(&self.subject.authors)
    }

    /// Returns the persons of authors; no one if they are not known.
    fn persons(&self, authors: &Authors) -> BTreeSet<Person> {
        let Authors::Known(authors) = authors else { return BTreeSet::new() };
        identities(authors).iter().map(|identity| self.people.with(identity)).collect()
    }
}
