//! `examples-platform`: the repository of a team with four add-ons is valid on both hubs, and every upgrade can be planned.

use std::fs;
use std::path::Path;

use super::{code, text, tidegate};
use crate::files_below::files_below;
use crate::root::path;
use crate::scratch::tempdir;

const OVERLAYS: [&str; 2] = ["overlays/staging", "overlays/production"];

/// The add-ons with the version that is rolled out, and the next one.
const ADDONS: [(&str, &str, &str); 4] = [
    ("cluster-proxy", "0.10.0", "0.11.0"),
    ("governance-policy-framework", "0.18.0", "0.19.0"),
    ("managed-serviceaccount", "0.9.0", "0.10.0"),
    ("otel-collector", "0.158.0", "0.159.0"),
];

/// Copies the repository, with the next version of an add-on.
fn upgraded(to: &Path, addon: &str, old: &str, new: &str) {
    for (name, mut content) in files_below(&path("examples-platform")) {
        if name == format!("base/{addon}/addon.yaml") {
            let text = String::from_utf8(content).unwrap();
            let line = format!("name: {addon}-{old} #");
            assert_eq!(text.matches(&line).count(), 1, "{text}");
            content = text.replace(&line, &format!("name: {addon}-{new} #")).into_bytes();
        }
        let target = to.join(name);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, content).unwrap();
    }
}

#[test]
fn the_repository_of_a_platform_team_is_valid_and_in_house_format() {
    let root = path("examples-platform");
    let root = root.to_str().unwrap();
    for overlay in OVERLAYS {
        let output = tidegate(&["validate", &format!("{root}/{overlay}"), "--strict"]);
        assert_eq!(code(&output), 0, "{overlay}: {}", text(&output.stdout));
    }
    for command in [&["policy", "test", root][..], &["fmt", "--check", root]] {
        let output = tidegate(command);
        assert_eq!(code(&output), 0, "{command:?}: {}", text(&output.stdout));
    }
}

#[test]
fn every_upgrade_of_a_platform_team_can_be_planned_on_both_hubs() {
    let base = path("examples-platform");
    for (addon, old, new) in ADDONS {
        let head = tempdir();
        upgraded(head.path(), addon, old, new);
        for overlay in OVERLAYS {
            let (base, head) = (base.to_str().unwrap(), head.path().to_str().unwrap());
            let output = tidegate(&["plan", "--base", base, "--head", head, "--overlay", overlay]);
            let plan = text(&output.stdout);
            assert_eq!(code(&output), 2, "{addon} {overlay}: {plan}{}", text(&output.stderr));
            assert!(plan.contains(&format!("~ {addon} {old} → {new}  digest")), "{plan}");
            assert!(plan.contains("add-ons: 1 changed") && !plan.to_lowercase().contains("blocked"), "{plan}");
            assert_eq!(
                plan.contains("approval \"production\" by 1 of sre"),
                overlay == "overlays/production",
                "{plan}"
            );
        }
    }
}

#[test]
fn the_plan_in_the_readme_is_the_real_one() {
    let head = tempdir();
    let (addon, old, new) = ADDONS[3];
    upgraded(head.path(), addon, old, new);
    let base = path("examples-platform");
    let (base, head) = (base.to_str().unwrap(), head.path().to_str().unwrap());
    let output = tidegate(&["plan", "--base", base, "--head", head]);
    let plan = text(&output.stdout).replace(head, "platform-new").replace(base, "platform");
    let readme = fs::read_to_string(path("examples-platform/README.md")).unwrap();
    let (_, shown) = readme.split_once("$ tidegate plan --base platform --head platform-new\n").unwrap();
    assert_eq!(shown.split_once("```").unwrap().0, plan);
}
