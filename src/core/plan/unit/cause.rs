//! What the works of a cluster show about why it is not done.

use crate::cluster::planned::Planned;
use crate::context::{Action, Context};
use crate::node::Child;
use tidegate_api::key;
use tidegate_delivery::Cause;
use tidegate_delivery::status::Progress;
use tidegate_model::action::Write;

/// Returns what the works of a cluster show, if that is why it is not done. While works are written, their status is about others.
pub(super) fn cause(context: &Context<'_>, child: &Child<'_>, action: Action, planned: &Planned) -> Option<Cause> {
    let is_of_works = match &planned.progress {
        Some(Progress::Unanswered | Progress::Unhosted | Progress::NotReady | Progress::Unwell { .. }) => true,
        Some(_) => false,
        None => action == Action::Failed,
    };
    let writes_works = || planned.writes.iter().filter_map(Write::key).any(|write| write.group == key::WORK_GROUP);
    if !is_of_works || writes_works() {
        return None;
    }
    tidegate_delivery::cause(context.owner, child.cluster, context.works(child.name))
}
