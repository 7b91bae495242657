//! How far a cluster is with the order of components.

use super::rendering::content;
use crate::context::{Action, Channel, Context, Subject};
use tidegate_delivery::first_batch;
use tidegate_delivery::upstream::{Opened, recorded};

/// Returns how far a cluster is. The phase may be beyond the last one. Add-ons have a single phase.
pub(super) fn open(context: &Context<'_>, subject: &Subject<'_>) -> Opened {
    let Channel::Application(unit) = context.channel() else { return Opened::default() };
    let works = context.works(subject.name);
    let known = || recorded(unit, subject.name, works).map(|(_, record)| record);
    match subject.action {
        Action::Start => {
            // What the cluster was given already is no repair.
            let had = known().map(|record| record.config_references).unwrap_or_default();
            let has_had = |hash: &str| {
                let mut had = had.iter().filter_map(|reference| reference.desired_config.as_ref());
                had.any(|had| had.spec_hash == hash)
            };
            let new = subject.desired.iter().filter(|desired| !had.is_empty() && !has_had(&desired.spec_hash));
            let contents = new.filter_map(|desired| content(context, &desired.reference, &desired.spec_hash));
            let first_batch = contents.map(|content| first_batch(&content.object, works)).max().unwrap_or_default();
            Opened { phase: 0, first_batch }
        }
        // A cluster that is done got everything.
        Action::Soak | Action::Keep => Opened { phase: u32::MAX, ..known().unwrap_or_default().opened },
        Action::Wait | Action::Watch | Action::Failed | Action::Leave => known().unwrap_or_default().opened,
    }
}
