//! The phase of components that is open on one cluster.

use crate::context::{Action, Channel, Context, Subject};
use tidegate_delivery::upstream::recorded;

/// Returns the phase that is open on a cluster, which may be beyond the last one. Add-ons have a single phase.
pub(super) fn open(context: &Context<'_>, subject: &Subject<'_>) -> u32 {
    let Channel::Application(unit) = context.channel() else { return 0 };
    match subject.action {
        Action::Start => 0,
        // A cluster that is done got everything.
        Action::Soak | Action::Keep => u32::MAX,
        Action::Wait | Action::Watch | Action::Failed | Action::Leave => {
            recorded(unit, subject.name, context.works(subject.name)).map_or(0, |(_, record)| record.phase)
        }
    }
}
