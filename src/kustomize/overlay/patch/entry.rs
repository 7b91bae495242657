//! Entries of `patches` and of the two older fields that it replaces.

use std::sync::Arc;

use super::read;
use super::read::Text;
use crate::overlay::patch::json::operation;
use crate::overlay::patch::json::operation::Operation;
use crate::overlay::select::Selector;
use crate::overlay::select::field_reader::FieldReader;
use crate::yaml::{Error, Input, Node, Origin};

/// What an entry may change beyond ordinary fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether a merged patch may change the name.
    pub name: bool,
    /// Whether a merged patch may change the kind.
    pub kind: bool,
}

impl Options {
    /// Reads the `options` of an entry.
    ///
    /// # Errors
    /// [`Error`] at a field that is unknown, or neither true nor false.
    pub fn read(node: &Node) -> Result<Self, Error> {
        let fields = FieldReader::read(node, "options of a patch", &["allowNameChange", "allowKindChange"])?;
        Ok(Self { name: fields.flag("allowNameChange")?, kind: fields.flag("allowKindChange")? })
    }

    pub(super) fn any(self) -> bool {
        self.name || self.kind
    }
}

/// The name and location of an entry.
#[derive(Debug, Clone)]
pub struct Head {
    /// Its name, such as `patches[2]`.
    pub field: Arc<str>,
    /// Where it starts.
    pub origin: Origin,
}

/// An entry that was read and is ready to be applied.
#[derive(Debug, Clone)]
pub struct PatchEntry {
    pub(super) head: Head,
    pub(super) action: Action,
}

/// What an entry does.
#[derive(Debug, Clone)]
pub(super) enum Action {
    /// Nothing: the patch is empty.
    Nothing,
    /// Merges each patch into the one object that it names.
    Named {
        patches: Vec<Node>,
        options: Options,
        /// Whether the patch is prepared like one with a target.
        is_old: bool,
    },
    /// Merges one patch into all objects that a target matches.
    Selected { patch: Node, options: Options, target: Selector },
    /// Applies operations to all objects that a target matches.
    Json {
        operations: Vec<Operation>,
        target: Selector,
        /// Whether the ids of the objects are recorded first, which gives all of them annotations.
        remembers: bool,
    },
}

impl PatchEntry {
    /// Creates an entry of `patches`.
    ///
    /// # Errors
    /// [`Error`] if the input is not a patch, has several objects although there is a target, or is a JSON patch without a target.
    pub fn new(head: Head, patch: Input<'_>, target: Option<Selector>, options: Options) -> Result<Self, Error> {
        let action = match (Text::read(patch)?, target) {
            (Text::Merge(patches), _) if patches.is_empty() => Action::Nothing,
            (Text::Merge(patches), None) => Action::Named { patches, options, is_old: false },
            (Text::Merge(patches), Some(target)) => {
                let mut patches = patches.into_iter();
                match (patches.next(), patches.next()) {
                    (Some(patch), None) => Action::Selected { patch, options, target },
                    (_, Some(second)) => {
                        let message = "an entry with a target accepts one object to merge, and this is the second; make \
                                       it an entry of its own";
                        return Err(second.origin.error(message));
                    }
                    (None, None) => Action::Nothing,
                }
            }
            (Text::Json(operations), _) if operations.is_empty() => Action::Nothing,
            (Text::Json(operations), Some(target)) => Action::Json { operations, target, remembers: true },
            (Text::Json(_), None) => {
                let message = "a JSON patch does not say which object it is for; give the entry a target";
                return Err(head.origin.error(message));
            }
        };
        Ok(Self { head, action })
    }

    /// Creates an entry of `patches` from an inline patch.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(crate) fn inline(
        head: Head,
        patch: Input<'_>,
        target: Option<Selector>,
        options: Options,
    ) -> Result<Self, Error> {
        Self::new(head, read::trimmed(patch), target, options)
    }

    /// Creates an entry of `patchesStrategicMerge`.
    ///
    /// # Errors
    /// [`Error`] if the input holds anything but objects to merge.
    pub(crate) fn strategic_merge(head: Head, patch: Input<'_>) -> Result<Self, Error> {
        let patches = read::objects(patch)?;
        Ok(Self { head, action: Action::Named { patches, options: Options::default(), is_old: true } })
    }

    /// Returns `true` if it does nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        match &self.action {
            Action::Nothing => true,
            Action::Named { patches, .. } => patches.is_empty(),
            Action::Selected { .. } | Action::Json { .. } => false,
        }
    }

    /// Returns `true` if it merges objects.
    pub(crate) fn merges(&self) -> bool {
        matches!(self.action, Action::Named { .. } | Action::Selected { .. })
    }

    /// Creates an entry of `patchesJson6902`.
    ///
    /// # Errors
    /// [`Error`] if the input is not a JSON patch or is empty, or the target has no name.
    pub(crate) fn json6902(head: Head, patch: Input<'_>, target: Selector) -> Result<Self, Error> {
        if target.matches_any_name() {
            return Err(target.origin.error("the target needs a name; give it"));
        }
        let operations = operation::read(patch)?;
        if operations.is_empty() {
            return Err(head.origin.error("the patch is empty; give it operations or remove the entry"));
        }
        Ok(Self { head, action: Action::Json { operations, target, remembers: false } })
    }
}
