//! Finds the fields that a target names, and creates missing ones.

use std::sync::Arc;

use super::path::{Path, Step};
use crate::yaml::{Content, Error, Key, Kind, Mapping, Node, Origin, Scalar, Style, kind_of};

/// A step to an existing field.
#[derive(Debug, Clone)]
pub(super) enum At {
    /// A field of a mapping.
    Field(Arc<str>),
    /// An element of a list.
    Element(usize),
}

/// A field that was found.
#[derive(Debug)]
pub(super) struct Place {
    /// The steps to it.
    pub(super) way: Vec<At>,
}

/// The fields that were found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Where they are.
    pub(super) places: Vec<Place>,
    /// Whether a field should be created below a null, where kustomize loses it.
    pub(super) is_lost: bool,
}

/// The type of a created field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A single value.
    Scalar,
    /// A list.
    Sequence,
    /// A mapping.
    Mapping,
}

impl Shape {
    /// Returns the shape of a value.
    pub(super) fn of(node: &Node) -> Self {
        match &node.content {
            Content::Scalar(_) => Self::Scalar,
            Content::Sequence(_) => Self::Sequence,
            Content::Mapping(_) => Self::Mapping,
        }
    }

    fn make(self, origin: Origin) -> Node {
        match self {
            // A created scalar is unquoted, so its type is that of the value it gets.
            Self::Scalar => Node::scalar(Scalar::untagged(""), origin),
            Self::Sequence => Node::sequence(Vec::new(), origin),
            Self::Mapping => Node::mapping(Mapping::new(), origin),
        }
    }

    /// Returns what must hold the next step.
    fn before(next: Option<&Step>, last: Self) -> Self {
        match next {
            None => last,
            Some(Step::Matching { .. } | Step::Element(_)) => Self::Sequence,
            Some(_) => Self::Mapping,
        }
    }
}

/// Finds the fields that a path names.
///
/// # Errors
/// [`Error`] if a step does not match the value that it reaches.
///
/// # Source
/// kyaml `PathMatcher`.
pub(super) fn find(root: &mut Node, path: &Path, create: Option<Shape>) -> Result<Found, Error> {
    find_steps(root, path, &path.steps, create)
}

/// Finds the fields that some of the steps of a path name.
///
/// # Errors
/// As [`find()`].
pub(super) fn find_steps(root: &mut Node, path: &Path, steps: &[Step], create: Option<Shape>) -> Result<Found, Error> {
    let mut finder = Finder { path, create, found: Found::default(), way: Vec::new() };
    finder.walk(root, steps)?;
    Ok(finder.found)
}

/// Returns the field that a path names, and creates it if it is missing.
///
/// # Errors
/// As [`find()`].
pub(crate) fn create_scalar<'n>(root: &'n mut Node, path: &Path) -> Result<Option<&'n mut Node>, Error> {
    let found = find(root, path, Some(Shape::Scalar))?;
    Ok(found.places.first().and_then(|place| at(root, &place.way)))
}

struct Finder<'p> {
    path: &'p Path,
    create: Option<Shape>,
    found: Found,
    way: Vec<At>,
}

