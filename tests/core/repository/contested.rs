//! Tests of objects that move to another unit while the unit that has them cannot change.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_model::followed::{LastGood, Rejection};
use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::{Repository, hold, load, roll_back};

use super::fixture::{good, shown};

type Good = BTreeMap<UnitName, Arc<Repository>>;

const WEB: &str = "application/shop/web";
const SITE: &str = "application/shop/site";
const HELLO: &str = "hello";

fn name(unit: &str) -> UnitName {
    unit.parse().unwrap()
}

/// Returns the declaration of an application with the ConfigMaps of these names.
fn application(name: &str, objects: &[&str]) -> Value {
    let object = |name: &&str| json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name } });
    let objects: Vec<Value> = objects.iter().map(object).collect();
    json!({
        "apiVersion": "core.oam.dev/v1beta1", "kind": "Application",
        "metadata": { "namespace": "shop", "name": name },
        "spec": {
            "components": [{ "name": "texts", "type": "k8s-objects", "properties": { "objects": objects } }],
            "policies": [{ "name": "all", "type": "placement", "properties": { "namespace": "fleet", "name": "everywhere" } }],
        },
    })
}

/// Returns the good repository with these applications.
fn tree(applications: &[Value]) -> Tree {
    let mut tree = good();
    tree.files.insert("tidegate.toml".to_owned(), b"[applications]\nenabled = true\n".to_vec());
    for application in applications {
        let file = format!("{}.yaml", application["metadata"]["name"].as_str().unwrap());
        tree.files.insert(file, application.to_string().into_bytes());
    }
    tree
}

/// Returns an application like another one, with a mistake.
fn broken(mut application: Value) -> Value {
    application["spec"]["componants"] = json!([]);
    application
}

/// Returns a sound repository as the last good one of all of its units.
fn sound(applications: &[Value]) -> (Repository, Good) {
    let loaded = load(&tree(applications), "");
    assert_eq!(shown(&loaded), [""; 0]);
    let repository = Arc::new(loaded.repository);
    let good = repository.addons.keys().map(|unit| (unit.clone(), Arc::clone(&repository))).collect();
    (Arc::unwrap_or_clone(repository), good)
}

fn held(tree: &Tree, (last, good): &(Repository, Good)) -> Repository {
    hold(load(tree, ""), good, Some(last))
}

/// Returns the errors that block a unit.
fn blocked(repository: &Repository, unit: &str) -> String {
    let complaints = repository.blocked.get(&name(unit)).into_iter().flatten();
    complaints.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_object_moves_between_units_that_can_both_change() {
    let before = sound(&[application("web", &["texts"])]);
    let after = held(&tree(&[application("web", &["other"]), application("site", &["texts"])]), &before);
    assert!(after.blocked.is_empty() && after.may_prune);
    assert!(after.addons.contains_key(&name(SITE)));
}

#[test]
fn nothing_takes_an_object_of_a_unit_that_is_held() {
    let before = sound(&[application("web", &["texts"])]);
    let after = held(&tree(&[broken(application("web", &["other"])), application("site", &["texts"])]), &before);
    assert_eq!(after.addons[&name(WEB)], before.0.addons[&name(WEB)]);
    assert!(!after.addons.contains_key(&name(SITE)) && !after.may_prune);
    insta::assert_snapshot!(
        blocked(&after, SITE),
        @"site.yaml:1:1: ConfigMap shop/texts would be taken over from application/shop/web, which stays at its last good revision because of its errors; fix them first"
    );
    // What had other objects keeps them.
    let before = sound(&[application("web", &["texts"]), application("site", &["page"])]);
    let after = held(&tree(&[broken(application("web", &["other"])), application("site", &["texts"])]), &before);
    assert_eq!(after.addons, before.0.addons);
    // Once the first one is sound, both change.
    let after = held(&tree(&[application("web", &["other"]), application("site", &["texts"])]), &(after, before.1));
    assert!(after.blocked.is_empty() && after.held.is_empty());
}

#[test]
fn an_add_on_takes_no_object_of_an_application_that_is_held() {
    let before = sound(&[application("web", &["texts"])]);
    let mut tree = tree(&[broken(application("web", &["other"]))]);
    let template = String::from_utf8(tree.files["template.yaml"].clone()).unwrap();
    let template =
        template.replace("name: hello\n            namespace: default", "name: texts\n            namespace: shop");
    tree.files.insert("template.yaml".to_owned(), template.into_bytes());
    let after = held(&tree, &before);
    assert!(blocked(&after, HELLO).contains("ConfigMap shop/texts would be taken over"), "{:?}", after.blocked);
    assert_eq!(after.digest(&name(HELLO)), before.0.digest(&name(HELLO)));
}

#[test]
fn units_that_are_held_because_of_others_hold_further_ones() {
    let before = sound(&[application("web", &["one"]), application("site", &["two"]), application("api", &["three"])]);
    let moved = [broken(application("web", &["four"])), application("site", &["one"]), application("api", &["two"])];
    let after = held(&tree(&moved), &before);
    assert_eq!(after.addons, before.0.addons);
    assert!(blocked(&after, "application/shop/api").contains("would be taken over from application/shop/site"));
}

#[test]
fn a_unit_that_had_the_object_before_is_not_held() {
    let (web, good) = sound(&[application("web", &["texts"])]);
    let (site, other) = sound(&[application("site", &["texts"])]);
    let good = good.into_iter().chain(other.into_iter().filter(|(unit, _)| unit.as_str() == SITE)).collect();
    let revision = tree(&[broken(application("web", &["other"])), application("site", &["texts", "more"])]);
    let after = held(&revision, &(web, good));
    assert!(!after.blocked.contains_key(&name(SITE)));
    assert_ne!(after.digest(&name(SITE)), site.digest(&name(SITE)));
}

#[test]
fn a_rollback_takes_no_object_back_from_another_unit() {
    let (old, _) = sound(&[application("web", &["texts"])]);
    let (mut current, _) = sound(&[application("web", &["other"]), application("site", &["texts"])]);
    let digest = |repository: &Repository| repository.digest(&name(WEB)).unwrap().clone();
    let rejection = Rejection {
        digest: digest(&current),
        at: "2026-11-21T10:00:00Z".parse().unwrap(),
        reason: "one canary failed".to_owned(),
        policy: "RolloutPolicy safety".to_owned(),
        good: Some(LastGood {
            digest: digest(&old),
            commit: "0123456789abcdef0123456789abcdef01234567".parse().unwrap(),
        }),
    };
    let failed = digest(&current);
    roll_back(&mut current, &name(WEB), &rejection, Some(&old));
    assert_eq!(current.rollbacks[&name(WEB)].refused, ["ConfigMap shop/texts belongs to application/shop/site now"]);
    assert_eq!(digest(&current), failed);
}
