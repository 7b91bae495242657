//! Merges lists whose elements have no keys, duplicate keys, or more than one key. Follows kyaml step by step, including its
//! quirks.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::directive;
use super::element_setter::{Arena, is_empty, matches, no_mapping, set, set_partly, text};
use super::merge_keys::{Values, tuples, valid_keys};
use super::merger::{List, Merged, Merger, Patch};
use crate::yaml::{Error, Key, Node, Origin, Scalar};

/// Warning for elements that kustomize loses.
const LOST: &str = "kustomize loses this element of the list, because not all elements have the same merge keys; give each of them \
                    the same keys, such as name, or port and protocol";
/// Maximum number of elements of such a list. The work grows with its square.
const MAX_ELEMENTS: usize = 1_000;

/// Merges a list.
///
/// # Errors
/// [`Error`] if an element has the wrong type, or there are too many.
///
/// # Source
/// kyaml `walkAssociativeSequence`.
pub(crate) fn merge(
    merger: &mut Merger<'_, '_>,
    list: List<'_>,
    items: &mut Vec<Node>,
    patch: Patch<'_>,
) -> Result<(), Error> {
    let given: &[Node] = match patch {
        Patch::With(patch) => patch.as_sequence().unwrap_or_default(),
        _ => &[],
    };
    if let Some(item) = items.get(MAX_ELEMENTS).or_else(|| given.get(MAX_ELEMENTS)) {
        let message = format!(
            "the list has more than {MAX_ELEMENTS} elements, and a list of that length can only be merged if each element \
             has a key of its own; shorten it"
        );
        return Err(item.origin.error(message));
    }
    let all_keys = list.keys.to_vec();
    let tuples = tuples(&all_keys, items, given);
    if tuples.is_empty() {
        return Ok(());
    }
    let before = items.len();
    let mut run = Run {
        list,
        keys: valid_keys(&all_keys, &tuples),
        all_keys,
        dest: (0..before).collect(),
        arena: Arena { nodes: std::mem::take(items) },
        merged: Vec::new(),
        gone: Vec::new(),
        visited: HashMap::new(),
    };
    for values in &tuples {
        run.tuple(merger, values, patch, given)?;
    }
    let order = run.appended()?;
    merger.recorder.changed |= matches!(patch, Patch::With(_)) && !order.iter().copied().eq(0..before);
    merger.recorder.lost.extend(run.lost(&order).map(|origin| (origin, LOST)));
    let mut nodes: Vec<_> = run.arena.nodes.into_iter().map(Some).collect();
    // An element can be in the list twice; then it is written twice.
    for (i, at) in order.iter().enumerate() {
        let again = order.iter().skip(i + 1).any(|other| other == at);
        let Some(node) = nodes.get_mut(*at) else { continue };
        items.extend(if again { node.clone() } else { node.take() });
    }
    Ok(())
}

struct Run<'t> {
    list: List<'t>,
    all_keys: Vec<&'t str>,
    /// The indices of the keys that count.
    keys: Vec<usize>,
    dest: Vec<usize>,
    arena: Arena,
    merged: Vec<usize>,
    /// Elements that the patch removes.
    gone: Vec<usize>,
    /// Elements of the patch with directives that were already merged once, by index.
    visited: HashMap<usize, Visited>,
}

/// An element of the patch that was already merged once.
struct Visited {
    /// The element without its directives, which kustomize applies only once.
    rest: Node,
    /// The index of the element that it was merged into.
    at: Option<usize>,
}

