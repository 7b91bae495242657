//! Properties that hold for any template and any set of objects.

use proptest::prelude::*;
use serde_json::{Value, json};

use tidegate_delivery::{Subject, Template, registration_namespace, render, work_writes};
use tidegate_go::canonical::go_json;
use tidegate_model::semantics::Semantics;

use super::builders::{
    Setting, cluster, cluster1, config, config_map, deploying, deployment, hello, objects, rendered, template,
};

/// Generates any JSON, in which the fields that rendering looks for are more frequent than by chance.
fn any_json() -> impl Strategy<Value = Value> {
    let member = prop_oneof![
        "[a-z]{1,3}",
        prop::sample::select(vec![
            "apiVersion",
            "kind",
            "metadata",
            "name",
            "namespace",
            "spec",
            "template",
            "containers",
            "env",
            "image",
            "resources",
            "limits",
            "subjects",
            "replicas",
            "selector",
            "volumes",
            "labels",
            "status",
            "{{CLUSTER_NAME}}",
        ])
        .prop_map(str::to_owned),
    ];
    let text = prop_oneof![
        "[a-z{}\"\\\\ ]{0,12}",
        prop::sample::select(vec![
            "apps/v1",
            "Deployment",
            "DaemonSet",
            "RoleBinding",
            "Namespace",
            "{{CLUSTER_NAME}}",
            "1e99Gi"
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(member.clone(), inner, 0..6).prop_map(|members| json!(members)),
        ]
    })
}

/// Generates a Deployment in which one field is replaced with any JSON.
fn odd_deployment() -> impl Strategy<Value = Value> {
    let places =
        ["", "/metadata", "/spec", "/spec/template", "/spec/template/spec", "/spec/template/spec/containers/0"];
    (prop::sample::select(places.to_vec()), "[a-zA-Z]{1,10}|replicas|containers|resources|env|metadata", any_json())
        .prop_map(|(place, member, value)| {
            let mut manifest = deployment(json!([{"name": "c", "image": "i"}]));
            manifest.pointer_mut(place).unwrap()[member] = value;
            manifest
        })
}

