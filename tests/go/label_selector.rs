use proptest::prelude::*;
use tidegate_go::label_selector::LabelSelector;

/// Returns `true` if a selector matches the labels of an object.
fn matches(selector: &str, labels: &[(&str, &'static str)]) -> bool {
    let value = |key: &str| labels.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    LabelSelector::parse(selector).unwrap().matches(value)
}

#[test]
fn requirements_are_met_as_in_apimachinery() {
    let labels = [("app", "web"), ("tier", ""), ("size", "7"), ("example.com/in", "a")];
    for selector in [
        "",
        " \t\r\n",
        "app",
        "app=web",
        "app==web",
        " app = web ",
        "app!=db",
        "app in (db, web)",
        "app in(web)",
        "app notin (db)",
        "old notin (a)",
        "old!=a",
        "!old",
        "! old",
        "tier=",
        "tier==,app",
        "tier in ()",
        "tier in (,a)",
        "tier in (a,)",
        "tier in (a,,b)",
        "tier in (,)",
        "size>6,size<8",
        "example.com/in in (a)",
        "app!=in,app!=notin",
    ] {
        assert!(matches(selector, &labels), "{selector}");
    }
    for selector in
        ["old", "!app", "app=db", "app!=web", "app notin (web)", "tier in (a)", "size>7", "app<9", "old=", "app,old"]
    {
        assert!(!matches(selector, &labels), "{selector}");
    }
}

#[test]
fn messages_are_those_of_apimachinery() {
    let name_rule = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character \
                     (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
                     '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    let value_rule = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start \
                      and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation \
                      is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    let integer_rule = "for 'Gt', 'Lt' operators, the value must be an integer";
    let inside = |message: &str| format!("unable to parse requirement: {message}");
    for (selector, message) in [
        ("=", "found '=', expected: !, identifier, or 'end of string'".to_owned()),
        (",a", "found ',', expected: !, identifier, or 'end of string'".to_owned()),
        ("a,", "found '', expected: identifier after ','".to_owned()),
        ("a,=", "found '=', expected: identifier after ','".to_owned()),
        ("a=b c", "found 'c', expected: ',' or 'end of string'".to_owned()),
        ("!a=b", "found '=', expected: ',' or 'end of string'".to_owned()),
        ("!", inside("found '', expected: identifier")),
        ("a b", inside("found 'b', expected: in, notin, =, ==, !=, gt, lt")),
        ("a=(", inside("found '(', expected: identifier")),
        ("a in", inside("found '' expected: '('")),
        ("a in b", inside("found 'b' expected: '('")),
        ("a in (", inside("found '', expected: ',', ')' or identifier")),
        ("a in (=", inside("found '=', expected: ',', ')' or identifier")),
        ("a in (b", inside("found '', expected: ',' or ')'")),
        ("a in (b c)", inside("found 'c', expected: ',' or ')'")),
        ("a in (b,", inside("found '', expected: ',', or identifier")),
        ("a in (,=", inside("found '=', expected: ',', or identifier")),
        ("-", inside(&format!("<nil>: Invalid value: \"-\": name part {name_rule}"))),
        ("/a", inside("<nil>: Invalid value: \"/a\": prefix part must be non-empty")),
        (
            "a/b/c",
            inside(&format!(
                "<nil>: Invalid value: \"a/b/c\": a valid label key {name_rule} with an optional DNS subdomain prefix and '/' \
                 (e.g. 'example.com/MyName')"
            )),
        ),
        ("a=-", inside(&format!("values[0][a]: Invalid value: \"-\": {value_rule}"))),
        (
            "a in (b,_,-)",
            inside(&format!(
                "[values[0][a]: Invalid value: \"-\": {value_rule}, values[1][a]: Invalid value: \"_\": {value_rule}]"
            )),
        ),
        ("a>b", inside(&format!("values[0]: Invalid value: \"b\": {integer_rule}"))),
        ("a<", inside(&format!("values[0]: Invalid value: \"\": {integer_rule}"))),
        (
            "a>-",
            inside(&format!(
                "[values[0]: Invalid value: \"-\": {integer_rule}, values[0][a]: Invalid value: \"-\": {value_rule}]"
            )),
        ),
    ] {
        assert_eq!(LabelSelector::parse(selector).unwrap_err().to_string(), message, "{selector}");
    }
}

#[test]
fn other_spaces_do_not_separate_tokens() {
    for selector in ["a\u{c}b", "a\u{b}", "\u{a0}a", "a=b\u{c}"] {
        assert!(LabelSelector::parse(selector).is_err(), "{selector:?}");
    }
}

proptest! {
    #[test]
    fn every_selector_is_parsed_or_refused(selector in "[a-c =!(),><\\-\u{c}]{0,16}|\\PC{0,16}") {
        let _ = LabelSelector::parse(&selector);
    }
}
