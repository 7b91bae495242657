//! `tidegate upgrade --check`: looks for newer versions of what a repository uses, and opens a pull request for each add-on.

mod check;
mod in_use;
mod open;
mod proposed;

use crate::cli::args::UpgradeArgs;
use crate::cli::failure::Failure;
use crate::cli::process::Process;

/// Prints what has a newer version, and opens pull requests if that is asked for. Something newer without a pull request is exit code 1.
pub(crate) async fn run(process: &Process, args: UpgradeArgs) -> Result<(), Failure> {
    let (printing, reading) = (process.clone(), args.clone());
    let checked = tokio::task::spawn_blocking(move || check::check(&printing, &reading)).await;
    let checked = checked.map_err(|error| Failure::internal(&error))??;
    let (failed, mut left) = (checked.failed, checked.newer.len());
    if args.open && !checked.newer.is_empty() {
        left = open::open(process, &args, checked.newer).await?;
    }
    match (failed, left) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::Findings),
        _ => Err(check::unreachable(failed)),
    }
}
