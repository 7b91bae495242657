//! Paths of JSON patches, and access to the values that they name.

use crate::yaml::{Content, Error, Key, Node, Origin, Scalar};

/// Maximum number of steps in a path: nothing that nests deeper is read.
const MAX_STEPS: usize = 64;

/// A path, such as `/spec/containers/0/image`.
#[derive(Debug, Clone)]
pub(crate) struct Pointer {
    /// As it was written.
    pub(crate) text: String,
    /// Its location.
    pub(crate) origin: Origin,
    steps: Vec<String>,
}

/// Where a path ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End<'p> {
    /// At the whole object.
    Root,
    /// At a field or element of the value that these steps lead to.
    Below(&'p [String], &'p str),
}

/// Why nothing is at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Miss {
    /// The value that should hold it does not exist.
    Parent,
    /// The value itself does not exist.
    Last,
    /// The step into a list is not a number.
    NoNumber,
}

impl Pointer {
    /// Reads a path. If it does not start with `/`, its first step is dropped, as in kustomize.
    ///
    /// # Errors
    /// [`Error`] if it has too many steps, no step although it is not empty, or an empty step before the last one.
    pub(crate) fn read(text: &str, origin: Origin) -> Result<Self, Error> {
        let steps: Vec<_> = text.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
        if steps.len() > MAX_STEPS {
            return Err(
                origin.error(format!("the path has {} steps, but at most {MAX_STEPS} are allowed", steps.len()))
            );
        }
        if steps.is_empty() && !text.is_empty() {
            let message = format!("the path {text:?} must start with /, such as /metadata/{text}");
            return Err(origin.error(message));
        }
        if steps.iter().rev().skip(1).any(String::is_empty) {
            let message = format!("the path {text:?} has an empty step between two /; remove one of them");
            return Err(origin.error(message));
        }
        Ok(Self { text: text.to_owned(), origin, steps })
    }

    /// Returns where the path ends.
    pub(crate) fn end(&self) -> End<'_> {
        match self.steps.split_last() {
            None => End::Root,
            Some((last, before)) => End::Below(before, last),
        }
    }

    /// Returns the depth at which the path ends.
    pub(crate) fn levels(&self) -> usize {
        self.steps.len()
    }

    /// Returns the error for a path that leads nowhere.
    pub(crate) fn missing(&self, doing: &str, miss: Miss, object: &Node) -> Error {
        let known = self.known(object);
        let message = match miss {
            Miss::NoNumber => format!(
                "cannot {doing} {:?}: {known} is a list; use an index from 0, a negative one to count from the end, or - to append",
                self.text
            ),
            Miss::Parent | Miss::Last => {
                format!("cannot {doing} {:?}: the object has {known}, but the next step names nothing in it", self.text)
            }
        };
        self.origin.error(message)
    }

    /// Returns the part of the path that exists.
    fn known(&self, object: &Node) -> String {
        let mut node = object;
        let mut known = String::new();
        for step in &self.steps {
            let Ok(next) = get(node, step) else { break };
            let Some(next) = next else { break };
            known.push('/');
            known.push_str(step);
            node = next;
        }
        if known.is_empty() { "/".to_owned() } else { known }
    }
}

/// Returns the mapping or list that some steps lead to.
pub(crate) fn walk<'n>(root: &'n Node, steps: &[String]) -> Option<&'n Node> {
    steps.iter().try_fold(root, |node, step| get(node, step).ok()?).filter(|node| node.as_scalar().is_none())
}

/// Returns the mapping or list that some steps lead to, for changes.
pub(crate) fn walk_mut<'n>(root: &'n mut Node, steps: &[String]) -> Option<&'n mut Node> {
    let found = steps.iter().try_fold(root, |node, step| match &mut node.content {
        Content::Scalar(_) => None,
        Content::Mapping(mapping) => mapping.get_mut(step),
        Content::Sequence(items) => {
            let at = element(step, items.len()).ok()?;
            items.get_mut(at)
        }
    });
    found.filter(|node| node.as_scalar().is_none())
}

/// Returns a field or an element. With an empty step, a missing value is not an error.
pub(crate) fn get<'n>(node: &'n Node, step: &str) -> Result<Option<&'n Node>, Miss> {
    match &node.content {
        Content::Scalar(_) => Err(Miss::Parent),
        Content::Mapping(mapping) if step.is_empty() => Ok(mapping.get(step)),
        Content::Mapping(mapping) => mapping.get(step).map(Some).ok_or(Miss::Last),
        Content::Sequence(_) if step.is_empty() => Ok(None),
        Content::Sequence(items) => items.get(element(step, items.len())?).map(Some).ok_or(Miss::Last),
    }
}

/// Returns the index of the element that a step names in a list of length `len`. A negative number counts from the end.
pub(crate) fn element(step: &str, len: usize) -> Result<usize, Miss> {
    let number: i64 = step.parse().map_err(|_| Miss::NoNumber)?;
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    let at = if number < 0 { number.saturating_add(len) } else { number };
    usize::try_from(at).map_err(|_| Miss::Last)
}

/// Removes a field or an element.
pub(crate) fn remove(node: &mut Node, step: &str) -> Result<Node, Miss> {
    match &mut node.content {
        Content::Scalar(_) => Err(Miss::Parent),
        Content::Mapping(mapping) => mapping.remove(step).map(|entry| entry.value).ok_or(Miss::Last),
        Content::Sequence(items) => {
            let at = element(step, items.len())?;
            if at < items.len() { Ok(items.remove(at)) } else { Err(Miss::Last) }
        }
    }
}

/// Sets a field, which may exist, or inserts an element.
pub(crate) fn add(node: &mut Node, step: &str, key: Origin, value: Node) -> Result<(), Miss> {
    match &mut node.content {
        Content::Scalar(_) => return Err(Miss::Parent),
        Content::Mapping(mapping) => drop(mapping.insert(Key::new(step, key), value)),
        Content::Sequence(items) if step == "-" => items.push(value),
        Content::Sequence(items) => {
            // The position after the last element is allowed too.
            let at = element(step, items.len() + 1)?;
            if at > items.len() {
                return Err(Miss::Last);
            }
            items.insert(at, value);
        }
    }
    Ok(())
}

/// Sets a field or replaces an element.
pub(crate) fn set(node: &mut Node, step: &str, value: Node) -> Result<(), Miss> {
    match &mut node.content {
        Content::Scalar(_) => return Err(Miss::Parent),
        Content::Mapping(mapping) => {
            let origin = value.origin;
            mapping.insert(Key::new(step, origin), value);
        }
        Content::Sequence(items) => {
            let at = element(step, items.len())?;
            *items.get_mut(at).ok_or(Miss::Last)? = value;
        }
    }
    Ok(())
}

/// Returns a null with an origin.
pub(crate) fn null(origin: Origin) -> Node {
    Node::scalar(Scalar::null(), origin)
}
