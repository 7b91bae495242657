//! Malicious files.

use tidegate_kustomize::yaml::{MAX_BYTES, MAX_DEPTH};

use super::{complaint, read, read_kustomization};

#[test]
fn files_that_are_too_long_are_rejected() {
    let long = "#".repeat(MAX_BYTES + 1);
    assert_eq!(complaint(&long), "1:1: the file has 4194305 bytes, and at most 4194304 are read; split it");
}

#[test]
fn files_that_nest_too_deeply_are_rejected() {
    let too_deep = "nests deeper than 64 levels; flatten it";
    for open in ["[", "{a: ", "- ", "[{a: "] {
        assert!(complaint(&open.repeat(200)).ends_with(too_deep), "{open}");
        assert!(complaint(&open.repeat(100_000)).ends_with(too_deep), "{open}");
    }
    let nested = |levels: usize| format!("{}a{}", "[".repeat(levels), "]".repeat(levels));
    assert!(read(&nested(MAX_DEPTH - 1)).is_ok());
    assert!(read(&nested(MAX_DEPTH)).is_err());
    let doubled = format!("a: &a {}\nb: {}*a{}\n", nested(40), "[".repeat(40), "]".repeat(40));
    assert!(complaint(&doubled).ends_with(too_deep));
}

#[test]
fn the_number_of_aliased_nodes_is_bounded() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        let aliases = vec![format!("*a{}", i - 1); 10].join(", ");
        text.push_str(&format!("a{i}: &a{i} [{aliases}]\n"));
    }
    for error in [read(&text).unwrap_err(), read_kustomization(&text).unwrap_err()] {
        assert_eq!(error.message, "anchors and aliases expand to more than 100000 values; write them out");
        assert_eq!(error.place.line, 5);
    }
    let documents = format!("a: &a [{}]\nb: [*a]\n---\n", "x, ".repeat(20_000)).repeat(4);
    assert!(complaint(&documents).starts_with("7:"), "all documents of a file share one limit");
}

#[test]
fn wide_files_are_parsed_in_linear_time() {
    let keys: String = (0..20_000).map(|i| format!("k{i}: {i}\n")).collect();
    assert_eq!(read(&keys).unwrap()[0].as_mapping().unwrap().len(), 20_000);
    assert_eq!(read(&"- x\n".repeat(50_000)).unwrap()[0].as_sequence().unwrap().len(), 50_000);
}
