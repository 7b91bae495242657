//! Tests of pushing to repositories that `git` serves.

use tidegate_git::{Credentials, Error, Mirror, PushError, Remote};
use tidegate_model::revision::CommitId;

use super::fixture::{File, Scratch, commit};
use super::http_backend::{Answer, HttpBackend};

/// Returns the number of objects in the remote.
fn objects(scratch: &Scratch) -> usize {
    scratch.git_remote(&["cat-file", "--batch-all-objects", "--batch-check"]).lines().count()
}

/// Returns the number of objects in the packs of the remote; an object in several packs counts several times.
fn packed(scratch: &Scratch) -> usize {
    let counts = scratch.git_remote(&["count-objects", "-v"]);
    counts.lines().find_map(|line| line.strip_prefix("in-pack: ")).unwrap().parse().unwrap()
}

#[test]
fn branch_is_created_and_continued() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let first = mirror.commit(&commit("tidegate/journal", None, &[("a", Some("1"))])).unwrap();
    mirror.push("tidegate/journal", None, &first).unwrap();
    assert_eq!(scratch.tip("tidegate/journal"), first);
    let second = mirror.commit(&commit("tidegate/journal", Some(&first), &[("a", Some("2"))])).unwrap();
    mirror.push("tidegate/journal", Some(&first), &second).unwrap();
    assert_eq!(scratch.tip("tidegate/journal"), second);
    assert_eq!(scratch.git_remote(&["show", "tidegate/journal:a"]), "2");
    scratch.assert_sound();
}

#[test]
fn only_what_the_remote_lacks_is_sent() {
    for (is_local, expected, what) in [
        (true, 4, "commit, root, folder and file"),
        (false, 6, "commit, root, folder and file; the library adds the parent and its root"),
    ] {
        let scratch = Scratch::new();
        let server = HttpBackend::serve(scratch.path(), Answer::Open);
        let names: Vec<String> = (0..300).map(|at| format!("{}/{at}", at % 10)).collect();
        let entries: Vec<_> = names.iter().map(|name| File(name, name.as_bytes())).collect();
        let base = scratch.import("main", &entries);
        let address = if is_local { scratch.remote().address() } else { server.url("remote.git") };
        let remote = Remote::new(&address, Credentials::None).unwrap();
        let mirror = Mirror::open(scratch.path().join("state"), remote).unwrap();
        mirror.fetch(&["main"]).unwrap();
        mirror.reset_local("main", None, &base).unwrap();
        let new = mirror.commit(&commit("main", Some(&base), &[("0/0", Some("changed"))])).unwrap();
        // Keep each received pack, so that the sent objects can be counted.
        scratch.git_remote(&["config", "receive.unpackLimit", "1"]);
        let before = packed(&scratch);
        mirror.push("main", Some(&base), &new).unwrap();
        assert_eq!(packed(&scratch) - before, expected, "{what}");
        scratch.assert_sound();
    }
}

#[test]
fn a_history_with_an_empty_tree_is_continued() {
    let scratch = Scratch::new();
    // Git does not store this tree, and knows it all the same.
    let tree = scratch.git_remote(&["mktree"]);
    let ada = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    let root = scratch.git_remote(&[&ada[..], &["commit-tree", "-m", "empty", &tree]].concat());
    scratch.git_remote(&["update-ref", "refs/heads/journal", &root]);
    let root: CommitId = root.parse().unwrap();
    let mirror = scratch.mirror("state");
    mirror.fetch(&["journal"]).unwrap();
    mirror.reset_local("journal", None, &root).unwrap();
    let first = mirror.commit(&commit("journal", Some(&root), &[("a/b", Some("1"))])).unwrap();
    mirror.push("journal", Some(&root), &first).unwrap();
    let emptied = mirror.commit(&commit("journal", Some(&first), &[("a/b", None)])).unwrap();
    mirror.push("journal", Some(&first), &emptied).unwrap();
    let second = mirror.commit(&commit("journal", Some(&emptied), &[("a/b", Some("2"))])).unwrap();
    mirror.push("journal", Some(&emptied), &second).unwrap();
    assert_eq!(scratch.git_remote(&["show", "journal:a/b"]), "2");
    scratch.assert_sound();
}

#[test]
fn loser_of_a_race_learns_where_the_branch_is_and_wins_after_fetching() {
    let scratch = Scratch::new();
    let base = scratch.import("journal", &[File("a", b"0")]);
    let (one, two) = (scratch.mirror("one"), scratch.mirror("two"));
    for mirror in [&one, &two] {
        mirror.fetch(&["journal"]).unwrap();
        mirror.reset_local("journal", None, &base).unwrap();
    }
    let winner = one.commit(&commit("journal", Some(&base), &[("one", Some("1"))])).unwrap();
    let loser = two.commit(&commit("journal", Some(&base), &[("two", Some("2"))])).unwrap();
    one.push("journal", Some(&base), &winner).unwrap();

    let error = two.push("journal", Some(&base), &loser).unwrap_err();
    assert!(matches!(&error, PushError::Stale { remote } if remote.as_ref() == Some(&winner)), "{error:?}");
    assert!(!error.is_transient());
    assert_eq!(scratch.tip("journal"), winner);

    let tip = two.fetch(&["journal"]).unwrap().remove("journal").unwrap();
    two.reset_local("journal", Some(&loser), &tip).unwrap();
    let again = two.commit(&commit("journal", Some(&tip), &[("two", Some("2"))])).unwrap();
    two.push("journal", Some(&tip), &again).unwrap();
    assert_eq!(scratch.git_remote(&["ls-tree", "--name-only", "journal"]), "a\none\ntwo");
    scratch.assert_sound();
}

