//! `--record` and `tidegate replay`: what the daemon decided is decided again, by the program, from the file.

use std::process::Output;

use super::world::World;
use crate::cli::tidegate;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// Returns what a command printed, and its exit code.
fn printed(output: &Output) -> (String, Option<i32>) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (String::from_utf8(text).unwrap(), output.status.code())
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_is_replayed_and_explained_at_any_plan() {
    let world = World::settled(20).await.recorded();
    let mut daemon = world.daemon("mirror.git").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    assert!(world.replayed() > 3);

    let path = world.path("recording-0").to_str().unwrap().to_owned();
    let (list, code) = printed(&tidegate(&["replay", &path]));
    assert_eq!(code, Some(0), "{list}");
    assert!(list.starts_with("tick 1 ") && list.contains("the daemon starts; "), "{list}");
    assert!(list.ends_with(" plans: the same decisions as those of the daemon\n"), "{list}");

    // The first plan that writes to clusters starts the canaries.
    let starts = |line: &&str| line.contains(" writes") && !line.contains("no writes");
    let tick = list.lines().filter(starts).find_map(|line| line.split_whitespace().nth(1).filter(|tick| *tick != "1"));
    let (writes, code) = printed(&tidegate(&["replay", &path, "--tick", tick.unwrap()]));
    assert_eq!(code, Some(0), "{writes}");
    assert!(writes.lines().skip(1).all(|line| line.starts_with("  ")) && writes.lines().count() > 1, "{writes}");

    let explain = ["explain", "hello-template", "--recording", &path];
    let (last, _) = printed(&tidegate(&explain));
    assert!(last.contains("0.4.1") && last.contains("Completed"), "{last}");
    let (first, _) = printed(&tidegate(&[&explain[..], &["--tick", "1"]].concat()));
    assert!(first.contains("0.4.0") && !first.contains("0.4.1"), "{first}");
    let (cluster, _) = printed(&tidegate(&["explain", "hello-template", "aws-001", "--recording", &path]));
    assert!(cluster.contains("aws-001") && cluster.contains("Succeeded"), "{cluster}");
}

#[test]
fn a_file_that_cannot_be_replayed_is_named_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notes.txt");
    std::fs::write(&path, "notes").unwrap();
    let path = path.to_str().unwrap();
    let no_recording = format!("{path}: it is not a recording of tidegate");
    for arguments in [&["replay", path][..], &["explain", "hello", "--recording", path]] {
        let (said, code) = printed(&tidegate(arguments));
        assert!(said.contains(&no_recording), "{said}");
        assert_eq!(code, Some(2));
    }
    let (said, code) = printed(&tidegate(&["replay", "/does/not/exist"]));
    assert!(said.contains("/does/not/exist: No such file"), "{said}");
    assert_eq!(code, Some(2));
}
