//! Label selectors, read as the Kubernetes documentation describes them.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;

use tidegate_api::ocm::managed_cluster::ManagedCluster;

/// Returns the value of a label; empty if the cluster does not have it.
pub(super) fn value_of<'c>(cluster: &'c ManagedCluster, key: &str) -> &'c str {
    get(cluster, key).unwrap_or_default()
}

/// Returns `true` if a selector matches a cluster. An absent selector matches every cluster, and one that cannot be read none.
pub(super) fn matches(selector: Option<&LabelSelector>, cluster: &ManagedCluster) -> bool {
    let Some(LabelSelector { match_labels, match_expressions }) = selector else { return true };
    let has_all = match_labels.iter().flatten().all(|(key, value)| get(cluster, key) == Some(value));
    has_all
        && match_expressions.iter().flatten().all(|expression| {
            let found = get(cluster, &expression.key);
            let is_listed = found.is_some_and(|found| expression.values.iter().flatten().any(|value| value == found));
            match expression.operator.as_str() {
                "In" => is_listed,
                "NotIn" => !is_listed,
                "Exists" => found.is_some(),
                "DoesNotExist" => found.is_none(),
                _ => false,
            }
        })
}

fn get<'c>(cluster: &'c ManagedCluster, key: &str) -> Option<&'c str> {
    cluster.metadata.labels.as_ref()?.get(key).map(String::as_str)
}
