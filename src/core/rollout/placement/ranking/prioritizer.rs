//! Prioritizers: what makes one cluster preferable to another, and with which weight.

use super::score;
use crate::placement::explanation::Witness;
use crate::placement::filter::candidate::Candidate;
use crate::placement::input::Input;
use crate::placement::outcome::PluginMessage;
use tidegate_api::ocm::placement::{AddOnScore, PrioritizerPolicy, ScoreCoordinate};

enum Prioritizer<'a> {
    Balance,
    Steady,
    Resource { name: &'static str, resource: &'static str },
    AddOn(&'a AddOnScore),
}

/// The combined result of the prioritizers.
pub(in crate::placement) struct Totals {
    /// The total score of each candidate, in order.
    pub(in crate::placement) scores: Vec<i64>,
    /// The warning of the last prioritizer that had one.
    pub(in crate::placement) warning: Option<PluginMessage>,
}

/// Returns the total score of each candidate: the sum of its scores, each multiplied by the weight of its prioritizer.
///
/// # Errors
/// A problem if the policy is invalid. It is returned even without candidates, as in upstream.
pub(in crate::placement) fn total_scores(
    candidates: &[Candidate<'_>],
    input: &Input<'_>,
    witness: &mut impl Witness,
) -> Result<Totals, PluginMessage> {
    let mut totals = Totals { scores: vec![0; candidates.len()], warning: None };
    let no_policy = PrioritizerPolicy::default();
    for (prioritizer, weight) in prioritizers(input.spec.prioritizer_policy.as_ref().unwrap_or(&no_policy))? {
        let (scores, warning) = prioritizer.scores(candidates, input);
        for (total, score) in totals.scores.iter_mut().zip(&scores) {
            *total += i64::from(weight) * score.unwrap_or(0);
        }
        witness.scored(&|| prioritizer.name(), weight, candidates, &scores);
        if warning.is_some() {
            totals.warning = warning;
        }
    }
    Ok(totals)
}

impl<'a> Prioritizer<'a> {
    fn of(coordinate: &Coordinate<'a>) -> Result<Self, PluginMessage> {
        if coordinate.type_ == "BuiltIn" {
            return match coordinate.built_in {
                "Balance" => Ok(Self::Balance),
                "Steady" => Ok(Self::Steady),
                "ResourceAllocatableCPU" => Ok(Self::Resource { name: "ResourceAllocatableCPU", resource: "cpu" }),
                "ResourceAllocatableMemory" => {
                    Ok(Self::Resource { name: "ResourceAllocatableMemory", resource: "memory" })
                }
                other => Err(PluginMessage::new("", format!("incorrect builtin prioritizer: {other}"))),
            };
        }
        coordinate.add_on.map(Self::AddOn).ok_or_else(|| PluginMessage::new("", "addOn should not be empty"))
    }

    fn name(&self) -> String {
        match self {
            Self::Balance => "Balance".to_owned(),
            Self::Steady => "Steady".to_owned(),
            Self::Resource { name, .. } => (*name).to_owned(),
            Self::AddOn(score) => score::plugin(score),
        }
    }

    /// Returns one score per candidate, in order; `None` if the prioritizer has no score for it.
    fn scores(&self, candidates: &[Candidate<'_>], input: &Input<'_>) -> (Vec<Option<i64>>, Option<PluginMessage>) {
        let scores = match self {
            Self::Balance => {
                let max = input.balance.max();
                let balance = |candidate: &Candidate<'_>| balance(input.balance.count(candidate.name.as_str()), max);
                candidates.iter().map(|candidate| Some(balance(candidate))).collect()
            }
            Self::Steady => {
                let steady = |candidate: &Candidate<'_>| if input.decided.contains(candidate.name) { 100 } else { 0 };
                candidates.iter().map(|candidate| Some(steady(candidate))).collect()
            }
            Self::Resource { resource, .. } => score::by_resource(candidates, resource),
            Self::AddOn(score) => return score::by_addon(candidates, score, input),
        };
        (scores, None)
    }
}

/// Scores a cluster by how many decisions of other placements name it. Truncates before doubling, as upstream does.
fn balance(count: u32, max: u32) -> i64 {
    if count == 0 {
        return 100;
    }
    2 * (100.0 * (0.5 - f64::from(count) / f64::from(max))) as i64
}

/// A coordinate in the form of upstream's weight keys, where an empty built-in name means none.
#[derive(Clone, Copy)]
struct Coordinate<'a> {
    type_: &'a str,
    built_in: &'a str,
    add_on: Option<&'a AddOnScore>,
}

impl<'a> Coordinate<'a> {
    const fn built_in(built_in: &'a str) -> Self {
        Self { type_: "BuiltIn", built_in, add_on: None }
    }

    fn of(coordinate: &'a ScoreCoordinate) -> Self {
        let ScoreCoordinate { type_, built_in, add_on } = coordinate;
        Self { type_, built_in: built_in.as_deref().unwrap_or_default(), add_on: add_on.as_ref() }
    }

    /// Returns `true` if a configuration replaces another. Upstream compares the add-on part by address, so entries with an
    /// add-on never replace each other: they add up.
    fn replaces(&self, other: &Self) -> bool {
        let alone = self.add_on.is_none() && other.add_on.is_none();
        alone && self.type_ == other.type_ && self.built_in == other.built_in
    }
}

fn prioritizers(policy: &PrioritizerPolicy) -> Result<Vec<(Prioritizer<'_>, i32)>, PluginMessage> {
    let mut weights = match policy.mode.as_str() {
        "" | "Additive" => vec![(Coordinate::built_in("Balance"), 1), (Coordinate::built_in("Steady"), 1)],
        "Exact" => Vec::new(),
        other => return Err(PluginMessage::new("", format!("incorrect prioritizer policy mode: {other}"))),
    };
    for configuration in &policy.configurations {
        let Some(coordinate) = &configuration.score_coordinate else {
            return Err(PluginMessage::new("", "scoreCoordinate field is required"));
        };
        let coordinate = Coordinate::of(coordinate);
        match weights.iter_mut().find(|(known, _)| coordinate.replaces(known)) {
            Some((_, weight)) => *weight = configuration.weight,
            None => weights.push((coordinate, configuration.weight)),
        }
    }
    let used = weights.iter().filter(|(_, weight)| *weight != 0);
    used.map(|(coordinate, weight)| Ok((Prioritizer::of(coordinate)?, *weight))).collect()
}
