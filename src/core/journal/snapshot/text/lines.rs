//! Parses the lines that [`Snapshot::to_yaml`] writes: each value is JSON, so a document of ten thousand clusters takes a tenth of the time
//! that a YAML parser needs.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error as Plain, StrDeserializer};

use super::error::Error;
use super::path::path_at;
use crate::snapshot::record::Snapshot;

/// Parses a document; `None` if its lines are not as [`Snapshot::to_yaml`] writes them.
///
/// # Errors
/// [`Error`] if a line has the right form, but not the right content.
pub(super) fn parsed(text: &str) -> Result<Option<Snapshot>, Error> {
    let mut snapshot = Snapshot::default();
    let mut section = "";
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let is_known = match entry(text) {
            Some(Entry::Section(name)) => {
                section = name;
                true
            }
            Some(Entry::Field { name, value }) => {
                field(&mut snapshot, name, At { line, before: "", name, text, value })?
            }
            Some(Entry::Item { value }) => {
                item(&mut snapshot, section, At { line, before: section, name: "", text, value })?
            }
            Some(Entry::Named { name, value }) => {
                if let Some(first) = seen.insert((section, name), line) {
                    return Err(Error::Duplicate { line, section: section.to_owned(), name: name.to_owned(), first });
                }
                named(&mut snapshot, section, At { line, before: section, name, text, value })?
            }
            None => false,
        };
        if !is_known {
            return Ok(None);
        }
    }
    Ok(Some(snapshot))
}

/// A line of the document.
enum Entry<'t> {
    /// `name:`
    Section(&'t str),
    /// `name: value`
    Field { name: &'t str, value: &'t str },
    /// `  - value`
    Item { value: &'t str },
    /// `  "name": value`
    Named { name: &'t str, value: &'t str },
}

fn entry(text: &str) -> Option<Entry<'_>> {
    let Some(inner) = text.strip_prefix("  ") else {
        if let Some(name) = text.strip_suffix(':') {
            return Some(Entry::Section(name));
        }
        let (name, value) = text.split_once(": ")?;
        return Some(Entry::Field { name, value });
    };
    if let Some(value) = inner.strip_prefix("- ") {
        return Some(Entry::Item { value });
    }
    let (name, value) = inner.strip_prefix('"')?.split_once("\": ")?;
    (!name.contains(['\\', '"'])).then_some(Entry::Named { name, value })
}

/// A value, and where it is.
struct At<'t> {
    line: usize,
    before: &'t str,
    name: &'t str,
    text: &'t str,
    value: &'t str,
}

/// Sets a field at the top, and returns `true` if the field is known.
fn field(snapshot: &mut Snapshot, name: &str, at: At<'_>) -> Result<bool, Error> {
    match name {
        // The header has been checked.
        "apiVersion" | "kind" => {}
        "asOf" => snapshot.as_of = Some(at.read()?),
        "instance" => snapshot.instance = Some(at.read()?),
        "managerDelivers" => snapshot.manager_delivers = at.read()?,
        "clusters" if at.value == "{}" => {}
        _ => return Ok(false),
    }
    Ok(true)
}

/// Adds an item to a list, and returns `true` if the list is known.
fn item(snapshot: &mut Snapshot, section: &str, at: At<'_>) -> Result<bool, Error> {
    match section {
        "clusterSetBindings" => drop(snapshot.cluster_set_bindings.insert(at.read()?)),
        "objects" => snapshot.objects.push(at.read()?),
        "unreadable" => snapshot.unreadable.push(at.read()?),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Adds an entry to a map, and returns `true` if the map is known.
fn named(snapshot: &mut Snapshot, section: &str, at: At<'_>) -> Result<bool, Error> {
    match section {
        "instances" => at.insert(&mut snapshot.instances)?,
        "configurations" => at.insert(&mut snapshot.configurations)?,
        "clusterSets" => at.insert(&mut snapshot.cluster_sets)?,
        "placements" => at.insert(&mut snapshot.placements)?,
        "addons" => at.insert(&mut snapshot.addons)?,
        "clusters" => at.insert(&mut snapshot.clusters)?,
        _ => return Ok(false),
    }
    Ok(true)
}

impl At<'_> {
    fn insert<K, V>(self, map: &mut BTreeMap<K, V>) -> Result<(), Error>
    where
        K: for<'k> Deserialize<'k> + Ord,
        V: DeserializeOwned,
    {
        let name: StrDeserializer<'_, Plain> = self.name.into_deserializer();
        let key = K::deserialize(name).map_err(|why| Error::Name {
            line: self.line,
            section: self.before.to_owned(),
            why: why.to_string(),
        })?;
        map.insert(key, self.read()?);
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_str(self.value).map_err(|error| self.error(&error))
    }

    /// Adds the line, the column and the field.
    fn error(&self, error: &serde_json::Error) -> Error {
        let message = error.to_string();
        let why = message.split(" at line ").next().unwrap_or_default().to_owned();
        // The place is the last byte that was read.
        let read = self.value.get(..error.column().saturating_sub(1)).unwrap_or(self.value);
        let mut path = path_at(read);
        if why.starts_with("missing field") {
            path.pop();
        }
        let names = [self.before.to_owned(), self.name.to_owned()].into_iter().chain(path);
        let field = names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(".");
        let before = self.text.len() - self.value.len();
        let column = self.text.get(..before).map_or(0, |text| text.chars().count()) + read.chars().count() + 1;
        Error::Field { line: self.line, column, field, why }
    }
}
