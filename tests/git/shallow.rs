//! Tests of how much of a long history is fetched.

use std::collections::BTreeSet;

use tidegate_git::{Ancestry, Credentials, Mirror, Remote};

use super::fixture::{File, Scratch, commit, tips};
use super::http_backend::{Answer, HttpBackend};

/// Runs a test with a mirror that reaches its remote over a file URL, and with one that reaches it over HTTP.
fn over_both(test: impl Fn(&Scratch, &str, &Mirror)) {
    for state in ["over-file", "over-http"] {
        let scratch = Scratch::new();
        let server = HttpBackend::serve(scratch.path(), Answer::Open);
        let file = format!("file://{}", scratch.remote_path().display());
        let address = if state == "over-file" { file } else { server.url("remote.git") };
        let remote = Remote::new(&address, Credentials::None).unwrap();
        test(&scratch, state, &Mirror::open(scratch.path().join(state), remote).unwrap());
    }
}

#[test]
fn first_fetch_of_a_long_history_brings_one_commit() {
    over_both(|scratch, state, mirror| {
        let many = scratch.import_many(None, "main", 3_000);
        let tip = many.last().unwrap();
        assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", tip)]));
        let objects = scratch.assert_mirror_sound(state);
        assert_eq!(objects, 1 + 3 + 20, "the commit, its directories and its files");
        assert_eq!(mirror.tree(tip, "").unwrap().files.len(), 20);
        assert_eq!(mirror.log(tip, 10).unwrap().len(), 1, "the history ends at the shallow boundary");
        assert_eq!(mirror.commit_info(tip).unwrap().parents, many[2_998..2_999]);
    });
}

#[test]
fn later_fetches_bring_every_commit_in_between_and_nothing_older() {
    over_both(|scratch, state, mirror| {
        let many = scratch.import_many(None, "main", 2_000);
        mirror.fetch(&["main"]).unwrap();
        let next = scratch.import_many(many.last(), "main", 1);
        mirror.fetch(&["main"]).unwrap();
        assert_eq!(mirror.log(&next[0], 10).unwrap().len(), 2);
        let before = scratch.assert_mirror_sound(state);
        assert_eq!(before, 24 + 6, "the commit, three directories and two files");

        let more = scratch.import_many(next.last(), "main", 30);
        let tip = more.last().unwrap();
        mirror.fetch(&["main"]).unwrap();
        assert!(mirror.is_ancestor(&many[1_999], tip).unwrap());
        assert!(mirror.commits_between(Some(&many[1_999]), tip, 1_000).unwrap().len() == 31);
        let brought = scratch.assert_mirror_sound(state) - before;
        assert!(brought < 60 * 6, "{brought} objects");
        mirror.fetch(&["main"]).unwrap();
        assert_eq!(scratch.assert_mirror_sound(state) - before, brought, "nothing has changed");
    });
}

#[test]
fn merge_of_something_old_does_not_bring_the_whole_history() {
    over_both(|scratch, state, mirror| {
        let many = scratch.import_many(None, "main", 2_000);
        let side = scratch.import_many(Some(&many[1_990]), "side", 2);
        mirror.fetch(&["main"]).unwrap();
        let identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
        let merge = ["commit-tree", "-m", "merge", "-p", many[1_999].as_str(), "-p", side[1].as_str(), "main^{tree}"];
        let merge = scratch.git_remote(&[&identity[..], &merge].concat());
        scratch.git_remote(&["update-ref", "refs/heads/main", &merge]);
        let tip = mirror.fetch(&["main"]).unwrap().remove("main").unwrap();
        assert_eq!(tip.as_str(), merge);
        assert!(mirror.is_ancestor(&many[1_999], &tip).unwrap());
        assert!(scratch.assert_mirror_sound(state) < 70 * 6);
        let between = mirror.commits_between(Some(&many[1_999]), &tip, 10).unwrap();
        let ids: BTreeSet<_> = between.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, [merge.as_str(), side[0].as_str(), side[1].as_str()].into());
    });
}

#[test]
fn rewritten_branch_fetches_few_objects() {
    over_both(|scratch, state, mirror| {
        let many = scratch.import_many(None, "main", 2_000);
        mirror.fetch(&["main"]).unwrap();
        // Rewind the branch to before the commits that the mirror has, and continue from there.
        scratch.import_many(Some(&many[1_980]), "main", 3);
        mirror.fetch(&["main"]).unwrap();
        scratch.import_on(None, "main", &[File("fresh", b"1")]);
        mirror.fetch(&["main"]).unwrap();
        let objects = scratch.assert_mirror_sound(state);
        assert!(objects < 600 * 6, "{objects} objects");
        assert_eq!(mirror.tree(&many[1_999], "").unwrap().files.len(), 20, "the old commit stays");
    });
}

