//! Warnings of scalars without quotes that not every reader of YAML takes for the same, or that are not the text that Kubernetes
//! wants.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::reading::{boolean, elsewhere};
use crate::repository::complaint::{Complaint, Place, Rule, Severity};
use crate::repository::node::{Content, Mark, Member, Node};
use crate::repository::object::Object;
use crate::repository::token::token;
use tidegate_model::tree::Tree;

/// A file with more of them has a habit, of which so many warnings tell enough.
const MAX_PER_FILE: usize = 20;
/// Beyond so many in all files, nobody reads them any more, and the journal would list them with every revision.
const MAX: usize = 200;

/// A longer line was written by a program, which knows about quotes; and finding columns in it costs its length each time.
const MAX_LINE: usize = 1000;

/// Members that hold a mapping of texts, whatever they are part of.
const TEXTS: [&str; 4] = ["labels", "annotations", "matchLabels", "nodeSelector"];
/// Members that hold the mode of a file, which everybody writes in octal, and all readers of Kubernetes take for that.
const MODES: [&str; 2] = ["mode", "defaultMode"];

/// Adds the warnings about all objects. A place that has a complaint gets no second one.
pub(in crate::repository) fn check(objects: &[Object], tree: &Tree, complaints: &mut Vec<Complaint>) {
    let taken: BTreeSet<Place> = complaints.iter().map(|complaint| complaint.place.clone()).collect();
    let mut files: BTreeMap<&str, Vec<&Object>> = BTreeMap::new();
    for object in objects.iter().filter(|object| !object.file.ends_with(".json")) {
        files.entry(&object.file).or_default().push(object);
    }
    let before = complaints.len();
    for (file, objects) in files {
        let most = MAX_PER_FILE.min(MAX.saturating_sub(complaints.len() - before));
        let text = tree.files.get(file).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let lines: Vec<&str> = text.unwrap_or_default().lines().collect();
        let mut seen = BTreeSet::new();
        let mut count = 0;
        for object in objects {
            let mut walk = Walk { lines: &lines, file: object.node.mark.file, room: most - count, found: Vec::new() };
            walk.node(&object.node, Around::default());
            for (mark, message) in walk.found {
                let complaint = Complaint::of_file(file, mark, message).about(Rule::Ambiguous);
                if seen.insert(mark) && !taken.contains(&complaint.place) && count < most {
                    count += 1;
                    let (object, severity) = (Some(object.key.clone()), Severity::Warning);
                    complaints.push(Complaint { object, severity, ..complaint });
                }
            }
        }
    }
}

/// Returns `true` if an object holds its data as texts.
fn holds_texts(object: &Node) -> bool {
    match object.find(&["kind"]).map(|kind| &kind.content) {
        Some(Content::Leaf(Value::String(kind))) => matches!(kind.as_str(), "ConfigMap" | "Secret"),
        _ => false,
    }
}

/// What stands around a value.
#[derive(Debug, Clone, Copy, Default)]
struct Around<'a> {
    /// The key of the value, or of the list that it is in.
    key: &'a str,
    /// Whether Kubernetes wants text here.
    is_text: bool,
    /// Whether it wants a mapping of texts here.
    are_texts: bool,
}

struct Walk<'a> {
    lines: &'a [&'a str],
    /// The number of the file that the lines are of. Of a rendered object, other values stand in other files.
    file: u32,
    /// How many more are wanted.
    room: usize,
    found: Vec<(Mark, String)>,
}

impl Walk<'_> {
    fn node(&mut self, node: &Node, around: Around<'_>) {
        if self.found.len() >= self.room {
            return;
        }
        match &node.content {
            Content::Leaf(value) => self.leaf(node.mark, value, around),
            Content::List(items) => {
                items.iter().for_each(|item| self.node(item, Around { are_texts: false, ..around }));
            }
            Content::Map(members) => members.iter().for_each(|member| self.member(node, member, around)),
        }
    }

    fn member(&mut self, map: &Node, member: &Member, around: Around<'_>) {
        let key = member.key.as_str();
        if key.len() > 1
            && let Some(word) = boolean(key)
            && self.raw(member.mark) == key
        {
            let message = format!(
                "the key {key} without quotes is text here, and the boolean {word} to readers of YAML 1.1; write {key:?} in quotes"
            );
            self.found.push((member.mark, message));
        }
        // A mapping is searched only for the few keys that ask for it: each search costs its length.
        let is_text = around.are_texts
            || around.key == "env" && key == "value"
            || matches!(key, "command" | "args") && map.find(&["image"]).is_some();
        let are_texts = TEXTS.contains(&key) || matches!(key, "data" | "stringData") && holds_texts(map);
        self.node(&member.value, Around { key, is_text, are_texts });
    }

    fn leaf(&mut self, mark: Mark, value: &Value, around: Around<'_>) {
        let here = match value {
            Value::String(_) => "text".to_owned(),
            Value::Number(number) => format!("the number {number}"),
            Value::Bool(value) => format!("the boolean {value}"),
            _ => return,
        };
        if value.as_str().is_some_and(|text| elsewhere(text, value).is_none()) {
            return;
        }
        let raw = self.raw(mark);
        // Of text in quotes, in a block or on several lines, the token is not the value.
        if raw.is_empty() || value.as_str().is_some_and(|text| text != raw) {
            return;
        }
        let key = around.key;
        if around.is_text && !value.is_string() {
            let message = format!("{key}: {raw} without quotes is {here}, and Kubernetes wants text; write \"{raw}\"");
            return self.found.push((mark, message));
        }
        let Some(there) = elsewhere(raw, value) else { return };
        if MODES.contains(&key) && value.is_number() {
            return;
        }
        let remedy = match value {
            Value::String(_) => format!("write \"{raw}\""),
            other => format!("write {other}, or \"{raw}\" for text"),
        };
        self.found.push((mark, format!("{key}: {raw} without quotes is {here} here, and {there}; {remedy}")));
    }

    /// Returns the plain scalar at a mark; nothing if it is the text of a block, or has a tag, which says what it is.
    fn raw(&self, mark: Mark) -> &str {
        if mark.file != self.file {
            return "";
        }
        let number = (mark.line as usize).saturating_sub(1);
        let line = self.lines.get(number).copied().unwrap_or_default();
        if line.len() > MAX_LINE {
            return "";
        }
        let column = (mark.column as usize).saturating_sub(1);
        let start = line.char_indices().nth(column).map_or(line.len(), |(start, _)| start);
        let before = line.get(..start).unwrap_or_default();
        let is_tagged = before.split_whitespace().next_back().is_some_and(|word| word.starts_with('!'));
        if is_tagged || before.trim().is_empty() && self.is_block_above(number) {
            return "";
        }
        token(line, mark.column)
    }

    /// Returns `true` if the line before, empty ones apart, opens a block of text.
    fn is_block_above(&self, number: usize) -> bool {
        let above = self.lines.iter().take(number).rev().find(|line| !line.trim().is_empty());
        let above = above.map_or("", |line| line.split(" #").next().unwrap_or(line).trim_end());
        let header = above.rsplit([' ', '\t']).next().unwrap_or_default();
        header.starts_with(['|', '>']) && header.bytes().skip(1).all(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'))
    }
}
