//! The core kinds. They have no schema: any member is taken.

use serde_json::{Value, json};

use super::metadata::with_metadata;
use super::{Column, Kind, Version};

/// Returns the core kinds.
pub(crate) fn kinds() -> Vec<Kind> {
    let rbac = "rbac.authorization.k8s.io";
    let mut namespace = core("", "Namespace", "ns");
    namespace.namespaced = false;
    for version in &mut namespace.versions {
        version.has_status = true;
        version.columns.insert(0, column("Status", "string", ".status.phase", "The status of the namespace"));
    }
    let cluster_wide = |kind: &str| Kind { namespaced: false, ..core(rbac, kind, "") };
    let definitions = core("apiextensions.k8s.io", "CustomResourceDefinition", "crd");
    vec![
        namespace,
        core("", "ConfigMap", "cm"),
        core("", "Secret", ""),
        core("", "ServiceAccount", "sa"),
        core("", "Event", "ev"),
        core("coordination.k8s.io", "Lease", ""),
        core(rbac, "Role", ""),
        core(rbac, "RoleBinding", ""),
        cluster_wide("ClusterRole"),
        cluster_wide("ClusterRoleBinding"),
        Kind { namespaced: false, read_only: true, ..definitions },
    ]
}

fn core(group: &str, kind: &str, short_name: &str) -> Kind {
    let singular = kind.to_lowercase();
    let age = column("Age", "date", ".metadata.creationTimestamp", "When the object was created");
    let version = Version {
        name: "v1".to_owned(),
        schema: None,
        node: None,
        field_schema: with_metadata(Some(&field_schema())),
        has_status: false,
        columns: vec![age],
    };
    Kind {
        index: 0,
        group: group.to_owned(),
        kind: kind.to_owned(),
        list_kind: format!("{kind}List"),
        plural: format!("{singular}s"),
        singular,
        short_names: [short_name].iter().filter(|name| !name.is_empty()).map(ToString::to_string).collect(),
        categories: Vec::new(),
        namespaced: true,
        custom: false,
        read_only: false,
        versions: vec![version],
        storage: "v1".to_owned(),
    }
}

fn column(name: &str, type_: &str, path: &str, description: &str) -> Column {
    Column {
        name: name.to_owned(),
        type_: type_.to_owned(),
        format: String::new(),
        description: description.to_owned(),
        priority: 0,
        path: path.to_owned(),
    }
}

/// The members of the core kinds, as far as it matters who owns them: which are there by themselves, and which are owned whole.
///
/// # Source
/// The Kubernetes API types; `RoleRef` and `ObjectReference` are marked atomic there.
fn field_schema() -> Value {
    let whole = json!({ "x-kubernetes-map-type": "atomic" });
    json!({
        "properties": {
            "data": {},
            "binaryData": {},
            "stringData": {},
            "spec": {},
            "status": {},
            "source": {},
            "roleRef": whole,
            "involvedObject": whole,
            "secrets": { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": whole },
        },
    })
}
