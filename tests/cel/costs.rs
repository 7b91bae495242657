//! The cost of an evaluation, as upstream counts it.

use super::ask;

#[test]
fn costs_match_upstream() {
    let cases = [
        ("true", 0),
        ("managedCluster.metadata.labels[\"env\"] == \"prod\"", 5),
        ("semver(managedCluster.metadata.labels[\"version\"]).isLessThan(semver(\"1.31.0\"))", 7),
        ("[1, 2, 3].size() == 3", 12),
    ];
    for (text, cost) in cases {
        assert_eq!(ask(text).cost, cost, "{text}");
    }
}

#[test]
fn an_evaluation_that_costs_too_much_is_aborted() {
    let list = "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]";
    let cubic = format!("{list}.all(a, {list}.all(b, {list}.all(c, {list}.all(d, a + b + c + d == 4))))");
    let answer = ask(&cubic);
    assert!(!answer.holds, "it is true, but costs too much");
    assert!((1_000_000..1_100_000).contains(&answer.cost), "{answer:?}");
}

#[test]
fn work_that_costs_nothing_is_bounded() {
    let doubled = (0..40).fold("'ab'".to_owned(), |text, _| format!("[{text}].map(x, x + x)[0]"));
    let answer = ask(&format!("size({doubled}) > 0"));
    assert!(!answer.holds, "a string of 2^41 characters must not be created: {answer:?}");
}
