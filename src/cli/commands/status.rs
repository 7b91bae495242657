//! `tidegate status`: the state of the add-ons, from the journal. It needs only Git and no hub.

use std::time::Duration;

use serde_json::json;

use crate::cli::args::StatusArgs;
use crate::cli::failure::Failure;
use crate::cli::journal::reader;
use crate::cli::output::age;
use crate::cli::output::cluster_table;
use crate::cli::output::document::printed;
use crate::cli::output::status_table::{self, Row};
use crate::cli::output::stdout::{say, say_line, warn_line};
use crate::cli::signal::stop_on_signal;
use tidegate_core::journal::Journal;
use tidegate_model::followed::RefusedRevision;
use tidegate_model::line::one_line;
use tidegate_model::time::Timestamp;

/// How often `--watch` polls the journal.
const LOOK: Duration = Duration::from_secs(2);

/// Prints the state of the add-ons; with `--watch`, again whenever the journal changes.
pub(crate) async fn run(args: StatusArgs) -> Result<(), Failure> {
    let reader = reader::Reader::open(&args.source).await?;
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
        Some(name) => vec![reader::addon(journal, name)?],
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
    say(&status_table::table(addons.iter().map(|addon| Row::of_journal(addon))))?;
    if let (Some(_), [addon]) = (&args.addon, addons.as_slice()) {
        say(&cluster_table::table(&journal.clusters(&addon.addon)))?;
    }
    Ok(())
}
