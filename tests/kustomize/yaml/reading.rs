//! Tests of parsing resource files.

use serde_json::json;
use tidegate_kustomize::yaml::{self, Base, Input, Provenance, SourceId, resources};

use super::{complaint, value, values};
use crate::transcript::transcript;

#[test]
fn documents_are_split_before_they_are_parsed() {
    assert_eq!(
        values("---\na: 1\n---\n---\n# nothing\n--- # note\nb: 2\n...\n---\n~\n---\n{}\n---\n[]\n"),
        [json!({"a": 1}), json!({"b": 2})]
    );
    assert_eq!(
        values("a: |\n  x\n  ---\n  y\nb: \"\n  ---\"\n---\nc: 1"),
        [json!({"a": "x\n---\ny\n", "b": " ---"}), json!({"c": 1})]
    );
    assert_eq!(values(""), Vec::<serde_json::Value>::new());
    assert_eq!(values("a: 1\n---"), [json!({"a": 1})]);
    let split = "2:1: the line starts with --- and continues with something else; move that to the next line";
    assert_eq!(complaint("a: 1\n--- b: 2\n"), split);
    assert_eq!(complaint("a: 1\n----\n"), split);
    assert!(complaint("a: &a 1\n---\nb: *a\n").starts_with("3:4: this is not valid YAML"));
}

