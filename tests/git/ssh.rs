//! Tests of remotes over ssh, with a stand-in program that runs the remote command on this machine.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use tidegate_git::{Credentials, Error, Mirror, PushError, Remote};

use super::fixture::{Scratch, commit, tips};
use super::redacted::redacted;

/// Runs the last two arguments: the Git program and the quoted path.
const SERVE: &str = "while [ $# -gt 2 ]; do shift; done; eval \"$1 $2\"";

/// Writes a stand-in for ssh that records its arguments.
fn program(scratch: &Scratch, script: &str) -> PathBuf {
    let path = scratch.path().join("stand-in ssh");
    let log = scratch.path().join("arguments");
    std::fs::write(&path, format!("#!/bin/sh\necho \"$@\" >> '{}'\n{script}\n", log.display())).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn remote(scratch: &Scratch, script: &str) -> Remote {
    let address = format!("ssh://git@git.example.org:2222{}", scratch.remote_path().display());
    Remote::new(&address, Credentials::None).unwrap().with_ssh_program(program(scratch, script))
}

fn mirror(scratch: &Scratch, remote: Remote) -> Mirror {
    Mirror::open(scratch.path().join("state"), remote).unwrap()
}

fn secret(scratch: &Scratch, name: &str) -> PathBuf {
    let path = scratch.path().join(name);
    std::fs::write(&path, "hunter2").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    path
}

/// Returns the number of ssh output files left in the state directory.
fn leftovers(scratch: &Scratch) -> usize {
    let entries = std::fs::read_dir(scratch.path().join("state")).unwrap();
    entries.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("ssh-")).count()
}

#[test]
fn fetch_and_push_go_over_ssh() {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 100);
    let (key, hosts) = (secret(&scratch, "the key"), secret(&scratch, "hosts"));
    let mirror = mirror(&scratch, remote(&scratch, SERVE).with_key(&key).with_known_hosts(&hosts));
    assert_eq!(mirror.fetch(&["main", "absent"]).unwrap(), tips(&[("main", &many[99])]));
    let next = scratch.import_many(many.last(), "main", 4);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &next[3])]));
    assert!(mirror.is_ancestor(&many[99], &next[3]).unwrap());
    assert!(mirror.obtain(&many[10]).unwrap());
    let new = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    mirror.push("journal", None, &new).unwrap();
    assert_eq!(scratch.tip("journal"), new);
    scratch.assert_sound();
    scratch.assert_mirror_sound("state");
    assert_eq!(leftovers(&scratch), 0);
    let arguments = std::fs::read_to_string(scratch.path().join("arguments")).unwrap();
    for line in arguments.lines() {
        for part in ["BatchMode=yes", "-F /dev/null", "IdentitiesOnly=yes", "StrictHostKeyChecking=yes", "-p2222"] {
            assert!(line.contains(part), "{part}: {line}");
        }
        assert!(line.contains(&format!("-i {}", key.display())), "{line}");
        assert!(line.contains(&format!("UserKnownHostsFile=\"{}\"", hosts.display())), "{line}");
    }
    assert!(!arguments.contains("hunter2"));
}

#[test]
fn messages_of_ssh_determine_the_kind_of_error() {
    let changed = "@@@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @@@\nIt is also possible that a host key has just \
                   been changed.\nHost key verification failed.";
    let denied = "git@git.example.org: Permission denied (publickey).";
    let refused = "ssh: connect to host git.example.org port 2222: Connection refused";
    let missing = "ERROR: Repository not found.\nfatal: Could not read from remote repository.";
    let scratch = Scratch::new();
    let mut told = String::new();
    for (said, expected, transient) in [
        (changed, "HostKey", false),
        (denied, "Unauthorized", false),
        (refused, "Unreachable", true),
        (missing, "Remote", false),
    ] {
        let mirror = mirror(&scratch, remote(&scratch, &format!("printf '%s\\n' '{said}' >&2; exit 255")));
        let error = mirror.fetch(&["main"]).unwrap_err();
        assert!(format!("{error:?}").starts_with(expected), "{error:?}");
        assert_eq!(error.is_transient(), transient);
        told += &format!("fetch: {error}\n");
        assert!(!error.to_string().contains('\n'), "{error}");
        let tip = mirror.local("journal").unwrap();
        let new = tip.unwrap_or_else(|| mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap());
        let error = mirror.push("journal", None, &new).unwrap_err();
        told += &format!("push: {error}\n");
        assert_eq!(error.is_transient(), transient, "{error:?}");
        assert_eq!(leftovers(&scratch), 0);
    }
    insta::assert_snapshot!(redacted(&told));
}

#[test]
fn key_that_is_missing_or_readable_by_others_is_refused_before_anything_runs() {
    let scratch = Scratch::new();
    let open = secret(&scratch, "open");
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o644)).unwrap();
    let mut told = Vec::new();
    for key in [scratch.path().join("absent"), open] {
        let error = mirror(&scratch, remote(&scratch, SERVE).with_key(&key)).fetch(&["main"]).unwrap_err();
        assert!(matches!(error, Error::File { what: "private key", .. }), "{error:?}");
        assert!(!format!("{error:?}").contains("hunter2"));
        told.push(error.to_string());
    }
    let remote = remote(&scratch, SERVE).with_known_hosts(scratch.path().join("absent"));
    let error = mirror(&scratch, remote).fetch(&["main"]).unwrap_err();
    assert!(matches!(error, Error::File { what: "known_hosts file", .. }), "{error:?}");
    told.push(error.to_string());
    insta::assert_snapshot!(redacted(&told.join("\n")));
    assert!(!scratch.path().join("arguments").exists(), "nothing was run");
}

#[test]
fn missing_ssh_program_is_an_error() {
    let scratch = Scratch::new();
    let remote = remote(&scratch, SERVE).with_ssh_program(scratch.path().join("nowhere"));
    let error = mirror(&scratch, remote).fetch(&["main"]).unwrap_err();
    // The shell writes the rest of the message.
    assert!(matches!(error, Error::Remote { .. }) && error.to_string().contains("nowhere"), "{error:?}");
}

#[test]
fn full_disk_of_the_remote_is_reported_and_the_branch_does_not_move() {
    let scratch = Scratch::new();
    let mirror = mirror(&scratch, remote(&scratch, &format!("trap '' XFSZ; ulimit -f 4; {SERVE}")));
    let mut noise = 1_u64;
    let large: String = (0..200_000)
        .map(|_| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(b'a' + u8::try_from(noise >> 60).unwrap())
        })
        .collect();
    let new = mirror.commit(&commit("journal", None, &[("large", Some(&large))])).unwrap();
    let error = mirror.push("journal", None, &new).unwrap_err();
    assert_eq!(scratch.git_remote(&["for-each-ref"]), "");
    let PushError::Rejected { reason, messages } = error else { panic!("{error:?}") };
    assert!(reason.contains("unpack") && messages.contains("File too large"), "{reason}: {messages}");
    scratch.assert_sound();
}
