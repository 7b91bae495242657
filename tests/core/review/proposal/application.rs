//! Applications in the plan of a change.

use super::scene::{Scene, clouds};

const GRANTED: &str = "granted = [{ groups = [\"example.com\"], resources = [\"widgets\"], verbs = [\"*\"] }]\n";
const APPLICATION: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: web, namespace: fleet-addons}
spec:
  components:
    - name: server
      type: k8s-objects
      properties:
        objects: [{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, namespace: default}}]
  policies:
    - {name: aws, type: topology, properties: {clusterLabelSelector: {cloud: aws}}}
";
const ROLE: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: role, namespace: fleet-addons}
spec:
  components:
    - name: role
      type: k8s-objects
      properties:
        objects:
          - apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: widgets, labels: {open-cluster-management.io/aggregate-to-work: 'true'}}
            rules: [{apiGroups: [example.com], resources: [widgets], verbs: ['*']}]
  policies:
    - {name: aws, type: topology, properties: {clusterLabelSelector: {cloud: aws}}}
";

/// Returns a scene with applications in both revisions, and more text at the end of the settings.
fn scene(granted: &str) -> Scene {
    let scene = Scene::example(clouds(20, 2));
    let settings = String::from_utf8(scene.head.files["tidegate.toml"].clone()).unwrap();
    scene.add_to_both("tidegate.toml", &format!("{settings}\n[applications]\nenabled = true\n{granted}"))
}

/// Returns the notices about rights of work agents.
fn rights(scene: &Scene) -> usize {
    let plan = scene.plan();
    assert_eq!(plan.complaints, [], "{plan:#?}");
    plan.notices.iter().filter(|notice| notice.contains("component server needs rights")).count()
}

#[test]
fn rights_that_a_change_takes_away_are_noted_although_the_application_is_the_same() {
    let both = |granted| scene(granted).add_to_both("fleet/web.yaml", APPLICATION);
    assert_eq!(rights(&both("")), 0);
    assert_eq!(rights(&both(GRANTED)), 0);
    assert_eq!(rights(&both(GRANTED).edit("tidegate.toml", GRANTED, "")), 1);
    let both = || both("").add_to_both("fleet/role.yaml", ROLE);
    assert_eq!(rights(&both()), 0);
    assert_eq!(rights(&both().remove("fleet/role.yaml")), 1);
}
