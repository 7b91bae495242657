//! The house format: what changes, what never changes, and what is refused.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tidegate_kustomize::format::format;
use tidegate_kustomize::yaml::{Input, Node, SourceId, resources};

use crate::root::path;

fn values(text: &str) -> Vec<serde_json::Value> {
    let nodes = resources(Input::of_file(SourceId::default(), text.as_bytes())).unwrap();
    nodes.iter().map(|node| Node::to_value(node).unwrap()).collect()
}

#[test]
fn indentation_spaces_and_empty_lines_change() {
    let text = "---\n\n# about the object\nkind:   List \r\nmetadata:\n    name: a\n    # about labels\n    labels: {a: b,\n      c: d}\nitems:\n# first\n-   name: one\n    script: |\n        if true\n          then # no comment\n\n        fi\n    list:\n    - - x\n      -   y\n    -\n      z: 1\n\n\n\n# second\n- name: >-\n    two\n    lines\n  text: \"a\n     b\"\n    # deeper\n---\n---\na: 1\n---\n";
    insta::assert_snapshot!(format(text).unwrap());
}

/// Empty lines, pipes and comments that belong to values.
#[test]
fn text_that_only_looks_like_structure_stays() {
    for (text, formatted) in [
        ("a: |+\n    b\n\n\n\nc: d\n", "a: |+\n  b\n\n\n\nc: d\n"),
        ("a: 'b\n\n\n    c'\n", "a: 'b\n\n\n    c'\n"),
        ("x: |+\n    text\n\n", "x: |+\n  text\n\n"),
        ("run: |\n    echo \"x\" |\n      tee y\n", "run: |\n  echo \"x\" |\n    tee y\n"),
        ("b: |\n    foo |\n     - x\n", "b: |\n  foo |\n   - x\n"),
        ("b: >-\n    foo >\n    # no comment\n", "b: >-\n  foo >\n  # no comment\n"),
        ("b: |2\n      x\n    y\n", "b: |2\n      x\n    y\n"),
        ("# only\n\n\n# comments", "# only\n\n# comments\n"),
        ("", ""),
    ] {
        let found = format(text).unwrap();
        assert_eq!(found, formatted, "{text}");
        assert_eq!(format(&found).unwrap(), found, "{text}");
    }
}

/// The time grows with the lines, also if each of them is a comment of its own or an empty line of a value.
#[test]
fn long_files_are_formatted_line_by_line() {
    let keys: String = (0..10_000).map(|at| format!("   # comment\n  b{at}: c\n")).collect();
    let values = "    text\n\n".repeat(10_000);
    for text in [format!("a:\n{keys}"), format!("a: |\n{values}    end\n")] {
        let began = std::time::Instant::now();
        assert_eq!(self::format(&text).unwrap().lines().count(), text.lines().count());
        assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
    }
}

/// Returns all files with YAML below a directory.
fn yaml_below(directory: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            yaml_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            found.extend(fs::read_to_string(&path));
        }
    }
}

#[test]
fn files_of_the_project_keep_their_values_and_are_formatted_once() {
    let mut files = Vec::new();
    for directory in ["examples-repo", "deploy", "docs/pipelines", "tests/core", "tests/vectors", "policies"] {
        yaml_below(&path(directory), &mut files);
    }
    let (mut formatted, mut refused) = (0, 0);
    for text in files {
        match format(&text) {
            Ok(once) => {
                assert_eq!(values(&once), values(&text), "{text}");
                assert_eq!(format(&once).as_ref(), Ok(&once), "{text}");
                formatted += 1;
            }
            Err(error) => {
                assert!(!error.message.contains("without changing a value"), "{error:?}: {text}");
                refused += 1;
            }
        }
    }
    assert!(formatted > 50 && refused < formatted / 5, "{formatted} formatted, {refused} refused");
}

#[test]
fn the_examples_have_the_house_format() {
    let mut files = Vec::new();
    yaml_below(&path("examples-repo"), &mut files);
    for text in files {
        assert_eq!(format(&text).unwrap(), text);
    }
}

