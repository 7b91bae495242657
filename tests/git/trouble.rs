//! Tests of failing servers: what is reported, whether a retry can help, and that the mirror stays intact.

use std::time::Duration;

use tidegate_git::{Credentials, Error, Mirror, PushError, Remote, Timeouts};
use tidegate_model::revision::CommitId;

use super::fixture::{Scratch, commit, tips};
use super::http_backend::{Answer, HttpBackend};
use super::redacted::redacted;

/// Returns a remote with some history, a server that can misbehave, and a mirror with a short timeout.
fn trouble() -> (Scratch, HttpBackend, Mirror, Vec<CommitId>) {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 20);
    let server = HttpBackend::serve(scratch.path(), Answer::Open);
    let timeouts = Timeouts { request: Duration::from_millis(700), ..Timeouts::default() };
    let remote = Remote::new(&server.url("remote.git"), Credentials::None).unwrap().with_timeouts(timeouts);
    let mirror = Mirror::open(scratch.path().join("state"), remote).unwrap();
    (scratch, server, mirror, many)
}

#[test]
fn message_of_a_refusing_server_is_shown() {
    let (scratch, server, mirror, many) = trouble();
    mirror.fetch(&["main"]).unwrap();
    let new = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let mut told = String::new();
    for (status, text, is_credentials) in [
        ("403 Forbidden", "remote: Repository is archived\nremote: it is \x1b[1mread-only\n", true),
        ("401 Unauthorized", "Invalid username or token.", true),
        ("404 Not Found", "remote: Repository not found.", false),
        ("410 Gone", "moved away", false),
    ] {
        server.answer(Answer::Refused(status, text));
        let error = mirror.fetch(&["main"]).unwrap_err();
        told += &format!("{status}\n  fetch: {error}\n");
        assert!(!error.to_string().contains('\x1b') && !error.is_transient(), "{error}");
        assert_eq!(error.is_refusal(), is_credentials, "{status}: {error:?}");
        let error = mirror.push("journal", None, &new).unwrap_err();
        told += &format!("  push: {error}\n");
        assert_eq!(matches!(error, PushError::Unauthorized(_)), is_credentials, "{status}: {error:?}");
    }
    insta::assert_snapshot!(redacted(&told));
    server.answer(Answer::Open);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &many[19])]));
    scratch.assert_mirror_sound("state");
}

#[test]
fn long_server_message_is_truncated() {
    let (_scratch, server, mirror, _) = trouble();
    let text: &'static str = Box::leak("no entry ".repeat(100_000).into_boxed_str());
    server.answer(Answer::Refused("403 Forbidden", text));
    assert!(mirror.fetch(&["main"]).unwrap_err().to_string().len() < 600);
}

#[test]
fn busy_server_is_not_asked_for_a_message() {
    let (_scratch, server, mirror, _) = trouble();
    for (status, transient) in [("429 Too Many Requests", true), ("500 Internal Server Error", true)] {
        let before = server.authorizations().len();
        server.answer(Answer::Refused(status, "slow down"));
        assert_eq!(mirror.fetch(&["main"]).unwrap_err().is_transient(), transient);
        assert_eq!(server.authorizations().len(), before + 1, "{status}");
    }
}

#[test]
fn truncated_pack_is_transient_and_leaves_the_mirror_intact() {
    let (scratch, server, mirror, many) = trouble();
    for (bytes, stalled) in [(0, false), (10, false), (300, false), (10, true)] {
        server.answer(if stalled { Answer::Stalled(bytes) } else { Answer::Cut(bytes) });
        let error = mirror.fetch(&["main"]).unwrap_err();
        assert!(matches!(error, Error::Unreachable { .. }), "{bytes}: {error:?}");
        assert!(!mirror.has(&many[19]).unwrap());
        scratch.assert_mirror_sound("state");
    }
    server.answer(Answer::Open);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &many[19])]));
    let next = scratch.import_many(many.last(), "main", 5);
    server.answer(Answer::Cut(100));
    assert!(mirror.fetch(&["main"]).unwrap_err().is_transient());
    assert_eq!(mirror.tree(&many[19], "").unwrap().files.len(), 20, "existing commits are intact");
    server.answer(Answer::Open);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &next[4])]));
    assert!(mirror.is_ancestor(&many[19], &next[4]).unwrap());
    scratch.assert_mirror_sound("state");
}

