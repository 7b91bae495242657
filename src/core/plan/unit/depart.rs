//! Removes an add-on from the clusters that should not have it, in their turn.

use super::membership::Unwanted;
use super::rule::Rulings;
use crate::context::{Context, Planned};
use crate::removal::hooks;
use crate::removal::rollout::Leaving;
use crate::removal::withdraw;
use crate::report::builder;
use crate::report::obstacle::Obstacle;
use crate::upstream::handover;

/// Adds to the plan what happens to the clusters that an add-on leaves. `installs` clusters are to get it for the first time.
pub(super) fn depart(
    context: &Context<'_>,
    unwanted: Unwanted<'_>,
    rulings: &Rulings<'_, '_>,
    installs: usize,
    planned: &mut Planned,
) {
    let waits = context.input.repository.settings.prune.wait_for_installs && installs > 0;
    let strategies: Vec<_> = rulings
        .nodes()
        .filter_map(|node| Some((node.placement.as_ref()?.to_string(), node.strategy.clone())))
        .collect();
    let paused = context.input.pause(context.name).map(Obstacle::paused);
    let obstacle = match rulings.stopped() {
        _ if paused.is_some() => paused,
        _ if !context.rules.removes_in_order => None,
        Some(_) => Some(Obstacle::Stopped),
        None => waits.then_some(Obstacle::Installs { unfinished: installs }),
    };
    let Unwanted { total, leaving, foreign } = unwanted;
    let Context { name: addon, occupants, .. } = *context;
    let leaving = Leaving { addon, strategies: &strategies, total, clusters: leaving, occupants, obstacle };
    withdraw::depart(context.input, &leaving, planned);
    planned.notices.extend(withdraw::kept(context.name, &foreign));
    for (name, _) in context.observed().filter(|(name, _)| !foreign.contains_key(name)) {
        let report = || builder::unselected(context.input.past.cluster(context.name, name));
        planned.report.clusters.entry(name.clone()).or_insert_with(report);
    }
    handover::run(context, planned);
    if let Some(name) = context.unit.addon_name() {
        hooks::run(context.input, name, planned);
    }
}
