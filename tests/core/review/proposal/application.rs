//! Applications in the plan of a change.

use serde_json::{Value, json};
use tidegate_model::name::UnitName;
use tidegate_repository::revisions::publish;
use tidegate_review::presentation::{Options, markdown, plan_text};

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
const DEPLOYMENT: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: AppDeployment
metadata: {name: everywhere, namespace: fleet-addons}
spec:
  appRevisions:
    - revisionName: web-v1
      placement: [{clusterSelector: {labels: {cloud: aws}}}]
    - revisionName: web-v2
      placement: [{clusterSelector: {labels: {fleet: demo}}}]
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

#[test]
fn a_rollback_that_another_unit_makes_impossible_is_noted() {
    let other = APPLICATION.replace("name: web,", "name: other,");
    let without = APPLICATION.replace("name: w,", "name: v,");
    let lost = |scene: &Scene| -> Vec<String> {
        let plan = scene.plan();
        assert_eq!(plan.complaints, [], "{plan:#?}");
        plan.notices.into_iter().filter(|notice| notice.contains("go back")).collect()
    };
    let base = || scene(GRANTED).add_to_both("fleet/web.yaml", APPLICATION);
    let moved = base().edit("fleet/web.yaml", "name: w,", "name: v,").add("fleet/other.yaml", &other);
    let why = "Widget default/w belongs to application/fleet-addons/other now";
    assert_eq!(lost(&moved), [format!("application/fleet-addons/web could not go back to base: {why}")]);
    assert_eq!(lost(&base().edit("fleet/web.yaml", "name: w,", "name: v,")), [""; 0]);
    // The object was dropped before, and a cluster still has it.
    let dropped = || scene(GRANTED).add_to_both("fleet/web.yaml", &without);
    assert_eq!(lost(&dropped().add("fleet/other.yaml", &other)), [""; 0]);
    let mut late = dropped().add("fleet/other.yaml", &other);
    let widget = json!({ "apiVersion": "example.com/v1", "kind": "Widget", "metadata": { "name": "w", "namespace": "default" } });
    let work = json!({
        "metadata": { "name": "app-web-0", "annotations": { "open-cluster-management.io/config-spec-hash": "{\"x\":\"earlier\"}" } },
        "spec": { "workload": { "manifests": [widget] } },
    });
    let works = [("app-web-0".to_owned(), serde_json::from_value(work).unwrap())].into();
    let unit = "application/fleet-addons/web".to_owned().try_into().map(UnitName::Application).unwrap();
    late.fleet.works.entry(unit).or_default().insert("aws-001".parse().unwrap(), works);
    let still = "could not go back to what clusters still have of it";
    assert_eq!(lost(&late), [format!("application/fleet-addons/web {still}: {why}")]);
}

#[test]
fn objects_that_move_to_another_unit_are_noted() {
    let other = APPLICATION.replace("name: web,", "name: other,");
    let moves = |scene: &Scene| -> Vec<String> {
        let plan = scene.plan();
        plan.notices.into_iter().filter(|notice| notice.contains(" from application/")).collect()
    };
    let base = || scene(GRANTED).add_to_both("fleet/web.yaml", APPLICATION);
    let (from, to) = ("application/fleet-addons/web", "application/fleet-addons/other");
    let noted = format!("Widget default/w moves from {from} to {to}: a cluster that will get {to} keeps it until then");
    let moved = base().edit("fleet/web.yaml", "name: w,", "name: v,").add("fleet/other.yaml", &other);
    assert_eq!(moves(&moved), std::slice::from_ref(&noted));
    let renamed = base().remove("fleet/web.yaml").add("fleet/other.yaml", &other);
    assert_eq!(moves(&renamed), [noted]);
    assert_eq!(moves(&base().edit("fleet/web.yaml", "name: w,", "name: v,")), [""; 0]);
}

/// Returns the kind and the number of clusters of each overlap of a unit, and whether it names one placement twice.
fn overlaps(scene: &Scene, name: &str) -> Value {
    let plan = scene.plan();
    assert_eq!(plan.complaints, [], "{plan:#?}");
    let addon = plan.addons.iter().find(|addon| addon.name.as_str() == name).unwrap();
    let found = json!(addon.overlaps);
    let of_one =
        |overlap: &Value| json!([overlap["kind"], overlap["clusters"], overlap["placement"] == overlap["winner"]]);
    found.as_array().unwrap().iter().map(of_one).collect()
}

#[test]
fn a_cluster_of_two_policies_belongs_to_the_first() {
    let all = "    - {name: all, type: topology, properties: {clusterLabelSelector: {fleet: demo}}}\n";
    let scene = scene("").add("fleet/web.yaml", &format!("{APPLICATION}{all}"));
    assert_eq!(overlaps(&scene, "application/fleet-addons/web"), json!([["first", 10, false]]));
}

