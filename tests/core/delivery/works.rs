//! Tests of packing objects into works.

use serde_json::{Value, json};

use tidegate_api::ocm::manifest_work::ManifestConfigOption;
use tidegate_delivery::{Error, Rendered, hook_work, works};

use super::builders::{Setting, config_map, contents, deploying, deployment, evidence_rule, existing, rendered};

const KIB: usize = 1024;

fn holding(works: &[(&str, &[(&str, usize)])]) -> Setting {
    let work = |(name, maps): &(&str, &[(&str, usize)])| {
        let manifests: Vec<Value> = maps.iter().map(|(name, size)| config_map(name, *size)).collect();
        existing(json!({
            "metadata": {"name": name, "namespace": "cluster1", "labels": {"open-cluster-management.io/addon-name": "hello"}},
            "spec": {"workload": {"manifests": manifests}},
        }))
    };
    Setting { existing: works.iter().map(work).collect(), ..Setting::default() }
}

fn maps(maps: &[(&str, usize)]) -> Rendered {
    deploying(maps.iter().map(|(name, size)| config_map(name, *size)).collect())
}

#[test]
fn a_work_names_its_owner_its_feedback_rules_and_its_orphans() {
    let mut orphan = config_map("c", 1);
    orphan["metadata"]["annotations"] = json!({"addon.open-cluster-management.io/deletion-orphan": "false"});
    let rendered = rendered(json!([orphan, deployment(json!([]))]), json!({})).unwrap();
    let setting = Setting { config_hashes: Some(r#"{"rs.g//t":"h1"}"#), ..Setting::default() };
    let works = setting.works(&rendered);
    let expected = json!({
        "apiVersion": "work.open-cluster-management.io/v1",
        "kind": "ManifestWork",
        "metadata": {
            "name": "addon-hello-deploy-0",
            "namespace": "cluster1",
            "labels": {"open-cluster-management.io/addon-name": "hello"},
            "annotations": {"open-cluster-management.io/config-spec-hash": r#"{"rs.g//t":"h1"}"#},
            "ownerReferences": [{
                "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ManagedClusterAddOn",
                "name": "hello", "uid": "uid-1", "controller": true, "blockOwnerDeletion": true,
            }],
        },
        "spec": {
            "workload": {"manifests": [*rendered.objects[1], *rendered.objects[0]]},
            "deleteOption": {
                "propagationPolicy": "SelectivelyOrphan",
                "selectivelyOrphans": {
                    "orphaningRules": [{"group": "", "resource": "configmaps", "name": "c", "namespace": "n"}],
                },
            },
            "manifestConfigs": [{
                "resourceIdentifier": {"group": "apps", "resource": "deployments", "name": "d", "namespace": "n"},
                "feedbackRules": [{"type": "WellKnownStatus"}, evidence_rule()],
            }],
        },
    });
    assert_eq!(works.apply.len(), 1);
    assert_eq!(works.apply[0].object(), expected);
}

#[test]
fn a_hook_work_reports_its_jobs_and_carries_no_hash() {
    let mark = json!({"addon.open-cluster-management.io/addon-pre-delete": ""});
    let job = json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": "j", "namespace": "n", "annotations": mark},
    });
    let rendered = deploying(vec![job.clone()]);
    let setting = Setting { config_hashes: Some(r#"{"rs.g//t":"h1"}"#), ..Setting::default() };
    let work = hook_work(&setting.layout(&rendered)).unwrap().unwrap().object();
    assert_eq!(work["metadata"]["name"], "addon-hello-pre-delete");
    assert_eq!(work["metadata"].get("annotations"), None);
    let config = json!([{
        "resourceIdentifier": {"group": "batch", "resource": "jobs", "name": "j", "namespace": "n"},
        "feedbackRules": [{"type": "WellKnownStatus"}],
    }]);
    assert_eq!(work["spec"], json!({"workload": {"manifests": [job]}, "manifestConfigs": config}));
    assert_eq!(hook_work(&setting.layout(&Rendered::default())).unwrap(), None);
}

#[test]
fn the_biggest_manifest_is_placed_first() {
    let works = Setting::default().works(&maps(&[("c", 50 * KIB), ("a", 300 * KIB), ("b", 300 * KIB)]));
    assert_eq!(contents(&works), [("addon-hello-deploy-0", vec!["a"]), ("addon-hello-deploy-1", vec!["b", "c"])]);
}

#[test]
fn a_manifest_beyond_the_budget_gets_its_own_work_and_leaves_no_empty_one() {
    let works = Setting::default().works(&maps(&[("big", 450 * KIB), ("small", 10)]));
    assert_eq!(contents(&works), [("addon-hello-deploy-0", vec!["big"]), ("addon-hello-deploy-1", vec!["small"])]);
}

#[test]
fn a_manifest_of_exactly_the_budget_does_not_fit() {
    // 98 bytes is a ConfigMap with one byte of data; another of the same size would fill the rest to the last byte.
    let two = maps(&[("a", 1), ("b", 1)]);
    let exact = Setting { budget: 196, ..Setting::default() };
    assert_eq!(exact.works(&two).apply.len(), 2);
    let roomy = Setting { budget: 197, ..Setting::default() };
    assert_eq!(roomy.works(&two).apply.len(), 1);
}

#[test]
fn manifests_stay_in_their_works() {
    let setting =
        holding(&[("addon-hello-deploy-0", &[("a", 300 * KIB)]), ("addon-hello-deploy-1", &[("b", 300 * KIB)])]);
    let works = setting.works(&maps(&[("b", 300 * KIB), ("a", 300 * KIB), ("c", 200 * KIB)]));
    assert_eq!(
        contents(&works),
        [("addon-hello-deploy-2", vec!["c"]), ("addon-hello-deploy-0", vec!["a"]), ("addon-hello-deploy-1", vec!["b"]),]
    );
    assert!(works.delete.is_empty());
}

#[test]
fn a_manifest_that_fits_goes_to_the_existing_work_with_the_most_room() {
    let setting = holding(&[
        ("addon-hello-deploy-0", &[("a", 200 * KIB)]),
        ("addon-hello-deploy-1", &[("b", 100 * KIB)]),
        ("addon-hello-deploy-2", &[("c", 100 * KIB)]),
    ]);
    let all = [("a", 200 * KIB), ("b", 100 * KIB), ("c", 100 * KIB), ("d", 10)];
    assert_eq!(contents(&setting.works(&maps(&all)))[1], ("addon-hello-deploy-1", vec!["b", "d"]));
}

#[test]
fn an_empty_work_is_deleted() {
    let setting = holding(&[("addon-hello-deploy-0", &[("a", 10)]), ("addon-hello-deploy-1", &[("b", 10)])]);
    let works = setting.works(&maps(&[("b", 10)]));
    assert_eq!(contents(&works), [("addon-hello-deploy-1", vec!["b"])]);
    assert_eq!(works.delete, ["addon-hello-deploy-0"]);
}

#[test]
fn a_new_work_gets_the_lowest_free_index() {
    let setting = holding(&[("addon-hello-deploy-1", &[("a", 300 * KIB)])]);
    let works = setting.works(&maps(&[("a", 300 * KIB), ("new", 300 * KIB)]));
    assert_eq!(contents(&works), [("addon-hello-deploy-0", vec!["new"]), ("addon-hello-deploy-1", vec!["a"])]);
}

#[test]
fn an_add_on_with_nothing_to_deploy_loses_its_works() {
    let setting = holding(&[("addon-hello-deploy-0", &[("a", 10)]), ("addon-hello-deploy-1", &[("b", 10)])]);
    let works = setting.works(&Rendered::default());
    assert!(works.apply.is_empty());
    assert_eq!(works.delete, ["addon-hello-deploy-0", "addon-hello-deploy-1"]);
}

#[test]
fn works_of_others_are_left_alone() {
    let mut setting = holding(&[("addon-hello-pre-delete", &[("a", 10)]), ("mine", &[("b", 10)])]);
    let hosted = json!({
        "metadata": {
            "name": "addon-hello-deploy-0", "namespace": "cluster1",
            "labels": {"open-cluster-management.io/addon-namespace": "cluster2"},
        },
        "spec": {"workload": {"manifests": []}},
    });
    setting.existing.extend([existing(hosted)]);
    let works = setting.works(&maps(&[("c", 10)]));
    assert_eq!(contents(&works), [("addon-hello-deploy-1", vec!["c"])]);
    assert!(works.delete.is_empty());
}

#[test]
fn the_later_manifest_of_one_identity_wins() {
    let works = Setting::default().works(&maps(&[("same", 1), ("same", 2)]));
    assert_eq!(works.apply[0].object()["spec"]["workload"]["manifests"], json!([config_map("same", 2)]));
}

#[test]
fn a_manifest_without_version_is_an_error() {
    let rendered = deploying(vec![json!({"kind": "X", "metadata": {"name": "odd"}})]);
    let setting = Setting::default();
    assert!(matches!(works(&setting.layout(&rendered)), Err(Error::NoIdentity { name, .. }) if name == "odd"));
}

fn merged(template_configs: Value) -> Value {
    let template_configs: Vec<ManifestConfigOption> = serde_json::from_value(template_configs).unwrap();
    let setting = Setting { template_configs, ..Setting::default() };
    let rendered = rendered(json!([deployment(json!([]))]), json!({})).unwrap();
    setting.works(&rendered).apply[0].frame["spec"]["manifestConfigs"].clone()
}

#[test]
fn a_template_entry_for_a_workload_is_merged_without_loss() {
    let workload = json!({"group": "apps", "resource": "deployments", "name": "d", "namespace": "n"});
    let path = |name: &str| json!({"name": name, "path": ".p"});
    let rules = json!([
        {"type": "WellKnownStatus"},
        {"type": "JSONPaths", "jsonPaths": [path("p")]},
        {"type": "JSONPaths", "jsonPaths": [path("p"), path("q")]},
        {"type": "JSONPaths", "jsonPaths": [path("q")]},
    ]);
    let condition = json!([{"condition": "Fine", "type": "WellKnownConditions"}]);
    let wanted = json!([{
        "resourceIdentifier": workload, "feedbackRules": rules, "updateStrategy": {"type": "ServerSideApply"},
        "conditionRules": condition, "feedbackScrapeType": "Watch",
    }]);
    let expected_rules = json!([
        {"type": "WellKnownStatus"},
        evidence_rule(),
        {"type": "JSONPaths", "jsonPaths": [path("p")]},
        {"type": "JSONPaths", "jsonPaths": [path("q")]},
    ]);
    let expected = json!([{
        "resourceIdentifier": workload, "feedbackRules": expected_rules, "updateStrategy": {"type": "ServerSideApply"},
        "conditionRules": condition, "feedbackScrapeType": "Watch",
    }]);
    assert_eq!(merged(wanted), expected);
}

#[test]
fn a_template_entry_for_anything_else_is_unchanged() {
    let other = json!({"resourceIdentifier": {"group": "", "resource": "configmaps", "name": "c", "namespace": "n"}});
    assert_eq!(merged(json!([other]))[1], other);
}
