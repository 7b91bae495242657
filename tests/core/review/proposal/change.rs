//! Changes of all kinds.

use std::sync::Arc;

use serde_json::json;
use tidegate_model::object::ObjectKey;
use tidegate_review::proposal::document::{Action, Change, Plan, Verdict};

use super::scene::{Scene, clouds};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

#[test]
fn a_head_with_an_error_blocks_its_add_on_and_the_rest_is_planned() {
    let scene = Scene::example(clouds(20, 2)).edit(ADDON, "hello-template-0.4.0", "hello-template-9.9.9").edit(
        "fleet/addons/managed-serviceaccount/addon.yaml",
        "0.4.0",
        "0.4.1",
    );
    let plan = scene.plan();
    assert_eq!(plan.result, Verdict::Blocked);
    let changes: Vec<_> = plan.addons.iter().map(|addon| (addon.name.as_str(), addon.change)).collect();
    assert_eq!(changes, [("hello-template", Change::Blocked), ("managed-serviceaccount", Change::Changed)]);
    assert!(plan.addons[0].blocked[0].starts_with("fleet/addons/hello-template/addon.yaml:"), "{:?}", plan.addons[0]);
    assert_eq!(plan.complaints.len(), 1);
}

#[test]
fn a_removed_add_on_leaves_its_clusters() {
    let mut scene = Scene::example(clouds(20, 2));
    scene.head.files.retain(|file, _| !file.starts_with("fleet/addons/hello-template/"));
    let addon = scene.addon("hello-template");
    assert_eq!((addon.change, addon.removed), (Change::Removed, 20));
    assert_eq!(addon.classes[0].action, Action::Remove);
    // The brake holds the removal of more than a fifth of the clusters.
    assert!(addon.blocked[0].contains("from 20 of 20 clusters is held: at most 4 may"), "{:?}", addon.blocked);
    assert!(addon.waves.is_empty());
}

#[test]
fn clusters_of_two_placements_are_an_overlap_that_the_last_one_wins() {
    let everywhere = |scene: Scene| {
        scene.edit(
            "fleet/placements/aws.yaml",
            "          matchLabels:\n            cloud: aws\n",
            "          matchLabels: {}\n",
        )
    };
    assert_eq!(Scene::example(clouds(20, 2)).addon("managed-serviceaccount").overlaps, []);
    let addon = everywhere(Scene::example(clouds(20, 2))).addon("managed-serviceaccount");
    let overlaps: Vec<_> =
        addon.overlaps.iter().map(|o| (o.placement.as_str(), o.winner.as_str(), o.clusters)).collect();
    assert_eq!(overlaps, [("fleet-addons/aws", "fleet-addons/gcp", 10)]);
}

#[test]
fn first_use_b4_a_placement_that_selects_no_cluster_is_named() {
    let plan = |cloud: &str| {
        let label = |cloud: &str| format!("          matchLabels:\n            cloud: {cloud}\n");
        let scene = Scene::example(clouds(20, 2));
        scene.edit("fleet/placements/aws.yaml", &label("aws"), &label(cloud)).plan()
    };
    let named =
        |plan: &Plan| plan.notices.iter().filter(|notice| notice.contains("selects none")).cloned().collect::<Vec<_>>();
    assert_eq!(
        named(&plan("azure")),
        vec!["managed-serviceaccount: Placement fleet-addons/aws selects none of the 20 clusters".to_owned()]
    );
    assert_eq!(named(&plan("gcp")), Vec::<String>::new());
}

