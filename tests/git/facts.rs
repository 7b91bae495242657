//! Tests of commit details: author and committer, signatures, and changed paths.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use tidegate_git::{Error, Limits};

use super::fixture::{File, Gone, Link, Scratch, commit, git};
use crate::git_command::git_command;
use crate::scratch::tempdir;

#[test]
fn author_and_committer_are_read_separately() {
    let scratch = Scratch::new();
    let root = scratch.remote_path();
    let tree = git(&root, &["mktree"], b"");
    let raw = format!(
        "tree {tree}\nauthor Ann <ann@example.org> 1700000000 +0000\ncommitter Forge <no-reply@forge.example> \
         1700000050 +0100\n\nsubject\n\nbody\n"
    );
    let id = git(&root, &["hash-object", "-t", "commit", "-w", "--stdin"], raw.as_bytes());
    git(&root, &["update-ref", "refs/heads/main", &id], b"");
    let mirror = scratch.mirror("state");
    let tip = mirror.fetch(&["main"]).unwrap().remove("main").unwrap();
    let info = mirror.commit_info(&tip).unwrap();
    assert_eq!((info.author.name.as_str(), info.author.email.as_str()), ("Ann", "ann@example.org"));
    assert_eq!((info.committer.name.as_str(), info.committer.email.as_str()), ("Forge", "no-reply@forge.example"));
    assert_eq!(info.committer.time.as_second() - info.author.time.as_second(), 50);
    assert_eq!(info.message, "subject\n\nbody\n");
    assert_eq!(info.signature, None);
}

#[test]
fn signature_is_returned_with_the_signed_payload() {
    let (scratch, mirror) = Scratch::with_mirror();
    let signed = Arc::new(Mutex::new(Vec::new()));
    let (seen, text) = (signed.clone(), "-----BEGIN SSH SIGNATURE-----\nAAAA\nBBBB\n-----END SSH SIGNATURE-----");
    let mirror = mirror.with_signer(Box::new(move |payload| {
        seen.lock().unwrap().push(payload.to_vec());
        Ok(format!("{text}\n"))
    }));
    let id = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let info = mirror.commit_info(&id).unwrap().signature.unwrap();
    assert_eq!(info.signature.trim_end(), text);
    assert_eq!([info.payload], **signed.lock().unwrap());
    let raw = scratch.git_mirror("state", &["cat-file", "commit", id.as_str()]);
    assert!(
        raw.contains("\ngpgsig -----BEGIN SSH SIGNATURE-----\n AAAA\n BBBB\n -----END SSH SIGNATURE-----\n\n"),
        "{raw}"
    );
    mirror.push("journal", None, &id).unwrap();
    scratch.assert_sound();
}

#[test]
#[ignore = "needs ssh-keygen, with which Git verifies signatures"]
fn signed_commit_is_verified_by_git() {
    let scratch = Scratch::new();
    let key = scratch.path().join("key");
    let run = |program: &str, arguments: &[&str]| {
        let output = std::process::Command::new(program).args(arguments).output();
        output.map(|output| assert!(output.status.success(), "{program}: {output:?}"))
    };
    let path = key.to_str().unwrap().to_owned();
    run("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-C", "ann", "-f", &path]).unwrap();
    let folder = scratch.path().to_owned();
    let mirror = scratch.mirror("state").with_signer(Box::new(move |payload| {
        let file = folder.join("payload");
        std::fs::write(&file, payload).map_err(|error| error.to_string())?;
        let file = file.to_str().unwrap();
        run("ssh-keygen", &["-q", "-Y", "sign", "-n", "git", "-f", &path, file]).map_err(|error| error.to_string())?;
        let signature = std::fs::read_to_string(format!("{file}.sig")).map_err(|error| error.to_string());
        std::fs::remove_file(format!("{file}.sig")).map_err(|error| error.to_string())?;
        signature
    }));
    let first = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let second = mirror.commit(&commit("journal", Some(&first), &[("a", Some("2"))])).unwrap();
    let public = std::fs::read_to_string(key.with_extension("pub")).unwrap();
    let allowed = scratch.path().join("allowed");
    std::fs::write(&allowed, format!("tidegate@example.org {public}")).unwrap();
    let allowed = format!("gpg.ssh.allowedSignersFile={}", allowed.display());
    for commit in [&first, &second] {
        let output = git_command(&scratch.path().join("state/mirror.git"))
            .args(["-c", "gpg.format=ssh", "-c", &allowed, "verify-commit", commit.as_str()])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.contains("Good \"git\" signature for tidegate@example.org"), "{said}");
    }
}

