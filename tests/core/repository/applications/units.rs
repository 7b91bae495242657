//! What an application is: a unit whose objects clusters get.

use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_model::name::UnitName;
use tidegate_repository::{AllowedKind, OperatorRules, Repository, Unit, load, load_with};

use super::{SETTINGS, WEB, about, edited_tree, objects, tree, unit, web};
use crate::fixture::{shown, with};

#[test]
fn an_application_is_a_unit_and_does_not_go_to_the_hub() {
    let Repository { addons, objects, .. } = load(&tree(WEB), "").repository;
    assert_eq!(addons.keys().map(UnitName::as_str).collect::<Vec<_>>(), ["application/shop/web", "hello", "other"]);
    assert!(objects.keys().all(|key| key.kind != "Application"));
    let parts = addons[&web()].parts();
    assert_eq!(parts.iter().map(|part| part.reference().to_string()).collect::<Vec<_>>(), ["fleet/everywhere"]);
    assert_eq!(parts[0].rollout_strategy.type_, "Progressive");
}

#[test]
fn without_the_setting_an_application_is_an_object_like_any_other() {
    let kind =
        AllowedKind { group: "core.oam.dev".to_owned(), kind: "Application".to_owned(), ..AllowedKind::default() };
    let operator = OperatorRules { kinds: vec![kind], ..OperatorRules::default() };
    let loaded = load_with(&with("web.yaml", WEB), "", &Arc::new(operator));
    assert_eq!(shown(&loaded), [""; 0]);
    assert!(!loaded.repository.addons.contains_key(&web()));
    assert!(loaded.repository.objects.keys().any(|key| key.kind == "Application"));
}

#[test]
fn the_objects_of_an_application() {
    let text = serde_json::to_string_pretty(&objects(&unit(&tree(WEB)))).unwrap();
    insta::assert_snapshot!("the_objects_of_an_application", text);
}

#[test]
fn only_what_clusters_get_changes_the_hash_and_everything_changes_the_digest() {
    let hash = |unit: &Unit| unit.configurations.values().next().unwrap().spec_hash.clone();
    let (first, edited) = (unit(&tree(WEB)), |from: &str, to: &str| unit(&edited_tree(from, to)));
    let strategy = edited("maxConcurrency: 1", "maxConcurrency: 2");
    assert_eq!((hash(&strategy), strategy.digest == first.digest), (hash(&first), false));
    let image = edited("web:1.4.0", "web:1.4.1");
    assert_ne!((hash(&image), &image.digest), (hash(&first), &first.digest));
    let comment = edited("  components:", "  # What it consists of.\n  components:");
    assert_eq!(comment.digest, first.digest);
}

#[test]
fn a_policy_without_a_strategy_has_the_deadline_of_the_settings() {
    let (head, _) = WEB.split_once("        rolloutStrategy:").unwrap();
    let (components, _) = WEB.split_once("  policies:").unwrap();
    let topology = format!(
        "{components}  policies: [{{name: all, type: topology, properties: {{clusterLabelSelector: {{cloud: aws}}}}}}]\n"
    );
    let strategies = |settings: &str| {
        [head, &topology].map(|text| {
            let mut tree = tree(text);
            tree.files.insert("tidegate.toml".to_owned(), format!("{SETTINGS}{settings}").into_bytes());
            let loaded = load(&tree, "");
            serde_json::to_value(&loaded.repository.addons[&web()].parts()[0].rollout_strategy).unwrap()
        })
    };
    assert_eq!(
        strategies(""),
        [
            json!({ "type": "All", "all": { "progressDeadline": "30m" } }),
            json!({ "type": "Progressive", "progressive": { "maxConcurrency": 5, "progressDeadline": "30m" } }),
        ]
    );
    let none =
        [json!({ "type": "All", "all": {} }), json!({ "type": "Progressive", "progressive": { "maxConcurrency": 5 } })];
    assert_eq!(strategies("deadline_minutes = 0\n"), none);
    assert_eq!(strategies("deadline_minutes = 90\n")[0]["all"]["progressDeadline"], "90m");
}

