//! How a run of the scheduler reached its decision, step by step.

use std::collections::BTreeMap;

use super::filter::candidate::{Candidate, Sets};
use super::outcome::Code;
use tidegate_model::name::ClusterName;

/// The steps of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The sets that the Placement may choose from, sorted.
    pub eligible_sets: Vec<String>,
    /// Their members that are not being deleted, sorted.
    pub available: Vec<ClusterName>,
    /// The result of each filter, in the order in which they ran.
    pub filters: Vec<FilterResult>,
    /// The result of each prioritizer, in the order in which they ran.
    pub prioritizers: Vec<PrioritizerResult>,
    /// How the selection of clusters ended, before they are divided into groups; `None` if a set is broken.
    pub code: Option<Code>,
}

/// The result of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterResult {
    /// Upstream's name for the filter.
    pub name: &'static str,
    /// The clusters that passed, sorted.
    pub clusters: Vec<ClusterName>,
}

/// The result of a prioritizer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrioritizerResult {
    /// Upstream's name for the prioritizer.
    pub name: String,
    /// The factor that its scores are multiplied by.
    pub weight: i32,
    /// Its scores. A cluster without a score is left out, and counts as 0.
    pub scores: BTreeMap<ClusterName, i64>,
}

/// An observer of a run.
pub(super) trait Witness {
    /// The sets were found.
    fn found(&mut self, sets: &Sets<'_>);
    /// The members of the sets were found.
    fn offered(&mut self, candidates: &[Candidate<'_>]);
    /// A filter has run.
    fn filtered(&mut self, filter: &'static str, candidates: &[Candidate<'_>]);
    /// A prioritizer has run.
    fn scored(&mut self, name: &dyn Fn() -> String, weight: i32, candidates: &[Candidate<'_>], scores: &[Option<i64>]);
    /// Clusters have been chosen, or choosing them failed.
    fn chosen(&mut self, code: &Code);
}

/// Observes nothing.
impl Witness for () {
    fn found(&mut self, _: &Sets<'_>) {}
    fn offered(&mut self, _: &[Candidate<'_>]) {}
    fn filtered(&mut self, _: &'static str, _: &[Candidate<'_>]) {}
    fn scored(&mut self, _: &dyn Fn() -> String, _: i32, _: &[Candidate<'_>], _: &[Option<i64>]) {}
    fn chosen(&mut self, _: &Code) {}
}

impl Witness for Explanation {
    fn found(&mut self, sets: &Sets<'_>) {
        self.eligible_sets = sets.eligible.iter().map(|name| (*name).to_owned()).collect();
    }

    fn offered(&mut self, candidates: &[Candidate<'_>]) {
        self.available = names(candidates);
    }

    fn filtered(&mut self, name: &'static str, candidates: &[Candidate<'_>]) {
        self.filters.push(FilterResult { name, clusters: names(candidates) });
    }

    fn scored(&mut self, name: &dyn Fn() -> String, weight: i32, candidates: &[Candidate<'_>], scores: &[Option<i64>]) {
        let scored = candidates.iter().zip(scores);
        let scores = scored.filter_map(|(candidate, score)| Some((candidate.name.clone(), (*score)?))).collect();
        self.prioritizers.push(PrioritizerResult { name: name(), weight, scores });
    }

    fn chosen(&mut self, code: &Code) {
        self.code = Some(code.clone());
    }
}

fn names(candidates: &[Candidate<'_>]) -> Vec<ClusterName> {
    candidates.iter().map(|candidate| candidate.name.clone()).collect()
}