#[test]
fn failed_signing_does_not_move_the_branch() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let mut told = Vec::new();
    for answer in [Err("the key is locked".to_owned()), Ok(" \n".to_owned())] {
        let state = tempdir();
        let mirror = tidegate_git::Mirror::open(state.path(), mirror.remote().clone()).unwrap();
        let mirror = mirror.with_signer(Box::new(move |_| answer.clone()));
        let error = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap_err();
        assert!(matches!(error, Error::Signing { .. }), "{error:?}");
        told.push(error.to_string());
        assert_eq!(mirror.local("journal").unwrap(), None);
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn commits_between_two_commits_are_listed() {
    let scratch = Scratch::new();
    let main = scratch.import_many(None, "main", 3);
    let side = scratch.import_many(Some(&main[0]), "side", 2);
    let arguments = ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit-tree", "-m", "merge"];
    let parents = ["-p", main[2].as_str(), "-p", side[1].as_str(), "main^{tree}"];
    let merge = scratch.git_remote(&[&arguments[..], &parents].concat()).parse().unwrap();
    scratch.git_remote(&["update-ref", "refs/heads/main", &format!("{merge}")]);
    let mirror = scratch.mirror("state");
    mirror.fetch_full_history(&["main"]).unwrap();
    let ids = |log: Vec<tidegate_git::LogEntry>| log.into_iter().map(|entry| entry.id).collect::<BTreeSet<_>>();
    let set = |ids: &[&tidegate_model::revision::CommitId]| ids.iter().map(|id| (*id).clone()).collect::<BTreeSet<_>>();
    let between = mirror.commits_between(Some(&main[1]), &merge, 100).unwrap();
    assert_eq!(between[0].id, merge, "newest first");
    assert_eq!(ids(between), set(&[&merge, &main[2], &side[0], &side[1]]));
    assert_eq!(ids(mirror.commits_between(None, &merge, 100).unwrap()).len(), 6);
    assert_eq!(mirror.commits_between(Some(&merge), &merge, 100).unwrap(), []);
    assert_eq!(mirror.commits_between(Some(&main[0]), &merge, 2).unwrap().len(), 2);
}

#[test]
fn changed_paths_are_those_that_differ() {
    let scratch = Scratch::new();
    let entries =
        [File("keep/a", b"1"), File("prod/b", b"1"), File("prod/c/d", b"1"), File("kind", b"1"), Link("l", "x")];
    let old = scratch.import("main", &entries);
    let entries =
        [File("prod/b", b"2"), Gone("prod/c/d"), File("kind/is/folder", b"1"), File("l", b"x"), File("z/z", b"1")];
    let new = scratch.import("main", &entries);
    let mirror = scratch.mirror("state");
    mirror.fetch_full_history(&["main"]).unwrap();
    let changed = |old, new| mirror.changed_paths(old, new).unwrap().into_iter().collect::<Vec<_>>();
    assert_eq!(changed(Some(&old), &new), ["kind", "kind/is/folder", "l", "prod/b", "prod/c/d", "z/z"]);
    assert_eq!(changed(Some(&new), &old), ["kind", "kind/is/folder", "l", "prod/b", "prod/c/d", "z/z"]);
    assert_eq!(changed(None, &old), ["keep/a", "kind", "l", "prod/b", "prod/c/d"]);
    assert_eq!(changed(Some(&new), &new), [""; 0]);
    assert!(matches!(mirror.changed_paths(None, &"5".repeat(40).parse().unwrap()), Err(Error::UnknownCommit { .. })));
    let mirror = {
        drop(mirror);
        scratch.mirror("state").with_limits(Limits { entries: 3, ..Limits::default() })
    };
    assert!(matches!(mirror.changed_paths(None, &new), Err(Error::TooMany { limit: 3 })));
}
