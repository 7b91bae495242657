//! The files that could not be read, and the missing objects that may be in them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use tidegate_model::tree::Tree;

/// The files that could not be read.
pub(crate) struct Unreadable<'a> {
    /// Each file with its text, as far as it is text.
    files: Vec<(&'a str, Cow<'a, str>)>,
}

impl<'a> Unreadable<'a> {
    pub(crate) fn new(tree: &'a Tree, files: &'a BTreeSet<String>) -> Self {
        let text = |file: &str| tree.files.get(file).map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
        Self { files: files.iter().map(|file| (file.as_str(), text(file))).collect() }
    }

    /// Returns `true` if every file could be read, so that an object that is not known does not exist.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the first file that contains a name, and so may declare the object with that name.
    pub(crate) fn with(&self, name: &str) -> Option<&'a str> {
        self.files.iter().find(|(_, text)| holds(text, name)).map(|(file, _)| *file)
    }

    /// Returns the first file that contains a name, or whose text is not known, such as a link.
    pub(crate) fn that_may_declare(&self, name: &str) -> Option<&'a str> {
        self.files.iter().find(|(_, text)| text.is_empty() || holds(text, name)).map(|(file, _)| *file)
    }
}

fn holds(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| is_whole(text, at, name.len()))
}

/// Returns `true` if a name in a text is not a part of a longer name.
fn is_whole(text: &str, at: usize, length: usize) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '.'));
    let (before, rest) = text.split_at(at);
    !is_part(before.chars().next_back()) && !is_part(rest.chars().nth(length))
}
