//! Repositories created with the `git` program, without user configuration, and helpers for tests.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use tidegate_git::{Credentials, Mirror, NewCommit, Remote};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use crate::git_command::git_command;
use crate::scratch::tempdir;

/// A temporary directory with one bare repository, `remote.git`, and room for mirrors.
pub(super) struct Scratch(TempDir);

/// What a commit does to one path.
pub(super) enum Entry<'a> {
    File(&'a str, &'a [u8]),
    Link(&'a str, &'a str),
    Submodule(&'a str),
    Gone(&'a str),
}

pub(super) use Entry::{File, Gone, Link, Submodule};

impl Scratch {
    pub(super) fn new() -> Self {
        let scratch = Self(tempdir());
        scratch.git(&["init", "--quiet", "--bare", "--initial-branch=main", "remote.git"]);
        scratch
    }

    /// Returns a mirror of an empty remote, and the directory that contains both.
    pub(super) fn with_mirror() -> (Self, Mirror) {
        let scratch = Self::new();
        let mirror = scratch.mirror("state");
        (scratch, mirror)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn remote_path(&self) -> PathBuf {
        self.path().join("remote.git")
    }

    pub(super) fn remote(&self) -> Remote {
        Remote::new(self.remote_path().to_str().unwrap(), Credentials::None).unwrap()
    }

    /// Returns a mirror of the remote in its own directory.
    pub(super) fn mirror(&self, name: &str) -> Mirror {
        Mirror::open(self.path().join(name), self.remote()).unwrap()
    }

    /// Runs `git` in this directory.
    pub(super) fn git(&self, arguments: &[&str]) -> String {
        git(self.path(), arguments, b"")
    }

    /// Runs `git` in the remote.
    pub(super) fn git_remote(&self, arguments: &[&str]) -> String {
        git(&self.remote_path(), arguments, b"")
    }

    /// Commits to a branch of the remote, on top of its tip.
    pub(super) fn import(&self, branch: &str, entries: &[Entry<'_>]) -> CommitId {
        let tip = self.git_remote(&["for-each-ref", "--format=%(objectname)", &format!("refs/heads/{branch}")]);
        self.import_on(Some(tip.as_str()).filter(|tip| !tip.is_empty()), branch, entries)
    }

    /// Commits to a branch of the remote on top of a commit, or as a root commit, regardless of its previous tip.
    pub(super) fn import_on(&self, parent: Option<&str>, branch: &str, entries: &[Entry<'_>]) -> CommitId {
        let mut stream = format!("commit refs/heads/{branch}\ncommitter Ann <ann@example.org> 1700000000 +0000\n");
        stream += "data 8\nimported\n";
        stream += &parent.map(|parent| format!("from {parent}\n")).unwrap_or_default();
        let mut stream = stream.into_bytes();
        let mut file = |mode: &str, path: &str, content: &[u8]| {
            write!(stream, "M {mode} inline {path}\ndata {}\n", content.len()).unwrap();
            stream.extend_from_slice(content);
            stream.push(b'\n');
        };
        for entry in entries {
            match entry {
                File(path, content) => file("100644", path, content),
                Link(path, target) => file("120000", path, target.as_bytes()),
                Submodule(_) | Gone(_) => {}
            }
        }
        for entry in entries {
            match entry {
                Submodule(path) => writeln!(stream, "M 160000 {} {path}", "1".repeat(40)).unwrap(),
                Gone(path) => writeln!(stream, "D {path}").unwrap(),
                File(..) | Link(..) => {}
            }
        }
        git(&self.remote_path(), &["fast-import", "--quiet", "--force"], &stream);
        self.tip(branch)
    }

    /// Makes many commits to a branch of the remote, each with two files, on top of a commit or from a root commit.
    /// Returns the commits, oldest first.
    pub(super) fn import_many(&self, parent: Option<&CommitId>, branch: &str, count: usize) -> Vec<CommitId> {
        let mut stream = String::new();
        for at in 0..count {
            let time = 1_700_000_000 + at;
            stream +=
                &format!("commit refs/heads/{branch}\ncommitter Ann <ann@example.org> {time} +0000\ndata 5\nmany\n");
            match parent {
                Some(parent) if at == 0 => stream += &format!("from {parent}\n"),
                _ => {}
            }
            for (folder, file) in [("old", "a"), ("new", "b")] {
                let name = format!("{branch}-{folder}-{at:05}");
                stream += &format!("M 100644 inline {folder}/{file}{}\ndata {}\n{name}\n", at % 10, name.len());
            }
        }
        git(&self.remote_path(), &["fast-import", "--quiet", "--force"], stream.as_bytes());
        let range = parent.map_or_else(|| branch.to_owned(), |parent| format!("{parent}..{branch}"));
        let listed = self.git_remote(&["rev-list", "--reverse", "--topo-order", &range]);
        listed.lines().map(|id| id.parse().unwrap()).collect()
    }

    /// Runs `git` in the repository of a mirror.
    pub(super) fn git_mirror(&self, name: &str, arguments: &[&str]) -> String {
        git(&self.path().join(name).join("mirror.git"), arguments, b"")
    }

    /// Checks every object of a mirror and returns the number of objects.
    pub(super) fn assert_mirror_sound(&self, name: &str) -> usize {
        let found = self.git_mirror(name, &["fsck", "--strict", "--no-dangling", "--no-progress"]);
        let complaints: Vec<&str> = found.lines().filter(|line| !line.starts_with("notice: ")).collect();
        assert_eq!(complaints, [""; 0], "fsck of the mirror");
        self.git_mirror(name, &["cat-file", "--batch-all-objects", "--batch-check"]).lines().count()
    }

    /// Returns the tip of a branch of the remote.
    pub(super) fn tip(&self, branch: &str) -> CommitId {
        self.git_remote(&["rev-parse", "--verify", &format!("refs/heads/{branch}")]).parse().unwrap()
    }

    /// Installs a hook in the remote.
    pub(super) fn hook(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.remote_path().join("hooks").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Checks every object of the remote.
    pub(super) fn assert_sound(&self) {
        let found = self.git_remote(&["fsck", "--strict", "--no-dangling", "--no-progress"]);
        let complaints: Vec<&str> = found.lines().filter(|line| !line.starts_with("notice: ")).collect();
        assert_eq!(complaints, [""; 0], "fsck of the remote");
    }
}

/// Runs `git` without user or system configuration; its output is shown if it fails.
pub(super) fn git(dir: &Path, arguments: &[&str], input: &[u8]) -> String {
    let mut child = git_command(dir)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "git {arguments:?}: {out}{err}");
    format!("{out}{err}").trim().to_owned()
}

/// Returns a commit of files on a branch, for a mirror to write.
pub(super) fn commit(branch: &str, parent: Option<&CommitId>, files: &[(&str, Option<&str>)]) -> NewCommit {
    let files = files.iter().map(|(path, content)| ((*path).to_owned(), content.map(|text| text.as_bytes().to_vec())));
    NewCommit {
        branch: branch.to_owned(),
        parent: parent.cloned(),
        files: files.collect(),
        message: "status: east-1 is up".to_owned(),
        author: "Tidegate".to_owned(),
        email: "tidegate@example.org".to_owned(),
        at: Timestamp::from_second(1_700_000_100).unwrap(),
    }
}

/// Returns the tips that a fetch should return.
pub(super) fn tips(expected: &[(&str, &CommitId)]) -> BTreeMap<String, CommitId> {
    expected.iter().map(|(branch, id)| ((*branch).to_owned(), (*id).clone())).collect()
}
