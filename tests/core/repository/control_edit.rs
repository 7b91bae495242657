//! Tests of editing control files.

use std::collections::BTreeSet;

use proptest::prelude::{Strategy, prop_oneof};
use tidegate_model::name::ClusterName;
use tidegate_repository::control::Mode;
use tidegate_repository::control::edit::{Change, Edited, edited};
use tidegate_repository::load;

use super::fixture::{shown, with};

fn clusters(names: &[&str]) -> BTreeSet<ClusterName> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn pause(reason: &str) -> Change {
    Change::Pause { reason: reason.to_owned() }
}

fn quarantine(names: &[&str], mode: Mode) -> Change {
    Change::Quarantine { clusters: clusters(names), mode, reason: "disks".to_owned() }
}

fn release(names: Option<&[&str]>) -> Change {
    Change::Release { clusters: names.map(clusters) }
}

fn abort(digest: &str) -> Change {
    Change::Abort { digest: digest.parse().unwrap(), reason: "wrong image".to_owned() }
}

fn retry() -> Change {
    let at = "2026-11-23T10:00:00Z".parse().unwrap();
    let clusters = Some(clusters(&["a", "b"]));
    Change::Retry { digest: "9c1e0d2f6ab4".parse().unwrap(), clusters, at, reason: "proxy fixed".to_owned() }
}

/// Applies changes one after the other, and shows the file after each.
fn steps(start: Option<&str>, changes: &[Change]) -> String {
    let mut text = start.map(str::to_owned);
    let mut shown = text.clone().unwrap_or_else(|| "(no file)\n".to_owned());
    for change in changes {
        shown += &format!("\n# {change:?}\n");
        match edited(text.as_deref().map(str::as_bytes), change).unwrap() {
            Edited::Unchanged => shown += "(unchanged)\n",
            Edited::Removed => {
                shown += "(removed)\n";
                text = None;
            }
            Edited::Written(new) => {
                shown += &new;
                text = Some(new);
            }
        }
    }
    shown
}

#[test]
fn a_file_is_created_changed_and_removed() {
    let changes = [
        Change::Resume,
        pause("alerts"),
        pause("another reason"),
        abort("9c1e0d2f6ab4"),
        abort("9c1e0d2f6ab4"),
        retry(),
        quarantine(&["a", "b"], Mode::Ignore),
        quarantine(&["b"], Mode::Exclude),
        quarantine(&["a"], Mode::Ignore),
        Change::Resume,
        Change::Continue,
        release(Some(&["a", "z"])),
        release(None),
    ];
    insta::assert_snapshot!("control_edit_life", steps(None, &changes));
    let only_pause = steps(None, &[pause("x"), Change::Resume, Change::Resume, release(None)]);
    insta::assert_snapshot!("control_edit_pause", only_pause);
}

#[test]
fn comments_and_other_fields_stay() {
    let text = "\
# Owned by the platform team.
apiVersion: tidegate.io/v1alpha1
kind: Control # this file

# Broken since the upgrade.
quarantine:
  # The rack is moved in December.
  - clusters: [a, b] # both
    mode: Exclude
    reason: >-
      rack
      move

# The end.
";
    let changes = [
        pause("alerts: \"#1\""),
        quarantine(&["c"], Mode::Ignore),
        abort("123456789012"),
        Change::Resume,
        Change::Continue,
        quarantine(&["a"], Mode::Ignore),
        release(None),
    ];
    insta::assert_snapshot!("control_edit_comments", steps(Some(text), &changes));
}

#[test]
fn unusual_layouts_are_edited_too() {
    let start = "apiVersion: tidegate.io/v1alpha1\nkind: Control\n";
    let layouts = [
        "{apiVersion: tidegate.io/v1alpha1, kind: Control, pause: {reason: x}}\n".to_owned(),
        format!("---\n{start}pause: {{reason: x}}\n---\n"),
        format!("{start}quarantine: [{{clusters: [z], reason: x}}]"),
        format!("{start}quarantine:\n- clusters: [z]\n  reason: x\n").replace('\n', "\r\n"),
        "\u{feff}kind: Control\n\"apiVersion\": 'tidegate.io/v1alpha1'\n...\n".to_owned(),
    ];
    let shown = layouts.map(|text| steps(Some(&text), &[quarantine(&["a"], Mode::Ignore), pause("y")]));
    insta::assert_snapshot!("control_edit_layouts", shown.join("\n=====\n"));
}

