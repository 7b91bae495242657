//! What every work agent may do on its cluster.

use k8s_openapi::api::rbac::v1::PolicyRule;

type Row = (&'static str, &'static [&'static str], &'static [&'static str]);

const READ: &[&str] = &["get", "list", "watch"];
const WRITE: &[&str] = &["create", "delete", "deletecollection", "patch", "update"];
const ALL: &[&str] = &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const KEEP: &[&str] = &["create", "delete", "get", "list", "patch", "update", "watch"];

/// What the ClusterRole `admin` allows. Kubernetes 1.34 adds `resource.k8s.io`; this is what all versions since 1.22 have.
///
/// # Source
/// Kubernetes `plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata/cluster-roles.yaml` at 025f2834a128, and
/// `cluster-roles-featuregates.yaml` at 01899a7c8633: the roles `system:aggregate-to-view`, `-edit` and `-admin`.
const ADMIN: &[Row] = &[
    ("", &["configmaps", "endpoints", "persistentvolumeclaims", "persistentvolumeclaims/status", "pods"], READ),
    ("", &["replicationcontrollers", "replicationcontrollers/scale", "serviceaccounts", "services"], READ),
    ("", &["services/status", "bindings", "events", "limitranges", "namespaces/status", "pods/log"], READ),
    ("", &["pods/status", "replicationcontrollers/status", "resourcequotas", "resourcequotas/status"], READ),
    ("", &["namespaces"], READ),
    ("discovery.k8s.io", &["endpointslices"], READ),
    ("apps", &["controllerrevisions", "daemonsets", "daemonsets/status", "deployments", "deployments/scale"], READ),
    ("apps", &["deployments/status", "replicasets", "replicasets/scale", "replicasets/status"], READ),
    ("apps", &["statefulsets", "statefulsets/scale", "statefulsets/status"], READ),
    ("autoscaling", &["horizontalpodautoscalers", "horizontalpodautoscalers/status"], READ),
    ("batch", &["cronjobs", "cronjobs/status", "jobs", "jobs/status"], READ),
    ("extensions", &["daemonsets", "daemonsets/status", "deployments", "deployments/scale"], READ),
    ("extensions", &["deployments/status", "ingresses", "ingresses/status", "networkpolicies"], READ),
    ("extensions", &["replicasets", "replicasets/scale", "replicasets/status", "replicationcontrollers/scale"], READ),
    ("policy", &["poddisruptionbudgets", "poddisruptionbudgets/status"], READ),
    ("networking.k8s.io", &["ingresses", "ingresses/status", "networkpolicies"], READ),
    ("", &["pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets", "services/proxy"], READ),
    ("", &["serviceaccounts"], &["impersonate"]),
    ("", &["pods", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy"], WRITE),
    ("", &["pods/eviction", "serviceaccounts/token"], &["create"]),
    ("", &["configmaps", "events", "persistentvolumeclaims", "replicationcontrollers"], WRITE),
    ("", &["replicationcontrollers/scale", "secrets", "serviceaccounts", "services", "services/proxy"], WRITE),
    ("apps", &["daemonsets", "deployments", "deployments/rollback", "deployments/scale", "replicasets"], WRITE),
    ("apps", &["replicasets/scale", "statefulsets", "statefulsets/scale"], WRITE),
    ("autoscaling", &["horizontalpodautoscalers"], WRITE),
    ("batch", &["cronjobs", "jobs"], WRITE),
    ("extensions", &["daemonsets", "deployments", "deployments/rollback", "deployments/scale", "ingresses"], WRITE),
    ("extensions", &["networkpolicies", "replicasets", "replicasets/scale", "replicationcontrollers/scale"], WRITE),
    ("policy", &["poddisruptionbudgets"], WRITE),
    ("networking.k8s.io", &["ingresses", "networkpolicies"], WRITE),
    ("coordination.k8s.io", &["leases"], ALL),
    ("authorization.k8s.io", &["localsubjectaccessreviews"], &["create"]),
    ("rbac.authorization.k8s.io", &["rolebindings", "roles"], ALL),
];

/// What the work agent's own roles allow: `open-cluster-management:klusterlet-work:execution` and `:agent`.
///
/// # Source
/// OCM `manifests/klusterlet/managed/klusterlet-work-clusterrole-execution.yaml` and `klusterlet-work-clusterrole.yaml` at 00f84c32b03b, after
/// v1.3.1. `klusterlet-work-clusterrolebinding-execution-admin.yaml` binds `admin` on the whole cluster.
const AGENT: &[Row] = &[
    ("apiextensions.k8s.io", &["customresourcedefinitions"], &["get", "list", "watch", "create", "delete", "update"]),
    ("", &["namespaces"], &["create", "update", "patch", "delete"]),
    ("rbac.authorization.k8s.io", &["clusterrolebindings", "rolebindings"], KEEP),
    ("rbac.authorization.k8s.io", &["clusterroles", "roles"], KEEP),
    ("rbac.authorization.k8s.io", &["clusterroles", "roles"], &["escalate", "bind"]),
    ("monitoring.coreos.com", &["servicemonitors"], KEEP),
    ("oauth.openshift.io", &["oauthclients"], KEEP),
    ("scheduling.k8s.io", &["priorityclasses"], KEEP),
    (
        "admissionregistration.k8s.io",
        &["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
        &["get", "list", "watch", "create", "update", "patch"],
    ),
    ("work.open-cluster-management.io", &["appliedmanifestworks"], KEEP),
    ("work.open-cluster-management.io", &["appliedmanifestworks/status"], &["patch", "update"]),
    ("work.open-cluster-management.io", &["appliedmanifestworks/finalizers"], &["update"]),
    ("authorization.k8s.io", &["subjectaccessreviews"], &["create"]),
];

/// Returns the rules of every work agent that runs with OCM's own roles, on the whole cluster.
pub fn held() -> Vec<PolicyRule> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let rule = |(group, resources, verbs): &Row| PolicyRule {
        api_groups: Some(owned(&[group])),
        resources: Some(owned(resources)),
        verbs: owned(verbs),
        ..PolicyRule::default()
    };
    ADMIN.iter().chain(AGENT).map(rule).collect()
}
