//! An example of each tool, and what becomes of it.

use serde::Serialize;
use tidegate_import::{Imported, Options, Report, import};
use tidegate_kustomize::yaml::{Input, Node, Origin, Provenance, manifests, write};

/// The examples, by the name of the tool.
pub(crate) const SAMPLES: [(&str, &str); 5] = [
    ("argo", include_str!("samples/argo.yaml")),
    ("fleet", include_str!("samples/fleet.yaml")),
    ("kubefleet", include_str!("samples/kubefleet.yaml")),
    ("sveltos", include_str!("samples/sveltos.yaml")),
    ("talm", include_str!("samples/talm.yaml")),
];

/// Imports the objects of a text.
pub(crate) fn imported(text: &str) -> (Option<Imported>, Report) {
    let approvers = ["sre".to_owned()];
    let options =
        Options { addon: "web", namespace: "fleet", approvers: &approvers, group_label: Some("rollout-group") };
    imported_with(text, &options)
}

/// Imports the objects of a text with other options.
pub(crate) fn imported_with(text: &str, options: &Options<'_>) -> (Option<Imported>, Report) {
    let source = Provenance::default().add_source("sample.yaml");
    import(&manifests(Input::of_file(source, text.as_bytes())).unwrap(), options)
}

fn yaml(value: &impl Serialize) -> String {
    write(&Node::from_value(&serde_json::to_value(value).unwrap(), Origin::default())).unwrap()
}

/// Returns everything that an import results in, as a string.
pub(crate) fn described(imported: Option<&Imported>, report: &Report) -> String {
    let mut text = String::new();
    if let Some(imported) = imported {
        let policies: Vec<String> = imported.policies.iter().map(yaml).collect();
        text = [yaml(&imported.placement), yaml(&imported.strategy)]
            .into_iter()
            .chain(policies)
            .collect::<Vec<_>>()
            .join("---\n");
        for (cluster, value) in &imported.labels {
            text.push_str(&format!("# {} {value}\n", cluster.as_deref().unwrap_or("others")));
        }
    }
    for entry in &report.entries {
        text.push_str(&format!("# {}:{}: {entry}\n", entry.origin.line, entry.origin.column));
    }
    text
}

#[test]
fn each_tool_becomes_a_placement_a_strategy_and_policies() {
    for (tool, text) in SAMPLES {
        let (imported, report) = imported(text);
        insta::assert_snapshot!(tool, described(imported.as_ref(), &report));
    }
}
