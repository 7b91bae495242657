//! Paths of JSON patches, and what is at their end.

use crate::yaml::{Content, Fault, Key, Node, Origin, Scalar};

/// The most steps of a path: nothing is read that lies deeper.
const MAX_STEPS: usize = 64;

/// A path, such as `/spec/containers/0/image`.
#[derive(Debug, Clone)]
pub(super) struct Pointer {
    /// As it was written.
    pub(super) text: String,
    /// Where it stands.
    pub(super) origin: Origin,
    steps: Vec<String>,
}

/// Where a path ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum End<'p> {
    /// At the whole object.
    Root,
    /// At a member or an element of what these steps lead to.
    Below(&'p [String], &'p str),
}

/// Why nothing is at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Miss {
    /// What should hold it is not there.
    Parent,
    /// It is not there.
    Last,
    /// A list has elements with numbers only.
    NoNumber,
}

impl Pointer {
    /// Reads a path. One that does not begin with `/` loses its first step, as kustomize does it.
    ///
    /// # Errors
    /// [`Fault`] if it has too many steps, or none where there must be one.
    pub(super) fn read(text: &str, origin: Origin) -> Result<Self, Fault> {
        let steps: Vec<_> = text.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
        if steps.len() > MAX_STEPS {
            return Err(Fault::new(
                origin,
                format!("the path has {} steps, and at most {MAX_STEPS} are read", steps.len()),
            ));
        }
        if steps.is_empty() && !text.is_empty() {
            let message = format!("the path {text:?} must begin with /, such as /metadata/{text}");
            return Err(Fault::new(origin, message));
        }
        if steps.iter().rev().skip(1).any(String::is_empty) {
            let message = format!("the path {text:?} has an empty step between two /; remove one of them");
            return Err(Fault::new(origin, message));
        }
        Ok(Self { text: text.to_owned(), origin, steps })
    }

    /// Returns where the path ends.
    pub(super) fn end(&self) -> End<'_> {
        match self.steps.split_last() {
            None => End::Root,
            Some((last, before)) => End::Below(before, last),
        }
    }

    /// Returns how many levels down the path ends.
    pub(super) fn levels(&self) -> usize {
        self.steps.len()
    }

    /// Makes the complaint that the path leads nowhere.
    pub(super) fn missing(&self, doing: &str, miss: Miss, object: &Node) -> Fault {
        let known = self.known(object);
        let message = match miss {
            Miss::NoNumber => format!(
                "cannot {doing} {:?}: {known} is a list, and its elements have numbers from 0, from -1 at the end, or - to append",
                self.text
            ),
            Miss::Parent | Miss::Last => {
                format!(
                    "cannot {doing} {:?}: the object has {known}, and nothing there that the next step names",
                    self.text
                )
            }
        };
        Fault::new(self.origin, message)
    }

    /// Returns how far the path leads.
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

/// Returns what some steps lead to.
pub(super) fn walk<'n>(root: &'n Node, steps: &[String]) -> Option<&'n Node> {
    steps.iter().try_fold(root, |node, step| get(node, step).ok()?).filter(|node| node.as_scalar().is_none())
}

/// Returns what some steps lead to, to change it.
pub(super) fn walk_mut<'n>(root: &'n mut Node, steps: &[String]) -> Option<&'n mut Node> {
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

/// Returns a member or an element. The empty step of a mapping is there even where it is not.
pub(super) fn get<'n>(node: &'n Node, step: &str) -> Result<Option<&'n Node>, Miss> {
    match &node.content {
        Content::Scalar(_) => Err(Miss::Parent),
        Content::Mapping(mapping) if step.is_empty() => Ok(mapping.get(step)),
        Content::Mapping(mapping) => mapping.get(step).map(Some).ok_or(Miss::Last),
        Content::Sequence(_) if step.is_empty() => Ok(None),
        Content::Sequence(items) => items.get(element(step, items.len())?).map(Some).ok_or(Miss::Last),
    }
}

/// Returns which element a step names in a list of some length; a negative one counts from the end.
pub(super) fn element(step: &str, len: usize) -> Result<usize, Miss> {
    let number: i64 = step.parse().map_err(|_| Miss::NoNumber)?;
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    let at = if number < 0 { number.saturating_add(len) } else { number };
    usize::try_from(at).map_err(|_| Miss::Last)
}

/// Takes a member or an element out.
pub(super) fn remove(node: &mut Node, step: &str) -> Result<Node, Miss> {
    match &mut node.content {
        Content::Scalar(_) => Err(Miss::Parent),
        Content::Mapping(mapping) => mapping.remove(step).map(|member| member.value).ok_or(Miss::Last),
        Content::Sequence(items) => {
            let at = element(step, items.len())?;
            if at < items.len() { Ok(items.remove(at)) } else { Err(Miss::Last) }
        }
    }
}

/// Adds a member, which may be there, or an element.
pub(super) fn add(node: &mut Node, step: &str, key: Origin, value: Node) -> Result<(), Miss> {
    match &mut node.content {
        Content::Scalar(_) => return Err(Miss::Parent),
        Content::Mapping(mapping) => drop(mapping.insert(Key::new(step, key), value)),
        Content::Sequence(items) if step == "-" => items.push(value),
        Content::Sequence(items) => {
            // Behind the last element is a place too.
            let at = element(step, items.len() + 1)?;
            if at > items.len() {
                return Err(Miss::Last);
            }
            items.insert(at, value);
        }
    }
    Ok(())
}

/// Puts a value where one is.
pub(super) fn set(node: &mut Node, step: &str, value: Node) -> Result<(), Miss> {
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

/// Returns a null that stands somewhere.
pub(super) fn null(origin: Origin) -> Node {
    Node::scalar(Scalar::null(), origin)
}
