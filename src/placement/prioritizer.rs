//! Prioritizers: what makes one cluster preferred to another, and how much each counts.

use super::candidate::Candidate;
use super::resource;
use super::schedule::{Complaint, Input};
use crate::api::ocm::placement::{PrioritizerPolicy, ScoreCoordinate};

enum Prioritizer {
    Balance,
    Steady,
    Resource(&'static str),
}

/// Returns the total score of each candidate: the sum of its scores, each times the weight of its prioritizer.
///
/// # Shape
/// One score per candidate, in order.
///
/// # Errors
/// A complaint if the policy names what cannot be computed. It comes even without candidates, as upstream.
pub(super) fn total_scores(candidates: &[Candidate<'_>], input: &Input<'_>) -> Result<Vec<i64>, Complaint> {
    let mut totals = vec![0; candidates.len()];
    for (prioritizer, weight) in prioritizers(input.spec.prioritizer_policy.as_ref())? {
        for (total, score) in totals.iter_mut().zip(prioritizer.scores(candidates, input)) {
            *total += weight * score;
        }
    }
    Ok(totals)
}

impl Prioritizer {
    fn of(coordinate: &ScoreCoordinate) -> Result<Self, Complaint> {
        let misconfigured = |message| Err(Complaint::new("", message));
        if coordinate.type_ == "BuiltIn" {
            return match coordinate.built_in.as_deref().unwrap_or_default() {
                "Balance" => Ok(Self::Balance),
                "Steady" => Ok(Self::Steady),
                "ResourceAllocatableCPU" => Ok(Self::Resource("cpu")),
                "ResourceAllocatableMemory" => Ok(Self::Resource("memory")),
                other => misconfigured(format!("incorrect builtin prioritizer: {other}")),
            };
        }
        match &coordinate.add_on {
            // A score that is passed over would let the placement move clusters for no reason.
            Some(score) => Err(Complaint::new(
                format!("AddOn/{}/{}", score.resource_name, score.score_name),
                "scores of add-ons are not supported by this scheduler",
            )),
            None => misconfigured("addOn should not be empty".to_owned()),
        }
    }

    fn scores(&self, candidates: &[Candidate<'_>], input: &Input<'_>) -> Vec<i64> {
        match self {
            Self::Balance => {
                let max = input.balance.max();
                candidates.iter().map(|candidate| balance(input.balance.count(candidate.name.as_str()), max)).collect()
            }
            Self::Steady => {
                let steady = |candidate: &Candidate<'_>| if input.decided.contains(candidate.name) { 100 } else { 0 };
                candidates.iter().map(steady).collect()
            }
            Self::Resource(name) => resource::scores(candidates, name),
        }
    }
}

/// Scores a cluster by how many decisions of other placements name it. Cut before it is doubled, as upstream does.
fn balance(count: u32, max: u32) -> i64 {
    if count == 0 {
        return 100;
    }
    2 * (100.0 * (0.5 - f64::from(count) / f64::from(max))) as i64
}

fn prioritizers(policy: Option<&PrioritizerPolicy>) -> Result<Vec<(Prioritizer, i64)>, Complaint> {
    let built_in = |name: &str| ScoreCoordinate { type_: "BuiltIn".into(), built_in: Some(name.into()), add_on: None };
    let mut weights = match policy.map_or("", |policy| &policy.mode) {
        "" | "Additive" => vec![(built_in("Balance"), 1), (built_in("Steady"), 1)],
        "Exact" => Vec::new(),
        other => return Err(Complaint::new("", format!("incorrect prioritizer policy mode: {other}"))),
    };
    for configuration in policy.map_or(&[][..], |policy| &policy.configurations) {
        let Some(coordinate) = &configuration.score_coordinate else {
            return Err(Complaint::new("", "scoreCoordinate field is required"));
        };
        let weight = i64::from(configuration.weight);
        // Upstream compares the add-on part by address, so that entries with one never replace each other: they add up.
        match weights.iter_mut().find(|(known, _)| known.add_on.is_none() && known == coordinate) {
            Some((_, old)) => *old = weight,
            None => weights.push((coordinate.clone(), weight)),
        }
    }
    let used = weights.iter().filter(|(_, weight)| *weight != 0);
    used.map(|(coordinate, weight)| Ok((Prioritizer::of(coordinate)?, *weight))).collect()
}
