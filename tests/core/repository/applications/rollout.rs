//! The trait `rollout`: batches inside a cluster, by the Deployment or by the controller of `standard.oam.dev`.

use serde_json::json;
use tidegate_model::tree::Tree;
use tidegate_repository::{load, outlines};

use super::types::{application, mistakes};
use super::{SETTINGS, objects, tree, unit, web};
use crate::fixture::shown;

const BY_CONTROLLER: &str = "[applications]\nenabled = true\nrollout = \"standard.oam.dev\"\n";

/// Returns a component with these lines in the properties of its trait.
fn component(properties: &[&str]) -> String {
    let lines: String = properties.iter().map(|line| format!("      {line}\n")).collect();
    format!(
        "name: nginx-server\nexternalRevision: nginx-server-v1\ntype: webservice\nproperties:\n  image: nginx:1.20.0\n  port: 80\ntraits:\n  \
         - type: rollout\n    properties:\n{lines}"
    )
}

fn of_two() -> String {
    component(&["targetRevision: nginx-server-v1", "targetSize: 2", "rolloutBatches: [{replicas: 1}, {replicas: 1}]"])
}

fn by_controller(components: &[&str]) -> Tree {
    let mut tree = tree(&application(components));
    tree.files.insert("tidegate.toml".to_owned(), BY_CONTROLLER.as_bytes().to_vec());
    tree
}

#[test]
fn a_deployment_carries_out_batches_by_its_strategy() {
    let of = |component: &str| {
        let spec = objects(&unit(&tree(&application(&[component]))))[0]["spec"].clone();
        json!([spec["replicas"], spec["strategy"]])
    };
    let strategy =
        |surge: i64| json!({ "type": "RollingUpdate", "rollingUpdate": { "maxSurge": surge, "maxUnavailable": 0 } });
    assert_eq!(of(&of_two()), json!([2, strategy(1)]));
    assert_eq!(
        of(&component(&["targetSize: 10", "rolloutBatches: [{replicas: 25%}, {replicas: 75%}]"])),
        json!([10, strategy(7)])
    );
    assert_eq!(of(&component(&["targetSize: 3"])), json!([3, strategy(3)]));
}

/// Returns a CloneSet of four replicas with this strategy.
fn clone_set(strategy: &str) -> String {
    format!(
        "name: s\ntype: k8s-objects\nproperties:\n  objects:\n    - apiVersion: apps.kruise.io/v1alpha1\n      kind: CloneSet\n      metadata: {{name: s, namespace: shop}}\n      \
         spec: {{{strategy}}}\ntraits:\n  - type: rollout\n    properties:\n      targetSize: 4\n      rolloutBatches: [{{replicas: 25%}}, {{replicas: 75%}}]\n"
    )
}

#[test]
fn c5_a_stateful_set_and_a_clone_set_are_replaced_in_batches_by_their_partition() {
    let of = |component: &str| {
        let object = objects(&load(&tree(&application(&[component])), "").repository.addons[&web()])[0].clone();
        let spec = &object["spec"];
        json!([spec["replicas"], spec["updateStrategy"], object["metadata"]["annotations"]["tidegate.io/batches"]])
    };
    let strategy = |partition: i64| json!({ "type": "RollingUpdate", "rollingUpdate": { "partition": partition } });
    let of_set = |properties: &[&str]| of(&component(properties).replace("type: webservice", "type: statefulset"));
    let in_four = "rolloutBatches: [{replicas: 1}, {replicas: 1}, {replicas: 2}]";
    assert_eq!(of_set(&["targetSize: 4", in_four]), json!([4, strategy(0), "[1,1,2]"]));
    // Batches up to one, and a single one.
    assert_eq!(of_set(&["targetSize: 4", in_four, "batchPartition: 1"]), json!([4, strategy(2), "[1,1]"]));
    assert_eq!(of_set(&["targetSize: 4", in_four, "batchPartition: 0"]), json!([4, strategy(3), null]));
    assert_eq!(of_set(&["targetSize: 4"]), json!([4, strategy(0), null]));
    assert_eq!(of(&clone_set("")), json!([4, { "partition": 0 }, "[1,3]"]));
    let in_place = "updateStrategy: {type: InPlaceIfPossible, maxUnavailable: 1}";
    let expected = json!({ "type": "InPlaceIfPossible", "maxUnavailable": 1, "partition": 0 });
    assert_eq!(of(&clone_set(in_place)), json!([4, expected, "[1,3]"]));
}

