//! The schemas for editors: the published files are up to date, valid documents match them, and typing mistakes do not.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Map, Value, json};

use super::{code, session, text, tidegate};

use crate::scratch::tempdir;

fn printed() -> Map<String, Value> {
    let output = tidegate(&["schema", "all"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Validates a value, with the part of JSON Schema draft-07 that the schemas use.
fn faults(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut demand = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{at}: {what}, not {value}"));
        }
    };
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap();
        return faults(root, target, value, at);
    }
    demand(*schema != json!(false), "nothing is allowed here");
    demand(schema.get("const").is_none_or(|wanted| wanted == value), "another constant");
    demand(schema.get("enum").is_none_or(|all| all.as_array().unwrap().contains(value)), "one of a list");
    let is_kind = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("{kind} is not a type"),
    };
    match schema.get("type") {
        Some(Value::String(kind)) => demand(is_kind(kind), kind),
        Some(Value::Array(kinds)) => demand(kinds.iter().any(|kind| is_kind(kind.as_str().unwrap())), "another type"),
        _ => {}
    }
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    if let Some(found) = value.as_f64() {
        demand(number("minimum").is_none_or(|least| found >= least), "more");
        demand(number("maximum").is_none_or(|most| found <= most), "less");
    }
    if let Some(found) = value.as_str() {
        let length = found.chars().count() as f64;
        demand(number("minLength").is_none_or(|least| length >= least), "longer");
        demand(number("maxLength").is_none_or(|most| length <= most), "shorter");
        let pattern = schema.get("pattern").map(|pattern| regex::Regex::new(pattern.as_str().unwrap()).unwrap());
        demand(pattern.is_none_or(|pattern| pattern.is_match(found)), "another form");
    }
    if let Some(members) = value.as_object() {
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            demand(members.contains_key(name.as_str().unwrap()), &format!("with {name}"));
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, member) in members {
            let rest = schema.get("additionalProperties").unwrap_or(&Value::Bool(true));
            let described = properties.and_then(|all| all.get(name)).unwrap_or(rest);
            wrong.extend(faults(root, described, member, &format!("{at}/{name}")));
        }
    }
    if let Some(items) = value.as_array() {
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        if (items.len() as u64) < least {
            wrong.push(format!("{at}: fewer items than {least}"));
        }
    }
    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
        wrong.extend(schema.get("items").into_iter().flat_map(|items| faults(root, items, item, &format!("{at}/{n}"))));
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        wrong.extend(faults(root, part, value, at));
    }
    let choices = schema.get("anyOf").or(schema.get("oneOf"));
    if let Some(choices) = choices.and_then(Value::as_array)
        && choices.iter().all(|choice| !faults(root, choice, value, at).is_empty())
    {
        wrong.push(format!("{at}: none of the choices"));
    }
    if schema.get("if").is_some_and(|test| faults(root, test, value, at).is_empty()) {
        wrong.extend(faults(root, &schema["then"], value, at));
    }
    wrong
}

fn wrong(schema: &Value, value: &Value) -> Vec<String> {
    faults(schema, schema, value, "")
}

/// Returns every document of the example repository.
fn examples() -> Vec<Value> {
    let files = crate::example_tree::tree().files;
    let yaml = files.iter().filter(|(path, _)| path.ends_with(".yaml"));
    yaml.flat_map(|(_, bytes)| serde_saphyr::from_multiple::<Value>(std::str::from_utf8(bytes).unwrap()).unwrap())
        .collect()
}

#[test]
fn the_published_schemas_are_up_to_date() {
    let directory = tempdir();
    let written = directory.path().join("schemas");
    assert_eq!(code(&tidegate(&["schema", "all", "--dir", written.to_str().unwrap()])), 0);
    let read = |path: &std::path::Path| -> BTreeMap<String, String> {
        let files = fs::read_dir(path).unwrap().map(|file| file.unwrap());
        files.map(|file| (file.file_name().into_string().unwrap(), fs::read_to_string(file.path()).unwrap())).collect()
    };
    let (written, published) = (read(&written), read(std::path::Path::new("docs/schemas")));
    assert_eq!(written.keys().collect::<Vec<_>>(), published.keys().collect::<Vec<_>>());
    for (name, text) in written {
        assert_eq!(published[&name], text, "out of date; run tidegate schema all --dir docs/schemas");
    }
}

