//! Reads the control files of a tree.

use std::collections::BTreeSet;

use serde_json::Value;

use super::name::{About, about};
use super::schema::SCHEMA;
use super::types::{Control, Controls, Pause};
use crate::check::wording;
use crate::complaint::{Complaint, Rule};
use crate::read::file::documents;
use crate::read::misplaced::{CONTROL_KIND, misplaced};
use crate::read::origin::{key_origin, value_origin};
use crate::reserved::{CONTROL, has_objects};
use tidegate_api::schema::check::{Violation, violations};
use tidegate_api::schema::path::{Path, Step};
use tidegate_kustomize::yaml::{Node, NodeBudget, Provenance};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::document::API_VERSION;
use tidegate_model::line::brief;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;
use tidegate_model::tree::Tree;

/// Maximum complaints about one file.
const MAX_COMPLAINTS: usize = 50;

/// The control files as read.
#[derive(Default)]
pub(crate) struct Read {
    pub(crate) controls: Controls,
    /// The files that could be read.
    pub(crate) files: Vec<ControlFile>,
    /// The files that declare something else. They may be declarations from a time when the directory had no meaning.
    pub(crate) misplaced: BTreeSet<String>,
    pub(crate) complaints: Vec<Complaint>,
    /// What the files that cannot be used are about, with the pauses that they cause.
    pauses: Vec<(About, Pause)>,
}

/// A control file, with the places of its values.
pub(crate) struct ControlFile {
    pub(super) path: String,
    /// The add-on that it is about; `None` for all.
    pub(super) addon: Option<UnitName>,
    pub(super) node: Node,
    pub(super) provenance: Provenance,
}

/// Reads the control files at the root of a tree.
pub(crate) fn read(tree: &Tree, budget: &NodeBudget) -> Read {
    let mut read = Read::default();
    let why = match (tree.files.contains_key(CONTROL), tree.skipped.get(CONTROL)) {
        (true, _) => Some("it is a file".to_owned()),
        (false, skipped) => skipped.cloned(),
    };
    if let Some(why) = why {
        let message = format!("the control files are not read: {why}; write a directory with a file for each add-on");
        read.unreadable(CONTROL, &About::Fleet, vec![Diagnostic::error(Place::start_of(CONTROL), message)]);
    }
    let from = format!("{CONTROL}/");
    let below = |path: &&String| path.starts_with(&from);
    for file in tree.files.keys().filter(below).filter(|file| has_objects(file)) {
        read.file(file, tree.files.get(file).map(Vec::as_slice).unwrap_or_default(), budget);
    }
    for (file, why) in tree.skipped.iter().filter(|(file, _)| file.starts_with(&from)) {
        let message = format!("this control file is not read: {why}; write a regular file");
        read.unreadable(file, &about(file).0, vec![Diagnostic::error(Place::start_of(file), message)]);
    }
    // These come last, because several files may be about the same add-on.
    for (about, pause) in std::mem::take(&mut read.pauses) {
        match about {
            About::Fleet => read.controls.fleet.pause = Some(pause),
            About::Addon(addon) => read.controls.addons.entry(addon).or_default().pause = Some(pause),
            About::Unknown => {}
        }
    }
    read
}

impl Read {
    /// Reads one file.
    fn file(&mut self, file: &str, bytes: &[u8], budget: &NodeBudget) {
        let (target, wrong) = about(file);
        let mut provenance = Provenance::default();
        let source = provenance.add_source(file);
        let mut documents = match documents(source, bytes, budget) {
            Ok(documents) => documents,
            Err(error) => return self.unreadable(file, &target, vec![provenance.resolve(error)]),
        };
        let start = |message: String| vec![Diagnostic::error(Place::start_of(file), message)];
        let values = documents.iter().map(|(_, value)| value);
        if let Some(problem) = misplaced(values, file, CONTROL, CONTROL_KIND) {
            self.misplaced.insert(file.to_owned());
            return self.rejected(Rule::File, file, &target, vec![problem]);
        }
        if let Some(wrong) = wrong {
            return self.unreadable(file, &target, start(wrong));
        }
        let (Some((node, value)), None) = (documents.pop(), documents.pop()) else {
            let message = format!("a control file has exactly one document, of kind {CONTROL_KIND}; write one");
            return self.unreadable(file, &target, start(message));
        };
        let found = diagnostics(&node, &value, &provenance, &target);
        let addon = match &target {
            About::Addon(addon) => Some(addon.clone()),
            About::Fleet | About::Unknown => None,
        };
        match (found.is_empty(), parsed(value)) {
            (true, Ok(control)) => {
                match &addon {
                    Some(addon) => drop(self.controls.addons.insert(addon.clone(), control)),
                    None => self.controls.fleet = control,
                }
                self.files.push(ControlFile { path: file.to_owned(), addon, node, provenance });
            }
            (true, Err(error)) => self.unreadable(file, &target, start(format!("the file is not valid: {error}"))),
            (false, _) => self.unreadable(file, &target, found),
        }
    }

