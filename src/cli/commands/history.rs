//! `tidegate history`: what was rolled out, when, by whom and with which outcome, or with `--verify` whether the journal is true. It only
//! needs a clone of the journal.

use crate::cli::args::HistoryArgs;
use crate::cli::commands::verify;
use crate::cli::failure::Failure;
use crate::cli::journal::archive;
use crate::cli::journal::decisions::decisions;
use crate::cli::output::document::printed;
use crate::cli::output::rollout_details;
use crate::cli::output::timeline;
use crate::cli::process::Process;
use tidegate_journal::history::{Events, History, Story, Wanted};
use tidegate_model::time::{SignedDuration, Timestamp, parse_go_duration};

/// Prints the history.
pub(crate) fn run(process: &Process, args: &HistoryArgs) -> Result<(), Failure> {
    if args.verify {
        return verify::run(process, args);
    }
    let wanted = wanted(process, args)?;
    let source = archive::History::open_with_followed(&args.source)?;
    let (journal, files) = source.journal()?;
    let mut events = Events::default();
    source.walk(|path| path == "sync.yaml", |link| events.follow(link))?;
    let mut events = events.events();
    let decisions = decisions(&source)?;
    events.extend(decisions.events);
    events.sort_by_key(|event| event.at);
    let history = History::of(&journal, &files, events);
    known(&history, &wanted)?;
    let history = History { shallow: source.is_shallow, ..history }.only(&wanted);
    if let Some(output) = args.output {
        let document = serde_json::to_value(&history).map_err(|error| Failure::internal(&error))?;
        process.say_line(&printed(output, &document)?)?;
    } else {
        let is_empty = history.rollouts.is_empty() && history.events.is_empty();
        let nothing_since = wanted.since.filter(|_| is_empty);
        let text = match (nothing_since, &wanted.cluster, &wanted.addon) {
            (Some(since), ..) => format!("nothing since {since}\n"),
            (None, Some(cluster), _) => timeline::life(&history, cluster),
            (None, None, Some(_)) => rollout_details::details(&history),
            (None, None, None) => timeline::table(&history),
        };
        process.say(&timeline::whole(text))?;
    }
    if history.shallow {
        process.warn_line(
            "the clone is shallow: earlier refused revisions, complaints and rewritten histories are missing; `git fetch --unshallow` fetches them. All rollouts that have ended are here",
        );
    }
    if let Some(gap) = decisions.gap {
        process.warn_line(&format!("decisions that people made with control files are missing: {gap}"));
    }
    history
        .unreadable
        .iter()
        .for_each(|path| process.warn_line(&format!("{path} cannot be read, so its content is missing here")));
    history.missing.iter().for_each(|missing| process.warn_line(&timeline::missing(missing)));
    if history.unreadable.is_empty() && history.missing.is_empty() { Ok(()) } else { Err(Failure::Findings) }
}

fn wanted(process: &Process, args: &HistoryArgs) -> Result<Wanted, Failure> {
    let name = |error: tidegate_model::name::InvalidName| Failure::Usage(error.to_string());
    Ok(Wanted {
        addon: args.addon.as_ref().map(|addon| addon.parse().map_err(name)).transpose()?,
        cluster: args.cluster.as_ref().map(|cluster| cluster.parse().map_err(name)).transpose()?,
        since: args.since.as_ref().map(|since| moment(since, process.clock().now())).transpose()?,
    })
}

/// Refuses a name that is not in the history: it is probably a typing mistake.
fn known(history: &History, wanted: &Wanted) -> Result<(), Failure> {
    if let Some(addon) = &wanted.addon
        && history.rollouts.iter().all(|story| story.addon != *addon)
    {
        let mut names: Vec<&str> = history.rollouts.iter().map(|story| story.addon.as_str()).collect();
        names.dedup();
        names.sort_unstable();
        names.dedup();
        return Err(Failure::Usage(format!(
            "the journal has no rollout of {addon}; it has rollouts of: {}",
            names.join(", ")
        )));
    }
    if let Some(cluster) = &wanted.cluster
        && history.rollouts.iter().flat_map(Story::members).all(|member| member.cluster != *cluster)
    {
        return Err(Failure::Usage(format!("no rollout in the journal has a cluster {cluster}")));
    }
    Ok(())
}

/// Parses a span before now, a day, or a timestamp.
fn moment(text: &str, now: Timestamp) -> Result<Timestamp, Failure> {
    let days = |text: &str| {
        let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let unit = match unit {
            "d" => 24,
            "w" => 7 * 24,
            _ => return None,
        };
        number.parse::<u16>().ok().map(|number| SignedDuration::from_hours(i64::from(number) * unit))
    };
    let span = days(text).or_else(|| parse_go_duration(text).ok());
    let at = match span {
        Some(span) if !span.is_positive() => {
            return Err(Failure::Usage(format!("{text:?} is not a span before now: write one such as 7d or 12h")));
        }
        Some(span) => now.checked_sub(span).ok(),
        None => text.parse().or_else(|_| format!("{text}T00:00:00Z").parse()).ok(),
    };
    at.ok_or_else(|| {
        Failure::Usage(format!("{text:?} is not a point in time: write a span such as 7d or 12h, a day such as 2026-11-01, or a timestamp such as 2026-11-01T10:00:00Z"))
    })
}
