//! A component that comes after another one.

use serde_json::{Value, json};
use tidegate_api::key::ASSIGNMENT;

use super::super::world::World;
use super::unit::Unit;

/// Returns the component, which comes after the server.
pub(super) fn component(version: &str) -> String {
    format!(
        "    - name: texts
      type: k8s-objects
      dependsOn: [server]
      properties:
        objects: [{{apiVersion: v1, kind: ConfigMap, metadata: {{name: texts}}, data: {{version: v{version}}}}}]
"
    )
}

/// Asserts that clusters that are done have the component in a version, and that their records say so.
pub(super) async fn is_delivered(world: &World, clusters: impl IntoIterator<Item = &str>, version: &str) {
    for cluster in clusters {
        let (_, work) = Unit::Application.work(world, cluster).await.unwrap();
        let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap();
        let texts = manifests.iter().find(|manifest| manifest["metadata"]["name"] == "texts").unwrap();
        assert_eq!(texts["data"], json!({ "version": format!("v{version}") }), "{cluster}");
        let record: Value =
            serde_json::from_str(work["metadata"]["annotations"][ASSIGNMENT].as_str().unwrap()).unwrap();
        assert_eq!(record["phase"], 1, "{cluster}: {record}");
    }
}
