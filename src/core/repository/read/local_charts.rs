//! The directories of charts in the repository that objects name: their files are no declarations.

use std::collections::BTreeSet;

use super::charts::items;
use super::file;
use tidegate_api::key::APPLICATION_GROUP;
use tidegate_kustomize::vendor::{CHART, ChartSource, Named, ObjectCharts};
use tidegate_kustomize::yaml::{Node, NodeBudget, Provenance};
use tidegate_model::tree::Tree;

/// Returns the directories of the charts in the repository that the AddOnTemplates in some files name, and the Applications if they are read.
pub(crate) fn local_charts(
    tree: &Tree,
    files: &[(&String, &Vec<u8>)],
    reads_applications: bool,
    budget: &NodeBudget,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let contains = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    let names_charts = |bytes: &[u8]| {
        contains(bytes, CHART) || reads_applications && contains(bytes, APPLICATION_GROUP) && contains(bytes, "chart")
    };
    for (path, bytes) in files.iter().filter(|(_, bytes)| names_charts(bytes)) {
        let mut provenance = Provenance::default();
        let source = provenance.add_source(path.as_str());
        // Errors are reported when the file is loaded.
        let Ok(documents) = file::documents(source, bytes, budget) else { continue };
        for (node, _) in documents.into_iter().flat_map(|(node, value)| items(node, value)) {
            if reads_applications {
                let mut charts = ObjectCharts::new(tree, budget);
                found.extend(names(&node).iter().filter_map(|chart| charts.local(chart, &provenance)));
            }
            if let Ok(Some(chart)) = ObjectCharts::new(tree, budget).of_template(&node, &provenance)
                && let ChartSource::Local(local) = chart.declaration.source
                && node.get("kind").and_then(Node::as_str) == Some("AddOnTemplate")
            {
                found.insert(local.directory);
            }
        }
    }
    found
}

/// Returns what the components of an application, and its overrides, name as charts. The application may have errors.
fn names(application: &Node) -> Vec<Named> {
    let text = |path: &[&str]| application.find(path).and_then(Node::as_str).unwrap_or_default();
    if text(&["kind"]) != "Application" || text(&["apiVersion"]).split('/').next() != Some(APPLICATION_GROUP) {
        return Vec::new();
    }
    let listed = |of: &Node, path: &[&str]| -> Vec<Node> {
        of.find(path).and_then(Node::as_sequence).map(|items| items.to_vec()).unwrap_or_default()
    };
    let changes = |policy: &Node| listed(policy, &["properties", "components"]);
    let mut components = listed(application, &["spec", "components"]);
    components.extend(listed(application, &["spec", "policies"]).iter().flat_map(changes));
    let chart = |component: &Node| {
        let chart = component.find(&["properties", "chart"])?;
        Some(Named { text: chart.as_str()?.to_owned(), origin: chart.origin })
    };
    components.iter().filter_map(chart).collect()
}
