//! Interned strings: frequent strings, each stored once.

use std::collections::HashSet;
use std::sync::Arc;

/// Keys, and the values of `kind` and `apiVersion`: thousands of objects have the same few. Storing each string once saves even
/// more time than memory.
#[derive(Debug, Clone, Default)]
pub struct Interner(HashSet<Arc<str>>);

impl Interner {
    /// Returns the interned copy of a string.
    pub(crate) fn get(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        let text: Arc<str> = Arc::from(text);
        self.0.insert(Arc::clone(&text));
        text
    }
}
