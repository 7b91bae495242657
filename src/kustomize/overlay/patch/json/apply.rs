//! Applies JSON patches.

use super::operation::{Act, Operation};
use super::pointer;
use super::pointer::{End, Miss, Pointer};
use crate::overlay::budget::{MAX_MIB, MemoryBudget};
use crate::overlay::patch::Recorder;
use crate::overlay::patch::compare::is_same;
use crate::yaml;
use crate::yaml::{Content, Error, MAX_DEPTH, Node, Number, Origin, Scalar, Style, Typed};

/// Applies operations to an object.
///
/// All numbers pass through 64-bit floats, even those that no operation touches, as in Go's JSON.
///
/// # Errors
/// [`Error`] at the operation that cannot be applied to the object, or makes it too large.
///
/// # Source
/// `github.com/evanphx/json-patch`: kustomize is built with its version 4.13, or in Debian with version 5. Anything that one of the
/// two refuses is refused.
pub(crate) fn apply(object: &mut Node, operations: &[Operation], recorder: &mut Recorder<'_>) -> Result<(), Error> {
    yaml::normalize(object)?;
    let mut run = Run { object, recorder, memory: None };
    for operation in operations {
        run.carry_out(operation)?;
    }
    round(object);
    Ok(())
}

struct Run<'o, 'm, 'p> {
    object: &'o mut Node,
    recorder: &'m mut Recorder<'p>,
    /// The memory that copies may still use; set by the first copy.
    memory: Option<MemoryBudget>,
}

impl Run<'_, '_, '_> {
    fn carry_out(&mut self, operation: &Operation) -> Result<(), Error> {
        let path = &operation.path;
        match &operation.act {
            Act::Add(value) => self.put(path, value.clone(), "add"),
            Act::Remove => self.take(path, "remove").map(drop),
            Act::Replace(value) => self.replace(path, value.clone()),
            Act::Move(from) => {
                refuse_root(from, "moved into itself")?;
                self.find(from, "move")?;
                let value = self.take(from, "move")?;
                self.put(path, value, "move to")
            }
            Act::Copy(from) => {
                refuse_root(from, "copied into itself")?;
                let value = self.find(from, "copy")?.cloned().unwrap_or_else(|| pointer::null(from.origin));
                self.weigh(&value, path.origin)?;
                self.put(path, value, "copy to")
            }
            Act::Test(value) => self.test(path, value.as_ref()),
        }
    }

    /// Returns the value at the end of a path. `Ok(None)` if the last step is empty and names nothing, which is not an error.
    fn find(&self, path: &Pointer, doing: &str) -> Result<Option<&Node>, Error> {
        match path.end() {
            End::Root => Ok(Some(&*self.object)),
            End::Below(steps, last) => pointer::walk(self.object, steps)
                .ok_or(Miss::Parent)
                .and_then(|parent| pointer::get(parent, last))
                .map_err(|miss| path.missing(doing, miss, self.object)),
        }
    }

    fn take(&mut self, path: &Pointer, doing: &str) -> Result<Node, Error> {
        let taken = match path.end() {
            End::Root => Err(Miss::Last),
            End::Below(steps, last) => pointer::walk_mut(self.object, steps)
                .ok_or(Miss::Parent)
                .and_then(|parent| pointer::remove(parent, last)),
        };
        self.recorder.changed = true;
        taken.map_err(|miss| path.missing(doing, miss, self.object))
    }

    fn put(&mut self, path: &Pointer, mut value: Node, doing: &str) -> Result<(), Error> {
        check_depth(path, &value)?;
        refuse_root(path, "added, moved to or copied to")?;
        let End::Below(steps, last) = path.end() else { return Ok(()) };
        let Some(parent) = pointer::walk_mut(self.object, steps) else {
            return Err(path.missing(doing, Miss::Parent, self.object));
        };
        let old = match &parent.content {
            Content::Mapping(mapping) => mapping.get(last),
            _ => None,
        };
        if old.is_some_and(|old| is_same(old, &value)) {
            return Ok(());
        }
        let before = old.map(|old| old.origin);
        self.recorder.record(&mut value, before);
        let key = self.recorder.add(path.origin);
        pointer::add(parent, last, key, value).map_err(|miss| path.missing(doing, miss, self.object))
    }

    fn replace(&mut self, path: &Pointer, mut value: Node) -> Result<(), Error> {
        check_depth(path, &value)?;
        let End::Below(steps, last) = path.end() else { return self.replace_all(path, value) };
        let old = self.find(path, "replace")?;
        if old.is_some_and(|old| is_same(old, &value)) {
            return Ok(());
        }
        let before = old.map(|old| old.origin);
        self.recorder.record(&mut value, before);
        pointer::walk_mut(self.object, steps)
            .ok_or(Miss::Parent)
            .and_then(|parent| pointer::set(parent, last, value))
            .map_err(|miss| path.missing("replace", miss, self.object))
    }

    fn replace_all(&mut self, path: &Pointer, mut value: Node) -> Result<(), Error> {
        if value.as_mapping().is_none() {
            return Err(path
                .origin
                .error("the whole object can only be replaced with a mapping; give a path to set a value"));
        }
        self.recorder.record(&mut value, Some(self.object.origin));
        *self.object = value;
        Ok(())
    }

    fn test(&self, path: &Pointer, wanted: Option<&Node>) -> Result<(), Error> {
        let found = match path.end() {
            End::Root => Some(&*self.object),
            End::Below(steps, last) => {
                let parent =
                    pointer::walk(self.object, steps).ok_or_else(|| path.missing("test", Miss::Parent, self.object))?;
                match pointer::get(parent, last) {
                    Ok(found) => found,
                    // A key that is missing in a mapping counts as null.
                    Err(Miss::Last) if parent.as_mapping().is_some() => None,
                    Err(miss) => return Err(path.missing("test", miss, self.object)),
                }
            }
        };
        let found = found.filter(|node| !node.is_null());
        let wanted = wanted.filter(|node| !node.is_null());
        let holds = match (found, wanted) {
            (None, None) => true,
            (Some(found), Some(wanted)) => is_equal(found, wanted),
            _ => false,
        };
        if holds {
            return Ok(());
        }
        let message = format!("the test of {:?} failed: the object has a different value there", path.text);
        Err(path.origin.error(message))
    }

    /// Refuses copies that would make an object gigabytes large.
    fn weigh(&mut self, value: &Node, origin: Origin) -> Result<(), Error> {
        let object = &*self.object;
        let memory = self.memory.get_or_insert_with(|| {
            let mut memory = MemoryBudget::default();
            memory.take(object);
            memory
        });
        if memory.take(value) {
            return Ok(());
        }
        Err(origin.error(format!("the copies make the object larger than {MAX_MIB} MiB; copy less")))
    }
}

