//! How the plan of a pull request is shown at its commits.

use super::plans::Unplanned;
use tidegate_forge::{Annotation, CheckRun, Level, State};
use tidegate_model::plural::counted;
use tidegate_model::revision::CommitId;
use tidegate_review::proposal::document::{Change, Finding, Plan, Verdict};

/// The context of the status for the plan.
pub(super) const PLAN: &str = "tidegate/plan";

/// Returns the check run for a plan, with a message at each line that has a problem.
pub(super) fn check_run(
    commit: &CommitId,
    (state, text): (State, &str),
    (body, plan): (&str, &Plan),
    link: Option<String>,
) -> CheckRun {
    let annotation = |finding: &Finding| {
        let mut parts = finding.place.splitn(3, ':');
        let (path, line) = (parts.next()?.to_owned(), parts.next()?.parse().ok()?);
        let level = if finding.is_error { Level::Failure } else { Level::Warning };
        Some(Annotation { path, start_line: line, end_line: line, level, message: finding.message.clone() })
    };
    CheckRun {
        name: PLAN.to_owned(),
        commit: commit.clone(),
        state,
        title: text.to_owned(),
        summary: body.to_owned(),
        text: String::new(),
        link,
        annotations: plan.complaints.iter().filter_map(annotation).collect(),
    }
}

/// Returns the state of the status for a head that could not be planned, and its text.
pub(super) fn unplanned(why: &Unplanned) -> (State, String) {
    match why {
        Unplanned::Failed(why) => (State::Error, format!("it could not be planned: {why}; this is retried")),
        Unplanned::Refused(why) => (State::Failure, format!("it is not planned: {why}")),
    }
}

/// Returns the state of the status for a plan, and its text.
pub(super) fn status(plan: &Plan) -> (State, String) {
    let changed = plan.addons.iter().filter(|addon| addon.change != Change::Unchanged);
    match plan.result {
        Verdict::Nothing => (State::Success, "nothing changes".to_owned()),
        Verdict::Changes => {
            let addons = counted(changed.clone().count(), "add-on");
            let ends: Vec<&str> =
                changed.filter_map(|addon| addon.earliest.as_deref()).filter(|end| *end != "0s").collect();
            let ends = match ends.as_slice() {
                [one] => format!(", earliest end {one} after the merge"),
                _ => String::new(),
            };
            (State::Success, format!("{addons}, {}{ends}", counted(plan.clusters, "cluster")))
        }
        Verdict::Blocked => {
            let errors = plan.complaints.iter().filter(|complaint| complaint.is_error).map(ToString::to_string);
            let policies = plan.policies.iter().filter(|policy| policy.blocks()).map(ToString::to_string);
            let blocked = plan.addons.iter().flat_map(|addon| addon.blocked.iter().cloned());
            let why = errors.chain(policies).chain(blocked).next().unwrap_or_default();
            (State::Failure, format!("blocked: {why}"))
        }
    }
}
