//! The library: its policies are sound, and their tests show both results.

use tidegate_review::policy::{library, test};

#[test]
fn every_policy_of_the_library_passes_its_tests() {
    assert_eq!(library::FILES.len(), 10);
    for file in library::FILES {
        let policies = super::good(file.text);
        let [policy] = policies.as_slice() else { panic!("{}", file.name) };
        assert_eq!(format!("{}.yaml", policy.name), file.name);
        let problems: Vec<_> = test(policy).into_iter().filter(|result| result.problem.is_some()).collect();
        assert!(problems.is_empty(), "{}: {problems:#?}", file.name);
        for passes in [true, false] {
            assert!(policy.tests.iter().any(|test| test.passes == passes), "{} needs a test with {passes}", file.name);
        }
        assert!(policy.remedy.is_some(), "{}", file.name);
    }
}

#[test]
fn a_test_with_a_misspelled_field_or_another_result_fails() {
    let text = super::policy("a", "addon.changed < 10").replace(
        "spec:",
        "spec:\n  tests:\n  - {name: a, addon: {chnged: 3}, expect: pass}\n  - {name: b, addon: {changed: 30}, expect: pass}\n  - {name: c, expect: fail}",
    );
    let policies = super::good(&text);
    let problems: Vec<String> = test(&policies[0]).into_iter().filter_map(|result| result.problem).collect();
    assert_eq!(problems.len(), 3);
    assert!(
        problems[0].starts_with("addon does not fit the documented variable: unknown field `chnged`"),
        "{}",
        problems[0]
    );
    assert_eq!(
        problems[1..],
        ["the rule is false, but should be true: refused", "the rule is true, but should be false"]
    );
}
