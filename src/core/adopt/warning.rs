//! What people should know about an object before they commit its declaration.

use serde_json::Value;

use tidegate_model::object::ObjectKey;

/// Returns the warnings about an object, each as a sentence.
pub(super) fn warnings(key: &ObjectKey, object: &Value) -> Vec<String> {
    let secrets = secrets(object).map(|secret| {
        format!("{key} contains the Secret {secret}: anyone who can read the repository can read it; move it out of the template first")
    });
    let owner = controller(object).map(|owner| {
        format!("{key} is kept up to date by {owner}, which would undo changes from the repository; stop it, or leave the object to it")
    });
    // An add-on owns what it installs on clusters, and that is no other controller.
    secrets.chain(owner.filter(|_| key.kind != "ManagedClusterAddOn")).collect()
}

/// Returns the names of the Secrets among the manifests of a template.
fn secrets(object: &Value) -> impl Iterator<Item = String> {
    let manifests = object.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    let secrets = manifests.into_iter().flatten().filter_map(ObjectKey::of);
    secrets.filter(|key| key.group.is_empty() && key.kind == "Secret").map(|key| match key.namespace.is_empty() {
        true => key.name,
        false => format!("{}/{}", key.namespace, key.name),
    })
}

/// Returns the kind and name of the controller that owns an object.
fn controller(object: &Value) -> Option<String> {
    let owners = object.pointer("/metadata/ownerReferences")?.as_array()?;
    let owner = owners.iter().find(|owner| owner.get("controller") == Some(&Value::Bool(true)))?;
    Some(format!("{} {}", owner.get("kind")?.as_str()?, owner.get("name")?.as_str()?))
}
