//! The schemas of the core kinds: their fields, the types, and how field ownership works in them.
//!
//! # Source
//! `k8s.io/api`; the markers on its types state which lists are maps and which objects are atomic.

use serde_json::{Value, json};

fn texts() -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "string" }, "x-go-type": "map[string]string" })
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn text_list() -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "x-go-type": "[]string" })
}

fn keyed(key: &str, items: &Value) -> Value {
    json!({ "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [key], "items": items })
}

fn structure(name: &str, members: &[(&str, Value)]) -> Value {
    let members: Value = members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": members, "x-go-struct": name, "x-go-type": format!("v1.{name}") })
}

fn whole(name: &str, members: &[(&str, Value)]) -> Value {
    let mut schema = structure(name, members);
    schema["x-kubernetes-map-type"] = json!("atomic");
    schema
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn flag() -> Value {
    json!({ "type": "boolean" })
}

fn small() -> Value {
    json!({ "type": "integer", "x-go-type": "int32" })
}

fn reference() -> Value {
    let members = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
    whole("ObjectReference", &members.map(|member| (member, text())))
}

fn condition(name: &str, more: &[(&str, Value)]) -> Value {
    let members = ["type", "status", "reason", "message", "lastTransitionTime"].map(|member| (member, text()));
    structure(name, &[&members, more].concat())
}

fn rule() -> Value {
    let members = ["verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs"];
    structure("PolicyRule", &members.map(|member| (member, text_list())))
}

fn selector() -> Value {
    let requirement = [("key", text()), ("operator", text()), ("values", text_list())];
    let requirements = list(&structure("LabelSelectorRequirement", &requirement));
    whole("LabelSelector", &[("matchLabels", texts()), ("matchExpressions", requirements)])
}

fn binding(name: &str) -> Value {
    let subject = ["kind", "apiGroup", "name", "namespace"].map(|member| (member, text()));
    let role = ["apiGroup", "kind", "name"].map(|member| (member, text()));
    structure(name, &[("subjects", list(&whole("Subject", &subject))), ("roleRef", whole("RoleRef", &role))])
}

fn event() -> Value {
    let source = structure("EventSource", &[("component", text()), ("host", text())]);
    let series = structure("EventSeries", &[("count", small()), ("lastObservedTime", text())]);
    let texts = ["reason", "message", "firstTimestamp", "lastTimestamp", "type", "eventTime", "action"];
    let more = ["reportingComponent", "reportingInstance"].map(|member| (member, text()));
    let named = [
        ("involvedObject", reference()),
        ("source", source),
        ("count", small()),
        ("series", series),
        ("related", reference()),
    ];
    structure("Event", &[&texts.map(|member| (member, text())), named.as_slice(), &more].concat())
}

fn signing_request(name: &str) -> Value {
    let extra = json!({ "type": "object", "additionalProperties": text_list() });
    let spec = [
        ("request", text()),
        ("signerName", text()),
        ("expirationSeconds", small()),
        ("usages", text_list()),
        ("username", text()),
        ("uid", text()),
        ("groups", text_list()),
        ("extra", extra),
    ];
    let condition = condition("CertificateSigningRequestCondition", &[("lastUpdateTime", text())]);
    let status = [("certificate", text()), ("conditions", keyed("type", &condition))];
    let spec = structure("CertificateSigningRequestSpec", &spec);
    structure(name, &[("spec", spec), ("status", structure("CertificateSigningRequestStatus", &status))])
}

fn lease(name: &str) -> Value {
    let texts = ["holderIdentity", "acquireTime", "renewTime", "strategy", "preferredHolder"].map(|m| (m, text()));
    let numbers = ["leaseDurationSeconds", "leaseTransitions"].map(|member| (member, small()));
    structure(name, &[("spec", structure("LeaseSpec", &[texts.as_slice(), &numbers].concat()))])
}

fn namespace(name: &str) -> Value {
    let conditions = keyed("type", &condition("NamespaceCondition", &[]));
    let status = structure("NamespaceStatus", &[("phase", text()), ("conditions", conditions)]);
    structure(name, &[("spec", structure("NamespaceSpec", &[("finalizers", text_list())])), ("status", status)])
}

/// Returns the schema of a core kind; `None` for CustomResourceDefinition.
pub(super) fn schema(kind: &str) -> Option<Value> {
    Some(match kind {
        "Namespace" => namespace(kind),
        "ConfigMap" => structure(kind, &[("immutable", flag()), ("data", texts()), ("binaryData", texts())]),
        "Secret" => {
            structure(kind, &[("immutable", flag()), ("data", texts()), ("stringData", texts()), ("type", text())])
        }
        "ServiceAccount" => {
            let pull = list(&whole("LocalObjectReference", &[("name", text())]));
            let secrets = keyed("name", &reference());
            structure(
                kind,
                &[("secrets", secrets), ("imagePullSecrets", pull), ("automountServiceAccountToken", flag())],
            )
        }
        "Event" => event(),
        "Lease" => lease(kind),
        "Role" => structure(kind, &[("rules", list(&rule()))]),
        "ClusterRole" => {
            let aggregation = structure("AggregationRule", &[("clusterRoleSelectors", list(&selector()))]);
            structure(kind, &[("rules", list(&rule())), ("aggregationRule", aggregation)])
        }
        "RoleBinding" | "ClusterRoleBinding" => binding(kind),
        "CertificateSigningRequest" => signing_request(kind),
        _ => return None,
    })
}
