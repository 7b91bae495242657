//! Compares the CRDs generated from the types with the CRDs of a real hub.

use std::fs::File;
use std::io::Read as _;

use flate2::read::GzDecoder;
use serde_json::{Map, Value, json};
use tidegate_api::ocm::crds;

/// Returns the `spec` of every CRD of a hub by name, without the descriptions in the schemas.
fn upstream() -> Map<String, Value> {
    let mut text = String::new();
    GzDecoder::new(File::open(crate::root::path("tests/vectors/crds.json.gz")).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Removes descriptions from a schema, and makes 1 and 1.0 equal.
fn bare(schema: &Value, is_members: bool) -> Value {
    match schema {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| is_members || *name != "description")
            .map(|(name, value)| (name.clone(), bare(value, !is_members && name == "properties")))
            .collect(),
        Value::Array(items) => items.iter().map(|item| bare(item, false)).collect(),
        Value::Number(number) => json!(number.as_f64()),
        value => value.clone(),
    }
}

fn bare_spec(spec: &Value) -> Value {
    let mut spec = spec.clone();
    for version in spec["versions"].as_array_mut().unwrap() {
        let schema = &mut version["schema"]["openAPIV3Schema"];
        *schema = bare(schema, false);
        for column in version.get_mut("additionalPrinterColumns").and_then(Value::as_array_mut).into_iter().flatten() {
            column["priority"] = json!(column["priority"].as_i64().unwrap_or(0));
        }
        if version["subresources"].is_null() || version["subresources"] == json!({}) {
            version.as_object_mut().unwrap().remove("subresources");
        }
        if version["additionalPrinterColumns"] == json!([]) || version["additionalPrinterColumns"].is_null() {
            version.as_object_mut().unwrap().remove("additionalPrinterColumns");
        }
    }
    for list in ["shortNames", "categories"] {
        if spec["names"][list].as_array().is_none_or(Vec::is_empty) {
            spec["names"].as_object_mut().unwrap().remove(list);
        }
    }
    spec
}

fn differences(upstream: &Value, ours: &Value, at: &str, found: &mut Vec<String>) {
    match (upstream, ours) {
        (Value::Object(left), Value::Object(right)) => {
            for name in left.keys().chain(right.keys().filter(|name| !left.contains_key(*name))) {
                let side = |members: &Map<String, Value>| members.get(name).cloned().unwrap_or(json!("(absent)"));
                differences(&side(left), &side(right), &format!("{at}/{name}"), found);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                differences(left, right, &format!("{at}/{index}"), found);
            }
        }
        _ if upstream != ours => found.push(format!("{at}: upstream {upstream}, here {ours}")),
        _ => {}
    }
}

#[test]
fn every_crd_equals_upstreams() {
    let upstream = upstream();
    let ours = crds::all().unwrap();
    let names: Vec<&str> = ours.iter().map(|crd| crd.metadata.name.as_deref().unwrap()).collect();
    assert_eq!(names, upstream.keys().collect::<Vec<_>>());
    let mut found = Vec::new();
    for crd in &ours {
        let name = crd.metadata.name.as_deref().unwrap();
        let spec = serde_json::to_value(&crd.spec).unwrap();
        differences(&bare_spec(&upstream[name]), &bare_spec(&spec), name, &mut found);
    }
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found.join("\n"));
}

#[test]
fn without_a_conversion_webhook_each_crd_has_only_its_newest_version() {
    for (whole, single) in crds::all().unwrap().iter().zip(crds::without_conversion().unwrap()) {
        let newest = whole.spec.versions.last().unwrap();
        let [version] = &single.spec.versions[..] else { panic!("{:?} has several versions", single.metadata.name) };
        assert!(version.name == newest.name && version.served && version.storage, "{:?}", single.metadata.name);
    }
    let addons = crds::without_conversion().unwrap();
    let addons: Vec<_> = addons.iter().filter(|crd| crd.spec.group == "addon.open-cluster-management.io").collect();
    assert!(addons.len() == 4 && addons.iter().all(|crd| crd.spec.versions[0].name == "v1beta1"));
}
