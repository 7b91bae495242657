//! Properties of all patches.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::patch_bench::Bench;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..3_i64).prop_map(Value::from),
        "[a-c]{0,1}".prop_map(Value::from),
        prop_oneof!["delete", "replace", "merge"].prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let key = prop_oneof![
            Just("name"),
            Just("containers"),
            Just("ports"),
            Just("containerPort"),
            Just("protocol"),
            Just("env"),
            Just("spec"),
            Just("template"),
            Just("finalizers"),
            Just("$patch"),
            Just("volumes"),
            Just("x"),
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.prop_map(str::to_owned), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn deployment(pod: &Value) -> String {
    let object = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"template": {"spec": pod}},
    });
    object.to_string()
}

/// Removes everything with a special meaning in a merge: nulls, directives, and lists.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().filter(|(key, value)| *key != "$patch" && !value.is_null());
            let members = members.map(|(key, value)| (key.clone(), plain(value)));
            members.filter(|(_, value)| !value.is_array()).collect()
        }
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn merges_never_panic(base in value(), patch in value()) {
        let mut bench = Bench::new(&deployment(&base));
        if bench.patch(None, &deployment(&patch)).is_ok() {
            bench.written();
        }
    }

    #[test]
    fn an_empty_patch_changes_nothing(base in value()) {
        let base = plain(&base);
        let mut bench = Bench::new(&deployment(&base));
        let before = bench.written();
        let warnings = bench.patch(None, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}").unwrap();
        prop_assert_eq!(bench.written(), before);
        prop_assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn replaced_mappings_equal_those_of_the_patch(base in value(), patch in value()) {
        let (base, patch) = (plain(&json!({"x": base})), plain(&json!({"y": patch})));
        let mut replacing = patch.clone();
        replacing["$patch"] = "replace".into();
        let mut bench = Bench::new(&deployment(&base));
        bench.patch(None, &deployment(&replacing)).unwrap();
        prop_assert_eq!(bench.written(), Bench::new(&deployment(&patch)).written());
    }

    #[test]
    fn operations_never_panic(
        base in value(),
        op in "add|remove|replace|move|copy|test",
        path in "(/(spec|template|name|x|-|0|1|-1|))*",
        from in "(/(spec|template|name|x|-|0|1|-1|))*",
        value in value(),
    ) {
        let patch = json!([{"op": op, "path": path, "from": from, "value": value}]);
        let mut bench = Bench::new(&deployment(&base));
        if bench.patch(Some("{kind: Deployment}"), &patch.to_string()).is_ok() {
            bench.written();
        }
    }

    #[test]
    fn arbitrary_patch_text_never_panics(text in "\\PC{0,60}", target in r"[^\pC\p{Zl}\p{Zp}]{0,20}") {
        let mut bench = Bench::new(&deployment(&json!({})));
        let target = json!({"name": target.clone(), "labelSelector": target}).to_string();
        let _: Result<_, _> = bench.patch(Some(&target), &text);
        let _: Result<_, _> = bench.patch(Some("{}"), &text);
    }
}
