//! From a version to the file that changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::edit::{TEMPLATES, renamed};
use super::refusal::Refusal;
use crate::assemble::held::parts;
use crate::load::load_with;
use crate::operator::OperatorRules;
use crate::other_changes::{new_errors, others};
use crate::types::{Loaded, Repository};
use tidegate_api::object_key;
use tidegate_model::name::{UnitName, version_of};
use tidegate_model::tree::Tree;

/// An add-on and its new version.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The files of the newest revision.
    pub tip: &'a Tree,
    /// The directory of declarations; empty for the one in `tidegate.toml`.
    pub path: &'a str,
    /// What the operator lets the repository do on the hub.
    pub operator: &'a Arc<OperatorRules>,
    /// The add-on.
    pub addon: &'a UnitName,
    /// The version, or the name of its template.
    pub version: &'a str,
}

/// A change of the version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgrade {
    /// The version before it.
    pub from: String,
    /// The version after it.
    pub to: String,
    /// The file that changes.
    pub file: String,
    /// Its new content.
    pub text: String,
}

/// Returns the change of one line that lets the add-on have a version for which the repository has a template.
///
/// # Errors
/// [`Refusal`] if that is not enough, or changes more than the add-on.
pub fn upgrade(request: &Request<'_>) -> Result<Upgrade, Refusal> {
    let Request { tip, path, operator, addon, version } = *request;
    let before = load_with(tip, path, operator);
    let repository = &before.repository;
    let key = object_key::addon(addon.as_str());
    let Some(declared) = repository.objects.get(&key) else {
        let known = repository.addons.keys().map(ToString::to_string).collect();
        return Err(Refusal::NoAddon { addon: addon.clone(), known });
    };
    let from = match &named(&declared.object)[..] {
        [only] => only.clone(),
        several => return Err(Refusal::NotOneTemplate { addon: addon.clone(), count: several.len() }),
    };
    let to = template(repository, addon, version)?;
    if from == to {
        return Err(Refusal::Same { addon: addon.clone(), version: version_of(addon, &to) });
    }
    let file = declared.place.file.clone();
    let text = tip.files.get(&file).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let Some(text) = text.and_then(|text| renamed(text, addon, &from, &to)) else {
        return Err(Refusal::Elsewhere { addon: addon.clone(), file, template: from });
    };
    let mut tree = tip.clone();
    tree.files.insert(file.clone(), text.clone().into_bytes());
    let after = load_with(&tree, path, operator);
    check(&before, &after, addon, &file)?;
    if !is_renamed(&declared.object, after.repository.objects.get(&key).map(|declared| &*declared.object), &from, &to) {
        return Err(Refusal::Elsewhere { addon: addon.clone(), file, template: from });
    }
    Ok(Upgrade { from: version_of(addon, &from), to: version_of(addon, &to), file, text })
}

/// Returns the names of the templates among the default configurations of a ClusterManagementAddOn.
pub(super) fn named(object: &Value) -> Vec<String> {
    let configs = object.pointer("/spec/defaultConfigs").and_then(Value::as_array);
    let templates = configs.into_iter().flatten().filter(|config| config["resource"] == TEMPLATES);
    templates.filter_map(|config| config["name"].as_str().map(str::to_owned)).collect()
}

/// Returns `true` if nothing of the ClusterManagementAddOn is different but the name of its template: an anchor may stand for other values,
/// too.
fn is_renamed(before: &Value, after: Option<&Value>, from: &str, to: &str) -> bool {
    let mut expected = before.clone();
    let configs = expected.pointer_mut("/spec/defaultConfigs").and_then(Value::as_array_mut);
    for config in
        configs.into_iter().flatten().filter(|config| config["resource"] == TEMPLATES && config["name"] == from)
    {
        config["name"] = Value::from(to);
    }
    after == Some(&expected)
}

/// Returns the name of the template with a version.
fn template(repository: &Repository, addon: &UnitName, version: &str) -> Result<String, Refusal> {
    let templates = repository.objects.iter().filter(|(key, declared)| {
        key.kind == "AddOnTemplate"
            && declared.object.pointer("/spec/addonName").and_then(Value::as_str) == Some(addon.as_str())
    });
    let names: BTreeMap<String, String> =
        templates.map(|(key, _)| (key.name.clone(), version_of(addon, &key.name))).collect();
    if names.contains_key(version) {
        return Ok(version.to_owned());
    }
    let matching: Vec<String> =
        names.iter().filter(|(_, known)| known.as_str() == version).map(|(name, _)| name.clone()).collect();
    match &matching[..] {
        [only] => Ok(only.clone()),
        [] => {
            let known = names.into_values().collect();
            Err(Refusal::NoVersion { addon: addon.clone(), version: version.to_owned(), known })
        }
        _ => Err(Refusal::SeveralTemplates { addon: addon.clone(), templates: matching }),
    }
}

/// Refuses a change that breaks something, changes others, or does not change the add-on.
fn check(before: &Loaded, after: &Loaded, addon: &UnitName, file: &str) -> Result<(), Refusal> {
    let complaints = new_errors(before, after);
    if !complaints.is_empty() {
        return Err(Refusal::Errors { complaints });
    }
    let (before, after) = (&before.repository, &after.repository);
    let own = parts(before, addon).union(&parts(after, addon)).cloned().collect();
    let others = others(before, after, addon, &own);
    if !others.is_empty() {
        return Err(Refusal::Shared { others, file: file.to_owned() });
    }
    if before.digest(addon) == after.digest(addon) {
        return Err(Refusal::NoEffect { addon: addon.clone() });
    }
    Ok(())
}