    fn unreadable(&mut self, file: &str, about: &About, found: Vec<Diagnostic>) {
        self.rejected(Rule::Control, file, about, found);
    }

    /// Records a file that cannot be used, and pauses what it is about.
    fn rejected(&mut self, rule: Rule, file: &str, about: &About, found: Vec<Diagnostic>) {
        let why = found.first().map(ToString::to_string).unwrap_or_default();
        let reason = brief(&format!("a control file cannot be used: {why}"), 400);
        self.pauses.push((about.clone(), Pause { reason }));
        self.controls.unreadable.insert(file.to_owned(), why);
        self.complaints.extend(found.into_iter().take(MAX_COMPLAINTS).map(|found| Complaint::new(rule, found)));
    }
}

/// Returns the control in a document without errors.
fn parsed(mut value: Value) -> Result<Control, serde_json::Error> {
    if let Some(fields) = value.as_object_mut() {
        fields.remove("apiVersion");
        fields.remove("kind");
    }
    serde_json::from_value(value)
}

/// Returns what is wrong with a document.
fn diagnostics(node: &Node, value: &Value, provenance: &Provenance, about: &About) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let at_value = |path: &Path, message: String| provenance.resolve(value_origin(node, path).error(message));
    let field = |name: &str| Path::default().member(name);
    for (name, right) in [("apiVersion", API_VERSION), ("kind", CONTROL_KIND)] {
        match value.get(name) {
            None => found.push(at_value(&Path::default(), format!("{name} is missing; write {name}: {right}"))),
            Some(Value::String(written)) if written == right => {}
            Some(written) => {
                let written = brief(&written.to_string(), 60);
                found.push(at_value(&field(name), format!("{name} is {written}; write {right}")));
            }
        }
    }
    if value.get("metadata").is_some() {
        let message = "metadata is not known; the name of the file says which add-on it is about, so remove it";
        found.push(at_value(&field("metadata"), message.to_owned()));
    }
    for name in ["abort", "retry"].into_iter().filter(|name| *about == About::Fleet && value.get(name).is_some()) {
        let message = format!("{name} is about the rollout of one add-on; write it in {CONTROL}/<add-on>.yaml");
        found.push(at_value(&field(name), message));
    }
    // Without this, a field that someone left empty would decide nothing, or everything.
    empty(value, &Path::default(), &mut |path| {
        found.push(at_value(path, format!("{path} is empty; write its value, or remove it")));
    });
    for (path, violation) in violations(value, &SCHEMA) {
        let origin = match violation {
            Violation::Unknown { .. } | Violation::Missing => key_origin(node, &path),
            _ => value_origin(node, &path),
        };
        found.push(provenance.resolve(origin.error(worded(value, &path, &violation))));
    }
    if let Some(at) = value.pointer("/retry/at").and_then(Value::as_str)
        && at.parse::<Timestamp>().is_err()
    {
        let message = format!("retry.at is {:?}; write a time such as 2026-11-23T10:00:00Z", brief(at, 60));
        found.push(at_value(&field("retry").member("at"), message));
    }
    found
}

/// Returns the sentence for a violation.
fn worded(value: &Value, path: &Path, violation: &Violation) -> String {
    let found = wording::value_at(value, path).and_then(Value::as_str);
    match (violation, path.0.last(), found) {
        (Violation::Pattern { .. } | Violation::Length { .. }, Some(Step::Item(_)), Some(name)) => {
            let why = name.parse::<ClusterName>().err().map(|error| error.why).unwrap_or_default();
            format!("{path} is {:?}, which is not a valid cluster name: {why}", brief(name, 60))
        }
        (Violation::Length { .. }, _, None) => format!("{path} is an empty list; write at least one cluster"),
        _ => wording::wording(value, path, violation),
    }
}

/// Visits the paths of all values that are null.
fn empty(value: &Value, path: &Path, visit: &mut impl FnMut(&Path)) {
    match value {
        Value::Null => visit(path),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| empty(item, &path.item(index), visit));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, field)| empty(field, &path.member(name), visit)),
        _ => {}
    }
}
