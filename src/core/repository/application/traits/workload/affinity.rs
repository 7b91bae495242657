//! The trait `affinity`.

use serde_json::{Map, Value, json};

use super::pods::pod;
use crate::application::parsed::{present, set};
use crate::application::schema::{at_least, label_selector, list, object, one_of, text, texts};
use crate::application::traits::target::Target;

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// Returns the schema of the properties.
pub(in crate::application::traits) fn schema() -> Value {
    let term = || {
        let properties = json!({
            "labelSelector": label_selector(),
            "namespace": text(),
            "namespaces": texts(),
            "topologyKey": text(),
            "namespaceSelector": label_selector(),
        });
        object(&["topologyKey"], properties)
    };
    let weighted = |member: &str, of: Value| {
        let weight = json!({ "type": "integer", "minimum": 1, "maximum": 100 });
        list(object(&["weight", member], json!({ "weight": weight, member: of })))
    };
    let pods = || object(&[], json!({ "required": list(term()), "preferred": weighted("podAffinityTerm", term()) }));
    let operators = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
    let requirement = json!({ "key": text(), "operator": one_of(&operators), "values": texts() });
    let requirements = list(object(&["key"], requirement));
    let nodes = object(&[], json!({ "matchExpressions": requirements, "matchFields": requirements }));
    let node_affinity = json!({
        "required": object(&["nodeSelectorTerms"], json!({ "nodeSelectorTerms": list(nodes.clone()) })),
        "preferred": weighted("preference", nodes),
    });
    let toleration = json!({
        "key": text(),
        "operator": one_of(&["Equal", "Exists"]),
        "value": { "type": "string" },
        "effect": one_of(&["NoSchedule", "PreferNoSchedule", "NoExecute"]),
        "tolerationSeconds": at_least(0),
    });
    let properties = json!({
        "podAffinity": pods(),
        "podAntiAffinity": pods(),
        "nodeAffinity": object(&[], node_affinity),
        "tolerations": list(object(&[], toleration)),
    });
    object(&[], properties)
}

/// Sets which nodes the pods run on, and next to which other pods.
pub(in crate::application::traits) fn apply(properties: &Map<String, Value>, target: &mut Target<'_>) {
    let Some(pod) = target.objects.first_mut().and_then(pod) else { return };
    for member in ["podAffinity", "podAntiAffinity"] {
        let Some(given) = properties.get(member) else { continue };
        let preferred = |item: &Value| {
            let term = item.get("podAffinityTerm").map(self::term);
            present([("weight", item.get("weight").cloned()), ("podAffinityTerm", term)])
        };
        set_lists(pod, member, each(given, "required", term), each(given, "preferred", preferred));
    }
    if let Some(given) = properties.get("nodeAffinity") {
        let terms = given.get("required").and_then(|required| each(required, "nodeSelectorTerms", nodes));
        let preferred = |item: &Value| {
            present([("weight", item.get("weight").cloned()), ("preference", item.get("preference").map(nodes))])
        };
        let required = terms.map(|terms| json!({ "nodeSelectorTerms": terms }));
        set_lists(pod, "nodeAffinity", required, each(given, "preferred", preferred));
    }
    if let Some(tolerations) = properties.get("tolerations").and_then(Value::as_array) {
        let tolerations = tolerations.iter().map(|given| with_operator(given, "Equal")).collect();
        set(pod, &["tolerations"], tolerations);
    }
}

fn set_lists(pod: &mut Value, member: &str, required: Option<Value>, preferred: Option<Value>) {
    for (list, value) in [(REQUIRED, required), (PREFERRED, preferred)] {
        if let Some(value) = value {
            set(pod, &["affinity", member, list], value);
        }
    }
}

fn each(given: &Value, list: &str, item: impl Fn(&Value) -> Value) -> Option<Value> {
    Some(given.get(list)?.as_array()?.iter().map(item).collect())
}

/// Returns a term about other pods. Kubernetes has a list of namespaces only.
fn term(given: &Value) -> Value {
    let one = given.get("namespace").into_iter().cloned();
    let listed = given.get("namespaces").and_then(Value::as_array).into_iter().flatten().cloned();
    let namespaces: Vec<Value> = one.chain(listed).collect();
    present([
        ("labelSelector", given.get("labelSelector").cloned()),
        ("namespaces", Some(Value::Array(namespaces.clone())).filter(|_| !namespaces.is_empty())),
        ("topologyKey", given.get("topologyKey").cloned()),
        ("namespaceSelector", given.get("namespaceSelector").cloned()),
    ])
}

/// Returns a term about nodes.
fn nodes(given: &Value) -> Value {
    let requirement = |given: &Value| with_operator(given, "In");
    present([
        ("matchExpressions", each(given, "matchExpressions", requirement)),
        ("matchFields", each(given, "matchFields", requirement)),
    ])
}

fn with_operator(given: &Value, default: &str) -> Value {
    let mut given = given.clone();
    if given.get("operator").is_none() {
        set(&mut given, &["operator"], json!(default));
    }
    given
}