#[test]
fn objects_that_hold_what_users_stored_stay_on_a_cluster_that_the_application_leaves() {
    let claim = "- apiVersion: v1\n            kind: PersistentVolumeClaim\n            metadata: {name: data}\n            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n          - apiVersion: v1\n            kind: ConfigMap";
    let objects = objects(&unit(&edited_tree("- apiVersion: v1\n            kind: ConfigMap", claim)));
    let keeps = |object: &&Value| {
        object["metadata"]["annotations"].get("addon.open-cluster-management.io/deletion-orphan").is_some()
    };
    let kept: Vec<&str> = objects.iter().filter(keeps).filter_map(|object| object["kind"].as_str()).collect();
    assert_eq!(kept, ["PersistentVolumeClaim"]);
}

#[test]
fn an_object_is_rendered_once_and_by_one_unit() {
    let service = |name: &str| {
        format!(
            "    - name: extras\n      type: k8s-objects\n      properties:\n        objects: [{{apiVersion: v1, kind: Service, metadata: {{name: {name}}}}}]\n"
        )
    };
    insta::assert_snapshot!(
        about(&service("server")),
        @"web.yaml:31:7: spec.components[1] renders Service shop/server, and so does spec.components[0]; remove or rename one"
    );
    assert_eq!(about(&service("other")), "");
    // The add-on of the fixture writes it.
    let map = "    - name: extras\n      type: k8s-objects\n      properties:\n        objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: hello, namespace: default}}]\n";
    insta::assert_snapshot!(
        about(map),
        @r"
    template.yaml:1:1: ConfigMap default/hello is written by application/shop/web and hello: they would overwrite each other; keep it in one of them
    web.yaml:1:1: ConfigMap default/hello is written by application/shop/web and hello: they would overwrite each other; keep it in one of them
    "
    );
}

#[test]
fn the_example_of_the_documentation_is_read_as_it_is() {
    let page = |name: &str| std::fs::read_to_string(crate::root::path(name)).unwrap();
    let after = |page: &str, start: &str, end: &str| {
        page.split(start).nth(1).unwrap_or_else(|| panic!("{start}")).split(end).next().unwrap().to_owned()
    };
    let tutorial = page("docs/applications.md");
    let example = after(&tutorial, "cat > fleet/shop/web.yaml <<'EOF'\n", "EOF\n");
    let (components, _) = example.split_once("  policies:\n").unwrap();
    let mut wrong = tree(&example.replace("webservice", "webservise"));
    wrong.files.insert("fleet/shop/web.yaml".to_owned(), wrong.files["web.yaml"].clone());
    wrong.files.remove("web.yaml");
    let found = shown(&load(&wrong, ""));
    assert!(found.iter().any(|complaint| tutorial.contains(complaint)), "{found:#?}");
    // These are parts of the example.
    let steps = after(&page("docs/applications/policies.md"), "```yaml\n", "```");
    let rules = after(&page("docs/applications/ownership.md"), "```yaml\n", "```");
    let rules = rules.replace("[database]", "[server]").replacen("  policies:\n", "", 1);
    for web in [example.clone(), format!("{components}{steps}"), format!("{example}{rules}")] {
        let mut tree = with("web.yaml", &web);
        let settings = after(&tutorial, "cat >> tidegate.toml <<'EOF'\n", "EOF\n");
        tree.files.insert("tidegate.toml".to_owned(), settings.into_bytes());
        let shop = |text: &str| text.replace("namespace: fleet", "namespace: shop");
        let fleet = String::from_utf8(tree.files["placement.yaml"].clone()).unwrap();
        let of_namespace = fleet.split("---\n").filter(|object| object.contains("namespace: fleet"));
        tree.files.insert("shop.yaml".to_owned(), shop(&of_namespace.collect::<Vec<_>>().join("---\n")).into_bytes());
        assert_eq!(shown(&load(&tree, "")), [""; 0], "{web}");
    }
}
