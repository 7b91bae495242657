//! Checks real journals against the rules and the schemas.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use tidegate::audit::commit::Options;
use tidegate::audit::{Finding, Verifier};
use tidegate_git::{Chain, LocalRepository};
use tidegate_journal::headline;
use tidegate_model::chain::{Content, Link, Person};

/// Returns `true` if the journal of a repository is on the branch that people commit to.
fn is_shared(repository: &Path) -> bool {
    LocalRepository::open(repository).unwrap().tip("tidegate/journal").unwrap().is_none()
}

/// Walks the journal of a repository, which may not exist yet.
fn walk(repository: &Path, mut visit: impl FnMut(Link)) {
    let archive = LocalRepository::open(repository).unwrap();
    let (branch, directory) = if is_shared(repository) { ("main", "status") } else { ("tidegate/journal", "") };
    let Some(tip) = archive.tip(branch).unwrap() else { return };
    let wants_before = |author: &Person, path: &str| author.email != headline::EMAIL || path.contains("/rollouts/");
    let chain = Chain { tip: &tip, directory, wants: |_| true, wants_before };
    let mut each = |link: Link| {
        visit(link);
        ControlFlow::Continue(())
    };
    archive.walk(&chain, &mut each).unwrap();
}

/// Visits the journal of a repository after each of its commits, oldest first: the commit, and all files by path.
pub(crate) fn each_entry(repository: &Path, mut visit: impl FnMut(&Link, &BTreeMap<String, Vec<u8>>)) {
    let mut files = BTreeMap::new();
    walk(repository, |link| {
        for change in &link.changes {
            match &change.after {
                Content::File(bytes) => drop(files.insert(change.path.clone(), bytes.to_vec())),
                Content::Gone | Content::Unread(_) => drop(files.remove(&change.path)),
            }
        }
        visit(&link, &files);
    });
}

/// Returns the number of commits in the journal of a repository.
pub(crate) fn commits(repository: &Path) -> usize {
    let mut commits = 0;
    walk(repository, |_| commits += 1);
    commits
}

/// Returns the findings for the journal of a repository.
pub(crate) fn findings(repository: &Path) -> Vec<Finding> {
    verified(repository, |_| {})
}

/// Returns the findings for the journal of a repository, each of whose commits is visited.
fn verified(repository: &Path, mut visit: impl FnMut(&Link)) -> Vec<Finding> {
    let mut verifier = Verifier::new(Options { is_shared: is_shared(repository), ..Options::default() });
    walk(repository, |link| {
        visit(&link);
        verifier.follow(&link);
    });
    verifier.verdict().findings
}

/// Fails if the journal of a repository does not agree with its revisions and approvals. `config` is the file of the daemon.
pub(crate) fn approved(repository: &Path, config: &str) {
    let file = repository.with_file_name("audit.toml");
    std::fs::write(&file, config).unwrap();
    let (source, file) = (repository.to_str().unwrap(), file.to_str().unwrap());
    let output = crate::cli::tidegate(&["verify-history", "--source", source, "--config", file, "-o", "json"]);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = said["findings"].as_array().unwrap().iter();
    let is_ours =
        |finding: &&serde_json::Value| finding["author"].as_str().unwrap().ends_with(&format!("<{}>", headline::EMAIL));
    let ours: Vec<_> = findings.filter(is_ours).collect();
    assert!(ours.is_empty(), "the journal does not agree with the repository: {ours:#?}");
}

/// Fails if Tidegate itself wrote something to the journal of a repository that the audit or a schema rejects.
pub(crate) fn proven(repository: &Path) {
    let findings = verified(repository, |link| {
        for change in link.changes.iter().filter(|_| link.author.email == headline::EMAIL) {
            if let Content::File(bytes) = &change.after {
                super::schema::validated(&change.path, bytes);
            }
        }
    });
    let ours: Vec<String> = findings
        .into_iter()
        .filter(|finding| finding.author.ends_with(&format!("<{}>", headline::EMAIL)))
        .map(|finding| finding.to_string())
        .collect();
    assert!(ours.is_empty(), "the journal does not verify:\n{}", ours.join("\n"));
}
