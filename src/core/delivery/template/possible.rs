//! The objects that a template writes, by their names on a cluster.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::pod::ca_config_map;
use super::prepare::values;
use super::settings::Settings;
use super::text::Text;
use crate::go_object::unstructured::raw_manifests;
use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_model::object::ObjectKey;

/// What a part of a key is that is not the same for all clusters, or not known.
const ANY: &str = "*";

/// Maximum number of different configurations, and of keys that contain `*`. With more, the objects are not known.
const MOST: usize = 64;

/// Maximum number of keys. With more, the objects are not known.
const MOST_KEYS: usize = 8_192;

/// The namespace that objects are moved to, and the variables that names may use.
type Setting = (Option<String>, BTreeMap<String, String>);

/// Returns the objects that a template of an add-on writes with any of the configurations, or without one. Namespaces are left out: several
/// add-ons may share one. A part of a key that differs between clusters, or is not known, contains `*`.
pub fn possible_keys<'c>(
    addon: &str,
    template: &Value,
    configs: impl IntoIterator<Item = &'c AddOnDeploymentConfigSpec>,
) -> BTreeSet<ObjectKey> {
    // A configuration with an error is rendered for no cluster.
    let read = configs.into_iter().filter_map(|config| Settings::read(Some(config)).ok());
    let read: Vec<Settings> = read.chain([Settings::default()]).collect();
    let mut found: BTreeSet<ObjectKey> = read.iter().filter_map(|settings| certificates(addon, settings)).collect();
    let settings = read.into_iter().map(|mut settings| (values(template, &mut settings), settings.install_namespace));
    let settings: Vec<Setting> = settings.map(|(values, namespace)| (namespace, values)).collect();
    let are_plain = settings.iter().flat_map(|(_, values)| values.values()).all(|value| is_plain(value));
    let manifests: Vec<(&Value, Option<String>)> =
        raw_manifests(template).iter().map(|raw| (raw, variable(raw, are_plain))).collect();
    let tags: BTreeSet<&str> = manifests.iter().filter_map(|(_, text)| text.as_deref()).flat_map(tags).collect();
    let used = |(namespace, mut values): Setting| {
        values.retain(|name, _| tags.contains(name.as_str()));
        (namespace, values)
    };
    let settings: BTreeSet<Setting> = settings.into_iter().map(used).collect();
    let mut namespaces: BTreeSet<Option<&str>> = settings.iter().map(|(namespace, _)| namespace.as_deref()).collect();
    if namespaces.len() > MOST {
        namespaces = [Some(ANY)].into();
    }
    for (raw, text) in &manifests {
        match text {
            Some(_) if settings.len() > MOST => drop(found.insert(any())),
            Some(text) => found.extend(settings.iter().map(|setting| filled(text, setting).unwrap_or_else(any))),
            None => {
                let key = ObjectKey::of(raw);
                found.extend(key.iter().flat_map(|key| namespaces.iter().map(|namespace| moved(key, *namespace))));
            }
        }
    }
    let is_namespace = |key: &ObjectKey| key.group.is_empty() && key.kind == "Namespace";
    found.retain(|key| !key.name.is_empty() && !is_namespace(key));
    let open = found.iter().filter(|key| key.name.contains(ANY) || key.namespace.contains(ANY)).count();
    if open > MOST || found.len() > MOST_KEYS { [any()].into() } else { found }
}

/// Returns the key of any object.
fn any() -> ObjectKey {
    ObjectKey::new(ANY, ANY, ANY, ANY)
}

/// Returns the ConfigMap with the certificates of the proxy, which is written beside the manifests.
fn certificates(addon: &str, settings: &Settings) -> Option<ObjectKey> {
    settings.proxy.ca_bundle.as_ref()?;
    let namespace = settings.install_namespace.as_deref().unwrap_or(key::DEFAULT_INSTALL_NAMESPACE);
    Some(ObjectKey::new("", "ConfigMap", namespace, &ca_config_map(addon)))
}

/// Returns `true` if a value is inserted into JSON as it is, so that it changes nothing but the string that it is in.
fn is_plain(value: &str) -> bool {
    !value.chars().any(|character| matches!(character, '"' | '\\') || character.is_control())
}

/// Returns what of a manifest the key depends on, as a text; `None` if it uses no variables.
fn variable(raw: &Value, are_plain: bool) -> Option<String> {
    if !are_plain {
        return Some(raw.to_string()).filter(|text| text.contains("{{"));
    }
    let at = |path: &str| raw.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let [version, kind, namespace, name] = ["/apiVersion", "/kind", "/metadata/namespace", "/metadata/name"].map(at);
    let uses_variables = [version, kind, namespace, name].iter().any(|part| part.contains("{{"));
    let metadata = || json!({ "name": name, "namespace": namespace });
    uses_variables.then(|| json!({ "apiVersion": version, "kind": kind, "metadata": metadata() }).to_string())
}

/// Returns the names between `{{` and `}}`.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}").map(|(tag, _)| tag))
}

/// Returns the key of a manifest with these values; `None` if it cannot be read before the name of the cluster is known.
fn filled(text: &str, (namespace, values): &Setting) -> Option<ObjectKey> {
    let filled = Text::read(text, values)?.filled(ANY);
    let key = ObjectKey::of(&serde_json::from_str(&filled).ok()?)?;
    Some(moved(&key, namespace.as_deref()))
}

/// Returns the key of an object in the namespace that it is moved to.
fn moved(key: &ObjectKey, namespace: Option<&str>) -> ObjectKey {
    match namespace.filter(|_| !key.namespace.is_empty()) {
        Some(namespace) => ObjectKey { namespace: namespace.to_owned(), ..key.clone() },
        None => key.clone(),
    }
}
