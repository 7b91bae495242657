//! Real journals, held against the rules and the schemas.

use std::ops::ControlFlow;
use std::path::Path;

use tidegate::audit::commit::Options;
use tidegate::audit::{Finding, Verifier};
use tidegate::git::{Archive, Chain};
use tidegate::journal::headline;
use tidegate::model::chain::{Content, Link};

/// Walks along the journal of a repository, whichever branch it is on; there may be none yet.
pub(crate) fn links(repository: &Path) -> (Vec<Link>, bool) {
    let archive = Archive::open(repository).unwrap();
    let own = archive.tip("tidegate/journal").unwrap();
    let is_shared = own.is_none();
    let Some(tip) = own.or_else(|| archive.tip("main").unwrap()) else { return (Vec::new(), is_shared) };
    let directory = if is_shared { "status" } else { "" };
    let chain = Chain { tip: &tip, directory, wants: |_| true, wants_before: |_, _| true };
    let mut links = Vec::new();
    let mut visit = |link: Link| {
        links.push(link);
        ControlFlow::Continue(())
    };
    archive.walk(&chain, &mut visit).unwrap();
    (links, is_shared)
}

/// Returns what is wrong with the journal of a repository.
pub(crate) fn findings(repository: &Path) -> Vec<Finding> {
    let (links, is_shared) = links(repository);
    let mut verifier = Verifier::new(Options { is_shared, ..Options::default() });
    links.iter().for_each(|link| verifier.follow(link));
    verifier.verdict().findings
}

/// Fails if Tidegate itself wrote something to the journal of a repository that the audit or a schema refuses.
pub(crate) fn proven(repository: &Path) {
    let ours: Vec<String> = findings(repository)
        .into_iter()
        .filter(|finding| finding.author.ends_with(&format!("<{}>", headline::EMAIL)))
        .map(|finding| finding.to_string())
        .collect();
    assert!(ours.is_empty(), "the journal does not verify:\n{}", ours.join("\n"));
    for link in links(repository).0.iter().filter(|link| link.author.email == headline::EMAIL) {
        for change in &link.changes {
            if let Content::File(bytes) = &change.after {
                super::schema::validated(&change.path, bytes);
            }
        }
    }
}
