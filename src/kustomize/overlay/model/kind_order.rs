//! The order of kinds.

/// Kinds that come first, in order.
///
/// # Source
/// kustomize's `legacy` order.
pub(crate) const FIRST: [&str; 22] = [
    "Namespace",
    "ResourceQuota",
    "StorageClass",
    "CustomResourceDefinition",
    "ServiceAccount",
    "PodSecurityPolicy",
    "Role",
    "ClusterRole",
    "RoleBinding",
    "ClusterRoleBinding",
    "ConfigMap",
    "Secret",
    "Endpoints",
    "Service",
    "LimitRange",
    "PriorityClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
];

/// Kinds that come last, in order.
pub(crate) const LAST: [&str; 2] = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/// Returns the rank of a kind: negative before all others, positive after them. If a kind is in both lists, or twice in one, its
/// last position counts.
pub(crate) fn rank<S: AsRef<str>>(kind: &str, first: &[S], last: &[S]) -> i32 {
    let place = |list: &[S]| list.iter().rposition(|known| known.as_ref() == kind);
    let number = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    match (place(last), place(first)) {
        (Some(at), _) => number(at).saturating_add(1),
        (None, Some(at)) => number(at) - number(first.len()),
        (None, None) => 0,
    }
}

pub(crate) fn default_rank(kind: &str) -> i32 {
    rank(kind, &FIRST, &LAST)
}

/// Returns the string by which kinds of the same rank are sorted.
pub(crate) fn sort_text(group: &str, version: &str, kind: &str) -> String {
    let or = |text: &str, otherwise: &str| if text.is_empty() { otherwise.to_owned() } else { text.to_owned() };
    format!("{}_{}_{}", or(group, "~G"), or(version, "~V"), or(kind, "~K"))
}
