//! Tests of histories and commit metadata.

use tidegate_git::Error;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use super::fixture::{Scratch, commit, git};

#[test]
fn log_is_newest_first_and_stops_at_the_limit() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let mut ids: Vec<CommitId> = Vec::new();
    for at in 0..5 {
        let mut new = commit("journal", ids.last(), &[("a", Some(&at.to_string()))]);
        new.message = format!("step {at}\n\nTrailer: {at}");
        // The first two are made in the same second, as happens with quick commits.
        new.at = Timestamp::from_second(1_700_000_000 + i64::max(at, 1)).unwrap();
        ids.push(mirror.commit(&new).unwrap());
    }
    let log = mirror.log(&ids[4], 10).unwrap();
    assert_eq!(log.iter().map(|entry| &entry.id).collect::<Vec<_>>(), ids.iter().rev().collect::<Vec<_>>());
    assert_eq!(log[0].subject, "step 4");
    assert_eq!(log[0].message, "step 4\n\nTrailer: 4\n");
    assert_eq!(log[0].author_time, Timestamp::from_second(1_700_000_004).unwrap());
    assert_eq!(mirror.log(&ids[3], 2).unwrap(), log[1..3]);
    assert_eq!(mirror.log(&ids[3], 0).unwrap(), []);
}

#[test]
fn commit_info_has_author_time_and_parents() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let first = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let second = mirror.commit(&commit("journal", Some(&first), &[("a", Some("2"))])).unwrap();
    let info = mirror.commit_info(&second).unwrap();
    assert_eq!((info.subject.as_str(), info.author.name.as_str()), ("status: east-1 is up", "Tidegate"));
    assert_eq!(info.author.time, Timestamp::from_second(1_700_000_100).unwrap());
    assert_eq!(info.parents, std::slice::from_ref(&first));
    assert_eq!(mirror.commit_info(&first).unwrap().parents, []);
}

#[test]
fn ancestry_is_known_even_between_unrelated_commits() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let first = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let second = mirror.commit(&commit("journal", Some(&first), &[("a", Some("2"))])).unwrap();
    let stranger = mirror.commit(&commit("stranger", None, &[("a", Some("3"))])).unwrap();
    for (ancestor, descendant, expected) in
        [(&first, &second, true), (&second, &first, false), (&first, &first, true), (&stranger, &second, false)]
    {
        assert_eq!(mirror.is_ancestor(ancestor, descendant).unwrap(), expected);
    }
}

#[test]
fn unknown_commit_is_an_error() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let unknown: CommitId = "a".repeat(40).parse().unwrap();
    assert!(matches!(mirror.log(&unknown, 1), Err(Error::UnknownCommit { .. })));
    assert!(matches!(mirror.commit_info(&unknown), Err(Error::UnknownCommit { .. })));
    assert!(matches!(mirror.is_ancestor(&unknown, &unknown), Err(Error::UnknownCommit { .. })));
}

#[test]
fn commits_with_out_of_range_dates_are_read() {
    let scratch = Scratch::new();
    let root = scratch.remote_path();
    let tree = git(&root, &["mktree"], b"");
    let raw = format!(
        "tree {tree}\nauthor Zo\u{eb} <z@example.org> 999999999999999 +0000\n\
         committer Zo\u{eb} <z@example.org> 999999999999999 +0000\n\nsubject\nwrapped\n\nbody \u{1f30a}\n"
    );
    let id = git(&root, &["hash-object", "-t", "commit", "-w", "--literally", "--stdin"], raw.as_bytes());
    git(&root, &["update-ref", "refs/heads/main", &id], b"");
    let mirror = scratch.mirror("state");
    let tip = mirror.fetch(&["main"]).unwrap().remove("main").unwrap();
    let info = mirror.commit_info(&tip).unwrap();
    assert_eq!(info.author.name, "Zo\u{eb}");
    assert_eq!(info.subject, "subject wrapped");
    assert_eq!(info.author.time, Timestamp::MAX);
    assert_eq!(mirror.log(&tip, 1).unwrap()[0].author_time, Timestamp::MAX);
}
