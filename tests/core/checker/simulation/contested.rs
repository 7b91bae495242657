//! A cluster that two entries of an AppDeployment select.

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::progress::ClusterState;
use tidegate_model::tree::Tree;
use tidegate_repository::revisions::publish;

use super::world::World;
use tidegate_simulation::revision::{Form, Policy, Revision, Selects};

const VERSION: &str = "core.oam.dev/v1beta1";

/// Returns a revision whose AppDeployment selects the canaries, and the clusters in the EU: `c0` is both.
fn both() -> Revision {
    deployment(&[json!({ "tier": "canary" }), json!({ "region": "eu" })])
}

/// Returns the application `agent`, without clusters.
pub(super) fn agent() -> Value {
    let component = json!({ "name": "agent", "type": "worker", "properties": { "image": "example.com/hello:1" } });
    json!({
        "apiVersion": VERSION, "kind": "Application", "metadata": { "namespace": "fleet", "name": "agent" },
        "spec": { "components": [component] },
    })
}

/// Returns a revision with an AppDeployment of the application `agent`, whose entries select clusters by these labels.
pub(super) fn deployment(labels: &[Value]) -> Revision {
    let version = VERSION;
    let mut application = agent();
    let (metadata, spec) = (application["metadata"].clone(), application["spec"].clone());
    application["metadata"]["annotations"] = json!({ "app.oam.dev/revision-only": "true" });
    let files = [("tidegate.toml", "[applications]\nenabled = true\n".to_owned()), ("a.yaml", application.to_string())];
    let files = files.map(|(path, text)| (path.to_owned(), text.into_bytes()));
    let tree = Tree { files: files.into(), ..Tree::default() };
    let name = "application/fleet/agent".to_owned().try_into().unwrap();
    let published = publish(&tree, "", &name, None).unwrap();
    let revision = json!({
        "apiVersion": version, "kind": "ApplicationRevision",
        "metadata": {
            "namespace": "fleet", "name": published.name, "annotations": { key::REVISION_DIGEST: published.digest },
        },
        "spec": { "application": { "metadata": metadata, "spec": spec } },
    });
    let entry = |labels: &Value| json!({ "clusterSelector": { "labels": labels } });
    let placement: Vec<Value> = labels.iter().map(entry).collect();
    let deployment = json!({
        "apiVersion": version, "kind": "AppDeployment", "metadata": { "namespace": "fleet", "name": "hello" },
        "spec": { "appRevisions": [{ "revisionName": published.name, "placement": placement }] },
    });
    Revision {
        form: Form::Application,
        selects: Selects::Nobody,
        files: [("revision.yaml", revision), ("deployment.yaml", deployment)].into(),
        ..Revision::simple(1, Policy::all_at_once())
    }
}

#[test]
fn a_contested_cluster_waits_and_the_others_go_on() {
    let mut world = World::new(both(), Vec::new());
    let plan = world.run(&[]);
    world.check();
    let clusters = &plan.report.addons[Form::Application.unit()].clusters;
    let [contested, other] = ["c0", "c1"].map(|name| &clusters[name]);
    assert_eq!(other.state, ClusterState::Succeeded);
    assert_eq!(contested.state, ClusterState::Waiting);
    assert!(contested.reason.starts_with("keeps what it has: entries 1 and 2 of the AppDeployment"), "{contested:?}");
}

#[test]
#[should_panic(expected = "application/fleet/hello was started on c0, which is contested")]
fn the_start_of_a_contested_cluster_is_a_violation() {
    let mut world = World::new(both(), Vec::new());
    let _ = world.run(&[]);
    world.check();
    let of_other = world.hub.of_kind("ManifestWork").find(|(key, _)| key.namespace == "c1").unwrap().1.clone();
    let record = of_other["metadata"]["annotations"][key::ASSIGNMENT].as_str().unwrap();
    let record = record.replace("\"cluster\":\"c1\"", "\"cluster\":\"c0\"");
    let mut work = json!({ "apiVersion": of_other["apiVersion"], "kind": "ManifestWork", "spec": of_other["spec"] });
    work["metadata"] = json!({
        "namespace": "c0", "name": of_other["metadata"]["name"],
        "labels": of_other["metadata"]["labels"], "annotations": of_other["metadata"]["annotations"],
    });
    work["metadata"]["annotations"][key::ASSIGNMENT] = json!(record);
    world.hub.apply(work);
    world.check();
}