/// Refuses the path of the whole object.
fn refuse_root(path: &Pointer, what: &str) -> Result<(), Error> {
    match path.end() {
        End::Root => Err(path.origin.error(format!("the whole object cannot be {what}; give a path such as /spec"))),
        End::Below(..) => Ok(()),
    }
}

fn check_depth(path: &Pointer, value: &Node) -> Result<(), Error> {
    if path.levels().saturating_add(levels(value)) <= MAX_DEPTH {
        return Ok(());
    }
    let message =
        format!("the object would nest deeper than {MAX_DEPTH} levels; flatten the value or shorten the path");
    Err(path.origin.error(message))
}

fn levels(node: &Node) -> usize {
    let below = match &node.content {
        Content::Scalar(_) => None,
        Content::Sequence(items) => items.iter().map(levels).max(),
        Content::Mapping(mapping) => mapping.iter().map(|entry| levels(&entry.value)).max(),
    };
    below.unwrap_or(0) + 1
}

/// Returns `true` if two values are the same in JSON.
fn is_equal(a: &Node, b: &Node) -> bool {
    matches!((a.to_value(), b.to_value()), (Ok(a), Ok(b)) if a == b)
}

/// Normalizes all values like a round trip through JSON: numbers keep only what a float can represent.
fn round(node: &mut Node) {
    match &mut node.content {
        Content::Scalar(scalar) => {
            // A string with several lines is written as a block from here on.
            if scalar.as_str().is_some_and(|text| text.contains('\n')) {
                *scalar = scalar.styled(Style::Literal);
            }
            if let Typed::Number(number) = scalar.typed() {
                let is_small = matches!(number, Number::Signed(n) if n.unsigned_abs() < 1_000_000);
                if !is_small {
                    *scalar = Scalar::plain(Number::Float(number.as_f64()).to_string());
                }
            }
        }
        Content::Sequence(items) => items.iter_mut().for_each(round),
        Content::Mapping(mapping) => mapping.iter_mut().for_each(|(_, value)| round(value)),
    }
}
