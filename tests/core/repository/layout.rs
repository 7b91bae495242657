//! Writes objects as files in a random layout: their order, files, formatting and comments, as plain files or as an overlay.

use serde_json::Value;
use tidegate_model::tree::Tree;

/// A source of layouts. The same seed gives the same layout.
pub(super) struct Layout {
    state: u64,
}

impl Layout {
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns a number below a limit.
    ///
    /// # Source
    /// SplitMix64.
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    fn shuffled<T>(&mut self, items: Vec<T>) -> Vec<T> {
        let mut out = Vec::new();
        for item in items {
            let at = self.below(out.len() + 1);
            out.insert(at, item);
        }
        out
    }

    /// Returns a tree with these objects.
    pub(super) fn tree(&mut self, objects: Vec<Value>) -> Tree {
        let mut files: Vec<Vec<String>> = Vec::new();
        for object in self.shuffled(objects) {
            let at = self.below(files.len() + 1);
            if at == files.len() {
                files.push(Vec::new());
            }
            let text = self.document(&object);
            files[at].push(text);
        }
        let mut tree = Tree::default();
        let is_overlay = self.flip();
        let mut names = Vec::new();
        for (number, documents) in files.into_iter().enumerate() {
            let name =
                format!("{}{number}.{}", ["", "a/", "b-", "z/y/"][self.below(4)], ["yaml", "yml"][self.below(2)]);
            names.push(name.clone());
            tree.files.insert(name, documents.join("---\n").into_bytes());
        }
        if is_overlay {
            let resources: String = self.shuffled(names).iter().map(|name| format!("- {name}\n")).collect();
            tree.files.insert("kustomization.yaml".to_owned(), format!("resources:\n{resources}").into_bytes());
        }
        tree
    }

    fn document(&mut self, object: &Value) -> String {
        let mut text = String::new();
        if self.flip() {
            text.push_str("# a comment\n");
        }
        match self.below(3) {
            0 => text.push_str(&(object.to_string() + "\n")),
            _ => self.block(object, 0, &mut text),
        }
        text
    }

    /// Writes a mapping or a sequence, one entry per line.
    fn block(&mut self, value: &Value, indent: usize, out: &mut String) {
        let space = " ".repeat(indent);
        let entries: Vec<(String, &Value)> = match value {
            Value::Object(members) => {
                let entries = members.iter().map(|(key, value)| (format!("{}:", self.scalar(key)), value)).collect();
                self.shuffled(entries)
            }
            Value::Array(items) => items.iter().map(|item| ("-".to_owned(), item)).collect(),
            _ => Vec::new(),
        };
        for (head, value) in entries {
            if self.below(6) == 0 {
                out.push_str(&format!("{space}# another comment\n"));
            }
            let is_empty =
                value.as_object().is_some_and(serde_json::Map::is_empty) || value.as_array().is_some_and(Vec::is_empty);
            if !value.is_object() && !value.is_array() || is_empty || self.below(4) == 0 {
                out.push_str(&format!("{space}{head} {}", self.flow(value)));
                out.push_str(["\n", "   # trailing\n"][self.below(2)]);
            } else {
                out.push_str(&format!("{space}{head}\n"));
                let deeper = indent + 1 + self.below(4);
                self.block(value, deeper, out);
            }
        }
    }

    fn flow(&mut self, value: &Value) -> String {
        match value {
            Value::String(text) => self.scalar(text),
            other => other.to_string(),
        }
    }

    /// Returns a string in one of the styles of YAML.
    fn scalar(&mut self, text: &str) -> String {
        let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '/' | '_'))
            && !matches!(
                text.to_lowercase().as_str(),
                "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
            );
        match self.below(3) {
            0 if is_plain => text.to_owned(),
            1 => format!("'{}'", text.replace('\'', "''")),
            _ => Value::from(text).to_string(),
        }
    }
}
