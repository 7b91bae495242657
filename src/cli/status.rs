//! `tidegate status`: the state of the add-ons, from the journal. It needs only Git and no hub.

use std::time::Duration;

use serde_json::json;

use super::age;
use super::args::{Output, StatusArgs};
use super::bars::{self, Row};
use super::cluster_table;
use super::failure::Failure;
use super::journal;
use super::run::stop_on_signal;
use super::say::{say, say_line, warn_line};
use tidegate_core::journal::Journal;
use tidegate_model::followed::RefusedRevision;
use tidegate_model::line::one_line;
use tidegate_model::time::Timestamp;

/// How often `--watch` polls the journal.
const LOOK: Duration = Duration::from_secs(2);

/// Prints the state of the add-ons; with `--watch`, again whenever the journal changes.
pub async fn run(args: StatusArgs) -> Result<(), Failure> {
    let reader = journal::Reader::open(&args.source).await?;
    let stop = stop_on_signal()?;
    let mut last = None;
    let mut is_overdue = false;
    loop {
        let (journal, written) = tokio::select! {
            read = reader.read_dated() => read?,
            () = stop.cancelled() => return Ok(()),
        };
        if last.as_ref() != Some(&journal) {
            print(&args, &journal)?;
            if args.output.is_none() {
                say_line(&age::line(written, Timestamp::now()))?;
            }
            is_overdue = false;
            last = Some(journal);
        }
        let overdue = last.as_ref().and_then(|journal| age::overdue(journal, Timestamp::now()));
        if let Some(warning) = overdue.filter(|_| !std::mem::replace(&mut is_overdue, true)) {
            warn_line(&warning);
        }
        let unreadable = last.as_ref().map(|journal| journal.unreadable.as_slice()).unwrap_or_default();
        unreadable.iter().for_each(|path| {
            warn_line(&format!("{path} in the journal cannot be read; restore it from the history of the branch"))
        });
        if !args.watch {
            return if unreadable.is_empty() { Ok(()) } else { Err(Failure::Findings) };
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = stop.cancelled() => return Ok(()),
        }
    }
}

fn print(args: &StatusArgs, journal: &Journal) -> Result<(), Failure> {
    let addons: Vec<_> = match &args.addon {
        None => journal.addons.values().collect(),
        Some(name) => vec![journal::addon(journal, name)?],
    };
    if let Some(output) = args.output {
        let document = json!({ "sync": journal.sync, "addons": addons });
        return say_line(&printed(output, &document)?);
    }
    if let Some(sync) = &journal.sync {
        if let Some(identity) = &sync.instance {
            say_line(&format!("instance {}", identity.instance()))?;
        }
        if let Some(seen) = &sync.seen {
            say_line(&format!("revision {} {}", seen.commit.short(), one_line(&seen.subject)))?;
        }
        if let Some(RefusedRevision { revision, reason }) = &sync.refused {
            let line = format!("revision {} {} is not followed: {reason}", revision.commit.short(), revision.subject);
            say_line(&format!("  {}", one_line(&line)))?;
        }
        let others = sync.failures.iter().chain(&sync.notices).cloned();
        sync.complaint_lines().chain(others).try_for_each(|line| say_line(&format!("  {}", one_line(&line))))?;
    }
    say(&bars::table(addons.iter().map(|addon| Row::of_journal(addon))))?;
    if let (Some(_), [addon]) = (&args.addon, addons.as_slice()) {
        say(&cluster_table::table(&journal.clusters(&addon.addon)))?;
    }
    Ok(())
}

/// Formats a document for programs.
pub fn printed(output: Output, document: &serde_json::Value) -> Result<String, Failure> {
    match output {
        Output::Json => serde_json::to_string_pretty(document).map_err(|error| Failure::internal(&error)),
        Output::Yaml => serde_saphyr::to_string(document).map_err(|error| Failure::internal(&error)),
    }
}