#[test]
fn names_are_printed_and_mean_one_document_each() {
    let names = text(&tidegate(&["schema"]).stdout);
    for name in [
        "status",
        "settings",
        "daemon",
        "repository",
        "placement-v1beta1",
        "addontemplate-v1alpha1",
        "addontemplate-v1beta1",
    ] {
        assert!(names.lines().any(|line| line == name), "{name} is not in {names}");
    }
    let all = printed();
    assert_eq!(names.lines().collect::<Vec<_>>(), all.keys().collect::<Vec<_>>());
    for (name, schema) in &all {
        assert_eq!(schema["$id"], format!("https://tidegate.io/v1alpha1/{name}.json"));
    }
    let one: Value = serde_json::from_slice(&tidegate(&["schema", "AddOnTemplate"]).stdout).unwrap();
    assert_eq!(one, all["addontemplate-v1beta1"]);
}

#[test]
fn the_examples_match_the_schemas_of_their_kinds() {
    let all = printed();
    let mut kinds = std::collections::BTreeSet::new();
    for object in examples() {
        assert_eq!(wrong(&all["repository"], &object), Vec::<String>::new(), "{object}");
        let version = object["apiVersion"].as_str().unwrap().rsplit('/').next().unwrap();
        let name = format!("{}-{version}", object["kind"].as_str().unwrap().to_lowercase());
        if let Some(schema) = all.get(&name) {
            assert_eq!(wrong(schema, &object), Vec::<String>::new(), "{object}");
            kinds.insert(name);
        }
    }
    assert!(kinds.len() >= 5, "{kinds:?}");
}

#[test]
fn a_typing_mistake_is_refused() {
    let schema = &printed()["repository"];
    let placement = json!({
        "apiVersion": "cluster.open-cluster-management.io/v1beta1",
        "kind": "Placement",
        "metadata": { "name": "all", "namespace": "fleet" },
        "spec": { "numberOfClusters": 3, "clusterSets": ["global"] },
    });
    assert_eq!(wrong(schema, &placement), Vec::<String>::new());
    let with = |pointer: &str, value: Value| {
        let mut object = placement.clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        object.pointer_mut(parent).unwrap()[name] = value;
        object
    };
    let mistakes = [
        ("/spec/numberOfCluster", json!(3)),
        ("/spec/numberOfClusters", json!("3")),
        ("/spec/numberOfClusters", json!(3_000_000_000_u64)),
        ("/spec/tolerations", json!([{ "operator": 1 }])),
        ("/spec/decisionStrategy", json!({ "groupStrategy": { "clustersPerDecisionGroup": "ten" } })),
        ("/metadata/label", json!({})),
        ("/metadata/name", json!("All")),
        ("/kind", json!("Placment")),
        ("/apiVersion", json!("cluster.open-cluster-management.io/v1")),
        ("/apiVersion", json!("cluster.open-cluster-management.io/v1alpha7")),
    ];
    for (pointer, value) in mistakes {
        let object = with(pointer, value);
        assert!(!wrong(schema, &object).is_empty(), "{object}");
        let list = json!({ "apiVersion": "v1", "kind": "List", "items": [object] });
        assert!(!wrong(schema, &list).is_empty(), "{list}");
    }
    for other in [json!({ "apiVersion": "v1", "kind": "ConfigMap", "data": {} }), Value::Null] {
        assert_eq!(wrong(schema, &other), Vec::<String>::new());
    }
}

#[test]
fn the_schema_of_control_files_matches_the_loader() {
    let all = printed();
    let page = fs::read_to_string("docs/control.md").unwrap();
    let example: Value =
        serde_saphyr::from_str(page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap()).unwrap();
    for schema in ["control", "repository"] {
        assert_eq!(wrong(&all[schema], &example), Vec::<String>::new());
    }
    let is_usable = |control: &Value| {
        let mut tree = crate::example_tree::tree();
        tree.files.insert("control/hello-template.yaml".to_owned(), control.to_string().into_bytes());
        tidegate_repository::load(&tree, "").repository.controls.unreadable.is_empty()
    };
    assert!(is_usable(&example));
    let mistakes = [
        ("/kind", json!("Controls")),
        ("/apiVersion", json!("tidegate.io/v1")),
        ("/metadata", json!({})),
        ("/paus", json!({})),
        ("/pause", json!(null)),
        ("/pause/reason", json!(" ")),
        ("/abort/digest", json!("9c1e")),
        ("/retry/clusters", json!([])),
        ("/retry/clusters", json!(null)),
        ("/retry/clusters", json!(["East_1"])),
        ("/quarantine/0/mode", json!("exclude")),
    ];
    for (pointer, value) in mistakes {
        let mut mistaken = example.clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        mistaken.pointer_mut(parent).unwrap()[name] = value;
        assert!(!wrong(&all["control"], &mistaken).is_empty(), "{mistaken}");
        assert!(!is_usable(&mistaken), "{mistaken}");
    }
}

