//! What is on the hub: reading objects, and changing them as other clients do.

use serde_json::{Value, json};

use super::requests;
use super::setup::World;

impl World {
    /// Lists the objects of a kind.
    pub(in crate::daemon) async fn list(&self, group_version: &str, plural: &str) -> Vec<Value> {
        let list = requests::get(&self.client(), &format!("/apis/{group_version}/{plural}")).await.unwrap();
        list["items"].as_array().cloned().unwrap_or_default()
    }

    /// Lists the clusters that have an add-on.
    pub(in crate::daemon) async fn clusters_with(&self, addon: &str) -> Vec<String> {
        let addons = self.list("addon.open-cluster-management.io/v1beta1", "managedclusteraddons").await;
        let is_meant = |object: &&Value| object["metadata"]["name"] == addon;
        let cluster = |object: &Value| object["metadata"]["namespace"].as_str().unwrap().to_owned();
        addons.iter().filter(is_meant).map(cluster).collect()
    }

    /// Reads an object from the hub; `namespace` is empty for a cluster-scoped one.
    pub(in crate::daemon) async fn object(
        &self,
        group_version: &str,
        plural: &str,
        namespace: &str,
        name: &str,
    ) -> Option<Value> {
        let namespace = if namespace.is_empty() { String::new() } else { format!("/namespaces/{namespace}") };
        requests::get(&self.client(), &format!("/apis/{group_version}{namespace}/{plural}/{name}")).await
    }

    /// Reads the first work of an add-on.
    pub(in crate::daemon) async fn work(&self, cluster: &str, addon: &str) -> Option<Value> {
        requests::get(&self.client(), &work_path(cluster, addon)).await
    }

    /// Lets a cluster report this number of ready replicas for every workload of an add-on.
    pub(in crate::daemon) async fn report_ready(&self, cluster: &str, addon: &str, replicas: i64) {
        let mut work = self.work(cluster, addon).await.unwrap();
        let manifests = work["status"]["resourceStatus"]["manifests"].as_array_mut().unwrap();
        for value in
            manifests.iter_mut().filter_map(|manifest| manifest["statusFeedback"]["values"].as_array_mut()).flatten()
        {
            if value["name"] == "ReadyReplicas" {
                value["fieldValue"]["integer"] = json!(replicas);
            }
        }
        let patch = json!({ "status": { "resourceStatus": work["status"]["resourceStatus"] } });
        requests::patch(&self.client(), &format!("{}/status", work_path(cluster, addon)), &patch).await;
    }

    /// Reads an add-on on a cluster.
    pub(in crate::daemon) async fn addon(&self, cluster: &str, addon: &str) -> Value {
        requests::get(&self.client(), &addon_path(cluster, addon)).await.unwrap()
    }

    /// Changes the status of an add-on on a cluster.
    pub(in crate::daemon) async fn patch_addon_status(&self, cluster: &str, addon: &str, status: Value) {
        let patch = json!({ "status": status });
        requests::patch(&self.client(), &format!("{}/status", addon_path(cluster, addon)), &patch).await;
    }

    /// Sets a label of a cluster.
    pub(in crate::daemon) async fn label(&self, cluster: &str, label: &str, value: &str) {
        let patch = json!({ "metadata": { "labels": { label: value } } });
        let path = format!("/apis/cluster.open-cluster-management.io/v1/managedclusters/{cluster}");
        requests::patch(&self.client(), &path, &patch).await;
    }
}

/// Returns the path of the first work of an add-on.
pub(in crate::daemon) fn work_path(cluster: &str, addon: &str) -> String {
    format!("/apis/work.open-cluster-management.io/v1/namespaces/{cluster}/manifestworks/addon-{addon}-deploy-0")
}

/// Returns the path of an add-on on a cluster.
pub(in crate::daemon) fn addon_path(cluster: &str, addon: &str) -> String {
    format!("/apis/addon.open-cluster-management.io/v1beta1/namespaces/{cluster}/managedclusteraddons/{addon}")
}
