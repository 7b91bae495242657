//! Tests of the differences between works in *strict* and *compat* semantics; each test shows both.

use serde_json::{Value, json};

use tidegate_delivery::{Error, Rendered, Works, works};
use tidegate_model::semantics::Semantics;

use super::builders::{Setting, config_map, contents, deploying, deployment, evidence_rule, existing, rendered};

const KIB: usize = 1024;

fn maps(maps: &[(&str, usize)]) -> Rendered {
    deploying(maps.iter().map(|(name, size)| config_map(name, *size)).collect())
}

fn work(name: &str, manifests: &[Value]) -> Value {
    json!({"metadata": {"name": name, "namespace": "cluster1"}, "spec": {"workload": {"manifests": manifests}}})
}

/// Builds works from the same objects in both semantics.
fn both(held: &[Value], rendered: &Rendered) -> [Works; 2] {
    [Semantics::Strict, Semantics::Compat].map(|semantics| {
        let existing = held.iter().cloned().map(existing).collect();
        Setting { existing, semantics, ..Setting::default() }.works(rendered)
    })
}

#[test]
fn upstream_writes_an_empty_work_before_a_manifest_beyond_the_budget() {
    let [strict, compat] = both(&[], &maps(&[("big", 450 * KIB), ("small", 10)]));
    assert_eq!(contents(&strict), [("addon-hello-deploy-0", vec!["big"]), ("addon-hello-deploy-1", vec!["small"])]);
    assert_eq!(
        contents(&compat),
        [
            ("addon-hello-deploy-0", vec![]),
            ("addon-hello-deploy-1", vec!["big"]),
            ("addon-hello-deploy-2", vec!["small"]),
        ]
    );
}

#[test]
fn upstream_writes_one_empty_work_for_any_number_of_manifests_beyond_the_budget() {
    let [strict, compat] = both(&[], &maps(&[("a", 450 * KIB), ("b", 440 * KIB)]));
    assert_eq!(strict.apply.len(), 2);
    assert_eq!(contents(&compat)[1..], [("addon-hello-deploy-1", vec!["a"]), ("addon-hello-deploy-2", vec!["b"])]);
}

#[test]
fn upstream_can_give_a_new_work_the_name_of_an_existing_one() {
    let held = [work("addon-hello-deploy-1", &[config_map("a", 300 * KIB)])];
    let [strict, compat] = both(&held, &maps(&[("a", 300 * KIB), ("new", 300 * KIB)]));
    assert_eq!(contents(&strict), [("addon-hello-deploy-0", vec!["new"]), ("addon-hello-deploy-1", vec!["a"])]);
    assert_eq!(contents(&compat), [("addon-hello-deploy-1", vec!["new"]), ("addon-hello-deploy-1", vec!["a"])]);
}

#[test]
fn upstream_keeps_the_works_of_an_add_on_with_nothing_left_to_deploy() {
    let held = [work("addon-hello-deploy-0", &[config_map("a", 10)])];
    let [strict, compat] = both(&held, &Rendered::default());
    assert_eq!(strict, Works { delete: vec!["addon-hello-deploy-0".to_owned()], ..Works::default() });
    assert_eq!(compat, Works::default());
}

#[test]
fn upstream_takes_over_works_that_others_created_with_the_label_of_the_add_on() {
    let hosted = json!({
        "metadata": {
            "name": "addon-hello-deploy-9", "namespace": "cluster1",
            "labels": {"open-cluster-management.io/addon-namespace": "cluster2"},
        },
        "spec": {"workload": {"manifests": []}},
    });
    let held = [
        hosted,
        work("addon-hello-deploy-by-hand", &[config_map("b", 10)]),
        work("addon-hello-pre-delete", &[config_map("hook", 10)]),
        work("mine", &[config_map("a", 10), config_map("theirs", 10)]),
    ];
    let [strict, compat] = both(&held, &maps(&[("a", 10)]));
    assert_eq!(contents(&strict), [("addon-hello-deploy-0", vec!["a"])]);
    assert!(strict.delete.is_empty());
    assert_eq!(contents(&compat), [("mine", vec!["a"])]);
    assert_eq!(compat.delete, ["addon-hello-deploy-by-hand"]);
}

#[test]
fn an_unreadable_object_in_an_existing_work_stops_the_add_on_upstream() {
    let held =
        [work("addon-hello-deploy-0", &[json!({"kind": "X", "metadata": {"name": "odd"}}), config_map("a", 10)])];
    let rendered = maps(&[("a", 10)]);
    let setting = |semantics| {
        let existing = held.iter().cloned().map(existing).collect();
        Setting { existing, semantics, ..Setting::default() }
    };
    assert_eq!(contents(&setting(Semantics::Strict).works(&rendered)), [("addon-hello-deploy-0", vec!["a"])]);
    let error = works(&setting(Semantics::Compat).layout(&rendered)).unwrap_err();
    assert!(matches!(&error, Error::OddWork { work, .. } if work == "addon-hello-deploy-0"), "{error}");
}

#[test]
fn upstream_drops_the_conditions_of_a_template_entry_for_a_workload() {
    let entry = json!({
        "resourceIdentifier": {"group": "apps", "resource": "deployments", "name": "d", "namespace": "n"},
        "feedbackRules": [{"type": "WellKnownStatus"}, {"type": "JSONPaths", "jsonPaths": [{"name": "p", "path": ".p"}]}],
        "updateStrategy": {"type": "CreateOnly"},
        "conditionRules": [{"condition": "Fine", "type": "WellKnownConditions"}],
        "feedbackScrapeType": "Watch",
    });
    let rendered = rendered(json!([deployment(json!([]))]), json!({})).unwrap();
    let merged = |semantics| {
        let template_configs = serde_json::from_value(json!([entry])).unwrap();
        let setting = Setting { template_configs, semantics, ..Setting::default() };
        setting.works(&rendered).apply[0].frame["spec"]["manifestConfigs"].clone()
    };
    let mut richer = entry.clone();
    richer["feedbackRules"].as_array_mut().unwrap().insert(1, evidence_rule());
    assert_eq!(merged(Semantics::Strict), json!([richer]));
    let mut poorer = entry.clone();
    poorer.as_object_mut().unwrap().retain(|member, _| member != "conditionRules" && member != "feedbackScrapeType");
    assert_eq!(merged(Semantics::Compat), json!([poorer]));
}
