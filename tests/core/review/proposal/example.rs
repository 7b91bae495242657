//! The upgrade of the example repository.

use tidegate_review::proposal::document::{Change, Verdict};

use super::scene::{Scene, clouds};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

fn upgrade(clusters: usize) -> Scene {
    Scene::example(clouds(clusters, 10)).edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1")
}

#[test]
fn an_upgrade_of_300_clusters_is_one_class_in_three_waves() {
    let plan = upgrade(300).plan();
    assert_eq!(plan.result, Verdict::Changes);
    let text = serde_json::to_string_pretty(&plan).unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn nothing_changes_without_a_change() {
    let plan = Scene::example(clouds(20, 2)).plan();
    assert_eq!(plan.result, Verdict::Nothing, "{plan:#?}");
    assert!(plan.addons.iter().all(|addon| addon.change == Change::Unchanged && addon.unchanged > 0));
}

#[test]
fn two_outliers_of_1000_clusters_are_classes_of_their_own() {
    let own = |cluster: &str, value: &str| {
        format!("
apiVersion: addon.open-cluster-management.io/v1beta1
kind: AddOnDeploymentConfig
metadata: {{name: hello-{cluster}, namespace: fleet-addons}}
spec:
  agentInstallNamespace: {value}
  customizedVariables: [{{name: LOG_LEVEL, value: {value}}}]
---
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ManagedClusterAddOn
metadata: {{name: hello-template, namespace: {cluster}}}
spec:
  configs:
    - {{group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: fleet-addons, name: hello-{cluster}}}
")
    };
    let scene = upgrade(1_000)
        .add_to_both("fleet/aws-0100.yaml", &own("aws-0100", "one"))
        .add_to_both("fleet/gcp-0200.yaml", &own("gcp-0200", "two"));
    let addon = scene.addon("hello-template");
    let classes: Vec<_> = addon.classes.iter().map(|class| (class.clusters, class.names.as_str())).collect();
    insta::assert_debug_snapshot!(classes);
    assert!(classes.len() <= 5);
}
