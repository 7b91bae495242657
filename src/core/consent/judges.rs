//! Puts together the change that is judged, and the rules that judge it. Nothing else does.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::basis::{Basis, Reach};
use super::change::{Approvals, Change, GoodDigests};
use super::continuity::{Continuity, Step};
use super::people::People;
use super::subject::{Author, Authors};
use super::vouched;
use super::voucher::Vouched;
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;

/// Whether the rules of the followed revision are in force.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum RulesInForce {
    /// They are, and no approval was needed: each change is judged by the rules before it as well.
    #[default]
    Followed,
    /// They wait for an approval. Until then, the rules before them judge as well.
    Waiting {
        /// The last revision whose rules are in force.
        before: Vouched<Arc<Basis>>,
    },
    /// They are, because the rules before them were met. They replace those.
    Approved {
        /// The revision with the approved rules.
        now: Vouched<Arc<Basis>>,
    },
}

/// The people, authors and policies that decide about a digest.
///
/// Only [`Approvals::of`] and [`Approvals::of_proposal`] create it, so no decision can use a change with other rules, or rules for which no one
/// vouches.
#[derive(Debug, Clone, PartialEq)]
pub struct Judges {
    change: Option<CommitId>,
    people: Vouched<Arc<People>>,
    authors: Authors,
    earlier: Authors,
    rules: Vec<Vouched<Arc<Basis>>>,
    continuity: Continuity,
}

impl Judges {
    /// Returns the revision that brought the digest; `None` if it is not known.
    pub fn change(&self) -> Option<&CommitId> {
        self.change.as_ref()
    }

    /// Returns the people who may approve it, with the one who vouches for them.
    pub fn people(&self) -> &Vouched<Arc<People>> {
        &self.people
    }

    /// Returns who made the change.
    pub fn authors(&self) -> &Authors {
        &self.authors
    }

    /// Returns who made the earlier changes that are judged with the last one.
    pub fn earlier(&self) -> &Authors {
        &self.earlier
    }

    /// Returns the revisions whose RolloutPolicies judge the change besides those of its own revision.
    pub fn rules(&self) -> &[Vouched<Arc<Basis>>] {
        &self.rules
    }

    /// Returns `true` if the policies before the change can be applied to the groups and placements after it. Otherwise each of their
    /// approvals is needed by every cluster.
    pub fn is_selected_as_before(&self) -> bool {
        self.continuity.is_selected_as_before
    }

    /// Returns the add-ons whose objects the change takes over. Their policies apply as well.
    pub fn predecessors(&self) -> &BTreeSet<UnitName> {
        &self.continuity.predecessors
    }

    /// Returns `true` if the change may take over objects of an add-on that is not known. Then the policies of all add-ons apply.
    pub fn has_unknown_predecessors(&self) -> bool {
        self.continuity.has_unknown_predecessors
    }

    /// Returns `true` if it is not known which clusters the policies before the change would have selected.
    pub fn is_moved(&self) -> bool {
        let Continuity { is_selected_as_before, predecessors, has_unknown_predecessors } = &self.continuity;
        !is_selected_as_before || !predecessors.is_empty() || *has_unknown_predecessors
    }

    /// Returns what judges a change of which nothing is known: no one may approve it.
    fn unknown(rules: &RulesInForce) -> Self {
        let authors = Authors::Unknown("the change to this digest is not recorded".to_owned());
        let mut judges = Self {
            change: None,
            people: Vouched::nothing(),
            earlier: authors.clone(),
            authors,
            rules: Vec::new(),
            continuity: Continuity::unknown(),
        };
        judges.apply(rules);
        judges
    }

    /// Replaces the rules before the change where those of the followed revision are approved, and adds those that are still in force.
    fn apply(&mut self, rules: &RulesInForce) {
        match rules {
            RulesInForce::Followed => {}
            RulesInForce::Waiting { before } => {
                self.people = people_of(Some(before));
                if !self.rules.contains(before) {
                    self.rules.insert(0, before.clone());
                }
            }
            RulesInForce::Approved { now } => {
                self.people = people_of(Some(now));
                self.rules = vec![now.clone()];
            }
        }
    }
}