#[test]
fn a_file_that_is_not_a_control_file_is_left_alone() {
    for text in ["pause: [\n", "- a\n", "kind: A\n---\nkind: B\n"] {
        assert!(edited(Some(text.as_bytes()), &pause("x")).is_err(), "{text}");
    }
}

#[test]
fn any_reason_survives() {
    let long = "a b\n".repeat(2_500);
    for reason in [
        "---",
        "a\n---\nb",
        "'\"\\",
        "# not a comment",
        ": x",
        "\u{85}\u{2028}\u{7f}\0",
        "  \n x \n",
        &long,
        "true",
        "@`%",
    ] {
        let Ok(Edited::Written(text)) = edited(None, &pause(reason)) else { panic!("{reason:?}") };
        let loaded = load(&with("control/hello.yaml", &text), "");
        assert_eq!(shown(&loaded), Vec::<String>::new(), "{reason:?}\n{text}");
        assert!(loaded.repository.controls.pause(&"hello".parse().unwrap()).is_some());
    }
}

fn change() -> impl Strategy<Value = Change> {
    let names = || {
        proptest::collection::btree_set("[a-d]", 1..3)
            .prop_map(|names| names.iter().map(|name| name.parse().unwrap()).collect::<BTreeSet<ClusterName>>())
    };
    let reason = "[-a#:'\" \n|>{}]{0,12}x";
    prop_oneof![
        reason.prop_map(|reason| Change::Pause { reason }),
        proptest::strategy::Just(Change::Resume),
        proptest::strategy::Just(Change::Continue),
        ("[0-9a-f]{12}", reason).prop_map(|(digest, reason)| Change::Abort { digest: digest.parse().unwrap(), reason }),
        (names(), proptest::bool::ANY, reason).prop_map(|(clusters, excludes, reason)| {
            let mode = if excludes { Mode::Exclude } else { Mode::Ignore };
            Change::Quarantine { clusters, mode, reason }
        }),
        names().prop_map(|clusters| Change::Release { clusters: Some(clusters) }),
    ]
}

proptest::proptest! {
    #[test]
    fn any_sequence_of_changes_leaves_a_file_that_can_be_read(changes in proptest::collection::vec(change(), 1..12)) {
        let hello = "hello".parse().unwrap();
        let mut text: Option<String> = None;
        for change in &changes {
            match edited(text.as_deref().map(str::as_bytes), change).unwrap() {
                Edited::Unchanged => {}
                Edited::Removed => text = None,
                Edited::Written(new) => text = Some(new),
            }
            let again = edited(text.as_deref().map(str::as_bytes), change).unwrap();
            proptest::prop_assert_eq!(again, Edited::Unchanged, "{:?} twice", change);
            let Some(text) = &text else { continue };
            let loaded = load(&with("control/hello.yaml", text), "");
            proptest::prop_assert!(loaded.complaints.iter().all(|complaint| !complaint.is_error()), "{:?}\n{}", shown(&loaded), text);
            let controls = &loaded.repository.controls;
            match change {
                Change::Pause { .. } => proptest::prop_assert!(controls.pause(&hello).is_some()),
                Change::Resume => proptest::prop_assert!(controls.pause(&hello).is_none()),
                Change::Quarantine { clusters, mode, .. } => for cluster in clusters {
                    proptest::prop_assert_eq!(controls.quarantine(&hello, cluster).unwrap().1.mode, *mode);
                },
                Change::Release { clusters: Some(clusters) } => for cluster in clusters {
                    proptest::prop_assert!(controls.quarantine(&hello, cluster).is_none());
                },
                _ => {}
            }
        }
    }
}
