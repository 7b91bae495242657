//! Paths into an object: borrowed while it is walked, owned where an error is reported.

use std::fmt;

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Into a field of an object.
    Member(String),
    /// Into an item of a list.
    Item(usize),
}

/// An owned path from the root of a value.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// Returns the path extended by a field.
    pub fn member(&self, name: &str) -> Self {
        self.step(Step::Member(name.to_owned()))
    }

    /// Returns the path extended by an item.
    pub fn item(&self, index: usize) -> Self {
        self.step(Step::Item(index))
    }

    fn step(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }
}

impl fmt::Display for Path {
    /// Prints the path as Kubernetes does: `spec.placements[0].name`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Member(name) if i == 0 => f.write_str(name)?,
                Step::Member(name) => write!(f, ".{name}")?,
                Step::Item(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// A borrowed path from the root of a value, which costs nothing until an error needs it.
#[derive(Debug, Clone, Copy)]
pub enum Place<'p> {
    /// The value itself.
    Root,
    /// A field that the schema declares.
    Member(&'p Place<'p>, &'p str),
    /// An entry of a map.
    Key(&'p Place<'p>, &'p str),
    /// An item of a list.
    Item(&'p Place<'p>, usize),
}

impl Place<'_> {
    /// Returns `true` if this is the root.
    pub fn is_root(&self) -> bool {
        matches!(self, Self::Root)
    }

    /// Returns the owned path. It does not distinguish fields from entries of maps.
    pub fn to_path(&self) -> Path {
        match self {
            Self::Root => Path::default(),
            Self::Member(parent, name) | Self::Key(parent, name) => parent.extended(Step::Member((*name).to_owned())),
            Self::Item(parent, index) => parent.extended(Step::Item(*index)),
        }
    }

    fn extended(&self, step: Step) -> Path {
        let mut path = self.to_path();
        path.0.push(step);
        path
    }
}

impl fmt::Display for Place<'_> {
    /// Prints the path as field errors of an API server show it: `spec.data[key].list[0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Member(Place::Root, name) => f.write_str(name),
            Self::Member(parent, name) => write!(f, "{parent}.{name}"),
            Self::Key(parent, name) => write!(f, "{parent}[{name}]"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
