//! A hub becomes a repository that declares the same.

mod hub;
mod reasons;
mod roles;
mod upstream;

use std::collections::{BTreeMap, BTreeSet};

use hub::{examples, fleet, objects};
use proptest::prelude::*;
use serde_json::{Value, json};

use tidegate_model::tree::Tree;
use tidegate_repository::adopt::{Adoption, adopt};
use tidegate_repository::{Repository, load};

fn adopted(objects: impl IntoIterator<Item = Value>) -> Adoption {
    adopt(&fleet(objects), &BTreeSet::new())
}

/// Loads the files, which must have no complaint.
fn repository(adoption: &Adoption) -> Repository {
    assert_eq!(adoption.unwritable, Vec::<String>::new());
    let files = adoption.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
    let loaded = load(&Tree { files, ..Tree::default() }, "");
    let complaints: Vec<_> = loaded.complaints.iter().map(ToString::to_string).collect();
    assert_eq!(complaints, Vec::<String>::new());
    assert_eq!(adoption.complaints, loaded.complaints);
    loaded.repository
}

/// Returns the ClusterManagementAddOn of the examples that is on every cluster.
fn addon(objects: &mut [Value]) -> &mut Value {
    let is_meant = |object: &&mut Value| {
        object["kind"] == "ClusterManagementAddOn" && object["metadata"]["name"] == "hello-template"
    };
    objects.iter_mut().find(is_meant).unwrap()
}

#[test]
fn the_files_of_a_hub_have_the_layout_of_the_examples() {
    let adoption = adopted(objects());
    let shown = |(path, text): (&String, &String)| match path.ends_with("addon.yaml") || path.contains("cluster") {
        true => format!("--- {path}\n{text}"),
        false => format!("--- {path}\n"),
    };
    insta::assert_snapshot!("files", adoption.files.iter().map(shown).collect::<String>());
}

#[test]
fn a_hub_and_its_repository_have_the_same_addons_placements_and_hashes() {
    let (adopted, declared) = (repository(&adopted(objects())), examples().repository);
    let team = BTreeMap::from([("team".to_owned(), "a".to_owned())]);
    assert_eq!(adopted.addons.keys().collect::<Vec<_>>(), declared.addons.keys().collect::<Vec<_>>());
    for (name, addon) in &adopted.addons {
        let wanted = &declared.addons[name];
        assert_eq!(
            (addon.defaults(), addon.install_strategy()),
            (wanted.defaults(), wanted.install_strategy()),
            "{name}"
        );
        assert_eq!(addon.metadata().labels.as_ref(), Some(&team));
        let hashes = |addon: &tidegate_repository::Unit| -> Vec<_> {
            let hashes = addon.configurations.iter();
            hashes.map(|(reference, config)| (reference.clone(), config.spec_hash.clone())).collect()
        };
        assert_eq!(hashes(addon), hashes(wanted), "{name}");
        assert_eq!(addon.overrides.len(), wanted.overrides.len());
        assert!(addon.overrides.iter().all(|(cluster, addon)| addon.spec == wanted.overrides[cluster].spec));
    }
    let specs = |repository: &Repository| -> Vec<_> {
        repository.placements.iter().map(|(name, placement)| (name.clone(), placement.spec.clone())).collect()
    };
    assert_eq!(specs(&adopted), specs(&declared));
    assert_eq!(adopted.cluster_sets.len(), declared.cluster_sets.len());
    assert_eq!(adopted.cluster_set_bindings.len(), declared.cluster_set_bindings.len());
}

