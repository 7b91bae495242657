//! The state directory of a mirror across restarts.

use tidegate::git::{Error, Mirror};

use super::fixture::{File, Scratch, commit, tips};

fn send_and_sync<T: Send + Sync>(value: T) -> T {
    value
}

#[test]
fn reopened_mirror_holds_what_it_held() {
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
fn broken_directory_is_told() {
    let scratch = Scratch::new();
    drop(scratch.mirror("state"));
    let state = scratch.path().join("state");
    std::fs::write(state.join("mirror.git/config"), "[core\nbroken").unwrap();
    assert!(matches!(Mirror::open(&state, scratch.remote()), Err(Error::Open { .. })));
    std::fs::remove_dir_all(state.join("mirror.git")).unwrap();
    std::fs::create_dir(state.join("mirror.git")).unwrap();
    assert!(matches!(Mirror::open(&state, scratch.remote()), Err(Error::Open { .. })));
    std::fs::write(scratch.path().join("file"), "").unwrap();
    assert!(matches!(Mirror::open(scratch.path().join("file"), scratch.remote()), Err(Error::Open { .. })));
}

#[test]
fn locks_of_a_killed_process_block_nothing() {
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
fn process_killed_while_making_the_mirror_leaves_no_half_of_one() {
    let scratch = Scratch::new();
    let half = scratch.path().join("state/new-half");
    std::fs::create_dir_all(half.join("objects")).unwrap();
    let mirror = scratch.mirror("state");
    mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
}

#[test]
fn many_fetches_leave_the_mirror_usable() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let mut tip = scratch.import("main", &[File("a", b"0")]);
    let first = tip.clone();
    mirror.fetch(&["main"]).unwrap();
    // More packs than one handle has room for.
    for at in 1..80 {
        tip = scratch.import_on(Some(tip.as_str()), "main", &[File("a", at.to_string().as_bytes())]);
        assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &tip)]));
    }
    assert_eq!(mirror.log(&tip, 100).unwrap().len(), 80);
    assert_eq!(mirror.read(&first, "a").unwrap().unwrap(), b"0");
}
