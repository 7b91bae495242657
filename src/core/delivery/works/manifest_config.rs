//! The per-manifest configuration of the agent: what it reports about manifests, and how it applies them.

use tidegate_api::ocm::manifest_work::{FeedbackRule, ManifestConfigOption, ResourceIdentifier};
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::plural;
use tidegate_model::semantics::Rules;

use super::feedback;
use crate::template::workload::Kind;

const WELL_KNOWN_STATUS: &str = "WellKnownStatus";
const JSON_PATHS: &str = "JSONPaths";

/// Returns the identifier of an object, whose resource is guessed from its kind.
pub(crate) fn identifier(key: &ObjectKey) -> ResourceIdentifier {
    let ObjectKey { group, kind, namespace, name } = key.clone();
    ResourceIdentifier { group, resource: plural(&kind), name, namespace }
}

/// Returns the configuration that makes the agent report the well-known values of an object.
pub(super) fn well_known(resource_identifier: ResourceIdentifier) -> ManifestConfigOption {
    let rule = FeedbackRule { type_: WELL_KNOWN_STATUS.to_owned(), ..FeedbackRule::default() };
    ManifestConfigOption { resource_identifier, feedback_rules: vec![rule], ..ManifestConfigOption::default() }
}

/// Returns the entries for the well-known values of the workloads, followed by the entries of the template.
///
/// Entries for the same object are merged. In doing so, upstream loses condition rules and scrape type; in *strict* semantics
/// they are kept, and the agent also reports the values that its health is judged by.
pub(super) fn merged(
    workloads: &[ResourceIdentifier],
    template: &[ManifestConfigOption],
    rules: &Rules,
) -> Vec<ManifestConfigOption> {
    let reported = |workload: &ResourceIdentifier| {
        let mut entry = well_known(workload.clone());
        let kind = Kind::of(&workload.group, &workload.resource);
        if !matches!(kind, Some(Kind::Deployment | Kind::DaemonSet) | None) {
            // Agents have no well-known values of the others, except for those of a Job, which do not show that it failed.
            entry.feedback_rules.clear();
        }
        entry.feedback_rules.extend(kind.filter(|_| rules.checks_health).map(feedback::rule));
        entry
    };
    let mut all: Vec<ManifestConfigOption> = workloads.iter().map(reported).collect();
    for wanted in template {
        match all.iter_mut().find(|entry| entry.resource_identifier == wanted.resource_identifier) {
            Some(entry) => merge(entry, wanted, rules),
            None => all.push(wanted.clone()),
        }
    }
    all
}

fn merge(entry: &mut ManifestConfigOption, wanted: &ManifestConfigOption, rules: &Rules) {
    for rule in &wanted.feedback_rules {
        add_feedback(&mut entry.feedback_rules, rule);
    }
    if wanted.update_strategy.is_some() {
        entry.update_strategy.clone_from(&wanted.update_strategy);
    }
    if !rules.keeps_template_options {
        return;
    }
    for rule in &wanted.condition_rules {
        if !entry.condition_rules.iter().any(|other| other.condition == rule.condition) {
            entry.condition_rules.push(rule.clone());
        }
    }
    if !wanted.feedback_scrape_type.is_empty() {
        entry.feedback_scrape_type.clone_from(&wanted.feedback_scrape_type);
    }
}

/// Adds the part of a rule that no earlier rule asks for. Each path name is reported once.
fn add_feedback(rules: &mut Vec<FeedbackRule>, rule: &FeedbackRule) {
    let mut rule = rule.clone();
    match rule.type_.as_str() {
        WELL_KNOWN_STATUS if rules.iter().any(|other| other.type_ == WELL_KNOWN_STATUS) => return,
        JSON_PATHS => {
            let paths = || rules.iter().filter(|other| other.type_ == JSON_PATHS).flat_map(|other| &other.json_paths);
            rule.json_paths.retain(|path| !paths().any(|other| other.name == path.name));
            if rule.json_paths.is_empty() {
                return;
            }
        }
        _ => {}
    }
    rules.push(rule);
}
