//! The values in which the manifests of two clusters differ, and what decides each of them.

use std::collections::BTreeMap;

use serde_json::Value;

use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_delivery::{Inputs, Origin, Wanted, origins};
use tidegate_model::name::AddonName;
use tidegate_model::object::ObjectKey;

/// Maximum number of values whose origins are looked for. Each takes a few hundred renderings.
const MAX_EXPLAINED: usize = 50;

/// What one cluster gets, and from what.
pub(super) struct Manifests<'a> {
    /// The rendered objects, in the order of the template.
    pub(super) objects: Vec<Value>,
    /// The AddOnTemplate.
    pub(super) template: &'a Value,
    /// The AddOnDeploymentConfig, if the cluster has one.
    pub(super) config: Option<&'a Value>,
    /// The cluster.
    pub(super) cluster: &'a ManagedCluster,
}

/// A value in which two clusters differ.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    /// The object, such as `Deployment hello/agent`.
    pub(super) object: String,
    /// The JSON pointer of the value; empty if only one of the clusters gets the object.
    pub(super) pointer: String,
    /// What each cluster gets.
    pub(super) sides: [Side; 2],
}

/// The value that one cluster gets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    /// The value as JSON; for a value of a Secret, only that it differs; `None` if the cluster does not get it.
    pub(super) value: Option<String>,
    /// What decides it.
    pub(super) origins: Vec<Origin>,
}

/// Returns the values in which the manifests of two clusters differ.
pub(super) fn differences(addon: &AddonName, sides: [&Manifests<'_>; 2]) -> Vec<Difference> {
    let [left, right] = sides.map(|side| by_key(&side.objects));
    let mut found = Vec::new();
    for key in left.keys().chain(right.keys().filter(|key| !left.contains_key(*key))) {
        let (a, b) = (left.get(key), right.get(key));
        let (Some((at_a, a)), Some((at_b, b))) = (a, b) else {
            let side =
                |is_there: bool| Side { value: is_there.then(|| "(gets this object)".to_owned()), origins: Vec::new() };
            let sides = [side(a.is_some()), side(b.is_some())];
            found.push(Difference { object: key.to_string(), pointer: String::new(), sides });
            continue;
        };
        let mut pairs = Vec::new();
        compare(Some(a), Some(b), String::new(), &mut pairs);
        for Pair { pointer, values } in pairs {
            let is_explained = found.len() < MAX_EXPLAINED;
            let side = |manifests: &Manifests<'_>, position: usize, value: Option<&Value>| {
                let Manifests { template, config, cluster, .. } = *manifests;
                let inputs = Inputs { addon, template, config, cluster };
                let wanted = Wanted { position, pointer: &pointer };
                let origins = if is_explained { origins(&inputs, &wanted) } else { Vec::new() };
                Side { value: value.map(|value| shown(key, &pointer, value)), origins }
            };
            let ([a, b], [of_a, of_b]) = (values, sides);
            let sides = [side(of_a, *at_a, a), side(of_b, *at_b, b)];
            found.push(Difference { object: key.to_string(), pointer, sides });
        }
    }
    found
}

fn by_key(objects: &[Value]) -> BTreeMap<ObjectKey, (usize, &Value)> {
    objects.iter().enumerate().filter_map(|(at, object)| Some((ObjectKey::of(object)?, (at, object)))).collect()
}

/// Returns a value for people. Values of Secrets are never shown.
fn shown(key: &ObjectKey, pointer: &str, value: &Value) -> String {
    let is_secret = key.group.is_empty() && key.kind == "Secret" && !pointer.starts_with("/metadata/name");
    if is_secret { "(differs)".to_owned() } else { value.to_string() }
}

/// Two values at the same place.
struct Pair<'a> {
    pointer: String,
    values: [Option<&'a Value>; 2],
}

fn compare<'a>(a: Option<&'a Value>, b: Option<&'a Value>, pointer: String, found: &mut Vec<Pair<'a>>) {
    match (a, b) {
        _ if a == b => {}
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            for name in left.keys().chain(right.keys().filter(|name| !left.contains_key(*name))) {
                let inner = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                compare(left.get(name), right.get(name), inner, found);
            }
        }
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            for index in 0..left.len().max(right.len()) {
                compare(left.get(index), right.get(index), format!("{pointer}/{index}"), found);
            }
        }
        _ => found.push(Pair { pointer, values: [a, b] }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pointers(a: &Value, b: &Value) -> Vec<String> {
        let mut found = Vec::new();
        compare(Some(a), Some(b), String::new(), &mut found);
        found.into_iter().map(|pair| pair.pointer).collect()
    }

    #[test]
    fn only_the_smallest_values_that_differ_are_found() {
        let a = json!({"x": [1, {"y/z": 2}], "same": {"a": 1}, "left": 1});
        let b = json!({"x": [1, {"y/z": 3}, 4], "same": {"a": 1}, "right": null});
        assert_eq!(pointers(&a, &b), ["/left", "/x/1/y~1z", "/x/2", "/right"]);
        assert_eq!(pointers(&a, &a), [""; 0]);
    }

    #[test]
    fn values_of_secrets_are_not_shown() {
        let key = |kind: &str| ObjectKey::new("", kind, "a", "b");
        assert_eq!(shown(&key("Secret"), "/data/password", &json!("cGFzcw==")), "(differs)");
        assert_eq!(shown(&key("Secret"), "/metadata/annotations/a", &json!("cGFzcw==")), "(differs)");
        assert_eq!(shown(&key("ConfigMap"), "/data/a", &json!("b")), "\"b\"");
    }
}
