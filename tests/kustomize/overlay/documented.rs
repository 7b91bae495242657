//! Checks that `docs/overlays.md` lists every field and plugin.

use std::collections::BTreeSet;
use std::fs;

use tidegate_kustomize::overlay::{FIELDS, GENERATORS, TRANSFORMERS};

/// Returns the names in the first cells of the rows of a table.
fn names(text: &str, heading: &str) -> BTreeSet<String> {
    let rows =
        text.lines().skip_while(|line| !line.starts_with(heading)).skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn every_field_and_plugin_has_a_row() {
    let text = fs::read_to_string(crate::root::path("docs/overlays.md")).unwrap();
    let fields: BTreeSet<String> = FIELDS.iter().map(ToString::to_string).collect();
    assert_eq!(names(&text, "| field |"), fields);
    let plugins = GENERATORS.iter().chain(&TRANSFORMERS).chain(&["HelmChartInflationGenerator"]);
    assert_eq!(names(&text, "| plugin "), plugins.map(ToString::to_string).collect());
}
