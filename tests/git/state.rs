//! Tests of the state directory of a mirror across restarts.

use tidegate_git::{Error, Mirror};

use super::fixture::{File, Scratch, commit, tips};

fn send_and_sync<T: Send + Sync>(value: T) -> T {
    value
}

#[test]
fn reopened_mirror_has_the_same_content() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let journal = {
        let mirror = send_and_sync(scratch.mirror("deep/state"));
        mirror.fetch(&["main"]).unwrap();
        mirror.commit(&commit("journal", None, &[("b", Some("2"))])).unwrap()
    };
    let mirror = scratch.mirror("deep/state");
    assert_eq!(mirror.read(&main, "a").unwrap().unwrap(), b"1");
    assert_eq!(mirror.local("journal").unwrap(), Some(journal));
    assert_eq!(mirror.local("main").unwrap(), None, "fetched branches are not local ones");
}

#[test]
fn directory_has_one_user_at_a_time() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let second = Mirror::open(scratch.path().join("state"), scratch.remote());
    assert!(matches!(second, Err(Error::InUse { .. })));
    drop(mirror);
    scratch.mirror("state");
}

#[test]
fn a_state_directory_that_is_a_file_is_an_error() {
    let scratch = Scratch::new();
    std::fs::write(scratch.path().join("file"), "").unwrap();
    assert!(matches!(Mirror::open(scratch.path().join("file"), scratch.remote()), Err(Error::Open { .. })));
}

#[test]
fn stale_locks_of_a_killed_process_are_removed() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let first = scratch.mirror("state").commit(&commit("team/journal", None, &[("a", Some("1"))])).unwrap();
    let git_dir = scratch.path().join("state/mirror.git");
    for lock in ["refs/heads/team/journal.lock", "packed-refs.lock", "refs/remotes/origin/main.lock"] {
        let lock = git_dir.join(lock);
        std::fs::create_dir_all(lock.parent().unwrap()).unwrap();
        std::fs::write(lock, "").unwrap();
    }
    let mirror = scratch.mirror("state");
    mirror.commit(&commit("team/journal", Some(&first), &[("a", Some("2"))])).unwrap();
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
}

#[test]
fn process_killed_while_creating_the_mirror_leaves_no_partial_one() {
    let scratch = Scratch::new();
    let half = scratch.path().join("state/mirror.git.new-half");
    let other = scratch.path().join("state/new-notes");
    for directory in [&half, &other] {
        std::fs::create_dir_all(directory.join("objects")).unwrap();
    }
    let mirror = scratch.mirror("state");
    mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    assert!(!half.exists() && other.exists(), "only what Tidegate created is removed");
}

#[test]
fn many_fetches_leave_the_mirror_usable() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let mut tip = scratch.import("main", &[File("a", b"0")]);
    let first = tip.clone();
    mirror.fetch(&["main"]).unwrap();
    // More packs than one handle can hold.
    for at in 1..80 {
        tip = scratch.import_on(Some(tip.as_str()), "main", &[File("a", at.to_string().as_bytes())]);
        assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &tip)]));
    }
    assert_eq!(mirror.log(&tip, 100).unwrap().len(), 80);
    let packs = std::fs::read_dir(scratch.path().join("state/mirror.git/objects/pack")).unwrap();
    assert!(packs.count() < 2 * 51, "small packs were combined");
    scratch.assert_mirror_sound("state");
    assert_eq!(mirror.read(&first, "a").unwrap().unwrap(), b"0");
}

#[test]
fn loose_objects_are_packed_and_none_is_lost() {
    let (scratch, mirror) = Scratch::with_mirror();
    scratch.import("main", &[File("a", b"1")]);
    mirror.fetch(&["main"]).unwrap();
    // Housekeeping looks at only one of the 256 directories to estimate the number of objects: all of these are in it.
    let is_there = |name: &String| {
        let id = gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, name.as_bytes()).unwrap();
        id.to_string().starts_with("17")
    };
    let names: Vec<String> = (0..).map(|at| format!("{}/{at}", at % 5)).filter(is_there).take(40).collect();
    let files: Vec<(&str, Option<&str>)> = names.iter().map(|name| (name.as_str(), Some(name.as_str()))).collect();
    let lost = mirror.commit(&commit("journal", None, &files)).unwrap();
    // The first commit is no longer reachable from a branch.
    let next = mirror.commit(&commit("other", None, &[("b", Some("2"))])).unwrap();
    mirror.reset_local("journal", Some(&lost), &next).unwrap();
    let loose = || {
        let counts = scratch.git_mirror("state", &["count-objects", "-v"]);
        counts.lines().find_map(|line| line.strip_prefix("count: ")).unwrap().parse::<usize>().unwrap()
    };
    let before = scratch.assert_mirror_sound("state");
    assert!(loose() > 40);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(mirror.tree(&lost, "").unwrap().files.len(), 40);
                }
            });
        }
        mirror.fetch(&["main"]).unwrap();
    });
    // It may have been skipped while other threads were reading.
    mirror.repack().unwrap();
    assert_eq!(loose(), 0);
    assert_eq!(scratch.assert_mirror_sound("state"), before);
    assert_eq!(mirror.tree(&lost, "").unwrap().files.len(), 40);
    drop(mirror);
    assert_eq!(scratch.mirror("state").tree(&lost, "").unwrap().files.len(), 40);
}
