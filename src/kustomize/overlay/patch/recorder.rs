//! Records where the values that a patch sets come from, and whether it changes anything.

use std::sync::Arc;

use crate::overlay::model::Resource;
use crate::yaml::{Node, Origin, Provenance, Step, StepId};

/// Assigns origins to the values that one entry sets.
#[derive(Debug)]
pub(crate) struct Recorder<'a> {
    provenance: &'a mut Provenance,
    field: Arc<str>,
    at: Origin,
    /// The step of all values that replaced nothing.
    added: Option<StepId>,
    /// Whether anything was changed.
    pub(crate) changed: bool,
    /// What is lost, and why.
    pub(crate) lost: Vec<(Origin, &'static str)>,
}

impl<'a> Recorder<'a> {
    /// Creates the recorder of an entry with its name, such as `patches[2]`, and location.
    pub(crate) fn new(provenance: &'a mut Provenance, field: &Arc<str>, at: Origin) -> Self {
        Self { provenance, field: Arc::clone(field), at, added: None, changed: false, lost: Vec::new() }
    }

    fn step(&mut self, before: Option<Origin>, from: Option<Origin>) -> StepId {
        self.provenance.add_step(Step { field: Arc::clone(&self.field), at: self.at, before, from })
    }

    /// Returns the origin of a value that replaces nothing.
    pub(crate) fn add(&mut self, origin: Origin) -> Origin {
        self.changed = true;
        let step = match self.added {
            Some(step) => step,
            None => {
                let step = self.step(None, None);
                *self.added.insert(step)
            }
        };
        origin.by(step)
    }

    /// Copies what the entry set in one place of a shared value to its other places.
    pub(crate) fn share(&self, resource: &mut Resource) {
        resource.share_changes(self.provenance, &|field| *field == *self.field);
    }

    /// Records a tree that replaces the value at `before`, or nothing.
    pub(crate) fn record(&mut self, node: &mut Node, before: Option<Origin>) {
        // A value without a location is a placeholder that was never in a file.
        let before = before.filter(|before| before.line > 0);
        let from = Some(node.origin).filter(|from| from.step().is_some());
        let step = match (before, from) {
            (None, None) => self.add(Origin::default()).step(),
            _ => {
                self.changed = true;
                Some(self.step(before, from))
            }
        };
        let Some(step) = step else { return };
        node.reorigin(&|origin| origin.by(step));
    }
}
