//! Filters.

use tidegate_page::Filter;

fn matches(filter: &str, name: &str) -> bool {
    Filter::parse(filter).unwrap().matches(|field| if field == "name" { vec![name] } else { Vec::new() }, |_| None)
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

#[test]
fn quotes_keep_spaces_and_states_have_the_words_of_the_page() {
    assert!(matches("name=\"a b\"", "a b") && matches("\"a b\"", "xa by"));
    for known in ["state=done", "state=\"took too long\"", "state=Failed", "state:*", "state=in*"] {
        assert!(Filter::parse(known).is_ok(), "{known}");
    }
    for (wrong, reason) in [
        ("state=fialed", "there is no state \"fialed\"; did you mean \"failed\"?"),
        ("version<0.4.1", "\"version<0.4.1\": write =, : or != after \"version\""),
        ("name=\"a", "a quote is not closed; add \" at its end"),
    ] {
        assert_eq!(Filter::parse(wrong).unwrap_err().to_string(), reason);
    }
}
