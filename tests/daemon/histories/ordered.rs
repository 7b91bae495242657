//! A component that comes after another one, and one whose replicas are replaced in batches.

use serde_json::{Value, json};
use tidegate_api::key::ASSIGNMENT;

use super::super::world::World;
use super::unit::Unit;

/// Returns a component with three batches, and one that comes after the server.
pub(super) fn components(version: &str) -> String {
    format!(
        "    - name: store
      type: statefulset
      properties: {{image: example.com/web:v{version}}}
      traits:
        - type: rollout
          properties: {{targetSize: 3, rolloutBatches: [{{replicas: 1}}, {{replicas: 1}}, {{replicas: 1}}]}}
    - name: texts
      type: k8s-objects
      dependsOn: [server]
      properties:
        objects: [{{apiVersion: v1, kind: ConfigMap, metadata: {{name: texts}}, data: {{version: v{version}}}}}]
"
    )
}

/// Asserts that clusters that are done have both components in a version, with all batches, and that their records say so.
pub(super) async fn is_delivered(world: &World, clusters: impl IntoIterator<Item = &str>, version: &str) {
    for cluster in clusters {
        let (_, work) = Unit::Application.work(world, cluster).await.unwrap();
        let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap();
        let texts = manifests.iter().find(|manifest| manifest["metadata"]["name"] == "texts").unwrap();
        assert_eq!(texts["data"], json!({ "version": format!("v{version}") }), "{cluster}");
        let store = manifests.iter().find(|manifest| manifest["kind"] == "StatefulSet").unwrap();
        assert_eq!(store["spec"]["updateStrategy"]["rollingUpdate"]["partition"], 0, "{cluster}: {store}");
        let record: Value =
            serde_json::from_str(work["metadata"]["annotations"][ASSIGNMENT].as_str().unwrap()).unwrap();
        assert_eq!(record["phase"], 2, "{cluster}: {record}");
    }
}
