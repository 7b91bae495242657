//! Checks sealed rollouts: on their own, and against the status and the clusters.

use std::collections::BTreeMap;

use super::rollout::Known;
use super::tolerance::is_before;
use crate::audit::documents::document;
use crate::audit::documents::text::{line_of, quoted};
use crate::audit::finding::{Problem, Rule};
use tidegate_journal::record::ClusterReport;
use tidegate_journal::record::{API_VERSION, Outcome, Rollout, SealedRollout};
use tidegate_journal::{seal, sealed as document_of};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;

/// The reports of an add-on's clusters, by name.
pub(super) type Reports = BTreeMap<ClusterName, ClusterReport>;

/// The detail that a sealed rollout is compared with: the status and the clusters before and after the commit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Detail<'a> {
    /// The status before.
    pub before: &'a Known,
    /// The clusters before.
    pub had: &'a Reports,
    /// The status after.
    pub after: &'a Known,
    /// The clusters after.
    pub has: &'a Reports,
}

/// Returns the problems with a sealed rollout on its own.
pub(super) fn problems(place: (&UnitName, u32), text: &str, sealed: &SealedRollout, told: Timestamp) -> Vec<Problem> {
    let (addon, number) = place;
    let SealedRollout { api_version, kind, addon: named, rollout, problem: _, checks: _, clusters } = sealed;
    let mut found: Vec<Problem> = [
        document::identity(text, "apiVersion", api_version, API_VERSION),
        document::identity(text, "kind", kind, "Rollout"),
        document::identity(text, "addon", named.as_str(), addon.as_str()),
        document::identity(text, "number", &rollout.number.to_string(), &number.to_string()),
    ]
    .into_iter()
    .flatten()
    .collect();
    let line = |field: &str| line_of(text, &format!("{field}:"));
    match rollout.ended {
        None => found.push(Problem::new(Rule::Seal, "it has no end time").at(line("outcome"))),
        Some(ended) if ended < rollout.started => {
            let problem = Problem::new(Rule::Backwards, format!("it ended at {ended}, before it started"));
            found.push(problem.at(line("ended")).expected(format!("{}, or later", rollout.started)));
        }
        Some(ended) if is_before(Some(told), Some(ended)) => {
            let problem = format!("it ended at {ended}, later than the commit that reports it");
            found.push(Problem::new(Rule::Future, problem).at(line("ended")));
        }
        Some(_) => {}
    }
    let is_whole = match (rollout.outcome, rollout.superseded_by) {
        (Outcome::Superseded, Some(next)) => next > number,
        (Outcome::Completed | Outcome::Withdrawn, None) => true,
        _ => false,
    };
    if !is_whole {
        let problem = format!("its outcome is {:?}, superseded by {:?}", rollout.outcome, rollout.superseded_by);
        found.push(Problem::new(Rule::Outcome, problem).at(line("outcome")));
    }
    for cluster in clusters {
        if let (Some(started), Some(finished)) = (cluster.started, cluster.finished)
            && finished < started
        {
            let problem = format!("{} finished at {finished}, before it started", cluster.cluster);
            let at = line_of(text, &format!("- cluster: {}", cluster.cluster));
            found.push(Problem::new(Rule::Backwards, problem).at(at).expected(format!("{started}, or later")));
        }
    }
    if let Some(open) =
        clusters.iter().find(|c| rollout.outcome == Outcome::Completed && !c.state.is_settled() && c.left_out.is_none())
    {
        let problem = format!("it is Completed, but {} is {}", open.cluster, open.state);
        let at = line_of(text, &format!("- cluster: {}", open.cluster));
        found.push(Problem::new(Rule::Completed, problem).at(at).expected("Succeeded"));
    }
    found
}

/// Returns the first difference between a sealed rollout and the detail.
pub(super) fn contradiction(
    addon: &UnitName,
    text: &str,
    sealed: &SealedRollout,
    detail: &Detail<'_>,
) -> Option<Problem> {
    let number = sealed.rollout.number;
    let of = |known: &Known| known.rollout().filter(|r| r.number == number).cloned();
    let unknown = || {
        Problem::new(Rule::Seal, format!("rollout {number} is sealed, but the status shows another one"))
            .at(line_of(text, "number:"))
    };
    let problem_of = |known: &Known| known.status().and_then(|status| status.problem.clone());
    let (rollout, why, known, clusters) = match sealed.rollout.outcome {
        Outcome::Completed if matches!(detail.after, Known::Lost) => return None,
        Outcome::Completed => (of(detail.after), None, detail.after, detail.has),
        Outcome::Superseded | Outcome::Withdrawn if matches!(detail.before, Known::Lost) => return None,
        Outcome::Superseded | Outcome::Withdrawn => {
            let mut rollout = of(detail.before);
            if let Some(rollout) = &mut rollout {
                let (ended, rejected) = (sealed.rollout.ended, detail.after.status().and_then(|s| s.rejected.as_ref()));
                *rollout = match detail.after.rollout() {
                    Some(next) => seal::superseded(rollout.clone(), next.number, ended, rejected),
                    None => Rollout { ended, superseded_by: None, ..rollout.clone() },
                };
                rollout.outcome = sealed.rollout.outcome;
            }
            (rollout, problem_of(detail.before), detail.before, detail.had)
        }
        Outcome::InProgress => return None,
    };
    let Some(rollout) = rollout else { return Some(unknown()) };
    let checks = known.status().map(|status| status.checks.as_slice()).unwrap_or_default();
    let wanted = document_of::sealed(addon, &rollout, why.as_deref(), checks, clusters.clone());
    let wanted = tidegate_journal::yaml::yaml("", &wanted).ok()?;
    let at = crate::audit::documents::text::difference(text, std::str::from_utf8(&wanted).ok()?)?;
    let problem = format!("{} does not match the status and the clusters of rollout {number}", quoted(at.found));
    Some(Problem::new(Rule::Seal, problem).at(Some(at.line)).expected(quoted(at.wanted)))
}
