//! The core kinds: those that are not defined by a CRD.

use super::metadata::with_metadata;
use super::served_kind::{DEFINITION, DEFINITION_GROUP};
use super::{Kind, Version, core_columns, core_schema};
use tidegate_api::schema::Schema;

/// Returns the core kinds.
pub(crate) fn kinds() -> Vec<Kind> {
    let rbac = "rbac.authorization.k8s.io";
    let mut namespace = core("", "Namespace", "ns");
    namespace.namespaced = false;
    for version in &mut namespace.versions {
        version.has_status = true;
    }
    let cluster_wide = |kind: &str| Kind { namespaced: false, ..core(rbac, kind, "") };
    let mut requests = Kind { namespaced: false, ..core("certificates.k8s.io", "CertificateSigningRequest", "csr") };
    for version in &mut requests.versions {
        version.has_status = true;
    }
    let mut definitions = Kind {
        namespaced: false,
        short_names: ["crd", "crds"].map(str::to_owned).to_vec(),
        categories: vec!["api-extensions".to_owned()],
        ..core(DEFINITION_GROUP, DEFINITION, "")
    };
    for version in &mut definitions.versions {
        version.has_status = true;
    }
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
        requests,
        definitions,
    ]
}

fn core(group: &str, kind: &str, short_name: &str) -> Kind {
    let singular = kind.to_lowercase();
    let schema = core_schema::schema(kind);
    let version = Version {
        name: "v1".to_owned(),
        field_schema: with_metadata(schema.as_ref()),
        schema: schema.as_ref().map(Schema::compile),
        schema_source: schema,
        rules: None,
        has_status: false,
        columns: core_columns::columns(kind),
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
        was_redefined: false,
        is_ending: false,
        versions: vec![version],
        storage: "v1".to_owned(),
    }
}