#[test]
fn whole_history_is_fetched_on_request() {
    over_both(|scratch, state, mirror| {
        let many = scratch.import_many(None, "main", 700);
        let journal = scratch.import_many(None, "journal", 300);
        mirror.fetch(&["main", "journal"]).unwrap();
        assert_eq!(mirror.log(&journal[299], 1_000).unwrap().len(), 1);
        mirror.fetch_full_history(&["journal"]).unwrap();
        assert_eq!(mirror.log(&journal[299], 1_000).unwrap().len(), 300);
        assert_eq!(mirror.log(&many[699], 1_000).unwrap().len(), 1, "the other branch is unchanged");
        let next = scratch.import_many(journal.last(), "journal", 5);
        mirror.fetch(&["journal"]).unwrap();
        assert_eq!(mirror.log(&next[4], 1_000).unwrap().len(), 305);
        mirror.fetch_full_history(&["main"]).unwrap();
        assert_eq!(mirror.log(&many[699], 1_000).unwrap().len(), 700);
        scratch.assert_mirror_sound(state);
        assert!(!scratch.path().join(state).join("mirror.git/shallow").exists(), "nothing is left out any longer");
    });
}

#[test]
fn push_works_on_top_of_a_shallow_history() {
    over_both(|scratch, state, mirror| {
        let many = scratch.import_many(None, "journal", 500);
        scratch.git_remote(&["config", "http.receivepack", "true"]);
        let mut tip = many[499].clone();
        mirror.fetch(&["journal"]).unwrap();
        mirror.reset_local("journal", None, &tip).unwrap();
        for at in 0..3 {
            let new = mirror.commit(&commit("journal", Some(&tip), &[("new/c", Some(&at.to_string()))])).unwrap();
            mirror.push("journal", Some(&tip), &new).unwrap();
            assert_eq!(mirror.fetch(&["journal"]).unwrap(), tips(&[("journal", &new)]));
            tip = new;
        }
        // Someone else commits, and so do we.
        let theirs = scratch.import("journal", &[File("theirs", b"1")]);
        mirror.fetch(&["journal"]).unwrap();
        mirror.reset_local("journal", Some(&tip), &theirs).unwrap();
        let new = mirror.commit(&commit("journal", Some(&theirs), &[("new/c", Some("last"))])).unwrap();
        mirror.push("journal", Some(&theirs), &new).unwrap();
        assert_eq!(scratch.git_remote(&["rev-list", "--count", "journal"]), "505");
        scratch.assert_sound();
        assert!(scratch.assert_mirror_sound(state) < 100);
    });
}

#[test]
fn server_with_the_first_protocol_version_is_supported() {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 1_000);
    let side = scratch.import_many(None, "side", 10);
    scratch.git_remote(&["update-ref", "refs/tags/v1.2.3", many[500].as_str()]);
    let server = HttpBackend::serve(scratch.path(), Answer::Old);
    let remote = Remote::new(&server.url("remote.git"), Credentials::None).unwrap();
    let mirror = Mirror::open(scratch.path().join("state"), remote).unwrap();
    assert_eq!(mirror.fetch(&["main", "absent"]).unwrap(), tips(&[("main", &many[999])]));
    // With this version the library always requests a depth relative to the shallow boundary.
    let before = scratch.assert_mirror_sound("state");
    let next = scratch.import_many(many.last(), "main", 20);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &next[19])]));
    assert!(scratch.assert_mirror_sound("state") - before <= 20 * 6);
    let tip = mirror.follow(&"^1.2".parse().unwrap()).unwrap().unwrap();
    assert_eq!((tip.name.as_str(), &tip.commit), ("refs/tags/v1.2.3", &many[500]));
    assert!(mirror.obtain(&side[5]).unwrap());
    assert!(!mirror.obtain(&"1".repeat(40).parse().unwrap()).unwrap());
    assert_eq!(mirror.ancestry(&many[500], &next[19]).unwrap(), Ancestry::Ahead);
    mirror.fetch_full_history(&["main"]).unwrap();
    assert_eq!(mirror.log(&next[19], 2_000).unwrap().len(), 1_020);
    assert_eq!(mirror.ancestry(&next[19], &many[7]).unwrap(), Ancestry::Behind);
    scratch.assert_mirror_sound("state");
}

#[test]
fn commit_with_a_missing_parent_that_is_not_listed_as_shallow_is_fetched_again() {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 100);
    {
        let mirror = scratch.mirror("state");
        mirror.fetch(&["main"]).unwrap();
    }
    // As if the process had been killed after it received the packfile and before it wrote the list.
    let git_dir = scratch.path().join("state/mirror.git");
    std::fs::remove_file(git_dir.join("shallow")).unwrap();
    std::fs::remove_file(git_dir.join("refs/remotes/origin/main")).unwrap();
    let mirror = scratch.mirror("state");
    assert!(!mirror.has(&many[99]).unwrap());
    mirror.fetch(&["main"]).unwrap();
    assert!(mirror.has(&many[99]).unwrap());
    assert_eq!(mirror.log(&many[99], 10).unwrap().len(), 1);
    scratch.assert_mirror_sound("state");
}

#[test]
fn many_threads_fetch_at_once() {
    let scratch = Scratch::new();
    scratch.import_many(None, "main", 50);
    scratch.import_many(None, "other", 50);
    let mirror = scratch.mirror("state");
    std::thread::scope(|scope| {
        for branch in ["main", "other", "main", "other"] {
            let mirror = &mirror;
            scope.spawn(move || assert_eq!(mirror.fetch(&[branch]).unwrap().len(), 1));
        }
    });
    scratch.assert_mirror_sound("state");
}
