//! What is wrong with lists of people.

use super::builder::people;

#[test]
fn each_problem_has_a_sentence() {
    let problems = |aliases: &[(&str, &[&str])]| {
        people(aliases).problems().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(problems(&[("ada", &["ada@x", "key:SHA256:1"]), ("bob", &["bob@x"]), ("sre", &["ada", "bob"])]), "");
    assert_eq!(problems(&[("sre", &["ada", "key:SHA256:1"]), ("ada", &["ada@x"])]), "");
    insta::assert_snapshot!(problems(&[
        ("ada", &["ada@x"]),
        ("bob", &["ADA@x", "bob@x"]),
        ("dev", &["adda", "ops"]),
        ("ops", &["sre"]),
        ("sre", &["ops", "sre"]),
        ("nobody", &[]),
        ("mail@x", &["bob@x"]),
        ("mixed", &["ada", "cy@x", "di@x"]),
    ]));
}
