//! Tests of the result of loading a sound repository.

use serde_json::json;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::schema::{Schema, defaulting};
use tidegate_go::canonical::go_json;
use tidegate_model::name::NamespacedName;
use tidegate_model::object::ObjectKey;
use tidegate_repository::load;

use super::fixture::{complaints, edit, edited, good, load_plain, tree, with};

const GROUP: &str = "addon.open-cluster-management.io";

fn reference(resource: &str, namespace: &str, name: &str) -> ConfigReference {
    ConfigReference { group: GROUP.into(), resource: resource.into(), namespace: namespace.into(), name: name.into() }
}

#[test]
fn the_good_repository_has_no_complaints() {
    assert_eq!(complaints(&good()), Vec::<String>::new());
}

#[test]
fn every_declared_object_is_loaded_and_typed() {
    let repository = load(&good(), "").repository;
    assert_eq!(repository.objects.len(), 10);
    assert_eq!(repository.addons.keys().map(|name| name.as_str()).collect::<Vec<_>>(), ["hello", "other"]);
    assert!(repository.placements.contains_key(&NamespacedName::new("fleet", "everywhere")));
    assert!(repository.cluster_sets.contains_key("global"));
    assert!(repository.cluster_set_bindings.contains_key(&NamespacedName::new("fleet", "global")));
    assert!(repository.clusters.contains_key("east-1"));
    assert!(repository.blocked.is_empty() && repository.held.is_empty() && repository.may_prune);
}

#[test]
fn an_addon_holds_its_overrides_and_all_configurations() {
    let repository = load(&good(), "").repository;
    let addon = &repository.addons["hello"];
    let keys: Vec<_> = addon.configurations.keys().cloned().collect();
    let expected =
        [reference("addondeploymentconfigs", "fleet", "hello-config"), reference("addontemplates", "", "hello-1")];
    assert_eq!(keys, expected);
    assert_eq!(addon.overrides.keys().map(|name| name.as_str()).collect::<Vec<_>>(), ["east-1"]);
}

#[test]
fn typed_objects_have_defaults_and_declared_ones_do_not() {
    let repository = load(&good(), "").repository;
    let strategy = repository.addons["other"].install_strategy();
    assert_eq!(strategy.unwrap().placements[0].rollout_strategy.type_, "All");
    let declared = &repository.objects[&ObjectKey::new(GROUP, "ClusterManagementAddOn", "", "other")];
    let placement = json!([{ "namespace": "fleet", "name": "everywhere" }]);
    assert_eq!(declared.object["spec"]["installStrategy"]["placements"], placement);
    assert_eq!(declared.place.to_string(), "other.yaml:1:1");
}

#[test]
fn objects_of_the_older_version_are_converted_to_the_newer() {
    let repository = load(&good(), "").repository;
    let key = ObjectKey::new(GROUP, "ManagedClusterAddOn", "east-1", "hello");
    let declared = &repository.objects[&key].object;
    assert_eq!(declared["apiVersion"], "addon.open-cluster-management.io/v1beta1");
    assert_eq!(declared["spec"].get("installNamespace"), None);
    let annotation =
        &declared["metadata"]["annotations"]["addon.open-cluster-management.io/v1alpha1-install-namespace"];
    assert_eq!(annotation, "hello-system");
}

/// The expected hash is upstream's for the same object with the default install namespace filled in by the API server.
#[test]
fn the_hash_of_a_deployment_config_includes_its_defaults() {
    let repository = load(&good(), "").repository;
    let config =
        &repository.addons["hello"].configurations[&reference("addondeploymentconfigs", "fleet", "hello-config")];
    assert_eq!(config.object["spec"]["agentInstallNamespace"], "open-cluster-management-agent-addon");
    assert_eq!(config.spec_hash, "9814be4f96112e139006c75ccc41a29fef85a114a84c32c9c8fcacca23ec3997");
}

