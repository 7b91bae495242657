//! Texts that occur again and again, each kept once.

use std::collections::HashSet;
use std::sync::Arc;

/// Keys, and the words of objects that say what they are: thousands of objects have the same few. What is looked at in each of them
/// lies in one place, which saves more time than memory.
#[derive(Debug, Clone, Default)]
pub struct Texts(HashSet<Arc<str>>);

impl Texts {
    /// Returns the one text with these characters.
    pub(super) fn get(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        let text: Arc<str> = Arc::from(text);
        self.0.insert(Arc::clone(&text));
        text
    }
}
