//! Finds variables of AddOnTemplates that no configuration of their add-on sets.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::complaint::{Complaint, Rule, mark_from};
use crate::links::layers::Layers;
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use tidegate_api::schema::path::Path;
use tidegate_api::variable::{self, BUILT_IN, CLUSTER_NAME, HUB_KUBECONFIG, INSTALL_NAMESPACE};
use tidegate_model::near::nearest;
use tidegate_model::semantics::Rules;

/// Adds a warning for each variable of a template that is neither built in nor set in any configuration of the add-on.
pub(crate) fn check(all: &BTreeMap<&str, Layers<'_>>, rules: &Rules, complaints: &mut Vec<Complaint>) {
    for (addon, layers) in all {
        if layers.is_incomplete {
            continue;
        }
        for template in layers.templates.values() {
            let known = known(template, layers.configs.values().copied());
            let mut found = Vec::new();
            let notes = Notes { object: template, complaints: &mut found };
            Search { addon, known: &known, is_refused: rules.refuses_unset_variables, notes, seen: BTreeSet::new() }
                .template();
            mark_from(&mut found, 0, Rule::Template);
            complaints.append(&mut found);
        }
    }
}

/// Returns the variables that have a value on at least one cluster.
fn known<'a>(template: &Object, configs: impl Iterator<Item = &'a Object>) -> BTreeSet<&'a str> {
    let mut known = BTreeSet::from([CLUSTER_NAME]);
    if template.value.pointer("/spec/registration").is_some_and(|registration| !registration.is_null()) {
        known.insert(HUB_KUBECONFIG);
    }
    for config in configs {
        let variables = config.value.pointer("/spec/customizedVariables").and_then(Value::as_array);
        known.extend(variables.into_iter().flatten().filter_map(|variable| variable.get("name")?.as_str()));
        // A missing namespace has a default.
        if config.value.pointer("/spec/agentInstallNamespace").and_then(Value::as_str) != Some("") {
            known.insert(INSTALL_NAMESPACE);
        }
    }
    known
}

/// Searches one template for variables that have no value for one add-on.
struct Search<'a> {
    addon: &'a str,
    known: &'a BTreeSet<&'a str>,
    /// Whether a cluster without a value for a variable does not get the template.
    is_refused: bool,
    notes: Notes<'a>,
    /// The variables that were already found. Each is reported only where it is first used.
    seen: BTreeSet<String>,
}

impl Search<'_> {
    fn template(&mut self) {
        let object = self.notes.object;
        let manifests = object.value.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
        for (position, manifest) in manifests.into_iter().flatten().enumerate() {
            self.value(&path(&["spec", "agentSpec", "workload", "manifests"]).item(position), manifest);
        }
    }

    fn value(&mut self, at: &Path, value: &Value) {
        match value {
            Value::String(text) => self.text(at, text, false),
            Value::Array(items) => items.iter().enumerate().for_each(|(i, item)| self.value(&at.item(i), item)),
            Value::Object(fields) => {
                for (name, field) in fields {
                    let at = at.member(name);
                    self.text(&at, name, true);
                    self.value(&at, field);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, at: &Path, text: &str, is_key: bool) {
        for name in variable::used(text) {
            if !self.known.contains(name) && self.seen.insert(name.to_owned()) {
                let object = self.notes.object;
                let origin = if is_key { object.key_origin(at) } else { object.value_origin(at) };
                let message = self.message(at, name);
                self.notes.warning(origin, message);
            }
        }
    }

    fn message(&self, at: &Path, name: &str) -> String {
        let consequence = if self.is_refused {
            "so a cluster without it does not get this version"
        } else {
            "so it becomes an empty string"
        };
        let remedy = self.remedy(name);
        let built_in: Vec<&str> = BUILT_IN.iter().map(|variable| variable.name).collect();
        let built_in = built_in.join(", ");
        let addon = self.addon;
        format!(
            "{at} uses the variable {{{{{name}}}}}, which is not set for add-on {addon}, {consequence}; {remedy} \
             (built-in variables: {built_in})"
        )
    }

    fn remedy(&self, name: &str) -> String {
        let trimmed = name.trim();
        if trimmed != name && self.known.contains(trimmed) {
            return format!("spaces are part of the name, so write {{{{{trimmed}}}}}");
        }
        match trimmed {
            HUB_KUBECONFIG => {
                return "only a template with spec.registration has it, so add one, or set the variable yourself"
                    .to_owned();
            }
            INSTALL_NAMESPACE => {
                return "only an AddOnDeploymentConfig with an agentInstallNamespace sets it, so add one".to_owned();
            }
            _ => {}
        }
        if !is_name(trimmed) {
            return "this is not a valid variable name; to keep the braces, set a variable to \"{{\" and write it in place \
                    of the opening braces"
                .to_owned();
        }
        match nearest(trimmed, self.known.iter().copied()) {
            Some(near) => format!("did you mean {{{{{near}}}}}?"),
            None => "add it to customizedVariables of an AddOnDeploymentConfig of the add-on".to_owned(),
        }
    }
}

/// Returns `true` if the schema of AddOnDeploymentConfig allows a string as the name of a variable.
fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}
