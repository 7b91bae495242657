//! Tests of control files that are not regular, too large, or made to confuse.

use tidegate_model::tree::Tree;
use tidegate_repository::load;

use super::fixture::{good, shown, with};

const START: &str = "apiVersion: tidegate.io/v1alpha1\nkind: Control\n";

fn all_paused(tree: &Tree) -> bool {
    let repository = load(tree, "").repository;
    repository.addons.keys().all(|addon| repository.controls.pause(addon).is_some())
}

#[test]
fn a_link_or_a_file_instead_of_the_directory_pauses_everything() {
    let mut link = good();
    link.links.insert("control".to_owned(), "elsewhere".to_owned());
    link.skipped.insert("control".to_owned(), "it is a symbolic link, and only overlays follow links".to_owned());
    let file = with("control", "pause everything, please");
    for tree in [&link, &file] {
        assert!(all_paused(tree));
        let loaded = load(tree, "");
        assert!(loaded.repository.may_prune && loaded.repository.blocked.is_empty());
    }
    insta::assert_snapshot!(
        "control_not_a_directory",
        [shown(&load(&link, "")), shown(&load(&file, ""))].concat().join("\n")
    );
}

#[test]
fn a_control_file_that_is_a_link_pauses_its_addon() {
    let mut tree = good();
    tree.skipped
        .insert("control/hello.yaml".to_owned(), "it is a symbolic link, and only overlays follow links".to_owned());
    let loaded = load(&tree, "");
    assert!(loaded.repository.controls.pause(&"hello".parse().unwrap()).is_some());
    assert!(loaded.repository.controls.pause(&"other".parse().unwrap()).is_none());
}

#[test]
fn a_reason_is_one_short_line_without_control_characters() {
    let reason = "\"first\\nsecond \\e[31m\\u202e --- '\\\" ".to_owned() + &"x".repeat(10_000) + "\"";
    let loaded = load(&with("control/hello.yaml", &format!("{START}pause: {{reason: {reason}}}\n")), "");
    assert_eq!(shown(&loaded), Vec::<String>::new());
    let reason = &loaded.repository.controls.pause(&"hello".parse().unwrap()).unwrap().reason;
    assert!(
        reason.starts_with("first second \u{fffd}[31m\u{fffd} --- '\" xxx") && reason.chars().count() == 200,
        "{reason}"
    );
}

#[test]
fn a_file_that_expands_without_limit_pauses() {
    let mut text = format!("{START}a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (one, other) in ["ab", "bc", "cd", "de", "ef", "fg", "gh"].map(|pair| pair.split_at(1)) {
        text +=
            &format!("{other}: &{other} [*{one}, *{one}, *{one}, *{one}, *{one}, *{one}, *{one}, *{one}, *{one}]\n");
    }
    assert!(
        load(&with("control/hello.yaml", &text), "").repository.controls.pause(&"hello".parse().unwrap()).is_some()
    );
}

#[test]
fn many_mistakes_are_cut() {
    let text = START.to_owned() + &(0..2_000).map(|n| format!("field{n}: 1\n")).collect::<String>();
    assert!(load(&with("control/hello.yaml", &text), "").complaints.len() <= 50);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_pauses(text in "(apiVersion: tidegate.io/v1alpha1\nkind: Control\n)?[-a-z:{}\\[\\] '\"\n&*!|>#,]{0,60}") {
        let loaded = load(&with("control/hello.yaml", &text), "");
        let hello = "hello".parse().unwrap();
        let is_known = loaded.repository.controls.addons.contains_key("hello");
        proptest::prop_assert!(is_known, "{:?}", shown(&loaded));
        let has_errors = loaded.complaints.iter().any(|complaint| complaint.is_error());
        proptest::prop_assert!(!has_errors || loaded.repository.controls.pause(&hello).is_some());
    }
}