/// The daemon leaves a set as it is that another instance owns, so it selects what it selects on the hub.
#[test]
fn first_use_a12_the_cluster_set_of_another_instance_stays_as_it_is() {
    let planned = |instance: &str| {
        let mut scene = Scene::example(clouds(20, 2)).edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
        let selector =
            json!({ "selectorType": "LabelSelector", "labelSelector": { "matchLabels": { "fleet": "other" } } });
        let set = json!({
            "apiVersion": "cluster.open-cluster-management.io/v1beta2", "kind": "ManagedClusterSet",
            "metadata": { "name": "fleet", "labels": { "tidegate.io/owned": "true", "tidegate.io/instance": instance } },
            "spec": { "clusterSelector": selector },
        });
        let key = ObjectKey::new("cluster.open-cluster-management.io", "ManagedClusterSet", "", "fleet");
        scene.fleet.cluster_sets.insert("fleet".to_owned(), Arc::new(serde_json::from_value(set.clone()).unwrap()));
        scene.fleet.declared.insert(key, Arc::new(set));
        scene.plan()
    };
    let own = planned(crate::instance::instance().id.as_str());
    assert_eq!(own.clusters, 20);
    let others = planned("fedcba9876543210");
    assert_eq!(others.clusters, 0);
    let notice = "these objects on the hub belong to instance fedcba9876543210, so they stay as they are there: \
                  ManagedClusterSet fleet; ";
    assert!(others.notices.iter().any(|told| told.starts_with(notice)), "{:?}", others.notices);
}

#[test]
fn incident_d4_a_plan_says_that_canaries_in_quarantine_hold_all_others_back() {
    let notices = |clusters: &str, mode: &str| {
        let control = format!(
            "apiVersion: tidegate.io/v1alpha1\nkind: Control\nquarantine: [{{clusters: [{clusters}], mode: {mode}, reason: disks}}]\n"
        );
        let scene = Scene::example(clouds(20, 2)).edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
        scene.add("control/hello-template.yaml", &control).plan().notices
    };
    let told = "hello-template: all clusters of mandatory group 0 (\"canary\") are in quarantine";
    for mode in ["Exclude", "Ignore"] {
        let all = notices("aws-0001, gcp-0001", mode);
        assert!(all.iter().any(|notice| notice.starts_with(told)), "{all:?}");
        let one = notices("aws-0001", mode);
        assert!(!one.iter().any(|notice| notice.starts_with(told)), "{one:?}");
    }
}

#[test]
fn the_values_of_secrets_are_not_shown() {
    let template = "fleet/addons/hello-template/template-0.4.0.yaml";
    let first = "        - apiVersion: v1\n          kind: ServiceAccount\n";
    let with_secret = |value: &str| {
        let text = String::from_utf8(crate::example_tree::tree().files[template].clone()).unwrap();
        let secret = json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "token", "namespace": "hello" },
            "stringData": { "token": value },
        });
        assert!(text.contains(first));
        text.replace(first, &format!("        - {secret}\n{first}")).into_bytes()
    };
    let mut scene = Scene::example(clouds(4, 2));
    scene.base.files.insert(template.to_owned(), with_secret("first-value"));
    scene.head.files.insert(template.to_owned(), with_secret("other-value"));
    let plan = scene.plan();
    let text = serde_json::to_string(&plan).unwrap();
    assert!(text.contains("Secret open-cluster-management-agent-addon/token"), "{text}");
    assert!(!text.contains("first-value") && !text.contains("other-value"), "{text}");
}

#[test]
fn clusters_with_a_variable_of_their_own_are_one_class() {
    let own = |cluster: &str| {
        format!("
apiVersion: addon.open-cluster-management.io/v1beta1
kind: AddOnDeploymentConfig
metadata: {{name: hello-{cluster}, namespace: fleet-addons}}
spec:
  agentInstallNamespace: open-cluster-management-agent-addon
  customizedVariables: [{{name: LOG_LEVEL, value: {cluster}}}]
---
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ManagedClusterAddOn
metadata: {{name: hello-template, namespace: {cluster}}}
spec:
  configs:
    - {{group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: fleet-addons, name: hello-{cluster}}}
")
    };
    let mut scene = Scene::example(clouds(40, 4)).edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    for number in 1..=20 {
        let cluster = format!("gcp-{number:04}");
        scene = scene.add_to_both(&format!("fleet/{cluster}.yaml"), &own(&cluster));
    }
    let addon = scene.addon("hello-template");
    let classes: Vec<_> =
        addon.classes.iter().map(|class| (class.clusters, class.names.as_str(), class.labels.concat())).collect();
    let gcp = (20, "gcp-[0001-0020]", "cloud=gcp".to_owned());
    assert!(classes.contains(&gcp), "{classes:?} {:#?}", addon.classes);
    assert_eq!(classes.len(), 2, "{classes:?}");
}
