//! Files of approvals: what is read from them, and which tricks make them malformed.

use tidegate_consent::file::{Approval, Entry, path, read, with, without};
use tidegate_model::instance::InstanceId;

const PATH: &str = "approvals/istio/9c1e0d2f6ab4-rest.yaml";

const GOOD: &str = "apiVersion: tidegate.io/v1alpha1
kind: Approval
addon: istio
digest: 9c1e0d2f6ab41f0c27a3b5d9e6f708112233445566778899aabbccddeeff0011
group: rest
approvals:
- by: ada
  at: 2026-11-23T10:00:00Z
  instance: 0000000000000007
  reason: the canaries are fine
";

fn entry(by: &str, reason: &str) -> Approval {
    Approval {
        api_version: "tidegate.io/v1alpha1".to_owned(),
        kind: "Approval".to_owned(),
        addon: "istio".parse().unwrap(),
        digest: "9c1e0d2f6ab41f0c27a3b5d9e6f708112233445566778899aabbccddeeff0011".to_owned(),
        group: Some("rest".to_owned()),
        approvals: vec![Entry {
            by: by.to_owned(),
            at: "2026-11-23T10:00:00Z".parse().unwrap(),
            instance: InstanceId::of(7),
            reason: reason.to_owned(),
            break_glass: false,
        }],
    }
}

#[test]
fn a_file_has_the_approvals_of_one_digest_and_group() {
    assert_eq!(read(PATH, GOOD.as_bytes()).unwrap(), entry("ada", "the canaries are fine"));
    let start = GOOD.replace("group: rest\n", "");
    assert_eq!(read(PATH, start.as_bytes()).unwrap().group, None);
    let glass = format!("# Ada and Bob agreed\n---\n{GOOD}  breakGlass: true\n").replace("---\n", "");
    assert!(read(PATH, glass.as_bytes()).unwrap().approvals[0].break_glass);
    assert!(read(PATH, GOOD.replace("- by: ada", "- by: \"ada\"").as_bytes()).is_ok());
    assert!(read(PATH, format!("---\n{GOOD}").as_bytes()).is_ok());
}

#[test]
fn the_path_is_safe_whatever_the_group_is_called() {
    let addon = "istio".parse().unwrap();
    assert_eq!(path(&addon, "9c1e0d2f6ab4ffff", Some("rest")), PATH);
    assert_eq!(path(&addon, "9c1e0d2f6ab4ffff", None), "approvals/istio/9c1e0d2f6ab4.yaml");
    assert_eq!(path(&addon, "9c1e0d2f6ab4", Some("rest/../x")), "approvals/istio/9c1e0d2f6ab4-rest_.._x.yaml");
}

#[test]
fn approvals_of_an_application_are_in_a_directory_of_its_own() {
    let web = "application/shop/web".parse().unwrap();
    let file = path(&web, "9c1e0d2f6ab4ffff", Some("rest"));
    assert_eq!(file, "approvals/applications/shop/web/9c1e0d2f6ab4-rest.yaml");
    let text = GOOD.replace("addon: istio", "addon: application/shop/web");
    assert_eq!(read(&file, text.as_bytes()).unwrap().addon, web);
    for other in [PATH, "approvals/applications/shop/9c1e0d2f6ab4.yaml", "approvals/application/shop/web/1.yaml"] {
        assert!(read(other, text.as_bytes()).is_err(), "{other}");
    }
    assert!(read(&file, GOOD.as_bytes()).is_err(), "it is about another unit");
}

