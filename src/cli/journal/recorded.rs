//! Reads a recording for commands.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::version;
use tidegate_journal::{Facts, Journal, entry};
use tidegate_model::error_chain::ErrorChain;
use tidegate_recording::{Error, Played, Recording, Replay};

/// A recording whose plans are made again.
pub(crate) type Plans = Replay<BufReader<File>>;

/// Opens a recording.
pub(crate) fn open(path: &Path) -> Result<Plans, Failure> {
    let file = File::open(path).map_err(|error| failure(path, &Error::Io(error)))?;
    Ok(Replay::new(Recording::open(BufReader::new(file), &version::build()).map_err(|error| failure(path, &error))?))
}

/// Says what is wrong with a recording.
pub(crate) fn failure(path: &Path, error: &Error) -> Failure {
    Failure::Usage(format!(
        "{}: {}; name a file that `tidegate run --record` has written",
        path.display(),
        ErrorChain(error)
    ))
}

/// Returns the plan with this number, or the last one.
pub(crate) fn plan(plans: &mut Plans, path: &Path, number: Option<u64>) -> Result<Played, Failure> {
    let mut last = None;
    while let Some(played) = plans.step().map_err(|error| failure(path, &error))? {
        let is_it = number == Some(played.number);
        last = Some(played);
        if is_it {
            break;
        }
    }
    let last = last.ok_or_else(|| Failure::Usage(format!("{}: no plan was made", path.display())))?;
    match number {
        Some(number) if number != last.number => {
            let problem = format!("there is no tick {number}; the last one is tick {}", last.number);
            Err(Failure::Usage(format!("{}: {problem}", path.display())))
        }
        _ => Ok(last),
    }
}

/// Returns what the journal would say after a plan if all of its writes succeeded.
pub(crate) fn journal(process: &Process, path: &Path, tick: Option<u64>) -> Result<Journal, Failure> {
    let mut plans = open(path)?;
    let played = plan(&mut plans, path, tick)?;
    if !played.is_same {
        process.warn_line(&format!("tick {}: the daemon decided something else", played.number));
    }
    let revision = plans.moment().map(|moment| moment.facts.as_ref().clone()).unwrap_or_default();
    let facts = Facts { revision, looked: Some(played.now), ..Facts::default() };
    let entry = entry(&Journal::default(), &played.plan.report, &facts, played.now);
    let entry = entry.map_err(|error| Failure::internal(&error))?;
    Ok(entry.map(|entry| entry.journal).unwrap_or_default())
}
