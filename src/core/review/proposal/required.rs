//! What clusters must have before they get an application.

use super::half::Half;
use tidegate_model::plural::first_of;

/// Most units that are named.
const NAMED: usize = 8;

/// Returns what holds up each cluster of a unit that requires others; `None` if it requires none.
pub(super) fn required(head: Option<&Half<'_>>) -> Option<String> {
    let required = head?.addon.requires();
    let names = first_of(required.iter().map(tidegate_model::name::UnitName::as_str), NAMED);
    (!required.is_empty()).then(|| format!("requires {names} on each cluster"))
}
