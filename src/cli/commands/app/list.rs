//! `tidegate app list`: the applications that a directory declares, and those that the journal still has.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::declared::Declared;
use super::recorded;
use crate::cli::args::AppListArgs;
use crate::cli::failure::Failure;
use crate::cli::output::application_table::{self, Row};
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_journal::Journal;
use tidegate_model::name::{UnitName, version_of};

/// Prints the applications.
///
/// # Errors
/// [`Failure::Findings`] if a declaration has an error.
pub(super) async fn run(process: &Process, args: &AppListArgs) -> Result<(), Failure> {
    let declared = Declared::read(process, &args.source)?;
    let has_errors = declared.warn(process);
    let recorded = recorded::if_any(process, &args.source, &declared.root).await?;
    let rows = rows(&declared, recorded.as_ref().map(|recorded| &recorded.journal));
    match args.output {
        Some(output) => {
            let applications: Vec<Value> = rows.iter().map(document).collect();
            process.say_line(printed(output, &json!({ "applications": applications }))?.trim_end())?;
        }
        None if rows.is_empty() => process.warn_line("there are no applications"),
        None => process.say(&application_table::table(&rows))?,
    }
    if has_errors { Err(Failure::Findings) } else { Ok(()) }
}

/// Returns the declared applications and those that are only in the journal, by name.
fn rows<'a>(declared: &'a Declared, journal: Option<&'a Journal>) -> Vec<Row<'a>> {
    let repository = &declared.loaded.repository;
    let mut rows: BTreeMap<&str, Row<'a>> = BTreeMap::new();
    for outline in &declared.applications {
        let name = outline.name.as_str();
        let unit = repository.addons.get_key_value(name);
        let content = unit.and_then(|(unit, of)| Some((unit, of.defaults().first()?)));
        let version = content.map(|(unit, reference)| version_of(unit, &reference.name));
        let is_blocked = repository.blocked.contains_key(name);
        let is_candidate = declared.is_candidate(outline);
        rows.insert(name, Row { version, is_blocked, is_candidate, ..Row::new(name, Some(outline)) });
    }
    let recorded = journal.into_iter().flat_map(|journal| &journal.addons);
    for (unit, status) in recorded.filter(|(unit, _)| matches!(unit, UnitName::Application(_))) {
        let row = rows.entry(unit.as_str()).or_insert_with(|| Row::new(unit.as_str(), None));
        row.status = Some(status);
    }
    rows.into_values().collect()
}

fn document(row: &Row<'_>) -> Value {
    let mut document = json!({ "application": row.name, "isDeclared": row.outline.is_some() });
    if let Some(outline) = row.outline {
        document["version"] = json!(row.version);
        document["place"] = json!(outline.place);
        document["components"] = json!(outline.components);
        document["hasErrors"] = json!(row.is_blocked);
        document["isCandidate"] = json!(row.is_candidate);
    }
    if let Some(status) = row.status {
        document["phase"] = json!(status.phase);
        document["clusters"] = json!(status.clusters);
        document["problem"] = json!(status.problem);
        document["rolledOut"] = json!(status.version);
    }
    document
}
