//! One side of a comparison: an add-on before or after a change.

use tidegate_plan::Outlook;
use tidegate_repository::{Loaded, Repository, Unit};

/// An add-on in one of the revisions.
pub(super) struct Half<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) repository: &'a Repository,
    pub(super) addon: &'a Unit,
    pub(super) outlook: Outlook,
}
