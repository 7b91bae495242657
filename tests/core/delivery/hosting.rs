//! Tests of add-ons with parts that run on another cluster.

use serde_json::{Value, json};

use tidegate_delivery::{Error, Hosting, Layout, Rendered, hook_work, works};

use super::builders::{Setting, config_map, contents, deploying, existing};

fn placed(name: &str, location: &str) -> Value {
    let mut object = config_map(name, 1);
    object["metadata"]["annotations"] = json!({"addon.open-cluster-management.io/hosted-manifest-location": location});
    object
}

fn four() -> Rendered {
    deploying(vec![config_map("plain", 1), placed("there", "hosting"), placed("here", "managed"), placed("no", "none")])
}

/// Returns the names of the objects that go to the side `hosting`.
fn share(hosting: Hosting<'_>) -> Vec<String> {
    let (setting, rendered) = (Setting::default(), four());
    let works = works(&Layout { hosting, ..setting.layout(&rendered) }).unwrap();
    let mut names: Vec<String> = contents(&works).into_iter().flat_map(|(_, names)| names).map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn objects_go_to_their_location_only_if_the_add_on_is_hosted() {
    let host = "host".parse().unwrap();
    assert_eq!(share(Hosting::Unsupported), ["here", "no", "plain", "there"]);
    assert_eq!(share(Hosting::Off), ["here", "no", "plain", "there"]);
    assert_eq!(share(Hosting::Managed), ["here", "plain"]);
    assert_eq!(share(Hosting::Hosting(&host)), ["there"]);
}

#[test]
fn the_label_sets_the_location_if_the_annotation_is_empty() {
    let mut object = placed("a", "");
    object["metadata"]["labels"] = json!({"addon.open-cluster-management.io/hosted-manifest-location": "none"});
    let (setting, rendered) = (Setting::default(), deploying(vec![object]));
    let works = works(&Layout { hosting: Hosting::Managed, ..setting.layout(&rendered) }).unwrap();
    assert!(works.apply.is_empty());
}

#[test]
fn an_unknown_location_is_an_error_if_the_add_on_can_be_hosted() {
    let (setting, rendered) = (Setting::default(), deploying(vec![placed("a", "Hosting")]));
    let layout = |hosting| Layout { hosting, ..setting.layout(&rendered) };
    assert!(works(&layout(Hosting::Unsupported)).is_ok());
    for hosting in [Hosting::Off, Hosting::Managed] {
        let error = works(&layout(hosting)).unwrap_err();
        assert!(matches!(&error, Error::Location(place) if place == "Hosting"), "{error}");
        assert!(hook_work(&layout(hosting)).is_err());
    }
}

#[test]
fn works_on_the_host_are_labeled_with_the_cluster_and_have_no_owner() {
    let setting = Setting { host: Some("host".parse().unwrap()), ..Setting::default() };
    let mut hook = placed("j", "hosting");
    hook["kind"] = json!("Job");
    hook["metadata"]["annotations"]["addon.open-cluster-management.io/addon-pre-delete"] = json!("");
    let rendered = deploying(vec![placed("there", "hosting"), hook]);
    let works = setting.works(&rendered);
    let labels = json!({"open-cluster-management.io/addon-name": "hello", "open-cluster-management.io/addon-namespace": "cluster1"});
    assert_eq!(contents(&works), [("addon-hello-deploy-hosting-cluster1-0", vec!["there"])]);
    let metadata = &works.apply[0].frame["metadata"];
    assert_eq!(
        *metadata,
        json!({"name": "addon-hello-deploy-hosting-cluster1-0", "namespace": "host", "labels": labels})
    );
    let hook_work = hook_work(&setting.layout(&rendered)).unwrap().unwrap();
    assert_eq!(
        hook_work.frame["metadata"],
        json!({"name": "addon-hello-pre-delete-hosting-cluster1", "namespace": "host", "labels": labels})
    );
}

#[test]
fn works_of_different_clusters_on_one_host_are_kept_separate() {
    let of = |cluster: &str| {
        existing(json!({
            "metadata": {
                "name": format!("addon-hello-deploy-hosting-{cluster}-0"), "namespace": "host",
                "labels": {"open-cluster-management.io/addon-namespace": cluster},
            },
            "spec": {"workload": {"manifests": [placed("there", "hosting")]}},
        }))
    };
    let setting = Setting {
        host: Some("host".parse().unwrap()),
        existing: [of("cluster1"), of("cluster2")].into(),
        ..Setting::default()
    };
    let works = setting.works(&deploying(vec![placed("new", "hosting")]));
    assert_eq!(contents(&works), [("addon-hello-deploy-hosting-cluster1-0", vec!["new"])]);
    assert!(works.delete.is_empty());
}

#[test]
fn a_cluster_that_hosts_itself_finds_its_works_again() {
    let setting = Setting { host: Some("cluster1".parse().unwrap()), ..Setting::default() };
    let rendered = deploying(vec![placed("there", "hosting")]);
    let works = setting.works(&rendered);
    assert!(works.apply[0].frame["metadata"]["ownerReferences"].is_array());
    assert_eq!(setting.holding(&works).works(&rendered), works);
}
