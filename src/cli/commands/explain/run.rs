//! Runs `tidegate explain`: reads the journal, and explains an add-on or one of its clusters.

use std::collections::BTreeMap;

use serde_json::json;

use super::addon::addon;
use super::cluster::{cluster, next_change};
use super::different;
use crate::cli::args::ExplainArgs;
use crate::cli::failure::Failure;
use crate::cli::journal::{reader, recorded};
use crate::cli::output::document::printed;
use crate::cli::output::status_table;
use crate::cli::process::Process;
use tidegate_journal::Journal;
use tidegate_journal::file;
use tidegate_journal::record::{AddonStatus, ClusterReport};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::{ClusterName, UnitName};

/// Explains an add-on, or one cluster of it.
pub(crate) async fn run(process: &Process, args: ExplainArgs) -> Result<(), Failure> {
    if let Some(recording) = &args.recording.recording {
        return say(process, &args, &recorded::journal(process, recording, args.recording.tick)?);
    }
    let reader = reader::Reader::open(&args.source).await?;
    let journal = reader.read().await?;
    if args.why_different.is_empty() {
        return say(process, &args, &journal);
    }
    let status = reader::addon(&journal, &args.addon)?;
    let clusters = clusters(&journal, &status.addon)?;
    different::run(process, &args, &reader, &journal, (status, &clusters)).await
}

/// Explains an add-on or a cluster from a journal.
fn say(process: &Process, args: &ExplainArgs, journal: &Journal) -> Result<(), Failure> {
    let status = reader::addon(journal, &args.addon)?;
    let clusters = clusters(journal, &status.addon)?;
    let Some(name) = &args.cluster else {
        return match args.output {
            Some(output) => process.say_line(&printed(output, &json!({ "addon": status, "clusters": clusters }))?),
            None => process.say(&explained(journal, &args.addon)?),
        };
    };
    let (name, report) = clusters.get_key_value(name.as_str()).ok_or_else(|| {
        let problem = format!("no placement of {} selects a cluster {name:?}", args.addon);
        Failure::Usage(format!("{problem}; `tidegate status {}` lists the clusters that have it", args.addon))
    })?;
    let next = next_change(name, &clusters);
    match args.output {
        Some(output) => {
            let next = next.map(|(_, _, at)| at);
            let document = json!({ "addon": args.addon, "cluster": name, "report": report, "nextLook": next });
            process.say_line(&printed(output, &document)?)
        }
        None => process.say(&cluster(status, name, report, next)),
    }
}

/// Explains all clusters of an add-on.
///
/// # Errors
/// [`Failure::Usage`] if the journal does not have the add-on, or is damaged.
pub(crate) fn explained(journal: &Journal, name: &str) -> Result<String, Failure> {
    let status = reader::addon(journal, name)?;
    let clusters = clusters(journal, &status.addon)?;
    Ok(addon(status_table::Row::of_journal(status, journal.sync.as_ref()), status, &clusters))
}

fn clusters(journal: &Journal, addon: &UnitName) -> Result<BTreeMap<ClusterName, ClusterReport>, Failure> {
    let path = file::clusters(addon);
    let bytes = journal.files.get(&path).map(Vec::as_slice).unwrap_or_default();
    tidegate_journal::clusters::read(bytes).map_err(|error| {
        let why = ErrorChain(&error);
        Failure::Usage(format!("{path} in the journal cannot be read: {why}; a running daemon writes it again"))
    })
}

/// Explains one cluster of an add-on.
pub(crate) fn of_cluster(
    status: &AddonStatus,
    name: &ClusterName,
    clusters: &BTreeMap<ClusterName, ClusterReport>,
) -> String {
    clusters.get(name).map(|report| cluster(status, name, report, next_change(name, clusters))).unwrap_or_default()
}
