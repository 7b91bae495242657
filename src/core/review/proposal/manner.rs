//! How the objects of an application are applied and kept on its clusters, if a policy of it says so.

use std::collections::BTreeMap;

use serde_json::Value;

use tidegate_api::key;
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::plural;

/// How objects are applied and kept, in words; those that are applied and deleted like any other are absent.
pub type Manners = BTreeMap<ObjectKey, String>;

/// Returns how the objects of a content of an application are applied and kept; nothing for an AddOnTemplate.
pub fn manners(content: &Value) -> Manners {
    if !content
        .get("apiVersion")
        .and_then(Value::as_str)
        .is_some_and(|version| version.starts_with(key::APPLICATION_GROUP))
    {
        return Manners::new();
    }
    let listed = |pointer: &str| content.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
    let configs: BTreeMap<String, &Value> = listed("/spec/agentSpec/manifestConfigs")
        .map(|config| (config["resourceIdentifier"].to_string(), config))
        .collect();
    let of_object = |object: &Value| {
        let key = ObjectKey::of(object)?;
        let ObjectKey { group, kind, namespace, name } = &key;
        let identifier =
            serde_json::json!({ "group": group, "resource": plural(kind), "namespace": namespace, "name": name });
        let words: Vec<&str> = [configs.get(&identifier.to_string()).and_then(|config| applied(config)), kept(object)]
            .into_iter()
            .flatten()
            .collect();
        (!words.is_empty()).then(|| (key, words.join("; ")))
    };
    listed("/spec/agentSpec/workload/manifests").filter_map(of_object).collect()
}

/// Returns how an agent applies an object; `None` if it does so field by field, without force.
fn applied(config: &Value) -> Option<&'static str> {
    let strategy = config.get("updateStrategy")?;
    let settings = &strategy["serverSideApply"];
    match strategy.get("type").and_then(Value::as_str)? {
        "ReadOnly" => Some("read-only: not applied, has to exist"),
        "CreateOnly" => Some("created if it is missing, never changed"),
        _ if settings["force"] == true => Some("takes over fields of others"),
        _ if settings.get("ignoreFields").is_some() => Some("applied when it changes, not corrected in between"),
        _ => config.get("feedbackRules").map(|_| "replicas are left to what scales it"),
    }
}

/// Returns what becomes of an object that leaves the application; `None` if it is deleted.
fn kept(object: &Value) -> Option<&'static str> {
    let annotations = object.pointer("/metadata/annotations")?;
    annotations.get(key::DELETION_ORPHAN).map(|_| "stays on clusters when it is removed")
}