#[test]
fn batches_up_to_a_partition_leave_the_other_replicas_as_they_are() {
    let component =
        component(&["targetSize: 2", "rolloutBatches: [{replicas: 1}, {replicas: 1}]", "batchPartition: 0"])
            .replace("type: webservice", "type: statefulset");
    insta::assert_snapshot!(shown(&load(&tree(&application(&[&component])), "")).join("\n"), @"web.yaml:19:29: spec.components[0].traits[0].properties.batchPartition is 0, and the last batch is 1: the replicas of later batches stay as they are, also where the cluster is done");
}

#[test]
fn what_a_policy_leaves_to_others_has_no_batches() {
    let policy = "    - name: once\n      type: apply-once\n      properties: {enable: true}\n";
    let text = application(&[&clone_set("")]).replace("  policies:\n", &format!("  policies:\n{policy}"));
    insta::assert_snapshot!(shown(&load(&tree(&text), "")).join("\n"), @"web.yaml:8:7: spec.components[0] has batches by its trait rollout, and a policy leaves the workload to others; remove one of the two");
}

#[test]
fn the_objects_of_a_component_have_its_revision_as_a_label_and_its_pods_do_not() {
    let object = objects(&unit(&tree(&application(&[&of_two()]))))[0].clone();
    assert_eq!(object["metadata"]["labels"]["app.oam.dev/revision"], "nginx-server-v1");
    assert_eq!(object["spec"]["template"]["metadata"]["labels"], json!({ "app.oam.dev/component": "nginx-server" }));
}

#[test]
fn mistakes_in_batches() {
    let scaler = "  - type: scaler\n    properties: {replicas: 2}\n";
    let surge = "  - type: k8s-update-strategy\n    properties: {strategy: {type: RollingUpdate}}\n";
    let patch = "  - type: json-merge-patch\n    properties: {spec: {replicas: 2}}\n";
    let with = |more: &str| format!("{}{more}", of_two());
    let batches = |batches: &str| component(&["targetSize: 2", &format!("rolloutBatches: {batches}")]);
    let of_type = |type_: &str| of_two().replace("type: webservice", &format!("type: {type_}"));
    let job = "name: nginx-server\ntype: task\nproperties: {image: nginx:1}\ntraits: [{type: rollout, properties: {targetSize: 1}}]\n";
    let of_set = |more: &str| of_type("statefulset").replace("traits:\n", &format!("traits:\n{more}"));
    let strategy = |strategy: &str| {
        of_set(&format!(
            "  - type: k8s-update-strategy\n    properties: {{targetKind: StatefulSet, strategy: {{{strategy}}}}}\n"
        ))
    };
    let held = "  - type: json-merge-patch\n    properties: {spec: {updateStrategy: {partition: 1}}}\n";
    let marked = "  - type: annotations\n    properties: {tidegate.io/batches: '[1,1]'}\n";
    let by_hand = "name: s\ntype: k8s-objects\nproperties:\n  objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: s, namespace: shop, annotations: {tidegate.io/batches: '[1,1]'}}}]\n";
    insta::assert_snapshot!(
        "mistakes_in_batches",
        mistakes(&[
            ("too many", batches("[{replicas: 1}, {replicas: 2}]")),
            ("too few", batches("[{replicas: 1}]")),
            ("an empty batch", batches("[{replicas: 0}, {replicas: 2}]")),
            ("more than everything", batches("[{replicas: 150%}]")),
            ("not everything", batches("[{replicas: 50%}, {replicas: 40%}]")),
            ("no batches", batches("[]")),
            ("odd amounts", batches("[{replicas: some}, {replicas: -1}, {}]")),
            ("no size", component(&["rolloutBatches: [{replicas: 1}]"])),
            ("of size 0", component(&["targetSize: 0"])),
            ("an unknown property", component(&["targetSize: 2", "rolloutBatch: []"])),
            ("a partition", component(&["targetSize: 2", "batchPartition: 0"])),
            ("another revision", component(&["targetSize: 2", "targetRevision: nginx-server-v2"])),
            (
                "a revision without a name",
                component(&["targetSize: 2", "targetRevision: nginx-server-v1"])
                    .replace("externalRevision: nginx-server-v1\n", "")
            ),
            ("an odd revision", of_two().replace("externalRevision: nginx-server-v1", "externalRevision: Nginx_1")),
            ("beside a scaler", with(scaler)),
            ("beside a patch of the replicas", with(patch)),
            ("beside a strategy", with(surge)),
            ("twice", with("  - type: rollout\n    properties: {targetSize: 2}\n")),
            ("a DaemonSet", of_type("daemon")),
            ("a Job", job.to_owned()),
            (
                "a batch after the last one",
                component(&["targetSize: 2", "batchPartition: 1"]).replace("webservice", "statefulset")
            ),
            ("a StatefulSet whose pods people delete", strategy("type: OnDelete")),
            ("a StatefulSet with a partition", strategy("type: RollingUpdate, rollingStrategy: {partition: 1}")),
            ("a CloneSet with a partition", clone_set("").replace("traits:\n", &format!("traits:\n{held}"))),
            ("batches that a trait writes", of_set(marked)),
            ("batches by hand", by_hand.to_owned()),
            (
                "a StatefulSet of another size",
                batches("[{replicas: 1}, {replicas: 2}]").replace("type: webservice", "type: statefulset")
            ),
        ])
    );
}

