//! Delivers an add-on to one cluster, unless nothing has changed since it needed no writes.

use crate::cluster::application;
use crate::cluster::decide;
use crate::cluster::planned::Planned;
use crate::cluster::registration::Granted;
use crate::context::{Channel, Context, Subject};
use crate::memo::{Memo, Settled};
use crate::upstream::{assign, handover};

/// Decides what to write for one cluster.
///
/// A cluster that needed no writes and has not changed since is not evaluated again: the cost of a tick depends on what has
/// changed, not on the size of the fleet.
pub(crate) fn planned(context: &Context<'_>, subject: &Subject<'_>, memo: &mut Memo) -> Planned {
    if context.is_native() && handover::is_returning(context, subject.addon) {
        // It is handed over first.
        return Planned::default();
    }
    let inputs = decide::inputs(context, subject);
    if let Some(Settled { progress, shared }) = memo.recall(context.name, subject.name, &inputs) {
        return Planned { progress, granted: Granted { shared, ..Granted::default() }, ..Planned::default() };
    }
    let planned = match context.channel() {
        Channel::Native(_) => decide::planned(context, subject, memo),
        Channel::Upstream => assign::planned(context, subject, memo),
        Channel::Application(unit) => application::planned(context, subject, unit, memo),
    };
    let has_writes = !planned.writes.is_empty() || !planned.granted.writes.is_empty();
    if !has_writes && planned.problem.is_none() && planned.look_at().is_none() {
        let (progress, shared) = (planned.progress.clone(), planned.granted.shared.clone());
        memo.remember(context.name, subject.name, inputs, Settled { progress, shared });
    }
    planned
}
