//! The digest that an abort or a retry is about: the one in force.

use super::decision::Decision;
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use tidegate_model::name::UnitName;
use tidegate_repository::Loaded;
use tidegate_repository::control::DigestStart;

/// Returns the digest: the one that the user named, or else that of the newest revision. An add-on that the newest revision blocks stays
/// on an earlier one, whose digest is in the journal.
///
/// # Errors
/// [`Failure::Usage`] if it is not known.
pub(super) fn of(decision: &Decision, addon: &UnitName, loaded: &Loaded) -> Result<DigestStart, Failure> {
    if let Some(named) = decision.digest() {
        return Ok(named.clone());
    }
    let is_blocked = loaded.repository.blocked.contains_key(addon);
    if let Some(digest) = loaded.repository.digest(addon).filter(|_| !is_blocked) {
        return Ok(DigestStart::of(digest));
    }
    let journaled = History::open(&decision.commit.to.source.reading()).and_then(|history| history.journal());
    let status = journaled.ok().and_then(|(mut journal, _)| journal.addons.remove(addon));
    status.and_then(|status| status.digest).map(|digest| DigestStart::of(&digest)).ok_or_else(|| {
        Failure::Usage(format!(
            "the newest revision has errors that block {addon}, so the digest in force is not known; fix them (`tidegate validate` shows \
             them), fetch the journal, or give the digest with --digest"
        ))
    })
}