/// Returns a value in block style with random indentation, comments and empty lines.
fn block(depth: u32) -> BoxedStrategy<Vec<String>> {
    let scalar = prop_oneof![
        "[a-z]{1,5}".prop_map(|text| vec![text]),
        Just(vec!["\"a # b\"".to_owned()]),
        Just(vec!["{a: 1, b: [x]}".to_owned()]),
        (1..4_usize, any::<bool>()).prop_map(|(by, folds)| {
            let pad = " ".repeat(by);
            let header = if folds { ">-" } else { "|" };
            vec![header.to_owned(), format!("{pad}# text"), String::new(), format!("{pad}  more"), format!("{pad}end")]
        }),
    ];
    if depth == 0 { scalar.boxed() } else { prop_oneof![1 => scalar, 3 => collection(depth)].boxed() }
}

/// Returns a list or a mapping in block style.
fn collection(depth: u32) -> BoxedStrategy<Vec<String>> {
    let noise =
        prop_oneof![4 => Just(Vec::new()), 1 => Just(vec!["# comment".to_owned()]), 1 => Just(vec![String::new(); 2])];
    let entries = prop::collection::vec((block(depth - 1), noise, 1..5_usize, any::<bool>()), 1..4);
    let lines = (entries, any::<bool>()).prop_map(|(entries, is_list)| {
        let mut lines = vec![if is_list { "LIST" } else { "MAP" }.to_owned()];
        for (number, (value, noise, by, is_flush)) in entries.into_iter().enumerate() {
            lines.extend(noise);
            let is_collection = matches!(value[0].as_str(), "LIST" | "MAP");
            let key = if is_list { "-".to_owned() } else { format!("k{number}:") };
            let by = if is_list { by + 1 } else { by };
            let by = if !is_list && is_flush && value[0] == "LIST" { 0 } else { by };
            let pad = " ".repeat(by);
            let rest = |lines: &[String]| -> Vec<String> {
                lines.iter().map(|line| if line.is_empty() { line.clone() } else { format!("{pad}{line}") }).collect()
            };
            match (is_collection, is_list) {
                // The first entry may be beside the dash, unless a comment is between them.
                (true, true) if !value[1].is_empty() && !value[1].starts_with('#') => {
                    lines.push(format!("-{}{}", " ".repeat(by - 1), value[1]));
                    lines.extend(rest(&value[2..]));
                }
                (true, _) => {
                    lines.push(key);
                    lines.extend(rest(&value[1..]));
                }
                (false, _) => {
                    lines.push(format!("{key} {}", value[0]));
                    lines.extend(rest(&value[1..]));
                }
            }
        }
        lines
    });
    lines.boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn values_and_comments_stay_and_formatting_again_changes_nothing(lines in collection(3)) {
        let text = lines[1..].join("\n") + "\n";
        prop_assume!(resources(Input::of_file(SourceId::default(), text.as_bytes())).is_ok());
        let once = format(&text).map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))?;
        prop_assert_eq!(values(&once), values(&text), "{}", text);
        let comments = |text: &str| text.lines().filter(|line| line.trim_start().starts_with("# comment")).count();
        prop_assert_eq!(comments(&once), comments(&text));
        prop_assert_eq!(&format(&once).unwrap(), &once, "{}", text);
        // Keys are indented by two columns for each level.
        prop_assert!(once.lines().filter(|line| line.trim_start().starts_with('k')).all(|line| (line.len() - line.trim_start().len()) % 2 == 0));
    }

    #[test]
    fn any_text_is_formatted_or_refused(text in "[-a: #\n\"'|>{}\\[\\],&*!?%~1\t]{0,60}") {
        if let Ok(once) = format(&text) {
            prop_assert_eq!(values(&once), values(&text));
        }
    }
}

#[test]
fn what_cannot_be_formatted_is_refused_with_its_place() {
    for (text, place, reason) in
        [("a: [1\n", (1, 4), "not valid YAML"), ("  a: 1\nb: 2\n", (2, 1), "something follows the end")]
    {
        let error = format(text).unwrap_err();
        assert!(error.message.contains(reason), "{text}: {error:?}");
        assert_eq!((error.place.line, error.place.column), place, "{text}: {error:?}");
    }
}
