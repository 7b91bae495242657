//! Policies as a table.

use super::columns;
use tidegate_repository::{PlanPolicy, PolicySeverity};

/// Returns the table.
pub(in crate::cli) fn table(policies: &[PlanPolicy]) -> String {
    let header = ["POLICY", "SEVERITY", "ADD-ONS", "TESTS", "PLACE", "MESSAGE"].map(str::to_owned);
    let row = |policy: &PlanPolicy| {
        let severity = match policy.severity {
            PolicySeverity::Error => "error",
            PolicySeverity::Warning => "warning",
        };
        let addons = if policy.addons.is_empty() { "all".to_owned() } else { policy.addons.join(", ") };
        let tests = policy.tests.len().to_string();
        [policy.name.clone(), severity.to_owned(), addons, tests, policy.place.to_string(), policy.message.clone()]
    };
    let rows: Vec<[String; 6]> = std::iter::once(header).chain(policies.iter().map(row)).collect();
    columns::painted(&rows, columns::UNLIMITED, |_, _, cell| cell)
}
