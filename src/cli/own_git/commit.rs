//! Writes a commit without a work tree: blobs, a tree in an index of its own, and the commit.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use super::place::Place;
use crate::cli::failure::Failure;
use tidegate_model::revision::CommitId;

/// A commit to write.
#[derive(Debug, Clone)]
pub(crate) struct NewCommit {
    /// The changed files, by path: the new content, or `None` to remove the file.
    pub files: BTreeMap<String, Option<Vec<u8>>>,
    /// The message.
    pub message: String,
    /// Whether to sign it even if the configuration of git does not ask for it.
    pub is_signed: bool,
}

/// How to set up signing.
const HOW_TO_SIGN: &str = "choose a key with `git config --global user.signingkey ~/.ssh/id_ed25519.pub` and `git config --global \
     gpg.format ssh`, or an OpenPGP key with user.signingkey alone";

/// The mode of a regular file in a tree.
const REGULAR: &str = "100644";

impl Place {
    /// Writes a commit on top of another, as the user that git knows. Returns it, and whether it is signed.
    ///
    /// # Errors
    /// [`Failure::Usage`] if git does not know who the user is, or the key cannot sign.
    pub(crate) fn commit(&self, parent: &CommitId, new: &NewCommit) -> Result<(CommitId, bool), Failure> {
        let tree = self.write_tree(parent, &new.files)?;
        let configured = self.git.ask(&["config", "--type=bool", "--get", "commit.gpgsign"])?;
        let is_signed = new.is_signed || configured.as_deref() == Some("true");
        // A name that git guesses from the machine is no one's.
        let mut arguments =
            vec!["-c", "user.useConfigOnly=true", "-c", "i18n.commitEncoding=UTF-8", "commit-tree", &tree];
        arguments.extend(["-p", parent.as_str()]);
        arguments.extend(is_signed.then_some("-S"));
        arguments.extend(["-F", "-"]);
        let ran = self.git.run_with(&arguments, &[], Some(new.message.as_bytes()))?;
        if ran.is_success
            && let Ok(commit) = ran.output.trim().parse()
        {
            return Ok((commit, is_signed));
        }
        let complaint = ran.complaint();
        Err(Failure::Usage(if ran.says("Please tell me who you are") {
            "git does not know who you are; run `git config --global user.name NAME` and `git config --global user.email ADDRESS`".to_owned()
        } else if is_signed {
            format!("the commit cannot be signed: {complaint}; {HOW_TO_SIGN}")
        } else {
            format!("git cannot write the commit: {complaint}")
        }))
    }

    /// Writes the tree of a commit with some files changed.
    fn write_tree(&self, parent: &CommitId, files: &BTreeMap<String, Option<Vec<u8>>>) -> Result<String, Failure> {
        let directory = tempfile::Builder::new().prefix("tidegate-").tempdir();
        let directory = directory.map_err(|error| Failure::internal(&error))?;
        let index = directory.path().join("index");
        let variables = [("GIT_INDEX_FILE", index.as_os_str())];
        let run = |arguments: &[&str], input: Option<&[u8]>, what: &str| {
            let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
            self.git.run_with(&arguments, &variables, input)?.expect(what)
        };
        run(&["read-tree", parent.as_str()], None, "read the files of the branch")?;
        let mut changes = Vec::new();
        for (path, content) in files {
            let line = match content {
                Some(content) => {
                    let blob = run(&["hash-object", "-w", "--stdin"], Some(content), "write a file")?;
                    format!("{REGULAR} {blob}\t{path}\0")
                }
                None => format!("0 {}\t{path}\0", "0".repeat(parent.as_str().len())),
            };
            changes.extend_from_slice(line.as_bytes());
        }
        run(&["update-index", "-z", "--add", "--replace", "--index-info"], Some(&changes), "change the files")?;
        run(&["write-tree"], None, "write the files")
    }
}
