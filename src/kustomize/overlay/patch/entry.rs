//! Entries of `patches` and of the two fields that came before it.

use std::sync::Arc;

use super::operation::{self, Operation};
use super::text::{self, Text};
use crate::overlay::select::{Members, Selector};
use crate::yaml::{Fault, Input, Node, Origin};

/// What an entry allows besides patching.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// A merged patch may change the name.
    pub name: bool,
    /// A merged patch may change the kind.
    pub kind: bool,
}

impl Options {
    /// Reads `options` of a kustomization file.
    ///
    /// # Errors
    /// [`Fault`] at what is no field of it, or neither true nor false.
    pub fn read(node: &Node) -> Result<Self, Fault> {
        let members = Members::read(node, "options of a patch", &["allowNameChange", "allowKindChange"])?;
        Ok(Self { name: members.flag("allowNameChange")?, kind: members.flag("allowKindChange")? })
    }

    pub(super) fn any(self) -> bool {
        self.name || self.kind
    }
}

/// Where an entry stands.
#[derive(Debug, Clone)]
pub struct Head {
    /// What it is called, such as `patches[2]`.
    pub field: Arc<str>,
    /// Where it begins.
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
        /// Whether the patch is brought into the form that patches with a target have.
        is_old: bool,
    },
    /// Merges one patch into all objects of a target.
    Selected { patch: Node, options: Options, target: Selector },
    /// Carries operations out on all objects of a target.
    Json {
        operations: Vec<Operation>,
        target: Selector,
        /// Whether what the objects are called is kept first, which gives all of them annotations.
        remembers: bool,
    },
}

impl PatchEntry {
    /// Makes an entry of `patches`.
    ///
    /// # Errors
    /// [`Fault`] if the text is no patch, or does not go with the target.
    pub fn new(head: Head, patch: Input<'_>, target: Option<Selector>, options: Options) -> Result<Self, Fault> {
        let action = match (Text::read(patch)?, target) {
            (Text::Merge(patches), _) if patches.is_empty() => Action::Nothing,
            (Text::Merge(patches), None) => Action::Named { patches, options, is_old: false },
            (Text::Merge(patches), Some(target)) => {
                let mut patches = patches.into_iter();
                match (patches.next(), patches.next()) {
                    (Some(patch), None) => Action::Selected { patch, options, target },
                    (_, Some(second)) => {
                        let message = "an entry with a target takes one object to merge, and this is the second; make \
                                       an entry of it";
                        return Err(Fault::new(second.origin, message));
                    }
                    (None, None) => Action::Nothing,
                }
            }
            (Text::Json(operations), _) if operations.is_empty() => Action::Nothing,
            (Text::Json(operations), Some(target)) => Action::Json { operations, target, remembers: true },
            (Text::Json(_), None) => {
                let message = "a JSON patch does not say which object it is for; give the entry a target";
                return Err(Fault::new(head.origin, message));
            }
        };
        Ok(Self { head, action })
    }

    /// Makes an entry of `patches` of a text in the kustomization file.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn inline(head: Head, patch: Input<'_>, target: Option<Selector>, options: Options) -> Result<Self, Fault> {
        Self::new(head, text::trimmed(patch), target, options)
    }

    /// Makes an entry of `patchesStrategicMerge`.
    ///
    /// # Errors
    /// [`Fault`] if the text holds no objects to merge.
    pub fn strategic_merge(head: Head, patch: Input<'_>) -> Result<Self, Fault> {
        let patches = text::objects(patch)?;
        Ok(Self { head, action: Action::Named { patches, options: Options::default(), is_old: true } })
    }

    /// Returns `true` if it does nothing.
    pub(in crate::overlay) fn is_nothing(&self) -> bool {
        match &self.action {
            Action::Nothing => true,
            Action::Named { patches, .. } => patches.is_empty(),
            Action::Selected { .. } | Action::Json { .. } => false,
        }
    }

    /// Makes an entry of `patchesJson6902`.
    ///
    /// # Errors
    /// [`Fault`] if the text is no JSON patch or an empty one, or the target has no name.
    pub fn json6902(head: Head, patch: Input<'_>, target: Selector) -> Result<Self, Fault> {
        if target.takes_any_name() {
            return Err(Fault::new(target.origin, "the target needs a name; give it"));
        }
        let operations = operation::read(patch)?;
        if operations.is_empty() {
            return Err(Fault::new(head.origin, "the patch is empty; give it operations or remove the entry"));
        }
        Ok(Self { head, action: Action::Json { operations, target, remembers: false } })
    }
}
