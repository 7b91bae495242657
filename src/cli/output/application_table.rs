//! The applications of a repository as a table.

use super::columns;
use tidegate_journal::record::AddonStatus;
use tidegate_repository::Outline;

const HEADER: [&str; 5] = ["APPLICATION", "VERSION", "COMPONENTS", "CLUSTERS", "STATE"];

/// One application.
#[derive(Debug, Clone)]
pub(crate) struct Row<'a> {
    /// Its name, as `application/NAMESPACE/NAME`.
    pub name: &'a str,
    /// What it declares; `None` if only the journal has it.
    pub outline: Option<&'a Outline>,
    /// The version that the declaration has; `None` if it cannot be used.
    pub version: Option<String>,
    /// Whether an error of the declarations blocks it.
    pub is_blocked: bool,
    /// Whether it is a candidate, which no cluster gets.
    pub is_candidate: bool,
    /// What the journal knows of it.
    pub status: Option<&'a AddonStatus>,
}

impl<'a> Row<'a> {
    /// Returns the row of an application without a version and a status.
    pub(crate) fn new(name: &'a str, outline: Option<&'a Outline>) -> Self {
        Self { name, outline, version: None, is_blocked: false, is_candidate: false, status: None }
    }
}

/// Returns the table.
pub(in crate::cli) fn table(rows: &[Row<'_>]) -> String {
    let rows: Vec<[String; 5]> = std::iter::once(HEADER.map(str::to_owned)).chain(rows.iter().map(cells)).collect();
    columns::table(&rows)
}

fn cells(row: &Row<'_>) -> [String; 5] {
    let dash = || "-".to_owned();
    let components = row.outline.map(|outline| {
        let names: Vec<&str> = outline.components.iter().map(|component| component.name.as_str()).collect();
        names.join(", ")
    });
    let clusters = row
        .status
        .map(|status| format!("{}/{}", status.clusters.succeeded, status.clusters.total + status.clusters.leaving));
    let state = match (row.outline, row.status) {
        (Some(_), _) if row.is_blocked => "has errors".to_owned(),
        (Some(_), _) if row.is_candidate => "candidate".to_owned(),
        (_, None) => dash(),
        (_, Some(status)) => status.phase.to_string(),
    };
    [
        row.name.trim_start_matches("application/").to_owned(),
        row.version.clone().unwrap_or_else(dash),
        components.filter(|names| !names.is_empty()).unwrap_or_else(dash),
        clusters.unwrap_or_else(dash),
        state,
    ]
}
