//! Lists whose elements have no keys, the same keys, or more than one: merged step by step as kyaml does, with all that comes of it.

use super::list::List;
use super::merge::{Merged, Merger, Patch, describe};
use crate::yaml::{Fault, Key, Mapping, Node, Scalar};

/// The most elements of such a list; the work grows with their square.
const MAX_ELEMENTS: usize = 1_000;

/// Says whether an element is dropped since it holds nothing.
pub(super) fn is_empty(item: &Node) -> bool {
    item.is_null() || item.as_mapping().is_some_and(Mapping::is_empty)
}

/// Elements, some of which stand in two lists at once while a list is merged.
struct Arena {
    nodes: Vec<Node>,
}

impl Arena {
    fn text(&self, at: usize) -> &str {
        self.nodes.get(at).map_or("", text)
    }
}

/// The text of a value; empty for all that is no single value.
fn text(node: &Node) -> &str {
    node.as_scalar().map_or("", Scalar::text)
}

/// The text of a member that tells elements apart; empty if it is missing or holds nothing.
fn key_text<'a>(item: &'a Node, key: &str) -> &'a str {
    item.get(key).filter(|value| !value.is_null()).map_or("", text)
}

/// The values of some keys.
type Values = Vec<String>;

/// Merges a list.
///
/// # Errors
/// [`Fault`] if an element does not fit, or there are too many.
///
/// # Source
/// kyaml `walkAssociativeSequence`.
pub(super) fn merge(
    merger: &mut Merger<'_, '_>,
    list: List,
    items: &mut Vec<Node>,
    patch: Patch<'_>,
) -> Result<(), Fault> {
    let said: &[Node] = match patch {
        Patch::With(patch) => patch.as_sequence().unwrap_or_default(),
        _ => &[],
    };
    if let Some(item) = items.get(MAX_ELEMENTS).or_else(|| said.get(MAX_ELEMENTS)) {
        let message = format!(
            "the list has more than {MAX_ELEMENTS} elements, and such a list cannot be merged unless each has a key of its own; \
             shorten it"
        );
        return Err(Fault::new(item.origin, message));
    }
    let tuples = tuples(list.keys, items, said);
    if tuples.is_empty() {
        return Ok(());
    }
    let before = items.len();
    let mut run = Run {
        list,
        keys: valid_keys(list.keys, &tuples),
        dest: (0..before).collect(),
        arena: Arena { nodes: std::mem::take(items) },
        merged: Vec::new(),
    };
    for values in &tuples {
        run.tuple(merger, values, patch, said)?;
    }
    let order = run.appended()?;
    merger.marks.changed |= matches!(patch, Patch::With(_)) && !order.iter().copied().eq(0..before);
    let mut nodes: Vec<_> = run.arena.nodes.into_iter().map(Some).collect();
    // An element can stand in the list twice; then it is written twice.
    for (i, at) in order.iter().enumerate() {
        let again = order.iter().skip(i + 1).any(|other| other == at);
        let Some(node) = nodes.get_mut(*at) else { continue };
        items.extend(if again { node.clone() } else { node.take() });
    }
    Ok(())
}

struct Run {
    list: List,
    keys: Vec<usize>,
    dest: Vec<usize>,
    arena: Arena,
    merged: Vec<usize>,
}

