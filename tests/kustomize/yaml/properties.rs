//! Properties of parsing and writing.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Number, Value};
use tidegate_kustomize::yaml::{self, Input, Key, Mapping, Node, Origin, Scalar, SourceId};

/// Characters that are special in YAML, not printable, or line breaks. U+2028 and U+2029 are omitted: they are written, but not
/// read back.
const CHARACTERS: &[&str] = &[
    " ",
    " ",
    "  ",
    "\n",
    "\n",
    "\t",
    "\r",
    ":",
    ": ",
    "#",
    " #",
    "-",
    "- ",
    "?",
    "? ",
    "'",
    "\"",
    "\\",
    ",",
    "[",
    "]",
    "{",
    "}",
    "&",
    "*",
    "!",
    "|",
    ">",
    "%",
    "@",
    "`",
    "~",
    "=",
    "<<",
    "---",
    "...",
    "a",
    "b",
    "y",
    "no",
    "null",
    "0",
    "1",
    "1_0",
    ".",
    "e",
    "+",
    "0x",
    "é",
    "集",
    "🚀",
    "\u{a0}",
    "\u{feff}",
    "\u{1b}",
    "\0",
    "\u{85}",
    "word",
    "two words",
    "2026-11-21",
    "\u{200b}",
    "/",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => proptest::collection::vec(proptest::sample::select(CHARACTERS), 0..12).prop_map(|parts| parts.concat()),
        1 => proptest::collection::vec(proptest::sample::select(CHARACTERS), 30..80).prop_map(|parts| parts.concat()),
        1 => proptest::collection::vec("[a-z]{1,12}", 10..30).prop_map(|words| words.join(" ")),
    ]
}

/// Omits the key `<<`: Go writes it without quotes, and treats it as a merge when it reads it back.
fn key() -> impl Strategy<Value = String> {
    text().prop_filter("no merge", |text| text != "<<")
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => text().prop_map(Value::String),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => any::<i64>().prop_map(|n| Value::Number(n.into())),
        1 => any::<u64>().prop_map(|n| Value::Number(n.into())),
        1 => any::<f64>().prop_map(|n| Number::from_f64(n).map_or(Value::Null, Value::Number)),
    ]
}

fn tree() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            proptest::collection::vec((key(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn soup() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(CHARACTERS), 0..60).prop_map(|parts| parts.concat())
}

/// Parses the bytes in both ways, and writes the result.
fn survive(bytes: &[u8]) {
    let input = Input::of_file(SourceId::default(), bytes);
    let _kustomization = yaml::kustomization(input);
    for mut node in yaml::resources(input).unwrap_or_default() {
        if yaml::normalize(&mut node).is_ok() {
            yaml::write(&node).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_tree_is_read_back_unchanged(value in tree()) {
        let mut node = Node::from_value(&Value::Object(Map::from_iter([("root".to_owned(), value)])), Origin::default());
        yaml::normalize(&mut node).unwrap();
        let text = yaml::write(&node).unwrap();
        let back = yaml::resources(Input::of_file(SourceId::default(), text.as_bytes()));
        let mut back = back.map_err(|error| TestCaseError::fail(format!("{error:?} in\n{text}")))?;
        prop_assert_eq!(back.len(), 1);
        yaml::normalize(&mut back[0]).unwrap();
        prop_assert_eq!(back[0].to_value().unwrap(), node.to_value().unwrap(), "{}", text);
        prop_assert_eq!(yaml::write(&back[0]).unwrap(), text);
    }

    #[test]
    fn settling_again_changes_nothing(value in tree()) {
        let mut node = Node::from_value(&value, Origin::default());
        yaml::normalize(&mut node).unwrap();
        let once = node.to_value().unwrap();
        yaml::normalize(&mut node).unwrap();
        prop_assert_eq!(node.to_value().unwrap(), once);
    }

    #[test]
    fn no_bytes_cause_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survive(&bytes);
    }

    #[test]
    fn no_text_causes_a_panic(text in soup()) {
        survive(text.as_bytes());
    }

    #[test]
    fn mappings_behave_like_btree_map(steps in proptest::collection::vec((0..60_u32, any::<bool>()), 0..300)) {
        let (mut mapping, mut model) = (Mapping::new(), BTreeMap::new());
        for (i, (key, is_insert)) in steps.into_iter().enumerate() {
            let key = key.to_string();
            if is_insert {
                let value = Node::scalar(Scalar::string(i.to_string()), Origin::default());
                let old = mapping.insert(Key::new(key.as_str(), Origin::default()), value);
                prop_assert_eq!(old.is_some(), model.insert(key, i.to_string()).is_some());
            } else {
                let old = mapping.remove(&key).map(|member| member.value.as_str().unwrap().to_owned());
                prop_assert_eq!(old, model.remove(&key));
            }
        }
        prop_assert_eq!(mapping.len(), model.len());
        for (key, value) in &model {
            prop_assert_eq!(mapping.get(key).and_then(Node::as_str), Some(value.as_str()));
        }
    }
}
