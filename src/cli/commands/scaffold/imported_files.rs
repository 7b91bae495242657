//! The files of an imported rollout.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::failure::Failure;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_import::{Entry, Imported, Outcome, Report};
use tidegate_kustomize::format::format;
use tidegate_kustomize::yaml::{Node, Origin, Provenance, write};
use tidegate_model::line::one_line;

/// The columns before the fields of a strategy in a ClusterManagementAddOn.
const INDENT: &str = "          ";

/// Returns the files with the placement and the policies.
pub(super) fn imported_files(
    imported: &Imported,
    report: &Report,
    provenance: &Provenance,
) -> Result<BTreeMap<String, String>, Failure> {
    let mut placement =
        "# Which clusters get the add-on, in which groups. The groups start in this order.\n".to_owned();
    for entry in report.entries.iter().filter(|entry| is_difference(entry)) {
        placement.push_str(&format!("# {}\n", line(entry, provenance)));
    }
    placement.push_str(&yaml(&imported.placement)?);
    let mut files = BTreeMap::from([("placement.yaml".to_owned(), placement)]);
    if !imported.policies.is_empty() {
        let policies: Result<Vec<String>, Failure> = imported.policies.iter().map(yaml).collect();
        let text = "# What must hold before clusters start.\n".to_owned() + &policies?.join("---\n");
        files.insert("rollout-policies.yaml".to_owned(), text);
    }
    Ok(files)
}

/// Returns an entry with its place.
pub(super) fn line(entry: &Entry, provenance: &Provenance) -> String {
    let separator = if entry.path.is_empty() { "" } else { ": " };
    // The name of a file may contain anything.
    one_line(&format!("{}{separator}{entry}", provenance.place(entry.origin)))
}

/// Returns `true` if the declarations differ from the field.
fn is_difference(entry: &Entry) -> bool {
    matches!(entry.outcome, Outcome::LeftOut(_) | Outcome::Differs(_))
}

/// Returns the fields of a strategy as lines of a ClusterManagementAddOn.
pub(super) fn strategy_lines(strategy: &RolloutStrategy) -> Result<String, Failure> {
    Ok(yaml(strategy)?.lines().map(|line| format!("{INDENT}{line}\n")).collect())
}

fn yaml(value: &impl Serialize) -> Result<String, Failure> {
    let mut value = serde_json::to_value(value).map_err(|error| Failure::Internal(error.to_string()))?;
    without_defaults(&mut value);
    let text = write(&Node::from_value(&value, Origin::default())).and_then(|text| format(&text));
    text.map_err(|error| Failure::Internal(error.message))
}

/// Removes the fields of a policy that only repeat a default.
fn without_defaults(policy: &mut Value) {
    if let Some(reaction) = policy.pointer_mut("/spec/onFailure").and_then(Value::as_object_mut) {
        reaction.retain(|name, _| name == "action");
    }
    for approval in policy.pointer_mut("/spec/approvals").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(fields) = approval.as_object_mut() {
            fields.retain(|name, value| !(name == "byAuthor" && *value == json!(false)));
        }
    }
}