#[test]
fn a_document_that_could_be_misread_is_malformed() {
    let cases: &[(&str, &str, String)] = &[
        ("an unknown field", PATH, format!("{GOOD}  glass: true\n")),
        ("an unknown field of the document", PATH, format!("signed: true\n{GOOD}")),
        ("a repeated key", PATH, format!("{GOOD}  by: bob\n")),
        ("a repeated list", PATH, format!("{GOOD}approvals: []\n")),
        ("a repeated digest", PATH, format!("{GOOD}digest: 000000000000\n")),
        ("two documents", PATH, format!("{GOOD}---\n{GOOD}")),
        ("an empty second document", PATH, format!("{GOOD}---\n")),
        ("an end of the document", PATH, format!("{GOOD}...\n")),
        ("an anchor", PATH, GOOD.replace("by: ada", "by: &a ada")),
        (
            "an alias",
            PATH,
            GOOD.replace("by: ada", "by: &a ada").replace("reason: the canaries are fine", "reason: *a"),
        ),
        ("a merge key", PATH, format!("{GOOD}  <<: {{breakGlass: true}}\n")),
        ("a tag", PATH, GOOD.replace("by: ada", "by: !!str ada")),
        ("a binary tag", PATH, GOOD.replace("by: ada", "by: !!binary YWRh")),
        ("a tag of its own", PATH, GOOD.replace("by: ada", "by: !person ada")),
        ("a tag of the document", PATH, format!("!Approval\n{GOOD}")),
        ("a tag of the list", PATH, GOOD.replace("approvals:", "approvals: !!set")),
        ("a directive", PATH, format!("%YAML 1.1\n---\n{GOOD}")),
        ("a tab", PATH, GOOD.replace("  at:", "\tat:")),
        ("a tab after a value", PATH, GOOD.replace("by: ada", "by: ada\t")),
        ("a carriage return in a line", PATH, GOOD.replace("by: ada", "by: ada\rby: bob")),
        ("a right-to-left override", PATH, GOOD.replace("by: ada", "by: \u{202e}ada")),
        ("an invisible character", PATH, GOOD.replace("by: ada", "by: ada\u{200b}")),
        ("a NUL", PATH, GOOD.replace("by: ada", "by: ada\0")),
        ("a list as a person", PATH, GOOD.replace("by: ada", "by: [ada, bob]")),
        ("a number as break glass", PATH, format!("{GOOD}  breakGlass: 1\n")),
        ("yes as break glass", PATH, format!("{GOOD}  breakGlass: yes\n")),
        ("no instance", PATH, GOOD.replace("  instance: 0000000000000007\n", "")),
        ("a short instance", PATH, GOOD.replace("0000000000000007", "7")),
        ("no time", PATH, GOOD.replace("  at: 2026-11-23T10:00:00Z\n", "")),
        ("a time without a zone", PATH, GOOD.replace("10:00:00Z", "10:00:00")),
        ("a date as time", PATH, GOOD.replace("T10:00:00Z", "")),
        ("no person", PATH, GOOD.replace("- by: ada\n  at", "- at")),
        ("another kind", PATH, GOOD.replace("kind: Approval", "kind: Control")),
        ("another version", PATH, GOOD.replace("v1alpha1", "v1")),
        ("eleven digits", PATH, GOOD.replace("9c1e0d2f6ab4", "9c1e0d2f6ab")),
        ("uppercase digits", PATH, GOOD.replace("9c1e0d2f6ab4", "9C1E0D2F6AB4")),
        (
            "a digest that is a number",
            PATH,
            GOOD.replace("9c1e0d2f6ab4", "1e400000000000000000000000000000000000000000000000000000000000000000"),
        ),
        ("an empty group", PATH, GOOD.replace("group: rest", "group: ''")),
        ("a null group", PATH, GOOD.replace("group: rest", "group: '  '")),
        ("the directory of another add-on", "approvals/otel/9c1e0d2f6ab4-rest.yaml", GOOD.to_owned()),
        ("a directory in other letters", "approvals/Istio/9c1e0d2f6ab4-rest.yaml", GOOD.to_owned()),
        ("a deeper directory", "approvals/istio/x/9c1e0d2f6ab4-rest.yaml", GOOD.to_owned()),
        ("no directory", "approvals/9c1e0d2f6ab4-rest.yaml", GOOD.to_owned()),
        ("another ending", "approvals/istio/9c1e0d2f6ab4-rest.yml", GOOD.to_owned()),
        ("an ending in other letters", "approvals/istio/9c1e0d2f6ab4-rest.YAML", GOOD.to_owned()),
        ("no name", "approvals/istio/.yaml", GOOD.to_owned()),
        ("an empty file", PATH, String::new()),
        ("only a comment", PATH, "# ada approves\n".to_owned()),
        ("a list of documents", PATH, "- approved\n".to_owned()),
        ("JSON in a string", PATH, "'{}'\n".to_owned()),
        ("a huge file", PATH, format!("{GOOD}# {}\n", "x".repeat(70_000))),
        (
            "too many approvals",
            PATH,
            format!("{GOOD}{}", "- {by: a, at: 2026-11-23T10:00:00Z, instance: 0000000000000007}\n".repeat(300)),
        ),
        ("deep nesting", PATH, format!("{GOOD}x: {}\n", "[".repeat(5_000))),
    ];
    for (name, path, text) in cases {
        assert!(read(path, text.as_bytes()).is_err(), "{name}");
    }
    assert!(read(PATH, &[GOOD.as_bytes(), b"\xff"].concat()).is_err());
    assert!(read(PATH, &[b"\xff\xfe", GOOD.as_bytes()].concat()).is_err());
}

#[test]
fn a_malformed_file_has_a_sentence() {
    let sentence = |text: String| read(PATH, text.as_bytes()).unwrap_err().to_string();
    insta::assert_snapshot!(
        [
            sentence(format!("{GOOD}  glass: true\n")),
            sentence(GOOD.replace("by: ada", "by: &a ada")),
            sentence(format!("{GOOD}  by: bob\n")),
            sentence(GOOD.replace("v1alpha1", "v1")),
            sentence(GOOD.replace("addon: istio", "addon: otel")),
            sentence(GOOD.replace("9c1e0d2f6ab4", "9c1e")),
            sentence(format!("{GOOD}---\n{GOOD}")),
            sentence(GOOD.replace("by: ada", "by: !!str ada")),
        ]
        .join("\n")
    );
}

#[test]
fn approvals_are_added_to_a_file_and_removed_from_it() {
    let first = with(PATH, None, &entry("ada", "")).unwrap();
    let second = with(PATH, Some(&first), &entry("bob", "a: \"b\" # & * ! - %")).unwrap();
    insta::assert_snapshot!(String::from_utf8(second.clone()).unwrap());
    let names = |bytes: &[u8]| read(PATH, bytes).unwrap().approvals.iter().map(|e| e.by.clone()).collect::<Vec<_>>();
    assert_eq!(names(&second), ["ada", "bob"]);
    let third = without(PATH, &second, |entry| entry.by == "ada").unwrap().unwrap();
    assert_eq!(names(&third), ["bob"]);
    assert_eq!(without(PATH, &third, |entry| entry.by == "bob").unwrap(), None);
    // The name of the file has only twelve digits, so two digests may meet in it.
    let mut other = entry("cy", "");
    other.digest.replace_range(63.., "2");
    assert!(with(PATH, Some(&first), &other).is_err());
    assert!(with(PATH, Some(b"approvals: ["), &entry("ada", "")).is_err());
}

#[test]
fn any_reason_can_be_written() {
    for reason in ["- a", "a: b", "*a", "&a", "!a", "%a", "'", "\"", "---", "yes", "1.0", &"long ".repeat(100)] {
        let reason = reason.trim();
        let bytes = with(PATH, None, &entry("ada", reason)).unwrap();
        assert_eq!(read(PATH, &bytes).unwrap().approvals[0].reason, reason);
    }
}
