//! What docs/applications/kubevela.md says about the kinds of KubeVela.

use tidegate_repository::load;

use super::SETTINGS;
use crate::fixture::with;

/// Returns the rows of the table of kinds, each with its kinds and whether they are read.
fn rows() -> Vec<(Vec<String>, bool)> {
    let page = std::fs::read_to_string(crate::root::path("docs/applications/kubevela.md")).unwrap();
    let section = page.split("## Kinds\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" | "));
    let names =
        |names: &str| names.split('`').map(str::trim).filter(|name| name.len() > 1).map(str::to_owned).collect();
    rows.map(|(kinds, rest)| (names(kinds), rest.starts_with("read"))).collect()
}

#[test]
fn c23_each_kind_is_read_or_refused_as_the_documentation_says() {
    let rows = rows();
    let all: Vec<&String> = rows.iter().flat_map(|(kinds, _)| kinds).collect();
    assert!(rows.len() > 8 && all.len() > 20, "{rows:?}");
    for (kinds, is_read) in &rows {
        for kind in kinds {
            let object =
                format!("apiVersion: core.oam.dev/v1beta1\nkind: {kind}\nmetadata: {{name: x, namespace: shop}}\n");
            let mut tree = with("object.yaml", &object);
            tree.files.insert("tidegate.toml".to_owned(), SETTINGS.as_bytes().to_vec());
            let complaints: Vec<String> = load(&tree, "").complaints.iter().map(ToString::to_string).collect();
            let is_refused =
                complaints.iter().any(|complaint| complaint.contains(&format!("{kind} is not supported: ")));
            let is_unknown = complaints.iter().any(|complaint| complaint.contains("is not a kind of core.oam.dev"));
            assert!(is_refused != *is_read && !is_unknown, "{kind}: {complaints:?}");
        }
    }
}
