//! Writes the document.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::snapshot::record::Snapshot;

impl Snapshot {
    /// Returns the document.
    ///
    /// # Shape
    /// A YAML document with one line per entry of each map and list, sorted. Each value is in flow style, and is also JSON.
    pub fn to_yaml(&self) -> String {
        let Self {
            api_version,
            kind,
            as_of,
            instance,
            instances,
            manager_delivers,
            configurations,
            cluster_sets,
            cluster_set_bindings,
            placements,
            addons,
            objects,
            unreadable,
            clusters,
        } = self;
        let mut text = format!("apiVersion: {api_version}\nkind: {kind}\n");
        if let Some(as_of) = as_of {
            text.push_str(&format!("asOf: \"{as_of}\"\n"));
        }
        if let Some(instance) = instance {
            text.push_str(&format!("instance: \"{instance}\"\n"));
        }
        if *manager_delivers {
            text.push_str("managerDelivers: true\n");
        }
        map(&mut text, "instances", instances);
        map(&mut text, "configurations", configurations);
        map(&mut text, "clusterSets", cluster_sets);
        list(&mut text, "clusterSetBindings", cluster_set_bindings);
        map(&mut text, "placements", placements);
        map(&mut text, "addons", addons);
        list(&mut text, "objects", objects);
        list(&mut text, "unreadable", unreadable);
        if clusters.is_empty() {
            text.push_str("clusters: {}\n");
        }
        map(&mut text, "clusters", clusters);
        text
    }
}

fn map<'m, K: Serialize + 'm, V: Serialize + 'm>(
    text: &mut String,
    name: &str,
    entries: impl IntoIterator<Item = (&'m K, &'m V)>,
) {
    let lines = entries.into_iter().map(|(key, value)| format!("{}: {}", flow(key), flow(value)));
    section(text, name, lines);
}

fn list<'l, V: Serialize + 'l>(text: &mut String, name: &str, items: impl IntoIterator<Item = &'l V>) {
    section(text, name, items.into_iter().map(|item| format!("- {}", flow(item))));
}

fn section(text: &mut String, name: &str, lines: impl Iterator<Item = String>) {
    for (at, line) in lines.enumerate() {
        if at == 0 {
            text.push_str(name);
            text.push_str(":\n");
        }
        text.push_str("  ");
        text.push_str(&line);
        text.push('\n');
    }
}

/// Returns a value as JSON with spaces. Every type of the document can be written, and the result is UTF-8.
fn flow(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    match value.serialize(&mut Serializer::with_formatter(&mut bytes, Spaced)) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// Writes JSON with a space after each comma and colon, and without characters that YAML does not accept.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: io::Write + ?Sized>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { to.write_all(b", ") }
    }

    fn begin_object_key<W: io::Write + ?Sized>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { to.write_all(b", ") }
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }

    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, to: &mut W, fragment: &str) -> io::Result<()> {
        let is_odd =
            |c: char| matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
        if !fragment.contains(is_odd) {
            return to.write_all(fragment.as_bytes());
        }
        fragment.chars().try_for_each(|c| match is_odd(c) {
            true => write!(to, "\\u{:04x}", u32::from(c)),
            false => write!(to, "{c}"),
        })
    }
}
