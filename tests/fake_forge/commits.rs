//! Commits of people, written straight into the repository. Each one is one `git fast-import`, and is on its branch at once.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::git_command::{git, git_command};

/// A commit of Ada's.
pub(super) struct NewCommit<'a> {
    pub(super) branch: &'a str,
    /// The commits that it follows; the first one is its parent, and the others are merged.
    pub(super) parents: &'a [&'a str],
    /// The new content of each file, or `None` to remove it.
    pub(super) files: &'a [(&'a str, Option<&'a str>)],
    pub(super) message: &'a str,
    pub(super) at: i64,
}

impl NewCommit<'_> {
    /// Writes the commit, moves the branch to it, and returns its id.
    pub(super) fn write(&self, repository: &Path) -> String {
        let Self { branch, parents, files, message, at } = self;
        let ada = "Ada <ada@example.com>";
        let mut stream = format!("commit refs/heads/{branch}\nmark :1\nauthor {ada} {at} +0000\n");
        write!(stream, "committer {ada} {at} +0000\ndata {}\n{message}\n", message.len()).unwrap();
        for (index, parent) in parents.iter().enumerate() {
            writeln!(stream, "{} {parent}", if index == 0 { "from" } else { "merge" }).unwrap();
        }
        for (path, content) in *files {
            match content {
                Some(content) => write!(stream, "M 644 inline {path}\ndata {}\n{content}\n", content.len()).unwrap(),
                None => writeln!(stream, "D {path}").unwrap(),
            }
        }
        stream.push_str("get-mark :1\ndone\n");
        let mut command = git_command(repository);
        let import =
            ["-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--force", "--done", "--cat-blob-fd=1"];
        let mut child = command.args(import).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(stream.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

/// Returns the commit of a ref; `None` if it does not exist.
pub(super) fn target(repository: &Path, name: &str) -> Option<String> {
    if let Ok(id) = std::fs::read_to_string(repository.join(name)) {
        return Some(id.trim().to_owned());
    }
    let packed = repository.join("packed-refs").exists();
    packed.then(|| git(repository, &["for-each-ref", "--format=%(objectname)", name])).filter(|id| !id.is_empty())
}
