//! The comment on a pull request after it was merged: how far its rollouts are, above its plan.

use super::Options;
use super::blocks::blocks;
use super::link::{link, marker};
use crate::presentation::page::{RolloutState, rollouts};

/// Returns the comment for the rollouts of a merged pull request. `plan` is the comment with its plan, if there was one.
///
/// The first line is the same marker as that of the plan, so that the comment is replaced. A plan that does not fit into the budget is
/// left out.
pub fn progress(states: &[RolloutState], plan: Option<&str>, options: &Options) -> String {
    let marker = marker(options);
    let mut parts = vec![format!("{marker}\n### Tidegate rollout")];
    parts.extend(blocks(&rollouts(states)));
    let comment = parts.join("\n\n") + "\n";
    let plan = plan.and_then(|plan| plan.strip_prefix(marker.as_str())).map(str::trim_start);
    let room = options.budget.saturating_sub(comment.chars().count() + 1);
    match plan.filter(|plan| plan.chars().count() <= room) {
        Some(plan) => format!("{comment}\n{plan}"),
        None => link(options).map_or_else(|| comment.clone(), |link| format!("{comment}\n{link}\n")),
    }
}