/// Reads TOML as JSON.
fn toml(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Value>(text).unwrap()).unwrap()
}

#[test]
fn the_configuration_in_the_documentation_matches_its_schema() {
    let schema = &printed()["daemon"];
    let page = fs::read_to_string("docs/configuration.md").unwrap();
    let example = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(wrong(schema, &toml(example)), Vec::<String>::new());
    for mistake in
        ["[source]\nurl = 3\n", "[sources]\n", "[verify]\ncommits = 'none'\n", "[journal]\nintervall = '1s'\n"]
    {
        assert!(!wrong(schema, &toml(mistake)).is_empty(), "{mistake}");
    }
}

#[test]
fn the_schema_of_the_settings_matches_the_loader() {
    let schema = &printed()["settings"];
    let complaints = |text: &str| {
        let mut tree = crate::example_tree::tree();
        tree.files.insert("tidegate.toml".to_owned(), text.as_bytes().to_vec());
        let found = tidegate_repository::load(&tree, "").complaints;
        found
            .into_iter()
            .filter(|c| c.diagnostic.place.file == "tidegate.toml")
            .map(|c| c.to_string())
            .collect::<Vec<_>>()
    };
    // The loader knows every setting of the schema, with its default.
    let mut count = 0;
    let sections = schema["properties"].as_object().unwrap().iter();
    // The tables of a list are checked by themselves.
    for (section, described) in sections.filter(|(_, described)| described["type"] == "object") {
        for (name, setting) in described["properties"].as_object().unwrap() {
            let text = format!("[{section}]\n{name} = {}\n", setting["default"]);
            assert_eq!(complaints(&text), Vec::<String>::new(), "{text}");
            assert_eq!(wrong(schema, &toml(&text)), Vec::<String>::new(), "{text}");
            for word in setting.get("enum").and_then(Value::as_array).into_iter().flatten() {
                assert_eq!(complaints(&format!("[{section}]\n{name} = {word}\n")), Vec::<String>::new());
            }
            count += 1;
        }
        if described["additionalProperties"].is_object() {
            // Any name is an alias.
            continue;
        }
        // The schema has every setting of the loader: for an unknown name, the loader lists all of them.
        let told = complaints(&format!("[{section}]\nqqqqqqqqqqqqqqqqqqqqqqqqq = 1\n"));
        let known: Vec<&str> = told[0].split('"').skip(1).step_by(2).collect();
        assert_eq!(known.len(), described["properties"].as_object().unwrap().len(), "{told:?}");
    }
    assert_eq!(count, 17);
    let fields = schema["$defs"]["vendor"]["properties"].as_object().unwrap();
    let table = |left_out: &str| {
        let line = |(name, field): (&String, &Value)| match field["enum"].as_array() {
            Some(words) => format!("{name} = {}\n", words[0]),
            None => format!("{name} = \"{name}.yaml\"\n"),
        };
        let fields = fields.iter().filter(|(name, _)| *name != left_out);
        format!("[[vendor]]\n{}", fields.map(line).collect::<String>())
    };
    assert_eq!((complaints(&table("")), wrong(schema, &toml(&table("")))), (Vec::new(), Vec::new()));
    for name in fields.keys() {
        assert!(complaints(&table(name))[0].contains(&format!("vendor.{name} is missing")), "{name}");
        assert!(!wrong(schema, &toml(&table(name))).is_empty(), "{name}");
    }
    let told = complaints("[[vendor]]\nqqqqqqqqqqqqqqqqqqqqqqqqq = 1\n");
    assert!(fields.keys().all(|name| told[0].contains(name.as_str())), "{told:?}");
    let sections = complaints("[qqqqqqqqqqqqqqqqqqqqqqqqq]\n");
    assert_eq!(sections[0].split('"').skip(3).step_by(2).count(), schema["properties"].as_object().unwrap().len());
}

#[test]
fn an_unknown_schema_has_a_suggestion() {
    let names = ["Placment", "placment-v1beta1", "nothing-like-it"];
    insta::assert_snapshot!(session(&names.map(|name| ["schema", name])));
}

#[test]
fn deploy_crds_match_the_types() {
    let made = tidegate::cli::crds::document().map_err(|failure| failure.code()).unwrap();
    let held = std::fs::read_to_string("deploy/crds.yaml").unwrap();
    assert!(made == held, "deploy/crds.yaml is stale: run `cargo run -- crds > deploy/crds.yaml`");
}
