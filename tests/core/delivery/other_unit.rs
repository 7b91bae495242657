//! Works of a unit that is not an add-on, and has no object in the namespaces of its clusters.

use serde_json::json;

use tidegate_delivery::{Evidence, WorkOwner, health, work_writes};
use tidegate_model::action::Write;

use super::builders::{Setting, cluster, config_map, deploying};
use super::health::{condition, work};

fn web() -> WorkOwner {
    WorkOwner {
        prefix: "web-deploy-".to_owned(),
        hook: "web-pre-delete".to_owned(),
        what: "web".to_owned(),
        labels: vec![("example.com/unit", "web".to_owned())],
        annotations: Vec::new(),
        grant: String::new(),
        object: None,
    }
}

#[test]
fn its_works_have_its_names_and_its_label_and_no_owner() {
    let setting = Setting { owner: web(), ..Setting::default() };
    let works = setting.works(&deploying(vec![config_map("a", 1)]));
    let object = works.apply[0].object();
    assert_eq!(
        object["metadata"],
        json!({ "name": "web-deploy-0", "namespace": "cluster1", "labels": { "example.com/unit": "web" } })
    );
}

#[test]
fn its_works_are_found_again_and_removed() {
    let rendered = deploying(vec![config_map("a", 1)]);
    let setting = Setting { owner: web(), ..Setting::default() };
    let first = setting.works(&rendered);
    let setting = setting.holding(&first);
    assert_eq!(work_writes(&setting.works(&rendered), &setting.existing), []);
    let removed = work_writes(&setting.works(&deploying(Vec::new())), &setting.existing);
    assert!(matches!(removed.as_slice(), [Write::Delete { .. }]), "{removed:?}");
    // Those of an add-on are others.
    let setting = Setting { owner: Setting::default().owner, ..setting };
    assert!(matches!(work_writes(&setting.works(&rendered), &setting.existing).as_slice(), [Write::Create { .. }]));
}

#[test]
fn it_is_healthy_if_its_own_works_are_available() {
    let cluster = cluster(json!({ "name": "cluster1" }), json!({}));
    let judged = |name: &str| {
        let works = [work(name, json!([condition("Available", "True")]), json!([]))].into();
        let evidence = Evidence {
            owner: &web(),
            cluster: &cluster,
            works: &works,
            probes: &[],
            conditioned: &[],
            has_manifest_applied: true,
        };
        health(&evidence).unwrap()
    };
    assert_eq!((judged("web-deploy-0").status, judged("addon-web-deploy-0").status), ("True", "Unknown"));
}
