//! `tidegate status`: how the add-ons stand, from the journal. It needs Git and no hub.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::args::{Output, StatusArgs};
use super::bars::{self, Row};
use super::failure::Failure;
use super::run::stop_on_signal;
use super::say::{say, say_line, warn_line};
use super::wire::{self, StateDir};
use crate::git::{self, Mirror};
use crate::journal::Journal;
use crate::reconciler::journaling::files_below;
use crate::reconciler::source::{self, STATUS_DIRECTORY, journal_branch};

/// How often `--watch` looks at the journal: about as often as a daemon writes to it.
const LOOK: Duration = Duration::from_secs(2);

/// Prints how the add-ons stand; with `--watch`, again whenever the journal changes.
pub async fn run(args: StatusArgs) -> Result<(), Failure> {
    let state = StateDir::of(None)?;
    let remote = wire::remote(&args.source)?;
    let directory = state.mirror();
    let opened = tokio::task::spawn_blocking(move || Mirror::open(&directory, remote)).await;
    let mirror =
        Arc::new(opened.map_err(|error| Failure::internal(&error))?.map_err(|error| Failure::internal(&error))?);
    let stop = stop_on_signal()?;
    let mut last = None;
    loop {
        let look = tokio::task::spawn_blocking({
            let (mirror, args) = (mirror.clone(), args.clone());
            move || journal(&mirror, &args)
        });
        let journal = tokio::select! {
            journal = look => journal.map_err(|error| Failure::internal(&error))??,
            () = stop.cancelled() => return Ok(()),
        };
        if last.as_ref() != Some(&journal) {
            print(&args, &journal)?;
            last = Some(journal);
        }
        let unreadable = last.as_ref().map(|journal| journal.unreadable.as_slice()).unwrap_or_default();
        unreadable.iter().for_each(|path| {
            warn_line(&format!("{path} in the journal cannot be read; a running daemon lays it anew"))
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

fn journal(mirror: &Mirror, args: &StatusArgs) -> Result<Journal, Failure> {
    let unreachable = |error: git::Error| Failure::unreachable(&error, "check --source, --branch and the token");
    let source = &args.source;
    let branch = match &source.journal_branch {
        Some(branch) => branch.clone(),
        None => journal_branch(mirror, &source.branch).map_err(|error| match error {
            source::Error::Git(error) => unreachable(error),
            source::Error::NoBranch { branch } => {
                Failure::Usage(format!("the repository has no branch {branch}; name one with --branch"))
            }
        })?,
    };
    let prefix = if branch == source.branch { STATUS_DIRECTORY } else { "" };
    let tips = mirror.fetch(&[&branch]).map_err(unreachable)?;
    let tip = tips.get(&branch).ok_or_else(|| {
        Failure::Usage(format!(
            "the repository has no journal yet: branch {branch} does not exist; has `tidegate run` been started?"
        ))
    })?;
    let files = files_below(mirror, tip, prefix).map_err(unreachable)?;
    let journal = Journal::read(files);
    if journal.files.keys().all(|path| path != "sync.yaml" && !path.starts_with("addons/")) {
        return Err(Failure::Usage(format!(
            "branch {branch} holds no journal; name the right one with --journal-branch"
        )));
    }
    Ok(journal)
}

fn print(args: &StatusArgs, journal: &Journal) -> Result<(), Failure> {
    let addons: Vec<_> = match &args.addon {
        None => journal.addons.values().collect(),
        Some(name) => {
            let addon = journal.addons.get(name.as_str()).ok_or_else(|| {
                let known: Vec<_> = journal.addons.keys().map(ToString::to_string).collect();
                Failure::Usage(format!("the journal has no add-on {name:?}; it has: {}", known.join(", ")))
            })?;
            vec![addon]
        }
    };
    if let Some(output) = args.output {
        let document = json!({ "sync": journal.sync, "addons": addons });
        return say_line(&printed(output, &document)?);
    }
    if let Some(sync) = &journal.sync {
        if let Some(seen) = &sync.seen {
            say_line(&format!("revision {} {}", seen.commit.short(), seen.subject))?;
        }
        sync.complaints.iter().try_for_each(|complaint| say_line(&format!("  {complaint}")))?;
        sync.notices.iter().try_for_each(|notice| say_line(&format!("  {notice}")))?;
    }
    say(&bars::table(addons.iter().map(|addon| Row::of_journal(addon))))?;
    if let Some(name) = &args.addon
        && let Some(clusters) = journal.files.get(&format!("addons/{name}/clusters.yaml"))
    {
        let text = String::from_utf8_lossy(clusters);
        text.lines().filter(|line| line.starts_with("  ")).try_for_each(say_line)?;
    }
    Ok(())
}

/// Prints a document for programs.
pub fn printed(output: Output, document: &serde_json::Value) -> Result<String, Failure> {
    match output {
        Output::Json => serde_json::to_string_pretty(document).map_err(|error| Failure::internal(&error)),
        Output::Yaml => serde_saphyr::to_string(document).map_err(|error| Failure::internal(&error)),
    }
}