/// The expected hash is upstream's.
#[test]
fn the_hash_of_a_template_is_that_of_upstream() {
    let template = "\
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: { name: hello-1 }
spec:
  addonName: test1
  agentSpec:
    workload:
      manifests:
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: c, namespace: ns }
          data: { a: '{{CLUSTER_NAME}}' }
  registration: [{ type: KubeClient, kubeClient: {} }]
";
    let mut tree = with("template.yaml", template);
    for file in ["addon.yaml", "override.yaml"] {
        edit(&mut tree, file, "  name: hello\n", "  name: test1\n");
    }
    let repository = load(&tree, "").repository;
    let template = &repository.addons["test1"].configurations[&reference("addontemplates", "", "hello-1")];
    assert_eq!(template.spec_hash, "b9835cfc94f7d235652c97776a5472d9f4d2ba11705f7c9f1cb5827bde0441c3");
}

/// An API server fills in nothing here, so the hash must not change either.
#[test]
fn a_manifest_config_gets_no_additional_fields() {
    let configs = "    manifestConfigs: [{ resourceIdentifier: { resource: jobs, name: j } }]\n    workload:\n";
    let repository = load(&edited("template.yaml", "    workload:\n", configs), "").repository;
    let template = &repository.addons["hello"].configurations[&reference("addontemplates", "", "hello-1")];
    let config = &template.object["spec"]["agentSpec"]["manifestConfigs"][0];
    assert_eq!(config["resourceIdentifier"], json!({ "resource": "jobs", "name": "j" }));
}

#[test]
fn metadata_does_not_change_the_hash() {
    let hash = |tree| {
        let repository = load_plain(&tree).repository;
        repository.addons["hello"].configurations[&reference("addontemplates", "", "hello-1")].spec_hash.clone()
    };
    let labelled = edited("template.yaml", "  name: hello-1\n", "  name: hello-1\n  labels: { a: b }\n");
    assert_eq!(hash(good()), hash(labelled));
    let changed = edited("template.yaml", "CLUSTER_NAME", "INSTALL_NAMESPACE");
    assert_ne!(hash(good()), hash(changed));
}