/// A component with an autoscaler of a Deployment.
fn autoscaler(target: &str) -> String {
    let object = format!(
        "{{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {{name: scale}}, spec: {{maxReplicas: 9, scaleTargetRef: \
         {{apiVersion: apps/v1, kind: Deployment, name: {target}}}}}}}"
    );
    format!("name: scaling\ntype: k8s-objects\nproperties: {{objects: [{object}]}}\n")
}

#[test]
fn an_autoscaler_in_another_component_does_not_scale_what_is_replaced_in_batches() {
    let expected = "web.yaml:20:7: spec.components[1] renders HorizontalPodAutoscaler shop/scale, which sets the number of replicas of \
                    Deployment shop/nginx-server, and so does the trait rollout of spec.components[0]; keep one of the two";
    assert_eq!(shown(&load(&tree(&application(&[&of_two(), &autoscaler("nginx-server")])), "")), [expected]);
    assert_eq!(shown(&load(&by_controller(&[&of_two(), &autoscaler("nginx-server")]), "")), [expected]);
    assert_eq!(shown(&load(&tree(&application(&[&of_two(), &autoscaler("other")])), "")), [""; 0]);
}

#[test]
fn a_revision_has_one_component() {
    let second = of_two().replace("name: nginx-server\n", "name: other\n");
    insta::assert_snapshot!(
        shown(&load(&tree(&application(&[&of_two(), &second])), "")).join("\n"),
        @"web.yaml:21:25: spec.components[1].externalRevision is nginx-server-v1, which is that of spec.components[0]; write another one"
    );
}

#[test]
fn a_controller_gets_the_revision_and_a_rollout_in_place_of_the_workload() {
    let exposed = of_two().replace("  port: 80\n", "  ports: [{port: 80, expose: true}]\n");
    let tree = by_controller(&[&exposed]);
    let text = serde_json::to_string_pretty(&objects(&unit(&tree))).unwrap();
    insta::assert_snapshot!("by_the_controller", text);
}

#[test]
fn a_revision_without_a_name_is_named_by_its_workload() {
    let of = |image: &str| {
        let component = component(&["targetSize: 2"])
            .replace("externalRevision: nginx-server-v1\n", "")
            .replace("nginx:1.20.0", image);
        let objects = objects(&unit(&by_controller(&[&component])));
        let name = objects[0]["metadata"]["name"].as_str().unwrap().to_owned();
        assert_eq!(objects[1]["spec"]["targetRevisionName"], *name);
        assert_eq!(
            (&objects[0]["revision"], objects[0]["metadata"]["labels"].get("app.oam.dev/revision")),
            (&json!(0), None)
        );
        name
    };
    let first = of("nginx:1.20.0");
    assert_eq!((first.len(), first.starts_with("nginx-server-")), ("nginx-server-".len() + 12, true));
    assert_ne!(first, of("nginx:1.21.0"));
}

