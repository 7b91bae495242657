//! Reads values of the lock file, and refuses those that `tidegate vendor` does not write.

use crate::yaml::{Fields, Node, Provenance, Reader};
use tidegate_model::digest::Digest;

/// What to do about a lock that cannot be used.
pub(super) const REMEDY: &str = "restore the file, or run `tidegate vendor` again";

pub(super) struct LockReader<'a> {
    pub(super) reader: &'a mut Reader,
    pub(super) provenance: &'a Provenance,
}

impl LockReader<'_> {
    /// Returns the fields of a mapping, and refuses anything else.
    pub(super) fn fields<'n>(&mut self, node: &'n Node, what: &str, known: &[&'static str]) -> Fields<'n> {
        if node.is_null() {
            self.reader.error(node.origin, format!("{what} is empty; {REMEDY}"));
        }
        self.reader.fields(node, what, known)
    }

    /// Refuses an item of a list.
    pub(super) fn refuse(&mut self, item: &Node, message: &str) {
        self.reader.error(item.origin, format!("{message}; {REMEDY}"));
    }

    pub(super) fn error(&mut self, fields: &Fields<'_>, name: &str, message: &str) {
        let at = fields.get(name).map_or(fields.origin, |node| node.origin);
        self.reader.error(at, format!("{message}; {REMEDY}"));
    }

    /// Returns the string of a field that must have one.
    pub(super) fn text(&mut self, fields: &Fields<'_>, name: &str) -> String {
        let before = self.reader.errors.len();
        let text = self.optional(fields, name);
        if text.is_none() && self.reader.errors.len() == before {
            self.error(fields, name, &format!("{name} is missing"));
        }
        text.unwrap_or_default()
    }

    /// Returns the string of a field that may be missing.
    pub(super) fn optional(&mut self, fields: &Fields<'_>, name: &str) -> Option<String> {
        self.reader.text(fields, name).map(|text| text.text.to_string())
    }

    pub(super) fn digest(&mut self, fields: &Fields<'_>, name: &str) -> Digest {
        let text = self.text(fields, name);
        let digest = text.strip_prefix("sha256:").and_then(|digits| digits.parse().ok());
        if digest.is_none() && !text.is_empty() {
            self.error(fields, name, &format!("{name} is not a hash; write sha256: and 64 hexadecimal digits"));
        }
        digest.unwrap_or_default()
    }
}

/// Returns `true` for a path whose parts are all names.
pub(super) fn is_plain(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".." | ".git")) && !path.contains(char::is_control)
}
