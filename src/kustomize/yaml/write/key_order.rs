//! The order in which the entries of mappings are written.

use crate::yaml::tree::{Entry, Mapping, Node};

/// Returns the entries in the order in which they are written.
///
/// # Source
/// go-yaml `keyList`: non-letters come before letters, and digits compare as numbers, so that `item9` comes before
/// `item10`.
pub(crate) fn sorted(mapping: &Mapping) -> Vec<&Entry<Node>> {
    let keyed = mapping.iter().map(|entry| (entry.key().text.chars().collect::<Vec<char>>(), entry));
    merge_sort(keyed.collect(), |a, b| less(&a.0, &b.0)).into_iter().map(|(_, entry)| entry).collect()
}

/// Sorts bottom-up. The rule above is not a total order on all possible keys, and the standard library's sort may panic
/// then.
fn merge_sort<T>(items: Vec<T>, less: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut runs: Vec<Vec<T>> = items.into_iter().map(|item| vec![item]).collect();
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        let mut pairs = runs.into_iter();
        while let Some(left) = pairs.next() {
            merged.push(merge(left, pairs.next().unwrap_or_default(), &less));
        }
        runs = merged;
    }
    runs.pop().unwrap_or_default()
}

fn merge<T>(left: Vec<T>, right: Vec<T>, less: &impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        out.extend(if less(b, a) { right.next() } else { left.next() });
    }
    out.extend(left);
    out.extend(right);
    out
}

fn less(a: &[char], b: &[char]) -> bool {
    let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) else { return a.len() < b.len() };
    let (Some(&x), Some(&y)) = (a.get(at), b.get(at)) else { return false };
    match (is_letter(x), is_letter(y)) {
        (true, true) => return x < y,
        (false, false) => {}
        (_, is_letter) => return is_letter,
    }
    // After a nonzero digit, zeros matter: 100 and 10.
    let before = a.get(..at).unwrap_or_default().iter().rev().take_while(|c| c.is_ascii_digit());
    let is_inside = (x == '0' || y == '0') && before.into_iter().any(|c| *c != '0');
    let (x_number, x_end) = number(a, at, is_inside);
    let (y_number, y_end) = number(b, at, is_inside);
    match (x_number == y_number, x_end == y_end) {
        (false, _) => x_number < y_number,
        (true, false) => x_end < y_end,
        (true, true) => x < y,
    }
}

/// Parses the digits from a position on, with a 1 prepended if they are inside a number. Returns the number and the end of the
/// digits. Numbers that are too long wrap around, as in Go.
fn number(text: &[char], at: usize, is_inside: bool) -> (i64, usize) {
    let digits = text.get(at..).unwrap_or_default().iter().map_while(|c| c.to_digit(10));
    digits.fold((i64::from(is_inside), at), |(number, end), digit| {
        (number.wrapping_mul(10).wrapping_add(i64::from(digit)), end + 1)
    })
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !c.is_numeric()
}
