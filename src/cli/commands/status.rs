//! `tidegate status`: the state of the add-ons, from the journal. It needs only Git and no hub.

use std::time::Duration;

use serde_json::json;

use crate::cli::args::StatusArgs;
use crate::cli::failure::Failure;
use crate::cli::journal::outcome::{self, Outcome};
use crate::cli::journal::reader;
use crate::cli::output::age;
use crate::cli::output::cluster_table;
use crate::cli::output::document::printed;
use crate::cli::output::screen::Screen;
use crate::cli::output::status_table::{self, Row};
use crate::cli::process::Process;
use crate::cli::signal::stop_on_signal;
use tidegate_journal::Journal;
use tidegate_model::followed::{RefusedRevision, Revision};
use tidegate_model::line::{brief, one_line};
use tidegate_model::time::{Timestamp, to_seconds};

/// How often `--watch` polls the journal.
const LOOK: Duration = Duration::from_secs(2);

/// Prints the state of the add-ons. With `--watch`, a terminal shows it until stopped, redrawn in place; in a pipe, it is
/// printed again whenever the journal changes.
pub(crate) async fn run(process: &Process, args: StatusArgs) -> Result<(), Failure> {
    let reader = reader::Reader::open(&args.source).await?;
    let stop = stop_on_signal(process)?;
    let mut output = Output { screen: Screen::new(process), last: None, is_overdue: false };
    loop {
        let (journal, written) = tokio::select! {
            read = reader.read_dated() => read?,
            () = stop.cancelled() => return Ok(()),
        };
        let outcome = if args.exit_code { outcome(&args, &journal, process.clock().now())? } else { whole(&journal) };
        if args.watch && args.output.is_none() && output.screen.is_terminal() {
            output.screen.draw(&live(&args, &journal, written, process.clock().now())?)?;
        } else {
            output.print(process, &args, journal, written)?;
        }
        if !args.watch {
            return match outcome {
                Outcome::AtTarget => Ok(()),
                Outcome::UnderWay => Err(Failure::UnderWay),
                Outcome::NeedsAttention => Err(Failure::Findings),
            };
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = stop.cancelled() => return Ok(()),
        }
    }
}

/// Returns the outcome without `--exit-code`, which depends only on whether the whole journal can be read.
fn whole(journal: &Journal) -> Outcome {
    if journal.unreadable.is_empty() { Outcome::AtTarget } else { Outcome::NeedsAttention }
}

/// Returns the outcome for `--exit-code`: of one add-on if one is named, otherwise of all of them and of the revision.
fn outcome(args: &StatusArgs, journal: &Journal, now: Timestamp) -> Result<Outcome, Failure> {
    let of_addons = match &args.addon {
        Some(name) => outcome::of_addon(reader::addon(journal, name)?),
        None => outcome::of_all(journal),
    };
    let overdue = if age::overdue(journal, now).is_some() { Outcome::NeedsAttention } else { Outcome::AtTarget };
    Ok(of_addons.max(overdue).max(whole(journal)))
}

/// What has been printed.
struct Output {
    screen: Screen,
    last: Option<Journal>,
    is_overdue: bool,
}

impl Output {
    /// Prints a journal and its warnings, if they were not the last thing printed.
    fn print(
        &mut self,
        process: &Process,
        args: &StatusArgs,
        journal: Journal,
        written: Timestamp,
    ) -> Result<(), Failure> {
        if self.last.as_ref() != Some(&journal) {
            process.say(&shown(args, &journal)?)?;
            if args.output.is_none() {
                process.say_line(&age::line(written, process.clock().now()))?;
            }
            unreadable(&journal).for_each(|warning| process.warn_line(&warning));
            self.is_overdue = false;
        }
        let overdue = age::overdue(&journal, process.clock().now());
        if let Some(warning) = overdue.filter(|_| !std::mem::replace(&mut self.is_overdue, true)) {
            process.warn_line(&warning);
        }
        self.last = Some(journal);
        Ok(())
    }
}

/// Returns the block for a terminal: the time and the age of the journal, every warning, and the state of the add-ons. A small
/// terminal cuts the end.
fn live(args: &StatusArgs, journal: &Journal, written: Timestamp, now: Timestamp) -> Result<String, Failure> {
    let clock = format!("{}; press Ctrl-C to stop", to_seconds(now));
    let lines =
        [clock, age::line(written, now)].into_iter().chain(unreadable(journal)).chain(age::overdue(journal, now));
    Ok(lines.map(|line| line + "\n").collect::<String>() + &shown(args, journal)?)
}

fn unreadable(journal: &Journal) -> impl Iterator<Item = String> {
    let warning = |path| format!("{path} in the journal cannot be read; restore it from the history of the branch");
    journal.unreadable.iter().map(warning)
}

/// Returns the state of the add-ons, for people or in the format of `-o`.
fn shown(args: &StatusArgs, journal: &Journal) -> Result<String, Failure> {
    let addons: Vec<_> = match &args.addon {
        None => journal.addons.values().collect(),
        Some(name) => vec![reader::addon(journal, name)?],
    };
    if let Some(output) = args.output {
        let document = json!({ "sync": journal.sync, "addons": addons });
        return printed(output, &document).map(|document| format!("{document}\n"));
    }
    let mut lines = Vec::new();
    if let Some(sync) = &journal.sync {
        lines.extend(sync.instance.as_ref().map(|identity| format!("instance {}", identity.instance())));
        let seen = |seen: &Revision| format!("revision {} {}", seen.commit.short(), one_line(&seen.subject));
        lines.extend(sync.seen.as_ref().map(seen));
        if let Some(RefusedRevision { revision, reason }) = &sync.refused {
            let line = format!("revision {} {} is not followed: {reason}", revision.commit.short(), revision.subject);
            lines.push(format!("  {}", one_line(&line)));
        }
        let others = sync.failures.iter().chain(&sync.overrides).chain(&sync.notices).cloned();
        lines.extend(sync.complaint_lines().chain(others).map(|line| format!("  {}", brief(&line, usize::MAX))));
    }
    let mut text: String = lines.into_iter().map(|line| line + "\n").collect();
    text.push_str(&status_table::table(addons.iter().map(|addon| Row::of_journal(addon, journal.sync.as_ref()))));
    if let (Some(_), [addon]) = (&args.addon, addons.as_slice()) {
        text.push_str(&cluster_table::table(&journal.clusters(&addon.addon)));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::SourceArgs;

    #[test]
    fn a_watching_terminal_shows_warnings_the_age_of_the_journal_and_the_time() {
        let args =
            StatusArgs { addon: None, output: None, watch: true, exit_code: false, source: SourceArgs::default() };
        let journal = Journal { unreadable: vec!["sync.yaml".to_owned()], ..Journal::default() };
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let block = live(&args, &journal, at("2026-11-21T10:00:00Z"), at("2026-11-21T10:00:05.5Z")).map_err(|_| ());
        assert_eq!(
            block.unwrap(),
            "2026-11-21T10:00:05Z; press Ctrl-C to stop\n\
             the last entry was written 5 s ago, at 2026-11-21T10:00:00Z\n\
             sync.yaml in the journal cannot be read; restore it from the history of the branch\n"
        );
    }
}
