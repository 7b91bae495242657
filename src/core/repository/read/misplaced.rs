//! Finds declarations in directories whose files are not declarations, and such files elsewhere.
//!
//! Declarations in such a directory may be from a time when the directory had no meaning, so their objects must not count as removed.

use std::collections::BTreeSet;

use serde_json::Value;

use super::file::documents;
use crate::complaint::{Complaint, Rule};
use crate::reserved::{APPROVALS, CONTROL, has_objects};
use tidegate_kustomize::yaml::{NodeBudget, Provenance};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::document::API_VERSION;
use tidegate_model::line::brief;
use tidegate_model::tree::Tree;

/// The kind of the files in `control/`.
pub(crate) const CONTROL_KIND: &str = "Control";

/// The kind of the files in `approvals/`.
const APPROVAL: &str = "Approval";

/// Returns the problem if a file declares something else than the kind that its directory is for.
pub(crate) fn misplaced<'a>(
    documents: impl IntoIterator<Item = &'a Value>,
    file: &str,
    directory: &str,
    kind: &str,
) -> Option<Diagnostic> {
    let other = documents.into_iter().find_map(|value| other_kind(value, kind))?;
    let message = format!(
        "this declares a {}, but {directory}/ at the root of a repository is only for files of kind {kind}; move it to another directory",
        brief(&other, 120)
    );
    Some(Diagnostic::error(Place::start_of(file), message))
}

/// Returns the kind of a document that is not meant to be of a kind of Tidegate.
fn other_kind(value: &Value, kind: &str) -> Option<String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let (api_version, found) = (text("apiVersion")?, text("kind")?);
    let group = |api_version: &str| api_version.split('/').next().unwrap_or_default().to_owned();
    let is_own = group(api_version) == group(API_VERSION) || found.eq_ignore_ascii_case(kind);
    (!is_own).then(|| format!("{found} of {api_version}"))
}

/// Returns the problem if a declaration has a kind whose files are in a directory of their own.
pub(super) fn decision(api_version: &str, kind: &str) -> Option<String> {
    let path = match (api_version, kind) {
        (API_VERSION, CONTROL_KIND) => format!("{CONTROL}/<add-on>.yaml"),
        (API_VERSION, APPROVAL) => format!("{APPROVALS}/"),
        _ => return None,
    };
    Some(format!("a {kind} has no effect here; move it to {path} at the root of the repository"))
}

/// Returns the files in `approvals/` that declare something else or cannot be read, and adds the complaints about them.
pub(crate) fn in_approvals(tree: &Tree, complaints: &mut Vec<Complaint>, budget: &NodeBudget) -> BTreeSet<String> {
    let from = format!("{APPROVALS}/");
    let mut found = BTreeSet::new();
    for (file, bytes) in tree.files.iter().filter(|(file, _)| file.starts_with(&from) && has_objects(file)) {
        let mut provenance = Provenance::default();
        let source = provenance.add_source(file.as_str());
        let problem = match documents(source, bytes, budget) {
            Ok(documents) => misplaced(documents.iter().map(|(_, value)| value), file, APPROVALS, APPROVAL)
                .map(|found| Complaint::new(Rule::File, found)),
            Err(error) => Some(Complaint::new(Rule::Yaml, provenance.resolve(error))),
        };
        match problem {
            Some(problem) => {
                found.insert(file.clone());
                complaints.push(problem);
            }
            None => {
                let malformed = tidegate_consent::file::read(file, bytes).err();
                complaints.extend(malformed.map(|problem| Complaint::new(Rule::Approval, problem)));
            }
        }
    }
    let skipped = tree.skipped.iter().filter(|(file, _)| file.starts_with(&from) || *file == APPROVALS);
    complaints.extend(skipped.map(|(file, why)| {
        let message = format!("this file of approvals is not read: {why}; write a regular file");
        Complaint::new(Rule::Approval, Diagnostic::error(Place::start_of(file), message))
    }));
    found
}