#[test]
fn a_cluster_of_two_entries_belongs_to_neither() {
    let (candidate, _) = APPLICATION.split_once("  policies:\n").unwrap();
    let candidate = candidate.replace(
        "namespace: fleet-addons}",
        "namespace: fleet-addons, annotations: {app.oam.dev/revision-only: 'true'}}",
    );
    let mut scene = scene("").add_to_both("fleet/web.yaml", &candidate);
    for name in ["web-v1", "web-v2"] {
        let application = "application/fleet-addons/web".to_owned().try_into().unwrap();
        let published = publish(&scene.head, "fleet", &application, Some(name)).unwrap();
        scene = scene.add_to_both(&published.file, &published.text.unwrap());
    }
    let scene = scene.add("fleet/deployment.yaml", DEPLOYMENT);
    assert_eq!(overlaps(&scene, "application/fleet-addons/everywhere"), json!([["neither", 10, false]]));
}

/// An application whose objects belong to others, and whose steps have names.
const STEPS: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: web, namespace: fleet-addons, annotations: {tidegate.io/requires: managed-serviceaccount}}
spec:
  components:
    - name: server
      type: k8s-objects
      properties:
        objects:
          - {apiVersion: v1, kind: ConfigMap, metadata: {name: theirs}}
          - {apiVersion: v1, kind: Secret, metadata: {name: kept}}
          - {apiVersion: v1, kind: ServiceAccount, metadata: {name: taken}}
          - {apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}
  policies:
    - {name: aws, type: topology, properties: {clusterLabelSelector: {cloud: aws}}}
    - {name: gcp, type: topology, properties: {clusterLabelSelector: {cloud: gcp}}}
    - {name: keep, type: garbage-collect, properties: {rules: [{selector: {resourceTypes: [Secret]}, strategy: never}]}}
    - {name: read, type: read-only, properties: {rules: [{selector: {resourceNames: [theirs]}}]}}
    - {name: take, type: take-over, properties: {rules: [{selector: {resourceNames: [taken]}}]}}
  workflow:
    steps:
      - {name: try, type: deploy, properties: {policies: [aws]}}
      - {name: look, type: suspend, properties: {duration: 5m}}
      - {name: all, type: deploy, properties: {policies: [gcp]}}
";

/// Returns a text without colors.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn a_plan_shows_what_is_not_applied_and_what_is_waited_for() {
    let shown = |scene: &Scene| {
        let text = plain(&plan_text(&scene.plan(), false));
        let lines = text.lines().skip_while(|line| !line.contains("application/fleet-addons/web"));
        let lines = lines.take_while(|line| !line.is_empty()).filter(|line| !line.contains(" placement "));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let new = scene("").add("fleet/web.yaml", STEPS);
    // A policy that changes nothing in an object is a change of what happens to it.
    let same = scene("").add_to_both("fleet/web.yaml", STEPS);
    let other = same.edit("fleet/web.yaml", "resourceNames: [theirs]", "resourceNames: [plain]");
    insta::assert_snapshot!("what_is_not_applied_and_what_is_waited_for", [shown(&new), shown(&other)].join("\n"));
    let page = markdown(&new.plan(), &Options::default());
    for expected in ["try", "requires managed-serviceaccount on each cluster", "read-only: not applied"] {
        assert!(page.contains(expected), "{expected} is not in\n{page}");
    }
}

#[test]
fn the_order_of_components_is_noted_where_an_application_changes() {
    let other = "    - name: other\n      type: worker\n      properties: {image: 'example.com/other:1'}\n";
    let last = "    - name: last\n      type: worker\n      properties: {image: 'example.com/last:1'}\n      dependsOn: [server, other]\n";
    let ordered = APPLICATION
        .replace("  policies:\n", &format!("{other}{last}  policies:\n"))
        .replace("namespace: fleet-addons}", "namespace: fleet-addons, annotations: {app.oam.dev/publishVersion: v1}}");
    let orders = |scene: &Scene| -> Vec<String> {
        let plan = scene.plan();
        assert_eq!(plan.complaints, [], "{plan:#?}");
        plan.notices.into_iter().filter(|notice| notice.contains("in the order")).collect()
    };
    let order = "application/fleet-addons/web: each cluster gets the components of version v1 in the order other, server, then last";
    assert_eq!(orders(&scene("").add("fleet/web.yaml", &ordered)), [order]);
    // A change of the order alone is a change.
    let before = scene("").add_to_both("fleet/web.yaml", &ordered);
    assert_eq!(orders(&before), [""; 0]);
    let changed = before.edit("fleet/web.yaml", "[server, other]", "[other]");
    assert_eq!(orders(&changed), [order]);
    assert_eq!(orders(&changed.edit("fleet/web.yaml", "[other]", "[]")), [""; 0]);
}
