//! Where values come from: positions in sources, and the steps that changed them.

use std::fmt;
use std::sync::Arc;

use tidegate_model::diagnostic::{Diagnostic, Place};

/// A source of a [`Provenance`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(u32);

/// A step of a [`Provenance`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(u32);

/// The origin of a value, a key or a collection. Only sixteen bytes, because each node has one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The source that contains its text.
    pub source: SourceId,
    /// Line, from 1; 0 if it has no source.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    step: u32,
}

impl Origin {
    /// Creates an origin in a source.
    pub fn new(source: SourceId, line: u32, column: u32) -> Self {
        Self { source, line, column, step: 0 }
    }

    /// Creates an error about the value.
    pub fn error(self, message: impl fmt::Display) -> Error {
        Diagnostic::error(self, message.to_string())
    }

    /// Creates a warning about the value.
    pub fn warning(self, message: impl fmt::Display) -> Diagnostic<Self> {
        Diagnostic::warning(self, message.to_string())
    }

    /// Returns the same position with a step added.
    #[must_use]
    pub fn by(self, step: StepId) -> Self {
        Self { step: step.0, ..self }
    }

    /// Returns the last step that set the value; `None` if it is unchanged since it was read.
    pub fn step(self) -> Option<StepId> {
        (self.step != 0).then_some(StepId(self.step))
    }
}

/// An error in a file or a tree. [`Provenance::resolve`] returns its place.
pub type Error = Diagnostic<Origin>;

/// A change of a value after it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The field that caused it, such as `namePrefix` or `patches[2]`.
    pub field: Arc<str>,
    /// The origin of that field.
    pub at: Origin,
    /// The origin of the value that it replaced or changed.
    pub before: Option<Origin>,
    /// The origin of the new value, if it has a history of its own: a name that was changed, or the source of a replacement.
    pub from: Option<Origin>,
}

/// The sources and steps that origins refer to.
///
/// A transformer that sets many values adds one step for all of them if the previous values do not matter. If they do, it adds
/// one step for each value.
#[derive(Debug, Clone, Default)]
pub struct Provenance {
    sources: Vec<Arc<str>>,
    steps: Vec<Step>,
}

impl Provenance {
    /// Adds a source: a file by its path, or anything else with a name.
    pub fn add_source(&mut self, name: impl Into<Arc<str>>) -> SourceId {
        self.sources.push(name.into());
        SourceId(count(self.sources.len()))
    }

    /// Adds a step.
    pub fn add_step(&mut self, step: Step) -> StepId {
        self.steps.push(step);
        StepId(count(self.steps.len()))
    }

    /// Returns the name of a source; `None` for values without a source.
    pub fn source(&self, id: SourceId) -> Option<&Arc<str>> {
        self.sources.get(index(id.0)?)
    }

    /// Returns a step.
    pub fn step(&self, id: StepId) -> Option<&Step> {
        self.steps.get(index(id.0)?)
    }

    /// Returns the position of a value.
    pub fn place(&self, origin: Origin) -> Place {
        let file = self.source(origin.source).map_or("(not from a file)", |name| name);
        Place { file: file.to_owned(), line: origin.line, column: origin.column }
    }

    /// Returns a diagnostic with its place.
    pub fn resolve(&self, diagnostic: Diagnostic<Origin>) -> Diagnostic {
        diagnostic.map_place(|origin| self.place(origin))
    }

    /// Returns the steps that led to a value, the last one first.
    pub fn steps(&self, origin: Origin) -> impl Iterator<Item = &Step> {
        let mut next = origin.step();
        std::iter::from_fn(move || {
            let id = next?;
            let step = self.step(id)?;
            // A step always comes after the step it changed, so that following the steps back always ends.
            next = step.before.and_then(Origin::step).filter(|before| *before < id);
            Some(step)
        })
    }
}

/// Returns the ID of the last entry: IDs count from 1, and 0 means none.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

fn index(id: u32) -> Option<usize> {
    usize::try_from(id).ok()?.checked_sub(1)
}
