//! `tidegate app show` and `tidegate app render`.

use super::Directory;

#[test]
fn c3_an_application_is_shown_with_its_components_steps_and_objects() {
    let directory = Directory::new();
    insta::assert_snapshot!(directory.app(&["show", "shop/web"]), @"");
    let document = directory.json(&["show", "shop/web"]);
    assert_eq!(document["steps"][1]["overrides"], serde_json::json!(["large"]), "{document:#}");
}

#[test]
fn what_a_cluster_and_a_step_get_is_rendered() {
    let directory = Directory::new();
    let replicas = |arguments: &[&str]| {
        let objects = directory.json(arguments);
        (objects.as_array().unwrap().len(), objects[0]["spec"]["replicas"].as_i64().unwrap())
    };
    assert_eq!(replicas(&["render", "shop/web", "--cluster", "prod-1"]), (3, 3));
    assert_eq!(replicas(&["render", "shop/web", "--cluster", "prod-3"]), (3, 5));
    for step in ["2", "all", "everywhere"] {
        assert_eq!(replicas(&["render", "shop/web", "--step", step]), (3, 5));
    }
    let yaml = directory.app(&["render", "shop/web", "--step", "try"]);
    assert_eq!(yaml.matches("\n---\n").count(), 3, "{yaml}");
    insta::assert_snapshot!([
        directory.app(&["render", "shop/web", "--step", "tyr"]),
        directory.app(&["render", "shop/web", "--cluster", "Prod_1"]),
        directory.app(&["render", "shop/web"]),
    ].join("\n"), @"");
}
