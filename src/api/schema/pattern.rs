//! Patterns of schemas, compiled once per thread: a schema is checked against thousands of objects.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::Regex;

/// Maximum number of cached patterns; the CRDs of a hub have a few hundred.
const KEPT: usize = 1_000;

thread_local! {
    static COMPILED: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
}

/// Returns `true` if a string matches a pattern; `None` if the pattern is invalid.
pub(super) fn matches(pattern: &str, text: &str) -> Option<bool> {
    COMPILED.with_borrow_mut(|compiled| {
        if !compiled.contains_key(pattern) {
            if compiled.len() >= KEPT {
                compiled.clear();
            }
            compiled.insert(pattern.to_owned(), Regex::new(pattern).ok());
        }
        compiled.get(pattern)?.as_ref().map(|regex| regex.is_match(text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_cached_and_invalid_ones_match_nothing() {
        for _ in 0..2 {
            assert_eq!(matches("^a+$", "aa"), Some(true));
            assert_eq!(matches("^a+$", "ab"), Some(false));
            assert_eq!(matches("(", "("), None);
        }
        for n in 0..=KEPT {
            assert_eq!(matches(&format!("^{n}$"), &n.to_string()), Some(true));
        }
    }
}
