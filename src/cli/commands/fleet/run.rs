//! The command: read the fleet, filter it, and print its rows.

use super::{origin, words};
use crate::cli::args::FleetArgs;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::output::fleet_table;
use crate::cli::process::Process;
use tidegate_journal::snapshot::{Filter, FleetList, Snapshot};
use tidegate_model::name::UnitName;

/// Prints the rows of a fleet.
pub(in crate::cli) async fn run(process: &Process, args: FleetArgs) -> Result<(), Failure> {
    let snapshot = origin::read(process, &args).await?;
    let addon = args.addon.as_deref().map(|name| known(&snapshot, name)).transpose()?;
    let filter = Filter { labels: args.label.clone().unwrap_or_default(), addon, state: args.state };
    let listing = snapshot.list(&filter);
    if let Some(output) = args.output {
        let document = serde_json::to_value(FleetList::from(listing)).map_err(|error| Failure::internal(&error))?;
        return process.say(&format!("{}\n", printed(output, &document)?.trim_end()));
    }
    if let Some(why) = words::empty(&listing, &filter) {
        process.warn_line(&why);
        return Ok(());
    }
    process.say(&fleet_table::table(&listing.rows, process.is_terminal()))
}

/// Returns an add-on by its name, if the fleet has it.
fn known(snapshot: &Snapshot, name: &str) -> Result<UnitName, Failure> {
    let names = snapshot.addon_names();
    let found = names.iter().find(|known| known.as_str() == name);
    found.map(|name| (*name).clone()).ok_or_else(|| Failure::Usage(words::unknown(name, &names)))
}
