//! What the commands print about a journal, for people and for programs.

use serde_json::Value;

use super::clone::{JOURNAL, laid, run, seen};
use super::scene::{Scene, journey};
use crate::git_command::git;

#[test]
fn commands_that_read_the_journal_use_the_clone_in_the_current_directory() {
    let (directory, bare) = laid(&journey(), JOURNAL, "");
    git(&bare, &["branch", "main", JOURNAL]);
    git(directory.path(), &["clone", "--quiet", "repo.git", "clone"]);
    let inside = directory.path().join("clone/addons");
    for command in [&["status"][..], &["status", "-o", "json"], &["history"], &["verify-history"]] {
        let (here, there) = (crate::cli::tidegate_in(&inside, command), run(&bare, command));
        let said = String::from_utf8([here.stdout, here.stderr].concat()).unwrap();
        assert_eq!(here.status.code(), Some(0), "{command:?}: {said}");
        let all_but_age = |text: &str| text.lines().filter(|line| !line.contains(" ago")).count();
        assert_eq!(all_but_age(&said), all_but_age(&there.1), "{command:?}: {said}");
    }
    let explained = crate::cli::tidegate_in(&inside, &["explain", "other"]);
    let said = String::from_utf8(explained.stderr).unwrap();
    assert!(said.contains("the journal has no add-on \"other\""), "{said}");
    let outside = crate::cli::tidegate_in(directory.path(), &["status"]);
    let said = String::from_utf8(outside.stderr).unwrap();
    assert!(outside.status.code() == Some(2) && said.contains("give a clone or a URL with --source"), "{said}");
}

#[test]
fn the_history_is_printed_for_people_and_for_programs() {
    let (_directory, bare) = laid(&journey(), JOURNAL, "");
    let (code, table) = run(&bare, &["history"]);
    assert_eq!(code, 0, "{table}");
    let (table, notice) = table.split_once("\ndecisions that people made").unwrap();
    assert!(notice.contains("does not have the branch that the daemon follows"), "{notice}");
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    insta::assert_snapshot!("history", seen(&bare, &["history"]));
    insta::assert_snapshot!("history_of_an_addon", seen(&bare, &["history", "hello"]));
    insta::assert_snapshot!("history_of_a_cluster", seen(&bare, &["history", "--cluster", "b"]));
    let document = |arguments: &[&str]| -> Value {
        let (_, said) = run(&bare, &[&["history", "-o", "json"], arguments].concat());
        serde_json::from_str(&said[..said.find("decisions that people made").unwrap()]).unwrap()
    };
    let all = document(&[]);
    super::schema::meets("history", &all);
    assert_eq!(all["rollouts"].as_array().unwrap().len(), 6);
    let since = document(&["--since", "2026-11-21T11:00:00Z"]);
    assert_eq!(since["rollouts"].as_array().unwrap().len(), 4);
    let refused: [&[&str]; 4] = [&["other"], &["--since", "yesterday"], &["--since", "0"], &["--since", "2030-01-01"]];
    let refused = refused.map(|arguments| seen(&bare, &[&["history"], arguments].concat()));
    insta::assert_snapshot!("history_of_nothing", refused.join("\n"));
}

#[test]
fn the_program_prints_the_schemas() {
    let names = String::from_utf8(crate::cli::tidegate(&["schema"]).stdout).unwrap();
    for name in ["status", "sync", "clusters", "rollout", "history"] {
        assert!(names.lines().any(|line| line == name), "{names}");
    }
    let printed = crate::cli::tidegate(&["schema", "rollout"]);
    assert!(printed.stdout == std::fs::read("docs/schemas/rollout.json").unwrap(), "docs/schemas is out of date");
}

#[test]
fn missing_rollouts_and_truncated_columns_are_reported() {
    let mut scene = journey();
    let sealed = "addons/hello/rollouts/2.yaml".to_owned();
    scene.commit(95, &super::scene::eve(), "tidy\n", [(sealed, None)].into());
    let (_directory, bare) = laid(&scene, JOURNAL, "");
    insta::assert_snapshot!("missing_rollout", seen(&bare, &["history"]));
    let mut scene = Scene::default();
    let mut long = super::scene::report(&format!("0.4.0-{}", "long".repeat(30)), &[]);
    long.notices.push("x".repeat(200));
    scene.tell(1, 1, &long);
    let (_directory, bare) = laid(&scene, JOURNAL, "");
    insta::assert_snapshot!("truncated_column", seen(&bare, &["history"]));
}