#[test]
fn numbers_are_read_as_in_kubectl() {
    let map = "\
apiVersion: example.io/v1
kind: Numbers
metadata: { name: numbers }
spec: { a: 1e3, b: 1.0, c: 0777, d: 0x1F, e: 1.5, f: 5., g: on, h: '1e3', i: '12:30:45', j: -0.0, k: -0 }
";
    let tree = with("numbers.yaml", map);
    let loaded = load_plain(&tree);
    // Other parsers read some of them differently, which gives warnings.
    assert_eq!(loaded.complaints.iter().filter(|complaint| complaint.is_error()).count(), 0);
    let repository = loaded.repository;
    let object = &repository.objects[&ObjectKey::new("example.io", "Numbers", "", "numbers")].object;
    let expected = json!({ "a": 1000, "b": 1, "c": 511, "d": 31, "e": 1.5, "f": 5, "g": true, "h": "1e3", "i": "12:30:45", "j": 0, "k": 0 });
    assert_eq!(object["spec"], expected);
    // A hub returns a negative zero as an integer, and upstream hashes what the hub returns.
    assert!(go_json(object).contains(r#""j":0,"k":0"#), "{object}");
}

#[test]
fn unusual_scalars_and_keys_are_read_as_in_kubectl() {
    let map = "\
apiVersion: example.io/v1
kind: Scalars
metadata: { name: scalars }
spec: { a: tRue, b: yEs, c: 1__0, d: 1_, e: 1e400, f: 12345678901234567890123, y: 1, n: 2 }
";
    let loaded = load_plain(&with("scalars.yaml", map));
    assert_eq!(loaded.complaints.iter().filter(|complaint| complaint.is_error()).count(), 0, "{:?}", loaded.complaints);
    let key = ObjectKey::new("example.io", "Scalars", "", "scalars");
    let expected = json!({ "a": "tRue", "b": "yEs", "c": 10, "d": 1, "e": "1e400", "f": 1.234_567_890_123_456_8e22, "true": 1, "false": 2 });
    assert_eq!(loaded.repository.objects[&key].object["spec"], expected);
}

#[test]
fn json_files_are_read_like_yaml() {
    let json = "{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"ConfigMap\",\n\t\"metadata\": {\"name\": \"j\", \"namespace\": \"n\"},\n\t\
                \"data\": {\"face\": \"\\ud83d\\ude00\", \"path\": \"a\\/b\"}\n}\n";
    let tree = with("map.json", json);
    assert_eq!(complaints(&tree), Vec::<String>::new());
    let repository = load_plain(&tree).repository;
    let object = &repository.objects[&ObjectKey::new("", "ConfigMap", "n", "j")].object;
    assert_eq!(object["data"], json!({ "face": "\u{1f600}", "path": "a/b" }));
}

#[test]
fn configurations_of_any_kind_are_followed() {
    let tree = edited(
        "addon.yaml",
        "      name: hello-1\n",
        "      name: hello-1\n    - { resource: configmaps, namespace: fleet, name: extra }\n",
    );
    let mut tree = tree;
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: extra, namespace: fleet }\ndata: { k: v }\n";
    tree.files.insert("map.yaml".into(), map.into());
    let repository = load(&tree, "").repository;
    let reference = ConfigReference {
        resource: "configmaps".into(),
        namespace: "fleet".into(),
        name: "extra".into(),
        ..ConfigReference::default()
    };
    let configuration = &repository.addons["hello"].configurations[&reference];
    assert_eq!(configuration.object["data"], json!({ "k": "v" }));
}

#[test]
fn an_object_with_a_misspelled_kind_is_not_skipped() {
    let tree = with("odd.yaml", "apiversion: v1\nKind: ConfigMap\nmetadata:\n  name: a\n");
    let expected =
        "odd.yaml:1:1: this has metadata but no field named exactly apiVersion or kind; a Kubernetes object needs both";
    assert_eq!(complaints(&tree), [expected]);
}

#[test]
fn documents_that_are_not_kubernetes_objects_are_skipped() {
    let tree = tree(&[
        ("workflow.yaml", "on: push\njobs: {}\n"),
        ("list.yaml", "- 1\n- 2\n"),
        ("empty.yaml", "---\n---\n# nothing\n"),
        ("package.json", "{\"name\": \"x\"}"),
        ("README.md", "apiVersion: v1\n"),
        ("space.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n"),
    ]);
    let loaded = load(&tree, "");
    assert_eq!(loaded.complaints, []);
    assert_eq!(loaded.repository.objects.len(), 1);
}

#[test]
fn nulls_count_as_absent_in_kinds_with_a_schema_but_not_in_manifests() {
    let template = edited("template.yaml", "          data:\n", "          immutable: null\n          data:\n");
    let repository = load(&template, "").repository;
    let template = &repository.objects[&ObjectKey::new(GROUP, "AddOnTemplate", "", "hello-1")].object;
    assert!(template.pointer("/spec/agentSpec/workload/manifests/0").unwrap().get("immutable").unwrap().is_null());

    let placement = edited("placement.yaml", "  clusterSets: [global]\n", "  clusterSets:\n");
    let repository = load(&placement, "").repository;
    let placement =
        &repository.objects[&ObjectKey::new("cluster.open-cluster-management.io", "Placement", "fleet", "everywhere")];
    assert_eq!(placement.object["spec"].get("clusterSets"), None);
    assert!(repository.may_prune);
}

/// Defaults must themselves be valid, or a hub would refuse an object that it returned.
#[test]
fn defaults_are_valid() {
    for crd in tidegate_api::ocm::crds::all().unwrap() {
        for version in crd.spec.versions {
            let schema = Schema::compile(&serde_json::to_value(version.schema.unwrap().open_api_v3_schema).unwrap());
            let mut object = json!({ "spec": {} });
            let before = tidegate_api::schema::check::violations(&object, &schema);
            defaulting::fill(&mut object, &schema);
            assert_eq!(tidegate_api::schema::check::violations(&object, &schema), before);
        }
    }
}
