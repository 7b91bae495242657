//! Syntax that appears in many places: JSON, YAML, expressions, selectors, numbers and durations.

use tidegate_cel::{Evaluator, Program};
use tidegate_go::duration::parse_go_duration;
use tidegate_go::float::parse_float;
use tidegate_go::json::Json;
use tidegate_go::label_selector::LabelSelector;
use tidegate_go::quantity::Quantity;
use tidegate_go::regexp::Pattern;

use super::{entry_points, fuzz_text};

#[test]
fn json() {
    let samples = [
        r#"{"a": [1, -2.5e3, "x\u00e9\n", null, true], "b": {"c": {}}, "a": 7}"#,
        "[[[]]]",
        "1e400",
        "\"\\ud83d\\ude00\"",
    ];
    fuzz_text(&samples, |text| {
        let Ok(json) = Json::parse(text) else { return };
        let _out_of_range = json.to_value();
        let _out_of_range = json.to_value_without_overwritten();
    });
}

#[test]
fn yaml_documents() {
    let samples = [
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: &l {x: 'y'}}\ndata:\n  k: |\n    v\n---\n- <<: *l\n",
        "resources: [a.yaml]\npatches:\n- patch: |-\n    - {op: add, path: /metadata/labels, value: {a: b}}\n  target: {kind: .*}\n",
    ];
    fuzz_text(&samples, |text| entry_points::yaml(text.as_bytes()));
}

#[test]
fn overlays() {
    let samples = [
        "resources: [a.yaml, base]\nnamePrefix: p-\nlabels: [{pairs: {a: b}}]\nconfigMapGenerator: [{name: c, literals: [a=b]}]\n====\n\
         apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n====\nresources: []\n",
        "replacements:\n- source: {kind: ConfigMap, fieldPath: metadata.name}\n  targets: [{select: {kind: .*}, fieldPaths: ['spec.a.[b=c].d']}]\n\
         resources: [a.yaml]\n====\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec: {a: [{b: c}]}\n",
    ];
    fuzz_text(&samples, |text| entry_points::overlay(text.as_bytes()));
}

#[test]
fn patches() {
    let samples = [
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}\n====\n\
         apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, $patch: delete}]}\n====\nkind: Pod\n",
        "kind: Pod\nmetadata: {name: a}\n====\n[{op: move, from: /metadata/name, path: /metadata/x~1y}]\n====\nname: a.*\n",
    ];
    fuzz_text(&samples, |text| entry_points::patch(text.as_bytes()));
}

#[test]
fn expressions() {
    let samples = [
        "self.spec.replicas > 1 && self.metadata.labels['a'].startsWith('x')",
        "self.items.map(i, i.name).filter(n, n.matches('^a+$')).size() == 2 ? 'a' : \"b\" + string(1.5e3)",
        "timestamp('2026-01-01T00:00:00Z') + duration('1h') < timestamp(self.at) || has(self.?x.y)",
        "quantity('1Ki').compareTo(quantity('1k')) == 0 && url('https://a/b').getHost() in ['a', b'x', r'\\']",
    ];
    let values = r#"{"self": {"spec": {"replicas": 3}, "metadata": {"labels": {"a": "xy"}}, "items": [{"name": "aa"}], "at": "2026-01-02T00:00:00Z"}}"#;
    let values = serde_json::from_str(values).unwrap();
    fuzz_text(&samples, |text| {
        let Ok(program) = Program::rule(text, true) else { return };
        let _verdict = Evaluator::default().evaluate_rule(&program, &values);
    });
}

#[test]
fn selectors_and_patterns() {
    let samples = [
        "a=b,c!=d,e in (f,g),!h,i notin (),j>5",
        "x==y",
        "^(a|b)*?[^[:alpha:]\\d-z]{2,3}$",
        "(?i)\\bfoo\\x{10FFFF}\\z",
    ];
    fuzz_text(&samples, |text| {
        if let Ok(selector) = LabelSelector::parse(text) {
            let _is_selected = selector.matches(|name| (name == "a").then_some("b"));
        }
        if let Ok(pattern) = Pattern::compile(text) {
            let _is_matched = pattern.regex.is_match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
        }
    });
}

#[test]
fn numbers_and_durations() {
    let samples = [
        "1.1844674407370955161675808ns",
        "1.5Gi",
        "-0.000000001n",
        "1e3",
        "12E",
        "1h30m2.5s",
        "-9223372036854775808ns",
        "0x1p-1074",
        "Inf",
        "1_000",
    ];
    fuzz_text(&samples, |text| {
        if let (Ok(one), Ok(other)) = (text.parse::<Quantity>(), "1Gi".parse::<Quantity>()) {
            let _order = one.plus(&other).minus(&one).compare(&other);
            let _canonical = (Quantity::canonical(text), one.as_integer(), one.as_float());
        }
        let _duration = parse_go_duration(text);
        let _float = parse_float(text);
    });
}