#[test]
fn anchors_aliases_and_merge_keys_are_unfolded() {
    assert_eq!(value("a: &a {x: 1}\nb: [*a, *a]\n"), json!({"a": {"x": 1}, "b": [{"x": 1}, {"x": 1}]}));
    assert_eq!(
        value("a: &a {x: 1, y: 1}\nb:\n  y: 2\n  <<: *a\n"),
        json!({"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 2}})
    );
    assert_eq!(
        value("a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc:\n  <<: [*a, *b]\n  z: 3\n"),
        json!({"a": {"x": 1}, "b": {"x": 2, "y": 2}, "c": {"x": 1, "y": 2, "z": 3}})
    );
    assert_eq!(value("a: &a 1\nb: &a 2\nc: *a\n"), json!({"a": 1, "b": 2, "c": 2}));
    assert_eq!(value("\"<<\": 1\n"), json!({"<<": 1}));
    assert_eq!(
        complaint("a: 1\n<<: 2\n"),
        "2:5: \"<<\" needs a mapping or a list of mappings; give it an alias of one"
    );
    assert_eq!(complaint("a: &a [*a]\n"), "1:8: the alias is inside the value that it refers to; write out the value");
    assert_eq!(
        complaint("<<: {a: 1}\n<<: {b: 1}\n"),
        "2:1: \"<<\" is given twice in one mapping; give one of them a list"
    );
}

#[test]
fn a_block_at_the_end_of_the_file_keeps_the_final_line_break_or_its_absence() {
    let cases = [
        ("a: |\n  x", "x"),
        ("a: |+\n  x", "x"),
        ("a: >\n  x\n  y", "x y"),
        ("a: |-\n  x", "x"),
        ("a: |\n  x\n", "x\n"),
        ("a: |\n  x\n  ", "x\n"),
        ("a: |\n  x\n   ", "x\n "),
        ("a: |+\n  x\n\n  ", "x\n\n"),
        ("a: |\n  x\n# end of file", "x\n"),
        ("a: |\n  x\n\n---", "x\n"),
        ("a: |", ""),
    ];
    for (text, block) in cases {
        assert_eq!(value(text)["a"], block, "{text:?}");
    }
    assert_eq!(values("a: |\n  x\n---\nb: |\n  x"), [json!({"a": "x\n"}), json!({"b": "x"})]);
}

#[test]
fn windows_line_breaks_and_byte_order_marks_are_ignored() {
    assert_eq!(
        values("\u{feff}a: |\r\n  x\r\n  y\r\n---\r\nb: \"x\r\n  y\"\r\n"),
        [json!({"a": "x\ny\n"}), json!({"b": "x y"})]
    );
}

#[test]
fn tabs_are_content_but_not_indentation() {
    assert_eq!(value("a: x\t\nb: x\ty\nc: |\n  x\n  \ty\n"), json!({"a": "x", "b": "x\ty", "c": "x\n\ty\n"}));
    assert!(complaint("c: |\n  \tx\n").contains("the tab at the start is treated as indentation"));
    assert_eq!(super::read("c: >2\n  \tx\n").unwrap()[0].get("c").unwrap().as_str(), Some("\tx\n"));
}

#[test]
fn json_is_parsed_as_yaml() {
    assert_eq!(
        value("{\"a\": [1, true, null, \"\\u00e9\\t\"], \"b\":{\"c\":1e3}}"),
        json!({"a": [1, true, null, "é\t"], "b": {"c": 1000}})
    );
    assert_eq!(
        complaint("{\"a\": \"b\\/c\"}"),
        "1:7: this is not valid YAML: the escape \\/ exists only in JSON; write / without the \\"
    );
    let surrogates = "1:7: this is not valid YAML: pairs of \\u escapes exist only in JSON; write the character itself";
    assert_eq!(complaint("{\"a\": \"\\ud83d\\ude80\"}"), surrogates);
    assert_eq!(value("{\"a\": \"b\\\\/c\"}"), json!({"a": "b\\/c"}));
}

#[test]
fn input_that_go_reads_differently_is_rejected() {
    let quote = "put quotes around text with ? or : between brackets or braces";
    assert_eq!(complaint("{a: http://b/?c}"), format!("1:5: {quote}"));
    assert_eq!(complaint("[:a]"), format!("1:2: {quote}"));
    assert_eq!(complaint("{a:}"), "1:2: put a space after the :");
    assert_eq!(complaint("{b: 1, a:, c: 1}"), "1:8: put a space after the :");
    // A missing value between brackets is written as two quotes, and is a string from then on.
    assert_eq!(value("{a: , \"b\":}\n"), json!({"a": "", "b": ""}));
    assert_eq!(value("a: http://b/?c\n"), json!({"a": "http://b/?c"}));
    assert_eq!(
        complaint("a: b\n  \u{2028}"),
        "2:3: the character U+2028 ends lines in YAML 1.1 only; write it as \"\\u2028\" in double quotes"
    );
    assert_eq!(
        complaint("a: \u{7}"),
        "1:4: YAML does not allow the character U+0007; remove it, or write it as \"\\u0007\" in double quotes"
    );
    assert_eq!(
        complaint("a: \"\\x7f\""),
        "1:4: the text contains the character U+007F, which YAML does not allow; remove it"
    );
}

#[test]
fn invalid_utf_8_is_rejected_at_its_position() {
    let source = Provenance::default().add_source("a.yaml");
    let error = yaml::resources(Input::of_file(source, b"a: 1\nb: \xff\n")).unwrap_err();
    assert_eq!((error.place.line, error.place.column), (2, 4));
    assert_eq!(error.message, "the file is not UTF-8 text from here on; save it as UTF-8");
}

#[test]
fn every_node_and_key_has_its_position() {
    let mut provenance = Provenance::default();
    let source = provenance.add_source("base/a.yaml");
    let text = "# x\n---\na:\n  - b: 1\n    'c': [é, d]\n---\ne: |\n  f\n";
    let nodes = yaml::resources(Input::of_file(source, text.as_bytes())).unwrap();
    let place = |origin| provenance.place(origin).to_string();
    let item = &nodes[0].get("a").unwrap().as_sequence().unwrap()[0];
    assert_eq!(place(nodes[0].origin), "base/a.yaml:3:1");
    assert_eq!(place(item.as_mapping().unwrap().entry("c").unwrap().key().origin), "base/a.yaml:5:5");
    assert_eq!(place(item.get("c").unwrap().origin), "base/a.yaml:5:10");
    assert_eq!(place(item.get("c").unwrap().as_sequence().unwrap()[1].origin), "base/a.yaml:5:14");
    assert_eq!(place(nodes[1].get("e").unwrap().origin), "base/a.yaml:8:3");
}

#[test]
fn an_embedded_text_has_positions_in_the_outer_file() {
    let place = |file: &str, path: &[&str]| {
        let outer = super::read_kustomization(file).unwrap().unwrap();
        let patch = outer.get("patch").unwrap();
        let scalar = patch.as_scalar().unwrap();
        let base = Base::of_scalar(scalar, patch.origin);
        let input = Input { base, ..Input::of_file(patch.origin.source, scalar.text().as_bytes()) };
        let origin = yaml::resources(input).unwrap()[0].find(path).unwrap().origin;
        (origin.line, origin.column)
    };
    assert_eq!(place("# x\npatch: |-\n\n    kind: A\n    spec:\n      x: 1\n", &["spec", "x"]), (6, 10));
    assert_eq!(place("patch: |2\n     kind: A\n", &["kind"]), (2, 12));
    assert_eq!(place("\npatch: '{\"a\": 1}'\n", &["a"]), (2, 15));
    assert_eq!(place("patch: {}\n".replace("{}", "'a: 1'").as_str(), &["a"]), (1, 12));
}

#[test]
fn invalid_files_are_rejected_with_a_position_and_advice() {
    let cases = [
        "a: \"b\nc: d\n",
        "a: b\n c: d\n",
        "a: b: c\n",
        "a: [1, 2\n",
        "a: [1 2\n, [3, 4}\n",
        "a: {b: c d: e}\n",
        "a: @b\n",
        "a: - b\n",
        "a:\n\tb: c\n",
        "a: \"\\d\"\n",
        "a: 'b' c\n",
        "a: *b\n",
        "a: [b]#c\n",
        "a: b\nc\n",
        "a:\n    b: 1\n  c: 2\n",
        "%YAML 1.1\n---\na: 1\n",
    ];
    insta::assert_snapshot!(transcript(cases, complaint));
}

/// go-yaml ignores what follows a document that a dedent or `...` has ended.
#[test]
fn content_after_the_end_of_a_document_is_refused() {
    for (text, line) in [("  a: 1\n  b: 2\nc: 3\n", 3), ("x: 1\n---\n    a: 1\n  b: 2\n", 4), ("a: 1\n...\nb: 2\n", 3)]
    {
        for parse in [resources, yaml::manifests] {
            let error = parse(Input::of_file(SourceId::default(), text.as_bytes())).unwrap_err();
            assert_eq!(error.place.line, line, "{text}: {error:?}");
        }
    }
    assert!(resources(Input::of_file(SourceId::default(), b"a: 1\n...\n# end\n")).is_ok());
}
