//! Finds what the declarations of a repository need: those of its kustomizations, and the charts of its AddOnTemplates.

use std::collections::BTreeSet;

use tidegate_core::repository::{self, SETTINGS_FILE, Settings};
use tidegate_kustomize::overlay::{self, Options};
use tidegate_kustomize::vendor::{DIRECTORY, Need, TemplateCharts, Wanted, needs};
use tidegate_kustomize::yaml::{self, Input, Node, Provenance};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::tree::Tree;

/// What is needed.
pub(super) struct Found {
    /// The needs, each source once.
    pub(super) needs: Vec<Need>,
    /// Why the needs cannot be known completely, such as a kustomization that cannot be rendered.
    pub(super) problems: Vec<Diagnostic>,
}

/// Finds the needs of a tree.
pub(super) fn find(tree: &Tree) -> Found {
    let mut problems = Vec::new();
    let settings = match repository::settings(tree) {
        Ok(settings) => settings,
        Err(complaints) => {
            problems.extend(complaints.into_iter().map(|complaint| complaint.diagnostic));
            Settings::default()
        }
    };
    let roots = roots(tree, &settings);
    let mut found = needs(tree, &roots);
    problems.append(&mut found.problems);
    let mut all = found.needs;
    templates_of_overlays(tree, &roots, &settings.render, &mut all, &mut problems);
    if !overlay::is_overlay(tree, &settings.path) {
        templates_of_files(tree, &settings.path, &mut all, &mut problems);
    }
    problems.sort();
    problems.dedup();
    let mut seen = BTreeSet::new();
    all.retain(|need| seen.insert(key(&need.wanted)));
    Found { needs: all, problems }
}

/// Returns the overlays that are rendered by themselves.
fn roots(tree: &Tree, settings: &Settings) -> Vec<String> {
    let mut roots = overlay::overlays(tree);
    if overlay::is_overlay(tree, &settings.path) && !roots.contains(&settings.path) {
        roots.push(settings.path.clone());
    }
    roots.retain(|root| !is_vendored(root));
    roots
}

/// Returns `true` for a path below the directory of vendored files.
fn is_vendored(path: &str) -> bool {
    path.split('/').next() == Some(DIRECTORY)
}

/// Returns what distinguishes a need from the others.
fn key(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Directory(remote) | Wanted::FileOrDirectory(remote) => remote.source.clone(),
        Wanted::File(url) => url.clone(),
        Wanted::Chart(chart) => format!(
            "{:?}",
            (
                &chart.used_by,
                &chart.name,
                &chart.release,
                &chart.namespace,
                chart.source.repository(),
                chart.source.version(),
                chart.values_digest()
            )
        ),
    }
}

fn is_template(node: &Node) -> bool {
    node.get("kind").and_then(Node::as_str) == Some("AddOnTemplate")
}

fn templates_of_overlays(
    tree: &Tree,
    roots: &[String],
    options: &Options,
    needs: &mut Vec<Need>,
    problems: &mut Vec<Diagnostic>,
) {
    let mut charts = TemplateCharts::new(tree);
    for root in roots {
        let rendered = overlay::render_with(tree, root, options);
        // What can never be vendored was found before, with a better reason.
        let is_known = |place: &Place, problems: &[Diagnostic]| problems.iter().any(|problem| problem.place == *place);
        let errors = rendered.complaints.iter().filter(|complaint| complaint.is_error());
        let errors: Vec<_> = errors.filter(|error| !is_known(&error.place, problems)).cloned().collect();
        problems.extend(errors);
        for object in rendered.objects.iter().filter(|object| is_template(&object.node)) {
            add(&object.node, &rendered.provenance, &mut charts, needs, problems);
        }
    }
}

/// Adds the charts of the templates in plain files at the path of the settings.
fn templates_of_files(tree: &Tree, path: &str, needs: &mut Vec<Need>, problems: &mut Vec<Diagnostic>) {
    let prefix = if matches!(path, "" | ".") { String::new() } else { format!("{path}/") };
    let is_read = |file: &str| {
        let name = file.rsplit('/').next().unwrap_or(file);
        let has_objects = [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending));
        has_objects && file.starts_with(&prefix) && !is_vendored(file) && file != SETTINGS_FILE
    };
    let mut charts = TemplateCharts::new(tree);
    for (file, bytes) in tree.files.iter().filter(|(file, _)| is_read(file)) {
        // Most files have no template, and parsing them all again would take as long as loading the repository.
        if !String::from_utf8_lossy(bytes).contains("AddOnTemplate") {
            continue;
        }
        let mut provenance = Provenance::default();
        let input = Input::of_file(provenance.add_source(file.as_str()), bytes);
        match yaml::manifests(input) {
            Ok(nodes) => nodes
                .iter()
                .filter(|node| is_template(node))
                .for_each(|node| add(node, &provenance, &mut charts, needs, problems)),
            Err(error) => problems.push(provenance.resolve(error)),
        }
    }
}

fn add(
    template: &Node,
    provenance: &Provenance,
    charts: &mut TemplateCharts<'_>,
    needs: &mut Vec<Need>,
    problems: &mut Vec<Diagnostic>,
) {
    match charts.chart(template, provenance) {
        Ok(Some(chart)) => needs.push(charts.need(chart, provenance)),
        Ok(None) => {}
        Err(error) => problems.push(provenance.resolve(error)),
    }
}
