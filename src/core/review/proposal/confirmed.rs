//! The held removals that a change confirms: they are not part of the difference between its two revisions.

use super::document::{Plan, Verdict};
use tidegate_model::plural::first_of;
use tidegate_plan::Hold;
use tidegate_plan::report::Report;
use tidegate_repository::Prune;

/// Number of clusters or objects of a removal that are named.
const NAMED: usize = 5;

/// A removal that is held, and what it is of: an add-on, or objects of the hub.
pub type Held = (String, Hold);

/// What a removal of objects that belong to no add-on is of.
const OBJECTS: &str = "objects of the hub";

/// Returns the removals of a report that no commit has confirmed.
pub fn held(report: &Report) -> Vec<Held> {
    let of_addons = report.addons.iter().filter_map(|(name, addon)| Some((name.to_string(), addon.removal.as_ref()?)));
    let of_objects = report.hold.iter().map(|hold| (OBJECTS.to_owned(), hold));
    of_addons.chain(of_objects).filter(|(_, hold)| hold.is_open()).map(|(what, hold)| (what, hold.clone())).collect()
}

/// Adds the held removals that a change from `base` to `head` confirms to its plan.
pub fn add_confirmed<'a>(plan: &mut Plan, held: impl Iterator<Item = &'a Held>, (base, head): (&Prune, &Prune)) {
    for (what, hold) in held.filter(|(_, hold)| hold.is_confirmed_by(head) && !hold.is_confirmed_by(base)) {
        let at = hold.revision.as_ref().map_or("", |revision| revision.short());
        let names = first_of(hold.held.iter().map(String::as_str), NAMED);
        plan.notices.push(format!("this confirms the removal of {what} that is held at {at}: {names}"));
        plan.result = plan.result.max(Verdict::Changes);
    }
}