#[test]
fn race_that_is_lost_after_the_handshake_is_also_stale() {
    let scratch = Scratch::new();
    let base = scratch.import("journal", &[File("a", b"0")]);
    let rival = scratch.import("rival", &[File("a", b"1")]);
    // The hook runs between the handshake and the server's comparison of the old value.
    let script = format!("cat > /dev/null; unset GIT_QUARANTINE_PATH; git update-ref refs/heads/journal {rival}");
    scratch.hook("pre-receive", &script);
    let mirror = scratch.mirror("state");
    mirror.fetch(&["journal"]).unwrap();
    mirror.reset_local("journal", None, &base).unwrap();
    let mine = mirror.commit(&commit("journal", Some(&base), &[("a", Some("2"))])).unwrap();
    let error = mirror.push("journal", Some(&base), &mine).unwrap_err();
    assert!(matches!(&error, PushError::Stale { remote } if remote.as_ref() == Some(&rival)), "{error:?}");
    assert_eq!(scratch.tip("journal"), rival);
}

#[test]
fn expected_existence_of_the_branch_is_checked() {
    let scratch = Scratch::new();
    let theirs = scratch.import("journal", &[File("a", b"0")]);
    let mirror = scratch.mirror("state");
    let mine = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let error = mirror.push("journal", None, &mine).unwrap_err();
    assert!(matches!(&error, PushError::Stale { remote } if remote.as_ref() == Some(&theirs)), "{error:?}");

    let next = mirror.commit(&commit("journal", Some(&mine), &[("a", Some("2"))])).unwrap();
    let error = mirror.push("elsewhere", Some(&mine), &next).unwrap_err();
    assert!(matches!(error, PushError::Stale { remote: None }), "{error:?}");
}

#[test]
fn push_can_be_repeated() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let mine = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    for _ in 0..2 {
        mirror.push("journal", None, &mine).unwrap();
    }
    mirror.push("journal", Some(&mine), &mine).unwrap();
}

#[test]
fn commits_of_the_remote_are_never_dropped() {
    let scratch = Scratch::new();
    let theirs = scratch.import("journal", &[File("a", b"0")]);
    let mirror = scratch.mirror("state");
    mirror.fetch(&["journal"]).unwrap();
    let mine = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let error = mirror.push("journal", Some(&theirs), &mine).unwrap_err();
    assert!(matches!(error, PushError::Failed(Error::NotFastForward { .. })), "{error:?}");
    assert_eq!(scratch.tip("journal"), theirs);
    let unknown: CommitId = "2".repeat(40).parse().unwrap();
    let error = mirror.push("journal", Some(&theirs), &unknown).unwrap_err();
    assert!(matches!(error, PushError::Failed(Error::UnknownCommit { .. })), "{error:?}");
}

#[test]
fn refusal_by_a_hook_includes_its_output() {
    let scratch = Scratch::new();
    scratch.hook("pre-receive", "echo 'policy: \x1b[31mthe branch is protected' >&2; exit 1");
    let mirror = scratch.mirror("state");
    let mine = mirror.commit(&commit("main", None, &[("a", Some("1"))])).unwrap();
    let error = mirror.push("main", None, &mine).unwrap_err();
    let PushError::Rejected { reason, messages } = &error else { panic!("{error:?}") };
    assert_eq!(reason, "pre-receive hook declined");
    assert_eq!(messages, "policy: [31mthe branch is protected");
    insta::assert_snapshot!(error);
    assert!(error.is_refusal());
    assert!(!error.is_transient());
    assert_eq!(objects(&scratch), 0);
}

#[test]
fn endless_hook_output_is_truncated() {
    let scratch = Scratch::new();
    scratch.hook("pre-receive", "yes | head -c 10000000 >&2; exit 1");
    let mirror = scratch.mirror("state");
    let mine = mirror.commit(&commit("main", None, &[("a", Some("1"))])).unwrap();
    let error = mirror.push("main", None, &mine).unwrap_err();
    let PushError::Rejected { messages, .. } = &error else { panic!("{error:?}") };
    assert!(messages.len() <= 64 << 10);
    let told = error.to_string();
    assert!(told.len() <= 512 && !told.contains('\n'), "{told}");
}

#[test]
fn push_to_a_missing_repository_is_not_a_transient_error() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let mine = mirror.commit(&commit("main", None, &[("a", Some("1"))])).unwrap();
    std::fs::remove_dir_all(scratch.remote_path()).unwrap();
    let error = mirror.push("main", None, &mine).unwrap_err();
    assert!(matches!(error, PushError::Failed(_)), "{error:?}");
}

#[test]
fn large_first_push_arrives_completely() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let names: Vec<String> = (0..2_000).map(|at| format!("clusters/{:02}/{at}.yaml", at % 50)).collect();
    let files: Vec<(&str, Option<&str>)> = names.iter().map(|name| (name.as_str(), Some(name.as_str()))).collect();
    let mine = mirror.commit(&commit("main", None, &files)).unwrap();
    mirror.push("main", None, &mine).unwrap();
    assert_eq!(scratch.git_remote(&["ls-tree", "-r", "--name-only", "main"]).lines().count(), 2_000);
    scratch.assert_sound();
}
