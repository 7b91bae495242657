//! Trees: entries, origins and steps.

use serde_json::json;
use tidegate_kustomize::yaml::Kind;
use tidegate_kustomize::yaml::{Key, Mapping, Node, Number, Origin, Provenance, Scalar, Schema, Step, Typed, kind_of};

fn leaf(text: &str) -> Node {
    Node::scalar(Scalar::string(text), Origin::default())
}

fn key(text: &str) -> Key {
    Key::new(text, Origin::default())
}

#[test]
fn entries_keep_their_order() {
    let mut mapping = Mapping::new();
    for text in ["c", "a", "b"] {
        assert!(mapping.insert(key(text), leaf(text)).is_none());
    }
    assert_eq!(mapping.insert(key("a"), leaf("x")).unwrap().as_str(), Some("a"));
    assert_eq!(mapping.remove("c").unwrap().value.as_str(), Some("c"));
    let keys: Vec<&str> = mapping.iter().map(|member| &*member.key().text).collect();
    assert_eq!(keys, ["a", "b"]);
    *mapping.get_or_insert_with(key("d"), || leaf("y")) = leaf("z");
    assert_eq!(mapping.get("d").unwrap().as_str(), Some("z"));
    mapping.retain(|key, _| &*key.text != "a");
    assert!(!mapping.contains("a") && mapping.len() == 2);
}

#[test]
fn trees_convert_from_and_to_json() {
    let value = json!({"a": [1, -2, 1.5, u64::MAX, true, null, "x"], "b": {"c": {}}});
    let mut node = Node::from_value(&value, Origin::default());
    assert_eq!(node.to_value().unwrap(), value);
    assert_eq!(node.find(&["b", "c"]).unwrap().as_mapping().unwrap().len(), 0);
    node.find_mut(&["b", "c"]).unwrap().set(key("d"), leaf("e"));
    assert_eq!(node.to_value().unwrap()["b"], json!({"c": {"d": "e"}}));
    assert!(node.find(&["a", "c"]).is_none());
}

#[test]
fn scalars_are_created_from_values_and_strings() {
    assert_eq!(Scalar::integer(-3).text(), "-3");
    assert_eq!(Scalar::number(Number::Float(1.5)).kind(), Kind::Float);
    assert_eq!(Scalar::plain("0x10").typed(), Typed::Number(Number::Signed(16)));
    assert_eq!(Scalar::string("0x10").typed(), Typed::String("0x10".into()));
    assert_eq!(Scalar::boolean(true).typed(), Typed::Bool(true));
    assert_eq!((kind_of("on", Schema::Resource), kind_of("on", Schema::Kustomization)), (Kind::String, Kind::Bool));
}

#[test]
fn origins_record_the_steps_back_to_the_file() {
    let mut provenance = Provenance::default();
    let (base, overlay) = (provenance.add_source("base/a.yaml"), provenance.add_source("kustomization.yaml"));
    let first = Origin::new(base, 4, 9);
    let prefix = Step { field: "namePrefix".into(), at: Origin::new(overlay, 2, 13), before: Some(first), from: None };
    let second = first.by(provenance.add_step(prefix.clone()));
    let patch = Step { field: "patches[0]".into(), at: Origin::new(overlay, 5, 3), before: Some(second), from: None };
    let third = Origin::new(overlay, 9, 11).by(provenance.add_step(patch.clone()));
    assert_eq!(provenance.place(third).to_string(), "kustomization.yaml:9:11");
    assert_eq!(provenance.steps(third).cloned().collect::<Vec<_>>(), [patch, prefix]);
    assert_eq!(provenance.steps(first).count(), 0);
    assert_eq!(provenance.place(Origin::default()).to_string(), "(not from a file)");
    assert_eq!(size_of::<Origin>(), 16);
}

#[test]
fn the_origins_of_a_tree_can_be_replaced() {
    let mut provenance = Provenance::default();
    let step =
        provenance.add_step(Step { field: "components[0]".into(), at: Origin::default(), before: None, from: None });
    let mut node = Node::from_value(&json!({"a": ["b"]}), Origin::default());
    node.reorigin(&|origin| origin.by(step));
    let item = &node.get("a").unwrap().as_sequence().unwrap()[0];
    assert_eq!(item.origin.step(), Some(step));
    assert_eq!(node.as_mapping().unwrap().entry("a").unwrap().key().origin.step(), Some(step));
}
