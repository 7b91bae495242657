//! Predicates: the filter for the candidates that a Placement wants.

use super::candidate::Candidate;
use super::expression::Subject;
use super::selector::ClusterSelector;
use crate::placement::input::Input;
use crate::placement::outcome::PluginMessage;
use tidegate_cel::Evaluator;

/// Upstream's name for the filter.
pub(in crate::placement) const PLUGIN: &str = "Predicate";

/// Keeps the candidates that meet at least one predicate, or all candidates if there are no predicates.
///
/// # Errors
/// A problem about the first predicate that cannot be compiled. Without candidates nothing is compiled, as in
/// upstream.
pub(in crate::placement) fn filter<'a>(
    candidates: Vec<Candidate<'a>>,
    input: &Input<'_>,
) -> Result<Vec<Candidate<'a>>, PluginMessage> {
    let predicates = &input.spec.predicates;
    if predicates.is_empty() || candidates.is_empty() {
        return Ok(candidates);
    }
    let selectors = predicates
        .iter()
        .map(|predicate| match &predicate.required_cluster_selector {
            Some(selector) => ClusterSelector::of_predicate(selector),
            None => Ok(ClusterSelector::default()),
        })
        .collect::<Result<Vec<_>, _>>()
        .map_err(|problem| PluginMessage::new(PLUGIN, problem))?;
    let mut kept = candidates;
    let mut evaluator = Evaluator::default();
    kept.retain(|candidate| {
        let subject = Subject::new(candidate.cluster);
        selectors.iter().any(|selector| selector.matches_wholly(&subject, input.scores, &mut evaluator))
    });
    Ok(kept)
}
