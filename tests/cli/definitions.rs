//! Definitions of components and traits, as people see them who validate and plan a change.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::plan::Clone;

/// An application with a component of a defined type.
fn application(name: &str, component: &str) -> String {
    format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {{name: {name}, namespace: fleet-addons}}
spec:
  components:
    - {component}
  policies:
    - {{name: aws, type: topology, properties: {{clusterLabelSelector: {{cloud: aws}}}}}}
"
    )
}

/// Returns a clone with three applications, two of which use the type `cloneset`.
fn clone() -> Clone {
    let clone = Clone::new();
    let settings = fs::read_to_string(clone.root().join("tidegate.toml")).unwrap();
    clone.write("tidegate.toml", &format!("{settings}\n[applications]\nenabled = true\n"));
    for name in ["cloneset", "expose-nodeport"] {
        let text = fs::read_to_string(crate::root::path(&format!("docs/definitions/{name}.yaml"))).unwrap();
        clone.write(&format!("fleet/definitions/{name}.yaml"), &text);
    }
    for (name, type_) in [("first", "cloneset"), ("second", "cloneset"), ("third", "webservice")] {
        let component = format!("{{name: {name}-server, type: {type_}, properties: {{image: 'web:1'}}}}");
        clone.write(&format!("fleet/apps/{name}.yaml"), &application(name, &component));
    }
    clone.commit("three applications");
    clone
}

/// Returns the applications that a plan changes, with the number of their clusters.
fn changed(plan: &Value) -> BTreeSet<(String, u64)> {
    let units = plan["addons"].as_array().unwrap().iter();
    let clusters = |unit: &Value| {
        unit["classes"].as_array().unwrap().iter().map(|class| class["clusters"].as_u64().unwrap()).sum()
    };
    let planned = units.map(|unit| (unit["name"].as_str().unwrap().to_owned(), clusters(unit)));
    planned.filter(|(_, clusters)| *clusters > 0).collect()
}

/// Returns the first complaint of `tidegate validate`.
fn complaint(clone: &Clone) -> String {
    clone.run(&["validate"]).lines().nth(1).unwrap().to_owned()
}

#[test]
fn c2_one_line_adds_a_trait_to_a_hundred_clusters() {
    let clone = clone();
    let with = |parameter: &str| {
        let of_trait = format!("type: expose-nodeport, properties: {{ports: [{{port: {parameter}}}]}}");
        let component = "{name: first-server, type: cloneset, properties: {image: 'web:1'}";
        application("first", &format!("{component}, traits: [{{{of_trait}}}]}}"))
    };
    clone.write("fleet/apps/first.yaml", &with("80"));
    let planned = changed(&clone.json(&["plan", "-o", "json"]));
    assert_eq!(planned, [("application/fleet-addons/first".to_owned(), 150)].into());
    clone.write("fleet/apps/first.yaml", &with("80000"));
    assert_eq!(
        complaint(&clone),
        "fleet/apps/first.yaml:6:135: spec.components[0].traits[0].properties.ports[0].port is 80000; it must be 1 to 65535"
    );
}

#[test]
fn c4_constraints_hold_at_validate_and_plan() {
    let clone = clone();
    clone.edit("fleet/apps/first.yaml", "web:1", "web:latest");
    let planned = clone.json(&["plan", "-o", "json"]);
    assert_eq!(planned["result"], "Blocked");
    let message = "spec.components[0].properties.image is refused: write the version of the image";
    assert_eq!(planned["complaints"][0]["message"], message);
    assert_eq!(complaint(&clone), format!("fleet/apps/first.yaml:6:64: {message}"));
}

#[test]
fn a_plan_names_the_applications_that_a_definition_changes() {
    let clone = clone();
    clone.edit("fleet/definitions/cloneset.yaml", "replicas: 1", "replicas: 2");
    let planned = changed(&clone.json(&["plan", "-o", "json"]));
    let both = ["first", "second"].map(|name| (format!("application/fleet-addons/{name}"), 150));
    assert_eq!(planned, both.into());
    // An error in it changes nothing.
    clone.edit("fleet/definitions/cloneset.yaml", "${parameters.image}", "${parameters.imgae}");
    assert_eq!(clone.json(&["plan", "-o", "json"])["result"], "Blocked");
    let found = complaint(&clone);
    assert!(
        found.starts_with("fleet/apps/first.yaml:6:34: spec.components[0].type is cloneset, whose definition at"),
        "{found}"
    );
}
