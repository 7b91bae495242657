//! Any expression terminates, with an answer or an error.

use proptest::prelude::*;
use tidegate_cel::{Evaluator, Program};

use super::{Example, cluster};

/// Fragments of expressions, so that tests reach more than the lexer.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "managedCluster",
        ".metadata",
        ".labels",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ",",
        ":",
        "?",
        ".?",
        "[?",
        "==",
        "!=",
        "<",
        "&&",
        "||",
        "!",
        "-",
        "+",
        "*",
        "/",
        "%",
        " in ",
        "1",
        "0",
        "9223372036854775807",
        "1u",
        "1.5",
        "'a'",
        "b'a'",
        "r'('",
        "null",
        "true",
        "has(",
        ".all(x, x",
        ".map(x, ",
        ".exists(",
        "size(",
        "int(",
        "string(",
        "timestamp(",
        "duration(",
        ".matches(",
        ".format([",
        "quantity(",
        "semver(",
        "url(",
        "ip(",
        "cidr(",
        ".parseJSON()",
        ".scores('default')",
        ".sum()",
        ".join()",
        "x",
        "\n",
        "'\\u00e9'",
        "optional.of(",
        ".orValue(",
        ".split(",
        ".replace(",
        "type(",
        "dyn(",
        "format.named(",
        ".validate(",
    ];
    prop_oneof![8 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,6}"]
}

/// Well-formed expressions, built recursively.
fn well_formed() -> impl Strategy<Value = String> {
    let leaf = proptest::sample::select(vec![
        "1",
        "2u",
        "0.5",
        "'ab'",
        "b'x'",
        "true",
        "null",
        "managedCluster",
        "managedCluster.metadata.labels",
        "[1, 2]",
        "{'a': 1}",
        "managedCluster.status.clusterClaims",
        "duration('1h')",
        "timestamp('2026-01-01T00:00:00Z')",
        "quantity('1Gi')",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(6, 40, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        let operator = proptest::sample::select(vec!["+", "-", "*", "/", "%", "==", "<", ">=", "in", "&&", "||"]);
        prop_oneof![
            (pair.clone(), operator).prop_map(|((a, b), operator)| format!("({a} {operator} {b})")),
            (inner.clone(), proptest::sample::select(vec!["size", "string", "int", "dyn", "type", "uint", "double"]))
                .prop_map(|(a, function)| format!("{function}({a})")),
            pair.clone().prop_map(|(a, b)| format!("dyn({a})[{b}]")),
            pair.clone().prop_map(|(a, b)| format!("[{a}, {b}].map(x, x == {a})")),
            pair.clone().prop_map(|(a, b)| format!("(dyn({a}) == dyn({b}) ? {a} : {b})")),
            pair.prop_map(|(a, b)| format!("[{a}].exists(x, x in [{b}])")),
        ]
    })
}

fn ends(text: &str) {
    if let Ok(program) = Program::compile(text) {
        let first = Evaluator::default().evaluate(&program, &cluster(), &Example);
        let second = Evaluator::default().evaluate(&program, &cluster(), &Example);
        assert_eq!(first, second, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_terminates(text in "\\PC{0,60}") {
        ends(&text);
    }

    #[test]
    fn any_sequence_of_fragments_terminates(pieces in prop::collection::vec(piece(), 0..25)) {
        ends(&pieces.concat());
    }

    #[test]
    fn any_well_formed_expression_terminates(text in well_formed()) {
        ends(&text);
    }
}