impl Finder<'_> {
    fn walk(&mut self, node: &mut Node, steps: &[Step]) -> Result<(), Error> {
        let Some((step, rest)) = steps.split_first() else {
            self.found.places.push(Place { way: self.way.clone() });
            return Ok(());
        };
        match step {
            Step::Field(name) => self.field(node, name, rest),
            Step::Last => self.field(node, "-", rest),
            Step::Element(at) => self.element(node, *at, rest),
            Step::All => (0..self.items(node)?.len()).try_for_each(|at| self.below(node, at, rest)),
            Step::Matching { key, value, regex } => {
                let before = self.found.places.len();
                self.matching(node, step, rest)?;
                let (Some(_), true) = (self.create, self.found.places.len() == before) else { return Ok(()) };
                let origin = self.path.origin;
                let mut item = Node::scalar(Scalar::untagged(value.as_str()), origin);
                if !regex.is_match(value) {
                    return Err(self
                        .path
                        .error(format_args!("cannot create an element from {value:?}, which is an expression")));
                }
                if !key.is_empty() {
                    item = Node::mapping([(Key::new(key.as_str(), origin), item)].into_iter().collect(), origin);
                }
                self.items(node)?.push(item);
                self.matching(node, step, rest)
            }
        }
    }

    fn items<'n>(&self, node: &'n mut Node) -> Result<&'n mut Vec<Node>, Error> {
        node.as_sequence_mut().ok_or_else(|| self.path.error("asks for an element where there is no list"))
    }

    fn below(&mut self, node: &mut Node, at: usize, rest: &[Step]) -> Result<(), Error> {
        let Some(item) = node.as_sequence_mut().and_then(|items| items.get_mut(at)) else { return Ok(()) };
        self.way.push(At::Element(at));
        self.walk(item, rest)?;
        self.way.pop();
        Ok(())
    }

    fn matching(&mut self, node: &mut Node, step: &Step, rest: &[Step]) -> Result<(), Error> {
        let Step::Matching { key, regex, .. } = step else { return Ok(()) };
        for at in 0..self.items(node)?.len() {
            let Some(item) = node.as_sequence().and_then(|items| items.get(at)) else { continue };
            let value = if key.is_empty() { Some(item) } else { item.get(key) };
            if value.is_some_and(|value| regex.is_match(&written(value))) {
                // Without a key, the element is a string, and no steps follow.
                self.below(node, at, if key.is_empty() { &[] } else { rest })?;
            }
        }
        Ok(())
    }

    fn element(&mut self, node: &mut Node, at: usize, rest: &[Step]) -> Result<(), Error> {
        let create = self.create;
        let origin = self.path.origin;
        let items = self.items(node)?;
        if let (Some(last), true) = (create, items.len() == at) {
            items.push(Shape::before(rest.first(), last).make(origin));
        }
        let len = items.len();
        if at >= len {
            return Err(self.path.error(format_args!("asks for element {at} of a list of {len}")));
        }
        self.below(node, at, rest)
    }

    fn field(&mut self, node: &mut Node, name: &str, rest: &[Step]) -> Result<(), Error> {
        if node.is_null() {
            self.found.is_lost |= self.create.is_some();
            return Ok(());
        }
        let origin = self.path.origin;
        let Some(mapping) = node.as_mapping_mut() else {
            return Err(self.path.error(format_args!("asks for {name:?} where there is no mapping")));
        };
        let value = match self.create {
            None => mapping.get_mut(name),
            Some(last) => {
                let make = || Shape::before(rest.first(), last).make(origin);
                Some(mapping.get_or_insert_with(Key::new(name, origin), make))
            }
        };
        let Some(value) = value else { return Ok(()) };
        if value.as_scalar().is_some() && !value.is_null() && !rest.is_empty() {
            return Err(self.path.error(format_args!("continues below {name:?}, which is a single value")));
        }
        self.way.push(At::Field(Arc::from(name)));
        self.walk(value, rest)?;
        self.way.pop();
        Ok(())
    }
}

/// Returns the field that some steps lead to.
pub(super) fn at<'n>(root: &'n mut Node, way: &[At]) -> Option<&'n mut Node> {
    way.iter().try_fold(root, |node, at| match at {
        At::Field(name) => node.get_mut(name),
        At::Element(at) => node.as_sequence_mut()?.get_mut(*at),
    })
}

/// Returns a value as it is written in a file, with its quotes: expressions are matched against that form.
fn written(node: &Node) -> String {
    let Some(scalar) = node.as_scalar() else { return String::new() };
    let text = scalar.text();
    let is_text = scalar.kind() == Kind::String;
    match scalar.style() {
        Style::Single if is_text => format!("'{}'", text.replace('\'', "''")),
        Style::Double if is_text => format!("{text:?}"),
        Style::Plain if is_text && kind_of(text, crate::yaml::Schema::Resource) != Kind::String => format!("{text:?}"),
        _ => text.to_owned(),
    }
}
