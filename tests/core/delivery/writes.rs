//! Tests of the writes that turn the existing works into the wanted ones.

use std::sync::Arc;

use serde_json::{Value, json};

use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::{Works, differs, work_writes};
use tidegate_model::action::{Precondition, Write};
use tidegate_model::object::ObjectKey;

use super::builders::{Existing, Setting, config_map, deploying, deployment, existing, rendered};

fn wanted() -> Works {
    let rendered = rendered(json!([deployment(json!([{"name": "c"}])), config_map("a", 3)]), json!({})).unwrap();
    let setting = Setting { config_hashes: Some(r#"{"rs.g//t":"h1"}"#), ..Setting::default() };
    setting.works(&rendered)
}

/// Returns the single work of [`wanted`] as the hub holds it, after a change.
fn held(change: impl FnOnce(&mut Value)) -> Existing {
    let mut work = wanted().apply.remove(0).object();
    change(&mut work);
    [existing(work)].into()
}

fn patch(held: &Existing) -> Value {
    match work_writes(&wanted(), held).as_slice() {
        [] => Value::Null,
        [Write::Patch { patch, .. }] => patch.value(),
        other => panic!("expected one patch at most: {other:?}"),
    }
}

#[test]
fn a_missing_work_is_created_and_a_superfluous_one_deleted() {
    let mut wanted = wanted();
    let (name, gone) = existing(json!({
        "metadata": {"name": "addon-hello-deploy-9", "namespace": "cluster1"}, "spec": {"workload": {"manifests": []}},
    }));
    wanted.delete = vec![name.clone(), "gone-already".into()];
    let writes = work_writes(&wanted, &[(name.clone(), gone)].into());
    let deletion = Write::Delete {
        key: ObjectKey::new("work.open-cluster-management.io", "ManifestWork", "cluster1", &name),
        precondition: Precondition { uid: "uid-of-addon-hello-deploy-9".into(), resource_version: None },
    };
    assert_eq!(writes, [Write::Create { object: wanted.apply[0].object().into() }, deletion]);
}

#[test]
fn a_correct_work_is_not_written() {
    assert_eq!(patch(&held(|_| ())), Value::Null);
}

#[test]
fn server_defaults_and_additions_of_others_make_no_difference() {
    let held = held(|work| {
        work["metadata"]["labels"]["mine"] = json!("1");
        work["metadata"]["annotations"]["mine"] = json!("1");
        work["spec"]["deleteOption"] = json!({"propagationPolicy": "Foreground"});
        work["spec"]["manifestConfigs"][0]["updateStrategy"] = json!({"type": "Update"});
        work["spec"]["manifestConfigs"][0]["feedbackScrapeType"] = json!("Poll");
    });
    assert_eq!(patch(&held), Value::Null);
}

#[test]
fn a_patch_holds_only_differences_and_the_observed_version() {
    let held =
        held(|work| work["metadata"]["annotations"] = json!({"open-cluster-management.io/config-spec-hash": "{}"}));
    let expected =
        json!({"metadata": {"annotations": {"open-cluster-management.io/config-spec-hash": r#"{"rs.g//t":"h1"}"#}}});
    let name = "addon-hello-deploy-0";
    let precondition = Precondition { uid: format!("uid-of-{name}"), resource_version: Some("7".into()) };
    let key = ObjectKey::new("work.open-cluster-management.io", "ManifestWork", "cluster1", name);
    assert_eq!(work_writes(&wanted(), &held), [Write::Patch { key, precondition, patch: expected.into() }]);
}

#[test]
fn a_changed_manifest_replaces_the_list() {
    let held = held(|work| work["spec"]["workload"]["manifests"][1]["data"]["d"] = json!("old"));
    let manifests = wanted().apply[0].object()["spec"]["workload"]["manifests"].clone();
    assert_eq!(patch(&held), json!({"spec": {"workload": {"manifests": manifests}}}));
}

#[test]
fn a_different_number_notation_and_a_dropped_null_are_not_changes() {
    let with = |value: Value| {
        let mut manifest = config_map("a", 1);
        manifest["metadata"]["creationTimestamp"] = Value::Null;
        manifest["ratio"] = value;
        Setting::default().works(&deploying(vec![manifest]))
    };
    let mut held = with(json!(1)).apply.remove(0).object();
    held["spec"]["workload"]["manifests"][0]["metadata"].as_object_mut().unwrap().remove("creationTimestamp");
    let held: Existing = [existing(held)].into();
    assert_eq!(work_writes(&with(json!(1.0)), &held), []);
    assert_eq!(work_writes(&with(json!(1.5)), &held).len(), 1);
    assert_eq!(work_writes(&with(Value::Null), &held).len(), 1);
}

#[test]
fn stale_labels_of_tidegate_are_removed() {
    let held = held(|work| work["metadata"]["labels"]["open-cluster-management.io/addon-namespace"] = json!("other"));
    assert_eq!(patch(&held), json!({"metadata": {"labels": {"open-cluster-management.io/addon-namespace": null}}}));
}

#[test]
fn an_owner_with_an_old_uid_is_replaced() {
    let held = held(|work| work["metadata"]["ownerReferences"][0]["uid"] = json!("uid-0"));
    let owners = wanted().apply[0].object()["metadata"]["ownerReferences"].clone();
    assert_eq!(patch(&held), json!({"metadata": {"ownerReferences": owners}}));
}

#[test]
fn stale_parts_of_the_spec_are_removed() {
    let held = held(|work| {
        work["spec"]["executor"] = json!({"subject": {"type": "ServiceAccount"}});
        work["spec"]["deleteOption"] = json!({"propagationPolicy": "Orphan"});
        work["spec"]["manifestConfigs"][0]["updateStrategy"] = json!({"type": "CreateOnly"});
    });
    let configs = wanted().apply[0].object()["spec"]["manifestConfigs"].clone();
    assert_eq!(patch(&held), json!({"spec": {"executor": null, "deleteOption": null, "manifestConfigs": configs}}));
}

#[test]
fn delete_option_is_replaced_as_a_whole() {
    let mut orphan = config_map("c", 1);
    orphan["metadata"]["annotations"] = json!({"addon.open-cluster-management.io/deletion-orphan": ""});
    let wanted = Setting::default().works(&deploying(vec![orphan]));
    let mut work = wanted.apply[0].object();
    work["spec"]["deleteOption"] = json!({"propagationPolicy": "Foreground", "ttlSecondsAfterFinished": 5});
    let (_, held) = existing(work);
    let observed: Arc<ManifestWork> = held;
    assert!(differs(&observed, &wanted.apply[0]));
    let writes = work_writes(&wanted, &[("addon-hello-deploy-0".to_owned(), observed)].into());
    let [Write::Patch { patch, .. }] = writes.as_slice() else { panic!("expected one patch: {writes:?}") };
    let mut expected = wanted.apply[0].object()["spec"]["deleteOption"].clone();
    expected["ttlSecondsAfterFinished"] = Value::Null;
    assert_eq!(patch.value(), json!({"spec": {"deleteOption": expected}}));
}
