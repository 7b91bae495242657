//! `[[vendor]]`: the applications that another program renders. Only `tidegate vendor` reads them.

use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use super::types::normal_path;
use crate::reserved::{is_reserved, is_vendored};
use tidegate_model::diagnostic::Place;
use tidegate_model::near::remedy;

/// A key of the tables `[[vendor]]`.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it sets.
    pub about: &'static str,
    /// Its values; empty for the path of a file or directory.
    pub words: &'static [&'static str],
}

/// The name of the tables.
pub const VENDOR: &str = "vendor";
/// What the tables are about.
pub const ABOUT: &str = "The applications that another program renders when `tidegate vendor` runs.";
/// The keys of each table. All of them are needed.
pub const FIELDS: [Field; 4] = [
    Field { name: "kind", about: "Which program renders it: `vela dry-run --offline` of KubeVela.", words: &["vela"] },
    Field { name: "app", about: "File with the Application, outside of the directory of the objects.", words: &[] },
    Field { name: "definitions", about: "File or directory with its definitions.", words: &[] },
    Field { name: "target", about: "File of the Application that is written.", words: &[] },
];

/// An application that another program renders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendering {
    /// The path of the file with the Application.
    pub app: String,
    /// The path of the file or directory with its definitions.
    pub definitions: String,
    /// The path of the file that is written.
    pub target: String,
    /// Where it is declared.
    pub place: Place,
}

/// What is wrong with a table, and where.
pub(super) type Wrong = (Range<usize>, String);

/// Reads the tables. `place` returns the place of a span.
pub(super) fn renderings(
    item: &Spanned<DeValue<'_>>,
    place: impl Fn(&Range<usize>) -> Place,
) -> Result<Vec<Rendering>, Wrong> {
    let tables = item.get_ref().as_array().ok_or_else(|| {
        (item.span(), "\"vendor\" is a list of tables; write [[vendor]] before the keys of each".to_owned())
    })?;
    let mut all: Vec<Rendering> = Vec::new();
    for table in tables.iter() {
        let rendering = rendering(table, place(&table.span()))?;
        if let Some(other) = all.iter().find(|other| other.target == rendering.target) {
            let message = format!(
                "vendor.target {:?} is also that of the table at {}; choose another file",
                other.target, other.place
            );
            return Err((table.span(), message));
        }
        all.push(rendering);
    }
    Ok(all)
}

fn rendering(item: &Spanned<DeValue<'_>>, place: Place) -> Result<Rendering, Wrong> {
    let table = item
        .get_ref()
        .as_table()
        .ok_or_else(|| (item.span(), "an item of vendor is not a table; write [[vendor]]".to_owned()))?;
    for (name, _) in table {
        let name = (name.get_ref().as_ref(), name.span());
        if !FIELDS.iter().any(|field| field.name == name.0) {
            let remedy = remedy(name.0, FIELDS.iter().map(|field| field.name));
            return Err((name.1, format!("vendor.{} is not known; {remedy}", name.0)));
        }
    }
    let mut values = [const { String::new() }; FIELDS.len()];
    for (field, text) in FIELDS.iter().zip(&mut values) {
        let value = table.iter().find(|(name, _)| name.get_ref().as_ref() == field.name).map(|(_, value)| value);
        let value = value.ok_or_else(|| (item.span(), format!("vendor.{} is missing; add it", field.name)))?;
        *text = self::value(field, value)?;
    }
    let [_, app, definitions, target] = values;
    if app == target || is_within(&target, &definitions) {
        let message =
            format!("vendor.target {target:?} is one of the files that it is rendered from; choose another file");
        return Err((item.span(), message));
    }
    Ok(Rendering { app, definitions, target, place })
}

fn is_within(path: &str, directory: &str) -> bool {
    directory == "." || path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn value(field: &Field, item: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    let name = field.name;
    let wrong = |message: String| (item.span(), message);
    let text =
        item.get_ref().as_str().ok_or_else(|| wrong(format!("vendor.{name} is not a string; write it in quotes")))?;
    if !field.words.is_empty() {
        return match field.words.contains(&text) {
            true => Ok(text.to_owned()),
            false => Err(wrong(format!("vendor.{name} is {text:?}; {}", remedy(text, field.words.iter().copied())))),
        };
    }
    let path = normal_path(text).map_err(|why| wrong(format!("vendor.{name} {text:?} {why}")))?;
    if is_reserved(&path) || is_vendored(&path) {
        return Err(wrong(format!(
            "vendor.{name} {text:?} is in a directory whose files are not declarations; choose another one"
        )));
    }
    let is_yaml = [".yaml", ".yml"].iter().any(|ending| path.ends_with(ending));
    if name != "definitions" && !is_yaml {
        return Err(wrong(format!("vendor.{name} {text:?} is not a YAML file; write a path that ends with .yaml")));
    }
    Ok(path)
}
