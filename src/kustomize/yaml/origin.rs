//! Where values come from: places in sources, and the steps that set them.

use std::fmt;
use std::sync::Arc;

/// A source of a [`Provenance`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(u32);

/// A step of a [`Provenance`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(u32);

/// Where a value, a key or a collection comes from. Sixteen bytes, so that each node can have one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The source that its text stands in.
    pub source: SourceId,
    /// Line, from 1; 0 if it stands in no source.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    step: u32,
}

impl Origin {
    /// Makes the origin of what stands in a source.
    pub fn new(source: SourceId, line: u32, column: u32) -> Self {
        Self { source, line, column, step: 0 }
    }

    /// Returns the same place, reached by a step.
    #[must_use]
    pub fn by(self, step: StepId) -> Self {
        Self { step: step.0, ..self }
    }

    /// Returns the last step that set the value; `None` if it is as it was read.
    pub fn step(self) -> Option<StepId> {
        (self.step != 0).then_some(StepId(self.step))
    }
}

/// What set a value after it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it was, such as `namePrefix` or `patches[2]`.
    pub field: Arc<str>,
    /// Where that stands.
    pub at: Origin,
    /// Where the value came from that it replaced or changed.
    pub before: Option<Origin>,
    /// Where the value that was put there came from, if it has a history of its own: a name that was changed, or the source of a
    /// replacement.
    pub from: Option<Origin>,
}

/// A place for people to go to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The path of the file, or what else names the source.
    pub file: Arc<str>,
    /// Line, from 1; 0 if none is known.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}:{}", self.file, self.column),
        }
    }
}

/// The sources and steps that origins speak of.
///
/// A transformer that sets many values adds one step for all of them if what was there before does not matter, and one for each
/// otherwise.
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

    /// Returns the name of a source; nothing is the source of what was made without one.
    pub fn source(&self, id: SourceId) -> Option<&Arc<str>> {
        self.sources.get(index(id.0)?)
    }

    /// Returns a step.
    pub fn step(&self, id: StepId) -> Option<&Step> {
        self.steps.get(index(id.0)?)
    }

    /// Returns where a value stands.
    pub fn place(&self, origin: Origin) -> Place {
        let file = self.source(origin.source).cloned().unwrap_or_else(|| Arc::from("(made by no file)"));
        Place { file, line: origin.line, column: origin.column }
    }

    /// Returns the steps that led to a value, the last one first.
    pub fn steps(&self, origin: Origin) -> impl Iterator<Item = &Step> {
        let mut next = origin.step();
        std::iter::from_fn(move || {
            let id = next?;
            let step = self.step(id)?;
            // A step can only come after what it changed, so that the way back always ends.
            next = step.before.and_then(Origin::step).filter(|before| *before < id);
            Some(step)
        })
    }
}

/// Ids count from 1, so that 0 means none.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

fn index(id: u32) -> Option<usize> {
    usize::try_from(id).ok()?.checked_sub(1)
}
