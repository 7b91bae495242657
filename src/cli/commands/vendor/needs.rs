//! Finds what the declarations of a repository need, and whether that is known completely.

use std::collections::BTreeSet;

use super::reach::{OwnHosts, is_vendored};
use tidegate_kustomize::overlay;
use tidegate_kustomize::vendor::{Need, State, Wanted};
use tidegate_kustomize::yaml::{self, Input, Provenance};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::tree::Tree;
use tidegate_repository::Settings;

/// What is needed.
pub(super) struct Found {
    /// The needs, each once.
    pub(super) needs: Vec<Need>,
    /// The hosts that the repository itself names.
    pub(super) own_hosts: OwnHosts,
    /// Why there may be more, such as a kustomization that cannot be rendered.
    pub(super) problems: Vec<Diagnostic>,
}

/// Finds the needs of a tree.
pub(super) fn find(tree: &Tree) -> Found {
    let found = tidegate_repository::needs(tree, "");
    let mut problems = found.problems;
    let settings = match tidegate_repository::settings(tree) {
        Ok(settings) => settings,
        Err(complaints) => {
            problems.extend(complaints.into_iter().map(|complaint| complaint.diagnostic));
            Settings::default()
        }
    };
    let others = not_rendered(tree, &settings).into_iter().chain(not_read(tree, &settings.path));
    for other in others {
        let is_same = |place: &Place| *place == other.place;
        // What can never be vendored was found before, with a better reason, and what is missing is no problem.
        let is_known =
            problems.iter().map(|known| &known.place).chain(found.needs.iter().map(|need| &need.place)).any(is_same);
        if !is_known {
            problems.push(other);
        }
    }
    problems.sort();
    problems.dedup();
    let mut seen = BTreeSet::new();
    let mut needs = found.needs;
    let own_hosts = OwnHosts::of(&needs);
    needs.retain(|need| seen.insert(key(&need.wanted)));
    claim(&mut needs);
    Found { needs, own_hosts, problems }
}

/// Leaves each entry to one need: a chart that is rendered with several values has an entry for each of them, and the one of other values is not
/// replaced.
fn claim(needs: &mut [Need]) {
    let is_current = |need: &&Need| matches!(need.state, State::Current { .. });
    let current = needs.iter().filter(is_current).filter_map(|need| need.state.directory());
    let mut claimed: BTreeSet<String> = current.map(str::to_owned).collect();
    for need in needs.iter_mut() {
        let is_chart = matches!(need.wanted, Wanted::Chart(_));
        if let State::Outdated { directory, .. } = &need.state
            && !claimed.insert(directory.clone())
            && is_chart
        {
            need.state = State::Missing;
        }
    }
}

/// Returns what distinguishes a need from the others.
fn key(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Directory(remote) | Wanted::FileOrDirectory(remote) => remote.source.clone(),
        Wanted::File(url) => url.clone(),
        Wanted::Chart(chart) => {
            let place = (chart.source.repository(), chart.source.version());
            let release = (&chart.used_by, &chart.name, &chart.release, &chart.namespace);
            format!("{:?}", (release, place, chart.values_digest()))
        }
    }
}

/// Returns the errors of the overlays that are rendered by themselves.
fn not_rendered(tree: &Tree, settings: &Settings) -> Vec<Diagnostic> {
    let mut roots: BTreeSet<String> = overlay::overlays(tree).into_iter().collect();
    if overlay::is_overlay(tree, &settings.path) {
        roots.insert(settings.path.clone());
    }
    let of_root = |root: String| overlay::render_with(tree, &root, &settings.render).complaints;
    let complaints = roots.into_iter().filter(|root| !is_vendored(root)).flat_map(of_root);
    complaints.filter(Diagnostic::is_error).collect()
}

/// Returns the errors of the plain files at the path of the settings that may have AddOnTemplates or Applications, and cannot be parsed.
fn not_read(tree: &Tree, path: &str) -> Vec<Diagnostic> {
    if overlay::is_overlay(tree, path) {
        return Vec::new();
    }
    let prefix = if matches!(path, "" | ".") { String::new() } else { format!("{path}/") };
    let is_read = |file: &str| {
        let has_objects = [".yaml", ".yml", ".json"].iter().any(|ending| file.ends_with(ending));
        has_objects && file.starts_with(&prefix) && !is_vendored(file)
    };
    let mut errors = Vec::new();
    for (file, bytes) in tree.files.iter().filter(|(file, _)| is_read(file)) {
        // Parsing the others would take as long as loading the repository.
        let text = String::from_utf8_lossy(bytes);
        if !["AddOnTemplate", "core.oam.dev"].iter().any(|kind| text.contains(kind)) {
            continue;
        }
        let mut provenance = Provenance::default();
        let input = Input::of_file(provenance.add_source(file.as_str()), bytes);
        errors.extend(yaml::manifests(input).err().map(|error| provenance.resolve(error)));
    }
    errors
}
