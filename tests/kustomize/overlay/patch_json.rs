//! JSON patches.

use super::patch_bench::Bench;
use crate::transcript::transcript;

/// Applies operations to an object, and returns its `spec` as JSON.
fn spec(spec: &str, operations: &str) -> Result<String, String> {
    let mut bench = Bench::new(&format!("apiVersion: x/v1\nkind: Foo\nmetadata: {{name: a}}\nspec: {spec}\n"));
    bench.patch(Some("{kind: Foo}"), operations).map_err(|error| error.message)?;
    let value = bench.resources[0].node.get("spec").unwrap().to_value().unwrap();
    Ok(serde_json::to_string(&value).unwrap())
}

#[test]
fn operations_are_applied() {
    let table = [
        ("{a: 1}", "- {op: add, path: /spec/b, value: {c: 2}}", r#"{"a":1,"b":{"c":2}}"#),
        ("{a: [1, 2]}", "- {op: add, path: /spec/a/-, value: 3}", r#"{"a":[1,2,3]}"#),
        ("{a: [1, 2]}", "- {op: add, path: /spec/a/0, value: 3}", r#"{"a":[3,1,2]}"#),
        ("{a: [1, 2]}", "- {op: add, path: /spec/a/-1, value: 3}", r#"{"a":[1,2,3]}"#),
        ("{a: [1, 2]}", "- {op: add, path: /spec/a/2, value: 3}", r#"{"a":[1,2,3]}"#),
        ("{a: [1, 2]}", "- {op: remove, path: /spec/a/-1}", r#"{"a":[1]}"#),
        ("{a: [1, 2]}", "- {op: replace, path: /spec/a/-2, value: x}", r#"{"a":["x",2]}"#),
        ("{a/b: 1, c~d: 2}", "- {op: remove, path: /spec/a~1b}\n- {op: remove, path: /spec/c~0d}", "{}"),
        ("{a: 1}", "- {op: move, from: /spec/a, path: /spec/b}", r#"{"b":1}"#),
        ("{a: [1]}", "- {op: copy, from: /spec/a, path: /spec/b}", r#"{"a":[1],"b":[1]}"#),
        ("{a: 1}", "- {op: test, path: /spec/a, value: 1}", r#"{"a":1}"#),
        ("{a: 1}", "- {op: test, path: /spec/b, value: null}", r#"{"a":1}"#),
        ("{a: 1}", "- {op: add, path: /spec/b, value: yes}", r#"{"a":1,"b":true}"#),
        ("{a: 1}", "[{\"op\": \"add\", \"path\": \"/spec/b\", \"value\": null}]", r#"{"a":1,"b":null}"#),
        // All numbers lose what floats cannot represent, even those that no operation touches.
        ("{a: 9007199254740993}", "- {op: add, path: /spec/b, value: 1.0}", r#"{"a":9007199254740992,"b":1}"#),
        ("{a: 1}", "[]", r#"{"a":1}"#),
        ("{a: 1}", "# nothing", r#"{"a":1}"#),
    ];
    for (base, operations, wanted) in table {
        assert_eq!(spec(base, operations).as_deref(), Ok(wanted), "{base} with {operations}");
    }
}

#[test]
fn impossible_operations_are_refused() {
    let cases = [
        "- {op: remove, path: /spec/b}",
        "- {op: replace, path: /spec/b, value: 1}",
        "- {op: add, path: /spec/b/c, value: 1}",
        "- {op: add, path: /spec/l/x, value: 1}",
        "- {op: add, path: /spec/l/2, value: 1}",
        "- {op: replace, path: /spec/l/1, value: 1}",
        "- {op: move, from: /spec/b, path: /spec/c}",
        "- {op: move, from: '', path: /spec/c}",
        "- {op: test, path: /spec/a, value: 2}",
        "- {op: test, path: /spec/a, value: null}",
        "- {op: set, path: /spec/a, value: 2}",
        "- {op: add, path: /spec/a}",
        "- {op: copy, path: /spec/a}",
        "- {op: add, value: 1}",
        "- {op: add, path: spec, value: 1}",
        "- {op: remove, path: /kind}",
        "- {op: remove, path: /metadata/name}",
        "- {op: replace, path: '', value: [1]}",
        "[{op: add}]",
    ];
    insta::assert_snapshot!(transcript(cases, |operations| spec("{a: 1, l: [1]}", operations).unwrap_err()));
}

#[test]
fn annotations_can_always_be_added() {
    let mut bench = Bench::new("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
    bench.patch(Some("{kind: ConfigMap}"), "- {op: add, path: /metadata/annotations/x, value: z}").unwrap();
    assert!(bench.written().contains("annotations:\n    x: z\n"));
    bench.patch(Some("{kind: ConfigMap}"), "- {op: remove, path: /metadata/annotations}").unwrap();
    assert!(!bench.written().contains("annotations"));
}

#[test]
fn copies_of_copies_are_limited() {
    let double = "- {op: copy, from: /spec, path: /spec/a}\n- {op: copy, from: /spec, path: /spec/b}\n".repeat(40);
    let message = spec("{t: some text}", &double).unwrap_err();
    assert!(message.contains("MiB") || message.contains("levels"), "{message}");
    let wide = (0..40).map(|i| format!("- {{op: copy, from: /spec/l, path: /spec/l/{i}}}\n")).collect::<String>();
    let message = spec("{l: [some text]}", &wide).unwrap_err();
    assert!(message.contains("MiB") || message.contains("levels"), "{message}");
    let path = format!("- {{op: add, path: /spec{}, value: 1}}", "/a".repeat(100));
    assert!(spec("{a: 1}", &path).unwrap_err().contains("steps"));
}

#[test]
fn values_record_their_operation() {
    let mut bench = Bench::new("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: a\n");
    bench.patch(Some("{kind: ConfigMap}"), "- op: replace\n  path: /data/x\n  value: b\n").unwrap();
    let origin = bench.resources[0].node.find(&["data", "x"]).unwrap().origin;
    assert_eq!(bench.provenance.place(origin).to_string(), "patch.yaml:3:10");
    let step = bench.provenance.steps(origin).next().unwrap();
    assert_eq!(bench.provenance.place(step.before.unwrap()).to_string(), "base.yaml:5:6");
}
