//! `tidegate render --cluster`: the manifests that one cluster would get.

use std::path::Path;

use crate::cli::args::RenderArgs;
use crate::cli::failure::Failure;
use crate::cli::output::document::print;
use crate::cli::process::Process;
use crate::cli::repository::cluster::{OfflineCluster, addons};
use tidegate_repository::Repository;

/// Prints the manifests that a cluster would get, for each add-on with a placement that selects it.
///
/// # Errors
/// [`Failure::Findings`] if no placement selects it.
pub(super) fn for_cluster(
    process: &Process,
    args: &RenderArgs,
    (repository, root): (&Repository, &Path),
    name: &str,
) -> Result<(), Failure> {
    let cluster = OfflineCluster::new(process, repository, root, name, &args.labels)?;
    let addons = addons(repository, args.addon.as_deref())?;
    let mut is_selected = addons.is_empty();
    for (addon, declared) in addons {
        let Some(preview) = cluster.preview(addon, declared)? else {
            cluster.why_not(addon, declared).iter().for_each(|line| process.warn_line(line));
            continue;
        };
        is_selected = true;
        preview.rendered.deploy().try_for_each(|object| print(process, object))?;
    }
    if is_selected { Ok(()) } else { Err(Failure::Findings) }
}
