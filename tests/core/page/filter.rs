//! Filters.

use tidegate_page::Filter;

fn matches(filter: &str, name: &str) -> bool {
    Filter::parse(filter).unwrap().matches(|field| (field == "name").then_some(name), |_| None)
}

#[test]
fn a_star_is_any_text() {
    for (pattern, text, expected) in [
        ("edge*", "edge-1", true),
        ("edge*", "an-edge", false),
        ("*edge", "an-edge", true),
        ("a*b*c", "a-b-b-c", true),
        ("a*b*c", "a-c-b", false),
        ("*", "", true),
        ("aa*aa", "aaa", false),
        ("EDGE", "edge", true),
    ] {
        assert_eq!(matches(&format!("name={pattern}"), text), expected, "{pattern} {text}");
    }
}

#[test]
fn a_filter_is_never_slow() {
    let stars = "*a".repeat(400);
    let text = "a".repeat(250);
    let started = std::time::Instant::now();
    for _ in 0..1_000 {
        assert!(!matches(&format!("name={stars}"), &text));
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    assert!(Filter::parse(&"a ".repeat(21)).is_err() && Filter::parse(&"a".repeat(1_001)).is_err());
}

#[test]
fn two_negations_are_none() {
    assert!(matches("-name!=a", "a") && !matches("-name!=a", "b"));
    assert!(matches("-b", "a") && !matches("-a", "a"));
}
