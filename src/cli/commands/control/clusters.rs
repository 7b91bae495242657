//! Whether the clusters that a decision names exist.

use std::collections::BTreeSet;

use super::decision::Decision;
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use tidegate_model::name::ClusterName;
use tidegate_model::near::remedy;
use tidegate_repository::Loaded;
use tidegate_repository::control::path_of;

/// The clusters in the journal; `None` if there is no journal that can be read.
pub(super) fn journaled(decision: &Decision) -> Option<BTreeSet<ClusterName>> {
    decision.named()?;
    let (journal, _) =
        History::open(&decision.commit.to.source.reading()).and_then(|history| history.journal()).ok()?;
    let clusters: BTreeSet<ClusterName> =
        journal.lists.into_values().flat_map(|clusters| clusters.into_keys()).collect();
    (!clusters.is_empty()).then_some(clusters)
}

/// Refuses a cluster that neither the journal nor the repository has: a mistake in the name would go unnoticed. Returns a warning if there is
/// no journal, and the repository does not have all of them.
///
/// # Errors
/// [`Failure::Usage`] with similar names.
pub(super) fn check(
    decision: &Decision,
    journaled: Option<&BTreeSet<ClusterName>>,
    loaded: &Loaded,
) -> Result<Option<String>, Failure> {
    let Some(named) = decision.named() else { return Ok(None) };
    let declared = &loaded.repository.clusters;
    let Some(journaled) = journaled else {
        let unknown = named.iter().find(|name| !declared.contains_key(*name));
        return Ok(unknown.map(|name| {
            format!(
                "warning: there is no journal here with clusters, so it is not known whether {name} exists; `git fetch` brings the journal of a \
                 running daemon"
            )
        }));
    };
    let Some(unknown) = named.iter().find(|name| !journaled.contains(*name) && !declared.contains_key(*name)) else {
        return Ok(None);
    };
    let names = journaled.iter().chain(declared.keys()).map(ClusterName::as_str);
    Err(Failure::Usage(format!(
        "no add-on of the journal has a cluster {:?}; {}; for a cluster that is yet to join, edit {} by hand",
        unknown.as_str(),
        remedy(unknown.as_str(), names),
        path_of(decision.addon.as_ref()),
    )))
}
