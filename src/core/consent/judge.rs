//! Judges a rule: which approvals count, and whether they are enough.

use std::collections::{BTreeMap, BTreeSet};

use super::change::Approvals;
use super::fact::Fact;
use super::identity::is_membership;
use super::judging::{Judging, Listed, Opinion, Place, Valid};
use super::people::{People, Person};
use super::rule::Rule;
use super::subject::Subject;
use super::verdict::{Missing, Refusal, Seat, State, Verdict};
use super::why::Why;
use tidegate_model::time::Timestamp;

/// Judges a rule. `now` is the time of the daemon.
///
/// Approvals of other add-ons are ignored. The age of an approval in Git counts from the earlier one of the time in the entry and the time
/// of the commit that added it, because its author chooses both.
pub fn judge(rule: &Rule, people: &People, approvals: &Approvals, subject: &Subject, now: Timestamp) -> Verdict {
    let pulls = &*approvals.pulls;
    let judging = Judging { rule, people, subject, pulls, now, listed: Listed::of(rule, people) };
    let mut seats: BTreeMap<Person, Vec<(Seat, Place)>> = BTreeMap::new();
    let (mut void, mut refusals) = (Vec::new(), Vec::new());
    let facts: BTreeSet<&Fact> = approvals.facts.iter().filter(|fact| fact.addon == subject.addon).collect();
    let facts = facts.into_iter().map(|fact| judging.of_fact(fact));
    let reviews = pulls.iter().flat_map(|(number, pull)| judging.of_pull(*number, pull));
    for opinion in facts.chain(reviews) {
        match opinion {
            Opinion::Approved(Valid { person, seat, place }) => seats.entry(person).or_default().push((seat, place)),
            Opinion::Refused(by, refusal) => refusals.push((by, refusal)),
            Opinion::Void(reason) => void.push(reason),
        }
    }
    // The last word of a person counts: an approval after a refusal replaces it.
    let is_replaced = |by: &Option<(Person, Timestamp)>| {
        let by = by.as_ref().and_then(|(person, at)| Some((seats.get(person)?, at)));
        by.is_some_and(|(seats, at)| seats.iter().any(|(seat, _)| seat.at > *at))
    };
    refusals.retain(|(by, _)| !is_replaced(by));
    let refused: BTreeSet<Refusal> = refusals.into_iter().map(|(_, refusal)| refusal).collect();
    let (mut have, mut seated) = (Vec::new(), BTreeSet::new());
    for (person, mut seats) in seats {
        // The newest one counts longest.
        seats.sort_by(|(a, _), (b, _)| (a.at, &a.commit, &a.review).cmp(&(b.at, &b.commit, &b.review)));
        let Some((best, _)) = seats.pop() else { continue };
        let duplicate = || Why::Duplicate { person: person.name.clone(), commit: best.commit.clone() };
        void.extend(seats.into_iter().map(|(_, place)| place.void(duplicate())));
        have.push(best);
        seated.insert(person);
    }
    have.sort_by(|a, b| (a.at, &a.person).cmp(&(b.at, &b.person)));
    void.sort();
    let need = rule.need();
    let count = need.saturating_sub(u32::try_from(have.len()).unwrap_or(u32::MAX));
    let state = if count == 0 && refused.is_empty() { State::Met } else { State::Open };
    Verdict {
        rule: rule.name.clone(),
        group: subject.group.clone(),
        state,
        need,
        missing: (state == State::Open).then(|| judging.missing(count, &seated, refused)),
        expires: judging.expires(&have),
        have,
        void,
    }
}

impl Judging<'_> {
    /// Returns what would open the gate.
    fn missing(&self, count: u32, seated: &BTreeSet<Person>, refused: BTreeSet<Refusal>) -> Missing {
        let authors = if self.rule.by_author { BTreeSet::new() } else { self.authors() };
        let keys = self.listed.keys.iter().map(|key| self.people.with(key));
        let may = self.listed.people.iter().cloned().chain(keys);
        let left: BTreeSet<String> =
            may.filter(|person| !seated.contains(person) && !authors.contains(person)).map(|p| p.name).collect();
        let teams = self.rule.of.iter().filter(|name| is_membership(name)).cloned();
        let who = left.into_iter().chain(teams).collect();
        let unknown = self.rule.of.iter().filter(|name| !self.people.knows(name)).cloned().collect();
        Missing { count, who, unknown, refused: refused.into_iter().collect(), on: self.reviewable() }
    }

    /// Returns when fewer approvals count than the rule needs.
    fn expires(&self, have: &[Seat]) -> Option<Timestamp> {
        let mut until: Vec<Timestamp> = have.iter().filter_map(|seat| self.until(seat.at)).collect();
        until.sort_by(|a, b| b.cmp(a));
        let last = usize::try_from(self.rule.need()).ok()?.checked_sub(1)?;
        until.get(last).copied()
    }
}
