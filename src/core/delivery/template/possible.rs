//! The objects that a template writes, by their names on a cluster.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::prepare::values;
use super::settings::Settings;
use super::text::Text;
use crate::go_object::unstructured::raw_manifests;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_model::object::ObjectKey;

/// What a part of a key is that is not the same for all clusters, or not known.
const ANY: &str = "*";

/// Maximum number of different configurations with which a template is read. With more, names that use variables are not known.
const MOST: usize = 64;

/// The namespace that objects are moved to, and the variables that names may use.
type Setting = (Option<String>, BTreeMap<String, String>);

/// Returns the objects that a template writes with any of the configurations, or without one. Namespaces are left out: several add-ons may
/// share one. A part of a key that differs between clusters contains `*`.
pub fn possible_keys<'c>(
    template: &Value,
    configs: impl IntoIterator<Item = &'c AddOnDeploymentConfigSpec>,
) -> BTreeSet<ObjectKey> {
    let manifests: Vec<(&Value, Option<String>)> =
        raw_manifests(template).iter().map(|raw| (raw, variable(raw))).collect();
    let tags: BTreeSet<&str> = manifests.iter().filter_map(|(_, text)| text.as_deref()).flat_map(tags).collect();
    // A configuration with an error is rendered for no cluster.
    let settings = configs.into_iter().filter_map(|config| Settings::read(Some(config)).ok());
    let setting = |mut settings: Settings| -> Setting {
        let mut values = values(template, &mut settings);
        values.retain(|name, _| tags.contains(name.as_str()));
        (settings.install_namespace, values)
    };
    let settings: BTreeSet<Setting> = settings.chain([Settings::default()]).map(setting).collect();
    let are_known = settings.len() <= MOST;
    let mut found = BTreeSet::new();
    for (raw, text) in &manifests {
        match text {
            Some(_) if !are_known => {
                found.insert(ObjectKey::new(ANY, ANY, ANY, ANY));
            }
            Some(text) => found.extend(settings.iter().filter_map(|setting| filled(text, setting))),
            None => found.extend(ObjectKey::of(raw).into_iter().flat_map(|key| {
                let namespaces: BTreeSet<&Option<String>> = settings.iter().map(|(namespace, _)| namespace).collect();
                namespaces.into_iter().map(|namespace| moved(key.clone(), namespace.as_deref())).collect::<Vec<_>>()
            })),
        }
    }
    found.retain(|key| !(key.group.is_empty() && key.kind == "Namespace"));
    found
}

/// Returns the text of a manifest that uses variables.
fn variable(raw: &Value) -> Option<String> {
    Some(raw.to_string()).filter(|text| text.contains("{{"))
}

/// Returns the names between `{{` and `}}`.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}").map(|(tag, _)| tag))
}

/// Returns the key of a manifest with these values; `None` if the result is no object.
fn filled(text: &str, (namespace, values): &Setting) -> Option<ObjectKey> {
    let filled = Text::read(text, values)?.filled(ANY);
    let key = ObjectKey::of(&serde_json::from_str(&filled).ok()?)?;
    Some(moved(key, namespace.as_deref()))
}

/// Returns the key of an object in the namespace that it is moved to.
fn moved(key: ObjectKey, namespace: Option<&str>) -> ObjectKey {
    match namespace.filter(|_| !key.namespace.is_empty()) {
        Some(namespace) => ObjectKey { namespace: namespace.to_owned(), ..key },
        None => key,
    }
}