impl Approvals {
    /// Returns what would judge a change that is not followed yet, with its authors and its commit, if it has one.
    pub fn of_proposal(
        &self,
        addon: &UnitName,
        before: Vouched<Arc<Basis>>,
        after: Option<&Reach>,
        (authors, change): (Authors, Option<CommitId>),
        good: &GoodDigests,
    ) -> Judges {
        let basis = before.fact.clone();
        let step = |later| Step { addon, before: &basis, own: basis.addons.get(addon), later };
        let continuity = after.map(|later| self.continuity(step(later), good, |_| true));
        Judges {
            change,
            people: Vouched::new(before.fact.people.clone(), before.by.clone()),
            authors,
            earlier: Authors::Known(Vec::new()),
            continuity: continuity.unwrap_or_else(Continuity::whole),
            rules: vec![before],
        }
    }

    /// Returns what judges a digest: who may approve it, who made the change to it, and the rules before it.
    ///
    /// `all_good` has the last digest of each add-on that all clusters completed: all changes since then are judged together by the rules
    /// before the first one, because the digest contains all of them. Without it, all recorded changes are. A digest that is good itself is
    /// judged by the rules in force alone.
    pub fn of(&self, addon: &UnitName, digest: &Digest, all_good: &GoodDigests, rules: &RulesInForce) -> Judges {
        let good = all_good.get(addon);
        let all = self.changes.get(addon).map(Vec::as_slice).unwrap_or_default();
        let mut chain = all.iter().skip_while(|change| change.digest != *digest);
        let Some(last) = chain.next() else { return Judges::unknown(rules) };
        let made = |change: &Change| vouched::of_change(change, addon, &self.pulls);
        if good == Some(digest) {
            let mut judges = Judges {
                change: Some(last.commit.clone()),
                people: people_of(last.rules.first()),
                authors: made(last),
                earlier: Authors::Known(Vec::new()),
                rules: Vec::new(),
                continuity: Continuity::whole(),
            };
            judges.apply(rules);
            return judges;
        }
        let is_first = |change: &Change| change.from.is_none() || (good.is_some() && change.from.as_ref() == good);
        let mut first = last;
        let mut earlier: Vec<Authors> = Vec::new();
        while !is_first(first) {
            let Some(change) = chain.next() else { break };
            earlier.push(made(change));
            first = change;
        }
        let gap = (!is_first(first)).then(|| Authors::Unknown("older changes are not recorded".to_owned()));
        let earlier = gap.unwrap_or_else(|| together(&earlier));
        // The changes of an add-on that left are forgotten if it is on no cluster.
        let is_known = |other: &UnitName| self.changes.contains_key(other) || last.after.addons.contains_key(other);
        let own = first.before.addons.get(addon).filter(|_| !first.is_of_new());
        let step = |later| Step { addon, before: &first.before, own, later };
        let is_readable = first.from.is_none() || own.is_some();
        let later = last.after.addons.get(addon).filter(|_| is_readable);
        let continuity = later.map(|later| self.continuity(step(later), all_good, is_known));
        let mut judges = Judges {
            change: Some(last.commit.clone()),
            people: people_of(first.rules.first()),
            authors: together([&made(last), &earlier]),
            earlier,
            rules: first.rules.clone(),
            continuity: continuity.unwrap_or_else(Continuity::unknown),
        };
        judges.apply(rules);
        judges
    }
}

fn people_of(rules: Option<&Vouched<Arc<Basis>>>) -> Vouched<Arc<People>> {
    rules.map_or_else(Vouched::nothing, |rules| Vouched::new(rules.fact.people.clone(), rules.by.clone()))
}

/// Returns the authors of several changes. They are unknown if those of one change are.
pub(super) fn together<'a>(all: impl IntoIterator<Item = &'a Authors>) -> Authors {
    let mut found: Vec<Author> = Vec::new();
    for authors in all {
        match authors {
            Authors::Known(known) => found.extend(known.iter().cloned()),
            Authors::Unknown(why) => return Authors::Unknown(why.clone()),
        }
    }
    Authors::known(found)
}
