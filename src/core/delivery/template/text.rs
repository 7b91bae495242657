//! The text of a manifest with its `{{VARIABLES}}`.

use std::collections::BTreeMap;

use tidegate_api::variable::CLUSTER_NAME;

/// A text in which all variables except the cluster name are replaced.
///
/// A template is read once and filled in for thousands of clusters, so only the part that differs is left open.
#[derive(Debug)]
pub(super) struct Text {
    head: String,
    /// The text after each occurrence of the cluster name.
    tails: Vec<String>,
}

impl Text {
    /// Replaces the variables of a text; `None` if a `{{` is not followed by a `}}`.
    ///
    /// Values are inserted without escaping, spaces in a tag are part of the name, and unknown variables are empty.
    ///
    /// # Source
    /// `valyala/fasttemplate`, as OCM's template agent uses it.
    pub(super) fn read(raw: &str, values: &BTreeMap<String, String>) -> Option<Self> {
        let mut text = Self { head: String::with_capacity(raw.len()), tails: Vec::new() };
        let mut rest = raw;
        while let Some((before, behind)) = rest.split_once("{{") {
            let (tag, behind) = behind.split_once("}}")?;
            text.push(before);
            match values.get(tag) {
                _ if tag == CLUSTER_NAME => text.tails.push(String::new()),
                Some(value) => text.push(value),
                None => {}
            }
            rest = behind;
        }
        text.push(rest);
        Some(text)
    }

    fn push(&mut self, literal: &str) {
        self.tails.last_mut().unwrap_or(&mut self.head).push_str(literal);
    }

    /// Returns `true` if the text differs between clusters.
    pub(super) fn names_cluster(&self) -> bool {
        !self.tails.is_empty()
    }

    /// Returns `true` if the text, without the cluster names, contains a string.
    pub(super) fn contains(&self, other: &str) -> bool {
        [&self.head].into_iter().chain(&self.tails).any(|part| part.contains(other))
    }

    /// Returns the text for one cluster.
    pub(super) fn filled(&self, cluster: &str) -> String {
        let length = self.head.len() + self.tails.iter().map(|tail| tail.len() + cluster.len()).sum::<usize>();
        let mut filled = String::with_capacity(length);
        filled.push_str(&self.head);
        for tail in &self.tails {
            filled.push_str(cluster);
            filled.push_str(tail);
        }
        filled
    }
}