proptest! {
    #[test]
    fn no_template_makes_rendering_panic(manifests in any_json(), registration in any_json(), whole in any_json()) {
        let settings = config(json!({
            "agentInstallNamespace": "inst",
            "customizedVariables": [{"name": "a", "value": "\""}],
            "registries": [{"source": "", "mirror": "m"}],
            "nodePlacement": {"nodeSelector": {"a": "b"}},
            "proxyConfig": {"httpProxy": "p", "caBundle": "Y2E="},
            "resourceRequirements": [{"containerID": "*:*:*", "resources": {"limits": {"cpu": "1"}}}],
        }));
        let (addon, cluster) = (hello(), cluster1());
        for template in [template(json!([manifests]), registration), whole] {
            let _ = render(&Subject { addon: &addon, template: &template, config: Some(&settings), cluster: &cluster });
            let _ = registration_namespace(&template, None);
        }
    }

    #[test]
    fn converting_a_workload_twice_is_converting_it_once(manifest in odd_deployment()) {
        if let Ok(once) = rendered(json!([manifest]), json!({})) {
            prop_assume!(!once.workloads.is_empty());
            let mut again = objects(&once).remove(0);
            // Rendering appends the name of the cluster each time.
            for container in again["spec"]["template"]["spec"]["containers"].as_array_mut().into_iter().flatten() {
                container["env"].as_array_mut().unwrap().pop();
            }
            prop_assert_eq!(rendered(json!([again]), json!({})).unwrap().objects, once.objects);
        }
    }

    #[test]
    fn a_cluster_name_variable_gives_the_same_result_as_a_literal_name(
        manifest in prop_oneof![any_json(), odd_deployment()],
        name in prop::sample::select(vec!["east-1", "10.2", "7", "replicas", "spec"]),
    ) {
        let text = manifest.to_string();
        prop_assume!(!text.replace("{{CLUSTER_NAME}}", "").contains("{{"));
        let written: Value = serde_json::from_str(&text.replace("{{CLUSTER_NAME}}", name)).unwrap();
        let settings = config(json!({
            "agentInstallNamespace": "inst",
            "registries": [{"source": "i", "mirror": "m"}],
            "resourceRequirements": [{"containerID": "*:*:c", "resources": {"limits": {"cpu": "1"}}}],
        }));
        let (addon, cluster) = (hello(), cluster(json!({"name": name}), json!({})));
        let [read, expected] = [manifest, written].map(|manifest| {
            let template = template(json!([manifest]), Value::Null);
            let subject = Subject { addon: &addon, template: &template, config: Some(&settings), cluster: &cluster };
            render(&subject).map_err(|error| error.to_string())
        });
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn tags_remove_nothing_but_themselves(before in "[a-z} ]{0,8}", tag in "[a-z ]{0,5}", after in "[a-z{ ]{0,1}[a-z} ]{0,8}") {
        let manifest = json!({"apiVersion": "v1", "kind": "X", "metadata": {"name": "x"}, "d": format!("{before}{{{{{tag}}}}}{after}")});
        let rendered = rendered(json!([manifest]), json!({})).unwrap();
        prop_assert_eq!(rendered.objects[0]["d"].as_str().unwrap(), format!("{before}{after}"));
    }

    #[test]
    fn works_hold_every_manifest_once_within_the_budget(
        sizes in prop::collection::vec(0_usize..1500, 0..25),
        held in 0_usize..25,
        budget in 300_usize..2500,
        semantics in prop::sample::select(vec![Semantics::Strict, Semantics::Compat]),
    ) {
        let all: Vec<Value> = sizes.iter().enumerate().map(|(i, size)| config_map(&format!("m{i}"), *size)).collect();
        let setting = Setting { budget, semantics, ..Setting::default() };
        let before = setting.works(&deploying(all.iter().take(held).cloned().collect()));
        let setting = setting.holding(&before);
        let works = setting.works(&deploying(all.clone()));
        prop_assert_eq!(&works, &setting.works(&deploying(all.clone())));

        for work in &works.apply {
            let bytes: usize = work.manifests.iter().map(|manifest| go_json(manifest).len()).sum();
            let is_single = work.manifests.len() == 1;
            prop_assert!(bytes < budget || is_single, "{} bytes in a budget of {}", bytes, budget);
            prop_assert!(semantics == Semantics::Compat || !work.manifests.is_empty());
        }
        let mut names: Vec<&str> = works.apply.iter().map(|work| work.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        prop_assert!(semantics == Semantics::Compat || names.len() == works.apply.len());
        let manifests = works.apply.iter().flat_map(|work| &work.manifests);
        let mut delivered: Vec<String> = manifests.map(|manifest| manifest.to_string()).collect();
        let mut expected: Vec<String> = all.iter().map(Value::to_string).collect();
        delivered.sort();
        expected.sort();
        prop_assert_eq!(delivered, expected);
    }

    #[test]
    fn building_existing_works_again_writes_nothing(
        sizes in prop::collection::vec(0_usize..1500, 0..25),
        replicas in prop::option::of(0..3),
        budget in 300_usize..2500,
    ) {
        let maps = sizes.iter().enumerate().map(|(i, size)| config_map(&format!("m{i}"), *size));
        let mut workload = deployment(json!([{"name": "c"}]));
        workload["spec"]["replicas"] = json!(replicas);
        let manifests: Vec<Value> = maps.chain([workload]).collect();
        let rendered = rendered(json!(manifests), json!({})).unwrap();
        let setting = Setting { budget, ..Setting::default() };
        let works = setting.works(&rendered);
        let setting = setting.holding(&works);
        let again = setting.works(&rendered);
        prop_assert!(again.delete.is_empty());
        prop_assert_eq!(work_writes(&again, &setting.existing), vec![]);
    }
}

#[test]
fn a_prepared_template_renders_each_cluster_as_if_alone() {
    let manifests = json!([deployment(json!([{"name": "c", "image": "{{CLUSTER_NAME}}"}])), config_map("fixed", 3)]);
    let (addon, template) = (hello(), template(manifests, json!([{"type": "KubeClient"}])));
    let prepared = Template::prepare(&addon, &template, None).unwrap();
    for name in ["east-1", "west-2"] {
        let cluster = cluster(json!({"name": name}), json!({}));
        let alone = render(&Subject { addon: &addon, template: &template, config: None, cluster: &cluster }).unwrap();
        assert_eq!(prepared.render(&cluster).unwrap(), alone);
        assert_eq!(alone.objects[0]["spec"]["template"]["spec"]["containers"][0]["image"], name);
    }
}
