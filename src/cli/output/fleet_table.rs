//! The rows of a fleet as a table.

use owo_colors::OwoColorize as _;

use super::columns::{self, UNLIMITED, WIDEST};
use tidegate_journal::snapshot::{Health, Row, RowState};

const HEADER: [&str; 7] = ["CLUSTER", "ADD-ON", "VERSION", "CONFIG", "STATE", "HEALTH", "GROUP"];
/// The columns that have colors.
const STATE: usize = 4;
const HEALTH: usize = 5;

/// Returns the table. Lines for a terminal are cut to a readable width; others are complete, for `grep`.
pub(in crate::cli) fn table(rows: &[Row], is_terminal: bool) -> String {
    let cells: Vec<[String; 7]> = std::iter::once(HEADER.map(str::to_owned)).chain(rows.iter().map(cells)).collect();
    let widest = if is_terminal { WIDEST } else { UNLIMITED };
    columns::painted(&cells, widest, |at, column, cell| match at.checked_sub(1).and_then(|at| rows.get(at)) {
        Some(row) if column == STATE => state(row.state, cell),
        Some(row) if column == HEALTH => health(row.health, cell),
        Some(_) => cell,
        None => cell.bold().to_string(),
    })
}

fn cells(row: &Row) -> [String; 7] {
    let or_dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
    let group = match (row.group, row.group_name.as_str()) {
        (None, _) => "-".to_owned(),
        (Some(index), "") => index.to_string(),
        (Some(index), name) => format!("{index} ({name})"),
    };
    [
        row.cluster.to_string(),
        row.addon.to_string(),
        or_dash(&row.version),
        or_dash(&row.hash),
        row.state.to_string(),
        row.health.to_string(),
        group,
    ]
}

fn state(state: RowState, cell: String) -> String {
    match state {
        RowState::Applied => cell.green().to_string(),
        RowState::UnderWay | RowState::Deleting => cell.cyan().to_string(),
        RowState::Failed | RowState::Overdue => cell.red().to_string(),
        RowState::Waiting | RowState::Unreported => cell,
    }
}

fn health(health: Health, cell: String) -> String {
    match health {
        Health::Degraded => cell.red().to_string(),
        Health::Unreachable => cell.yellow().to_string(),
        Health::Healthy | Health::Unknown => cell,
    }
}