#[test]
fn percentages_reach_the_controller_as_they_are() {
    let component =
        component(&["targetSize: 3", "rolloutBatches: [{replicas: 50%}, {replicas: 50%}]", "batchPartition: 1"]);
    let objects = objects(&unit(&by_controller(&[&component])));
    assert_eq!(
        objects[1]["spec"]["rolloutPlan"],
        json!({
            "rolloutStrategy": "IncreaseFirst", "targetSize": 3, "batchPartition": 1,
            "rolloutBatches": [{ "replicas": "50%" }, { "replicas": "50%" }],
        })
    );
}

#[test]
fn mistakes_and_cautions_where_a_controller_carries_out_batches() {
    let about = |component: &str| shown(&load(&by_controller(&[component]), "")).join("\n");
    let cases = [
        ("too many", component(&["targetSize: 2", "rolloutBatches: [{replicas: 1}, {replicas: 2}]"])),
        ("for a change of the size", component(&["targetSize: 4", "rolloutBatches: [{replicas: 1}, {replicas: 1}]"])),
        (
            "a partition",
            component(&["targetSize: 2", "rolloutBatches: [{replicas: 1}, {replicas: 1}]", "batchPartition: 0"]),
        ),
        ("a partition beyond the end", component(&["targetSize: 2", "batchPartition: 1"])),
        ("the way back", of_two().replace("externalRevision: nginx-server-v1", "externalRevision: nginx-server-v2")),
        (
            "replicas of a trait",
            format!("{}  - type: json-merge-patch\n    properties: {{spec: {{replicas: 2}}}}\n", of_two()),
        ),
        ("a StatefulSet", of_two().replace("webservice", "statefulset")),
        ("a mistake in the workload", of_two().replace("  port: 80\n", "  port: 80\n  cpu: much\n")),
        (
            "a mistake in a patch of the workload",
            format!("{}  - type: json-merge-patch\n    properties: {{spec: {{minReadySeconds: soon}}}}\n", of_two()),
        ),
    ];
    let text: String = cases.iter().map(|(what, component)| format!("# {what}\n{}\n", about(component))).collect();
    insta::assert_snapshot!("mistakes_by_the_controller", text);
}

#[test]
fn app_show_says_who_carries_out_the_batches() {
    let of = |settings: &str| {
        let mut tree = tree(&application(&[&of_two()]));
        tree.files.insert("tidegate.toml".to_owned(), settings.as_bytes().to_vec());
        outlines(&tree, "")[0].components[0].batches.clone().unwrap()
    };
    assert_eq!(of(SETTINGS), "2 replicas, at most 1 of them new at once, by the Deployment");
    assert_eq!(of(BY_CONTROLLER), "2 replicas in batches of 1, 1, by the controller of standard.oam.dev");
}

#[test]
fn the_example_of_the_documentation_has_batches() {
    let page = std::fs::read_to_string(crate::root::path("docs/applications/order.md")).unwrap();
    let block = page.split("```yaml\n").find(|block| block.contains("- type: rollout")).unwrap();
    let indented: String = block
        .split("```")
        .next()
        .unwrap()
        .lines()
        .map(|line| format!("{}\n", line.get(6..).unwrap_or_default()))
        .collect();
    let component = of_two().split("traits:").next().unwrap().to_owned() + &indented;
    assert_eq!(objects(&unit(&tree(&application(&[&component]))))[0]["spec"]["replicas"], 2);
}

#[test]
fn an_application_without_the_trait_does_not_depend_on_the_setting() {
    let digest = |settings: &str| {
        let mut tree = tree(super::WEB);
        tree.files.insert("tidegate.toml".to_owned(), settings.as_bytes().to_vec());
        load(&tree, "").repository.addons[&web()].digest.clone()
    };
    assert_eq!(digest(SETTINGS), digest(BY_CONTROLLER));
}