impl<'t> Run<'t> {
    fn key(&self, at: usize) -> &'t str {
        self.all_keys.get(at).copied().unwrap_or_default()
    }

    /// Returns the origins of the elements that the patch does not remove but that are missing in the end.
    fn lost(&self, order: &[usize]) -> impl Iterator<Item = Origin> {
        let origin = |at: &usize| self.arena.nodes.get(*at).map(|node| node.origin);
        let kept: HashSet<_> = order.iter().chain(&self.gone).filter_map(origin).collect();
        let lost: BTreeMap<_, _> = (0..self.arena.nodes.len())
            .filter(|at| self.arena.nodes.get(*at).is_some_and(|node| !is_empty(node)))
            .filter_map(|at| Some((origin(&at)?, at)))
            .filter(|(origin, _)| !kept.contains(origin))
            .map(|(origin, at)| ((origin.line, origin.column, at), origin))
            .collect();
        lost.into_values()
    }

    fn is_set(&self) -> bool {
        *self.all_keys == [""]
    }

    fn tuple(
        &mut self,
        merger: &mut Merger<'_, '_>,
        values: &Values,
        patch: Patch<'_>,
        given: &[Node],
    ) -> Result<(), Error> {
        let pairs: Vec<(&str, &str)> =
            self.keys.iter().map(|at| (self.key(*at), values.get(*at).map_or("", String::as_str))).collect();
        let known: Vec<_> = pairs.iter().copied().filter(|(_, value)| !value.is_empty()).collect();
        let wanted = if known.is_empty() { &pairs } else { &known };
        let at =
            self.dest.iter().copied().find(|at| self.arena.nodes.get(*at).is_some_and(|item| matches(item, wanted)));
        let number = match patch {
            Patch::With(_) => given.iter().position(|item| matches(item, wanted)),
            _ => None,
        };
        let visited = number.and_then(|number| self.visited.remove(&number));
        let given = number.and_then(|number| given.get(number));
        let patch = match patch {
            Patch::With(_) => {
                visited.as_ref().map(|visited| &visited.rest).or(given).map_or(Patch::Nothing, Patch::With)
            }
            other => other,
        };
        let dest = at.and_then(|at| self.arena.nodes.get_mut(at));
        let value = match merger.node(self.list.element(), dest, patch)? {
            Merged::Gone => None,
            Merged::Kept => at,
            Merged::New(mut node) => {
                // The replacement of an existing element is undone in the end.
                if at.is_none() {
                    merger.recorder.record(&mut node, None);
                }
                self.arena.nodes.push(node);
                Some(self.arena.nodes.len() - 1)
            }
        };
        let rest = visited.as_ref().map(|visited| visited.rest.clone()).or_else(|| directive::without(given?));
        self.visited.extend(number.zip(rest).map(|(number, rest)| (number, Visited { rest, at: value })));
        self.gone.extend(visited.and_then(|visited| visited.at).filter(|at| value != Some(*at)));
        let value = value.filter(|at| self.arena.nodes.get(*at).is_some_and(|item| !is_empty(item)));
        let Some(value) = value else {
            self.gone.extend(at);
            return set(&self.arena, &mut self.dest, None, &pairs);
        };
        for (key, text) in pairs.iter().filter(|(key, text)| !key.is_empty() && !text.is_empty()) {
            let Some(item) = self.arena.nodes.get_mut(value) else { continue };
            let origin = item.origin;
            if item.as_mapping().is_none() {
                return Err(no_mapping(item));
            }
            if item.get(key).is_none() {
                item.set(Key::new(*key, origin), Node::scalar(Scalar::plain(*text), origin));
            }
        }
        set(&self.arena, &mut self.merged, Some(value), &pairs)
    }

    /// Returns the merged elements, with the other existing elements after them.
    fn appended(&mut self) -> Result<Vec<usize>, Error> {
        let mut list = std::mem::take(&mut self.merged);
        for at in std::mem::take(&mut self.dest) {
            if self.is_set() {
                let value = self.arena.text(at).to_owned();
                set(&self.arena, &mut list, Some(at), &[("", &value)])?;
                continue;
            }
            let Some(item) = self.arena.nodes.get(at) else { continue };
            let mut values = Vec::new();
            for key in &self.keys {
                if item.as_mapping().is_none() && !item.is_null() {
                    return Err(no_mapping(item));
                }
                match item.get(self.key(*key)) {
                    Some(value) => values.push(text(value)),
                    None => list.push(at),
                }
            }
            // If a key is missing, the values that exist are used for the first keys.
            let keys: Vec<_> = self.keys.iter().map(|at| self.key(*at)).collect();
            if keys.len() > 1 {
                set_partly(&self.arena, &mut list, None, &keys, &values)?;
            }
            set_partly(&self.arena, &mut list, Some(at), &keys, &values)?;
        }
        Ok(list)
    }
}
