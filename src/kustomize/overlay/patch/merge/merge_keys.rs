//! The key values that identify the elements of a list.

use super::element_setter::text;
use crate::yaml::Node;

/// The values of the merge keys of an element.
pub(crate) type Values = Vec<String>;

/// Returns the string of a merge key, empty if it is missing or null.
fn key_text<'a>(item: &'a Node, key: &str) -> &'a str {
    item.get(key).filter(|value| !value.is_null()).map_or("", text)
}

/// Returns the distinct key values of all elements, those of the patch first.
pub(crate) fn tuples(keys: &[&str], items: &[Node], given: &[Node]) -> Vec<Values> {
    let mut tuples: Vec<Values> = Vec::new();
    for item in given.iter().chain(items) {
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

/// Unifies values that differ only where one of them is empty, such as ports with and without a protocol.
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

/// Returns the indices of the keys for which any element has a value, or of all keys if no element has any.
pub(crate) fn valid_keys(keys: &[&str], tuples: &[Values]) -> Vec<usize> {
    let has_value = |at: &usize| tuples.iter().any(|values| values.get(*at).is_some_and(|value| !value.is_empty()));
    let valid: Vec<_> = (0..keys.len()).filter(has_value).collect();
    if valid.is_empty() { (0..keys.len()).collect() } else { valid }
}
