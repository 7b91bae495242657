//! What the declarations of a tree need from outside the repository.

use super::application;
use super::load::objects_without_charts;
use super::settings;
use super::types::Repository;
use tidegate_kustomize::overlay;
use tidegate_kustomize::vendor::{Needs, ObjectCharts, needs as of_kustomizations};
use tidegate_kustomize::yaml::NodeBudget;
use tidegate_model::tree::Tree;

/// Returns what the kustomizations, AddOnTemplates and Applications of a tree need: those of the path in the settings, and those of every overlay that no
/// other overlay uses. What an overlay needs may be unknown until its own needs are vendored, so that a second call finds more.
///
/// A non-empty `path` overrides the one in `tidegate.toml`.
pub fn needs(tree: &Tree, path: &str) -> Needs {
    let settings = settings::read(tree, path, &mut Vec::new()).settings;
    let mut roots = overlay::overlays(tree);
    if overlay::is_overlay(tree, &settings.path) && !roots.contains(&settings.path) {
        roots.push(settings.path.clone());
    }
    let mut found = of_kustomizations(tree, &roots);
    if !roots.contains(&settings.path) {
        roots.push(settings.path.clone());
    }
    let budget = NodeBudget::default();
    for root in roots {
        let settings = settings::Settings { path: root, ..settings.clone() };
        let reads_applications = settings.applications.enabled;
        let mut objects = objects_without_charts(tree, &mut Repository { settings, ..Repository::default() });
        if reads_applications {
            application::mark(&mut objects, &mut Vec::new());
            application::sources::chart::needs(tree, &objects, &mut found);
        }
        for object in objects.iter().filter(|object| object.is_addon_kind("AddOnTemplate")) {
            let mut charts = ObjectCharts::new(tree, &budget);
            match charts.of_template(&object.node, &object.provenance) {
                Ok(None) => {}
                Ok(Some(chart)) => {
                    let need = charts.need(chart, &object.provenance);
                    if !found.needs.contains(&need) {
                        found.needs.push(need);
                    }
                }
                Err(error) => {
                    let problem = object.provenance.resolve(error);
                    if !found.problems.contains(&problem) {
                        found.problems.push(problem);
                    }
                }
            }
        }
    }
    found
}