impl Run {
    fn key(&self, at: usize) -> &'static str {
        self.list.keys.get(at).copied().unwrap_or_default()
    }

    fn is_set(&self) -> bool {
        self.list.keys == [""]
    }

    fn tuple(
        &mut self,
        merger: &mut Merger<'_, '_>,
        values: &Values,
        patch: Patch<'_>,
        said: &[Node],
    ) -> Result<(), Fault> {
        let pairs: Vec<(&'static str, &str)> =
            self.keys.iter().map(|at| (self.key(*at), values.get(*at).map_or("", String::as_str))).collect();
        let known: Vec<_> = pairs.iter().copied().filter(|(_, value)| !value.is_empty()).collect();
        let wanted = if known.is_empty() { &pairs } else { &known };
        let at =
            self.dest.iter().copied().find(|at| self.arena.nodes.get(*at).is_some_and(|item| matches(item, wanted)));
        let patch = match patch {
            Patch::With(_) => said.iter().find(|item| matches(item, wanted)).map_or(Patch::Nothing, Patch::With),
            other => other,
        };
        let dest = at.and_then(|at| self.arena.nodes.get_mut(at));
        let value = match merger.node(self.list.element(), dest, patch)? {
            Merged::Gone => None,
            Merged::Kept => at,
            Merged::New(mut node) => {
                // What takes the place of an element is taken back in the end.
                if at.is_none() {
                    merger.marks.mark(&mut node, None);
                }
                self.arena.nodes.push(node);
                Some(self.arena.nodes.len() - 1)
            }
        };
        let value = value.filter(|at| self.arena.nodes.get(*at).is_some_and(|item| !is_empty(item)));
        let Some(value) = value else {
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

    /// Puts what was there behind what was merged.
    fn appended(&mut self) -> Result<Vec<usize>, Fault> {
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
            // Where a key is missing, the values that are there count for the first keys.
            let keys: Vec<_> = self.keys.iter().map(|at| self.key(*at)).collect();
            if keys.len() > 1 {
                set_partly(&self.arena, &mut list, None, &keys, &values)?;
            }
            set_partly(&self.arena, &mut list, Some(at), &keys, &values)?;
        }
        Ok(list)
    }
}

fn no_mapping(item: &Node) -> Fault {
    Fault::new(item.origin, format!("an element of the list is {}, and it must be a mapping", describe(item)))
}

fn matches(item: &Node, wanted: &[(&str, &str)]) -> bool {
    match wanted.first() {
        Some(("", value)) => text(item) == *value,
        _ => item.as_mapping().is_some_and(|item| {
            wanted.iter().all(|(key, value)| item.get(key).is_some_and(|found| text(found) == *value))
        }),
    }
}

fn set(arena: &Arena, list: &mut Vec<usize>, new: Option<usize>, pairs: &[(&str, &str)]) -> Result<(), Fault> {
    let (keys, values): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    set_partly(arena, list, new, &keys, &values)
}

/// Replaces the elements with some values by another one, or takes them out; what is found nowhere is added.
///
/// # Source
/// kyaml `ElementSetter`.
fn set_partly(
    arena: &Arena,
    list: &mut Vec<usize>,
    new: Option<usize>,
    keys: &[&str],
    values: &[&str],
) -> Result<(), Fault> {
    let is_for_mappings =
        keys.first().is_some_and(|key| !key.is_empty()) && values.first().is_some_and(|value| !value.is_empty());
    let mut is_found = false;
    let mut kept = Vec::with_capacity(list.len() + 1);
    for at in list.iter().copied() {
        let Some(item) = arena.nodes.get(at).filter(|item| !is_empty(item)) else { continue };
        if item.as_mapping().is_none() && is_for_mappings {
            kept.push(at);
            continue;
        }
        if !is_match(item, keys, values)? {
            // Without any value all others are lost.
            kept.extend((!values.is_empty()).then_some(at));
            continue;
        }
        is_found = true;
        kept.extend(new);
    }
    *list = kept;
    if let Some(new) = new.filter(|new| !is_found && arena.nodes.get(*new).is_some_and(|item| !item.is_null())) {
        list.push(new);
    }
    Ok(())
}

fn is_match(item: &Node, keys: &[&str], values: &[&str]) -> Result<bool, Fault> {
    let mut found = false;
    for (i, key) in keys.iter().enumerate() {
        // Of a key without a value, what was found for the one before counts.
        if let Some(value) = values.get(i) {
            found = if key.is_empty() {
                if item.as_scalar().is_none() {
                    let message = format!("an element of the list is {}, and it must be a text", describe(item));
                    return Err(Fault::new(item.origin, message));
                }
                text(item) == *value
            } else {
                if item.as_mapping().is_none() {
                    return Err(no_mapping(item));
                }
                item.get(key).is_some_and(|found| value.is_empty() || text(found) == *value)
            };
        }
        if !found {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the values of the keys of all elements, each once: those of the patch first.
fn tuples(keys: &[&str], items: &[Node], said: &[Node]) -> Vec<Values> {
    let mut tuples: Vec<Values> = Vec::new();
    for item in said.iter().chain(items) {
        let values: Values = match keys {
            [""] => vec![text(item).to_owned()],
            keys => keys.iter().map(|key| key_text(item, key).to_owned()).collect(),
        };
        if !tuples.contains(&values) {
            tuples.push(values);
        }
    }
    if keys.len() > 1 {
        unify(&mut tuples);
    }
    tuples
}

/// Makes values equal that differ only where one has none, such as ports with and without a protocol.
fn unify(tuples: &mut [Values]) {
    for i in 0..tuples.len() {
        let Some(first) = tuples.get(i).cloned() else { continue };
        for j in 0..tuples.len() {
            let Some(both) = tuples.get(j).and_then(|second| unified(&first, second)) else { continue };
            if let Some(tuple) = tuples.get_mut(i) {
                tuple.clone_from(&both);
            }
            if let Some(tuple) = tuples.get_mut(j) {
                *tuple = both;
            }
        }
    }
}

fn unified(a: &Values, b: &Values) -> Option<Values> {
    let fits = a.iter().zip(b).all(|(a, b)| a == b || a.is_empty() || b.is_empty());
    let shares = a.iter().zip(b).any(|(a, b)| a == b);
    (fits && shares).then(|| a.iter().zip(b).map(|(a, b)| if a.is_empty() { b.clone() } else { a.clone() }).collect())
}

/// Returns the keys for which any element has a value, or all if there is none.
fn valid_keys(keys: &[&str], tuples: &[Values]) -> Vec<usize> {
    let has_value = |at: &usize| tuples.iter().any(|values| values.get(*at).is_some_and(|value| !value.is_empty()));
    let valid: Vec<_> = (0..keys.len()).filter(has_value).collect();
    if valid.is_empty() { (0..keys.len()).collect() } else { valid }
}
