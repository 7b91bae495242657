//! Makes a commit from the files of a tip and changes to them, without a work tree.

use std::collections::BTreeMap;

use super::clone::Clone;
use super::push::{Request, Signing, Tip};
use crate::cli::failure::Failure;
use tidegate_model::revision::CommitId;

/// How to set up signing, for the error of a commit that must be signed.
const HOW_TO_SIGN: &str = "set up a key with `git config --global gpg.format ssh` and `git config --global user.signingkey \
     ~/.ssh/id_ed25519.pub`, or with `git config --global user.signingkey <OpenPGP key>`";

impl Clone {
    /// Makes the commit. No branch is moved.
    pub(super) fn commit(
        &self,
        tip: &Tip,
        files: &BTreeMap<String, Option<Vec<u8>>>,
        message: &str,
        request: &Request<'_>,
    ) -> Result<CommitId, Failure> {
        let place =
            tempfile::Builder::new().prefix("tidegate-").tempdir().map_err(|error| Failure::internal(&error))?;
        let index = place.path().join("index");
        self.git.run_with(&["read-tree", tip.commit.as_str()], Some(&index), &[])?;
        for (path, content) in files {
            check(tip, path)?;
            match content {
                Some(content) => {
                    let blob = self.git.run_with(&["hash-object", "-w", "--stdin"], None, content)?;
                    let entry = format!("100644,{blob},{path}");
                    self.git.run_with(&["update-index", "--add", "--cacheinfo", &entry], Some(&index), &[])?;
                }
                None => {
                    self.git.run_with(&["update-index", "--force-remove", "--", path], Some(&index), &[])?;
                }
            }
        }
        let tree = self.git.run_with(&["write-tree"], Some(&index), &[])?;
        let is_signed = match request.signing {
            Signing::Required => true,
            Signing::AsConfigured => self.git.output(&["config", "--type=bool", "commit.gpgsign"])?.text == "true",
        };
        let mut arguments = vec!["commit-tree", "-p", tip.commit.as_str(), "-F", "-"];
        arguments.extend(is_signed.then_some("-S"));
        arguments.push(&tree);
        let made = self.git.with(&arguments, None, message.as_bytes())?;
        if !made.is_success {
            let hint = if is_signed { HOW_TO_SIGN } else { "set `git config --global user.name` and `user.email`" };
            return Err(Failure::Usage(format!("Git cannot make the commit: {}; {hint}", made.message)));
        }
        let commit: CommitId = made.text.parse().map_err(|error| Failure::internal(&error))?;
        if is_signed && !self.is_signed(&commit)? {
            return Err(Failure::Usage(format!(
                "Git made a commit without a signature, which counts for nothing; {HOW_TO_SIGN}"
            )));
        }
        Ok(commit)
    }

    fn is_signed(&self, commit: &CommitId) -> Result<bool, Failure> {
        let info = self.objects.commit_info(commit).map_err(|error| Failure::internal(&error))?;
        Ok(info.signature.is_some())
    }
}

/// Refuses a path at which there is something else than a regular file, or below a file or a link.
fn check(tip: &Tip, path: &str) -> Result<(), Failure> {
    let in_the_way = |place: &str, what: &str| {
        Failure::Usage(format!(
            "{path} cannot be written: {place} is {what} on {}; remove or rename it first",
            tip.commit.short()
        ))
    };
    if let Some(why) = tip.tree.skipped.get(path) {
        return Err(Failure::Usage(format!("{path} cannot be changed: {why}; remove it first")));
    }
    for (at, _) in path.match_indices('/') {
        let directory = path.get(..at).unwrap_or_default();
        if tip.tree.files.contains_key(directory) {
            return Err(in_the_way(directory, "a file, not a directory,"));
        }
        if tip.tree.skipped.contains_key(directory) {
            return Err(in_the_way(directory, "not a directory"));
        }
    }
    let below = format!("{path}/");
    if tip.tree.files.range(below.clone()..).next().is_some_and(|(found, _)| found.starts_with(&below)) {
        return Err(in_the_way(path, "a directory"));
    }
    Ok(())
}