#[test]
fn a_declaration_has_no_default_and_nothing_that_others_added() {
    let mut objects = objects();
    for object in &mut objects {
        object["status"] = json!({ "conditions": [] });
        object["metadata"]["labels"]["tidegate.io/owned"] = json!("true");
        object["metadata"]["annotations"]["tidegate.io/applied-hash"] = json!("0");
        if object["kind"] == "ClusterManagementAddOn" {
            object["metadata"]["annotations"]["addon.open-cluster-management.io/lifecycle"] = json!("self");
        }
        if object["kind"] == "ManagedClusterSet" {
            object["spec"] = json!({ "clusterSelector": { "selectorType": "ExclusiveClusterSetLabel" } });
        }
    }
    let adoption = adopted(objects);
    repository(&adoption);
    let text = adoption.files.values().cloned().collect::<String>();
    for added in [
        "status:",
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "managedFields",
        "finalizers",
        "ownerReferences",
        "last-applied",
        "tidegate.io/",
        "lifecycle",
        "ExclusiveClusterSetLabel",
    ] {
        assert!(!text.contains(added), "{added} is in\n{text}");
    }
    assert_eq!(adoption.daemon_file, "");
}

#[test]
fn objects_with_the_same_name_get_files_of_their_own() {
    let mut objects = objects();
    let placement =
        objects.iter().find(|object| object["metadata"]["name"] == "fleet" && object["kind"] == "Placement");
    let mut other = placement.unwrap().clone();
    other["metadata"]["namespace"] = json!("elsewhere");
    other["metadata"]["name"] = json!("kustomization");
    let mut third = other.clone();
    third["metadata"]["namespace"] = json!("third");
    let placements = addon(&mut objects)["spec"]["installStrategy"]["placements"].as_array_mut().unwrap();
    for namespace in ["elsewhere", "third"] {
        placements.push(json!({ "namespace": namespace, "name": "kustomization" }));
    }
    objects.extend([other, third]);
    let adoption = adopted(objects);
    repository(&adoption);
    let paths: Vec<_> = adoption.files.keys().filter(|path| path.contains("kustomization")).collect();
    assert_eq!(paths, ["fleet/placements/kustomization-.yaml", "fleet/placements/kustomization-third.yaml"]);
}

/// Returns strings that YAML could read as something else, and any others.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,60}",
        "[a-z ]{70,200}",
        "( |\t|\n|a|:|#|-|'|\"){0,12}",
        prop::sample::select(vec![
            "yes",
            "1e3",
            "0o7",
            "null",
            "~",
            "=",
            "2026-01-01",
            "1_000",
            "|",
            ">",
            "&a",
            "*a",
            "\u{85}",
            "\u{feff}"
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_value_is_the_same_when_the_file_is_read_again(
        values in prop::collection::vec(texts(), 1..5), numbers in prop::collection::vec(any::<i64>(), 3),
    ) {
        let mut objects = objects();
        for object in &mut objects {
            let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            if object["kind"] == "AddOnDeploymentConfig" && name.starts_with("hello") {
                let variable = |(index, value): (usize, &String)| json!({ "name": format!("V{index}"), "value": value });
                object["spec"]["customizedVariables"] = values.iter().enumerate().map(variable).collect();
            }
            if object["kind"] == "AddOnTemplate" && name == "hello-template-0.4.0" {
                let data = json!({ "numbers": numbers, "values": values, "none": null, "empty": {}, "list": [] });
                let manifest = json!({ "apiVersion": "example.com/v1", "kind": "Any", "metadata": { "name": "any" }, "spec": data });
                object["spec"]["agentSpec"]["workload"]["manifests"].as_array_mut().unwrap().push(manifest);
            }
        }
        let expected = fleet(objects.clone());
        let adoption = adopted(objects);
        prop_assert_eq!(&adoption.unwritable, &Vec::<String>::new());
        let files = adoption.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
        let loaded = load(&Tree { files, ..Tree::default() }, "").repository;
        for (key, object) in &expected.declared {
            if key.kind == "AddOnDeploymentConfig" || key.kind == "AddOnTemplate" {
                let Some(read) = loaded.objects.get(key) else { continue };
                for field in ["customizedVariables", "agentSpec"] {
                    prop_assert_eq!(&read.object["spec"][field], &object["spec"][field]);
                }
            }
        }
    }
}