#[test]
fn server_that_lists_refs_and_then_hangs_times_out() {
    let (scratch, server, mirror, _) = trouble();
    server.answer(Answer::ListsOnly);
    let error = mirror.fetch(&["main"]).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    assert!(mirror.follow(&"absent".parse().unwrap()).unwrap().is_none(), "listing refs still works");
    scratch.assert_mirror_sound("state");
}

#[test]
fn redirect_to_another_path_on_the_server_is_followed() {
    let (scratch, server, _, many) = trouble();
    let moved = format!("302 Found\r\nLocation: {}", server.url("remote.git/info/refs?service=git-upload-pack"));
    let old = HttpBackend::serve(scratch.path(), Answer::Always(moved));
    let remote = Remote::new(&old.url("old.git"), Credentials::None).unwrap();
    let mirror = Mirror::open(scratch.path().join("redirected"), remote).unwrap();
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &many[19])]));
}

#[test]
fn refusal_by_an_update_hook_is_reported_and_fast_forwards_are_allowed() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let new = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    scratch.hook("update", "echo \"policy: $1 is locked\" >&2; exit 1");
    let error = mirror.push("journal", None, &new).unwrap_err();
    let PushError::Rejected { reason, messages } = &error else { panic!("{error:?}") };
    assert_eq!(
        (reason.as_str(), messages.as_str()),
        ("hook declined", "policy: refs/heads/journal is locked\nerror: hook declined to update refs/heads/journal")
    );
    std::fs::remove_file(scratch.remote_path().join("hooks/update")).unwrap();
    scratch.git_remote(&["config", "receive.denyNonFastForwards", "true"]);
    mirror.push("journal", None, &new).unwrap();
    let next = mirror.commit(&commit("journal", Some(&new), &[("a", Some("2"))])).unwrap();
    mirror.push("journal", Some(&new), &next).unwrap();
    scratch.assert_sound();
}

#[test]
fn one_of_many_concurrent_pushes_wins_each_time() {
    let scratch = Scratch::new();
    let mirrors: Vec<Mirror> = (0..4).map(|at| scratch.mirror(&format!("state-{at}"))).collect();
    std::thread::scope(|scope| {
        for (at, mirror) in mirrors.iter().enumerate() {
            scope.spawn(move || {
                let mut tip = mirror.fetch(&["journal"]).unwrap().remove("journal");
                loop {
                    let local = mirror.local("journal").unwrap();
                    if let Some(tip) = &tip {
                        mirror.reset_local("journal", local.as_ref(), tip).unwrap();
                    }
                    let branch = tip.as_ref().map_or_else(|| format!("first-{at}"), |_| "journal".to_owned());
                    let new = mirror.commit(&commit(&branch, tip.as_ref(), &[(&format!("file-{at}"), Some("1"))]));
                    match mirror.push("journal", tip.as_ref(), &new.unwrap()) {
                        Ok(()) => return,
                        Err(PushError::Stale { .. }) => tip = mirror.fetch(&["journal"]).unwrap().remove("journal"),
                        // Two pushes compete for the lock: the remote reports this in its own words.
                        Err(PushError::Rejected { reason, .. }) if reason.contains("lock") => {}
                        Err(error) => panic!("{error:?}"),
                    }
                    if tip.is_none() {
                        tip = mirror.fetch(&["journal"]).unwrap().remove("journal");
                    }
                }
            });
        }
    });
    let files = scratch.git_remote(&["ls-tree", "--name-only", "journal"]);
    assert_eq!(files, "file-0\nfile-1\nfile-2\nfile-3");
    assert_eq!(scratch.git_remote(&["rev-list", "--count", "journal"]), "4");
    scratch.assert_sound();
}
