//! Where the fleet comes from.

use std::path::Path;
use std::time::Duration;

use crate::cli::args::{FleetArgs, FleetSource};
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::cli::journal::reader::Reader;
use crate::cli::output::age;
use crate::cli::process::Process;
use tidegate_daemon::hub::Options;
use tidegate_daemon::telemetry::metrics::Metrics;
use tidegate_journal::file;
use tidegate_journal::snapshot::Snapshot;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::time::{SignedDuration, Timestamp, to_seconds};

/// How long the hub may take to list every kind.
const PATIENCE: Duration = Duration::from_secs(60);

/// The age of a journal that is worth a warning: a running daemon would have recorded most changes of an hour.
const OLD: SignedDuration = SignedDuration::from_hours(1);

/// Reads the fleet from the file, the hub or the journal that the arguments name.
pub(super) async fn read(process: &Process, args: &FleetArgs) -> Result<Snapshot, Failure> {
    match &args.from.file {
        Some(path) => of_file(path),
        None if args.from.names_hub() => of_hub(&args.from).await,
        None => of_journal(process, args).await,
    }
}

/// Reads a file.
pub(crate) fn of_file(path: &Path) -> Result<Snapshot, Failure> {
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::Usage(format!("--fleet {}: {error}; name a fleet.yaml, such as one of the journal", path.display()))
    })?;
    Snapshot::read(&bytes).map_err(|error| Failure::Usage(format!("{}: {}", path.display(), ErrorChain(&error))))
}

/// Reads the hub.
pub(crate) async fn of_hub(args: &FleetSource) -> Result<Snapshot, Failure> {
    let client = compose::client(&args.hub).await?;
    let hub =
        compose::connected(client, Options { all_works: true, ..Options::default() }, &Metrics::default()).await?;
    let seen = hub.look_at_all(PATIENCE).await.map_err(|error| {
        Failure::unreachable(&error, "check that the account of the kubeconfig may list every kind of OCM")
    })?;
    Ok(Snapshot::of(&seen.fleet, None, Timestamp::now()))
}

async fn of_journal(process: &Process, args: &FleetArgs) -> Result<Snapshot, Failure> {
    let (journal, written) = Reader::open(&args.source).await?.read_dated().await?;
    let bytes = journal.files.get(file::FLEET).ok_or_else(|| {
        Failure::Usage(
            "the journal has no fleet.yaml: a running daemon writes it, unless [journal] fleet in tidegate.toml is false; read the hub \
             itself with --kubeconfig, or a file with --fleet"
                .to_owned(),
        )
    })?;
    let snapshot = Snapshot::read(bytes).map_err(|error| {
        let why = ErrorChain(&error);
        Failure::Usage(format!("fleet.yaml in the journal cannot be read: {why}"))
    })?;
    let now = Timestamp::now();
    let written = snapshot.as_of.unwrap_or(written);
    if now.duration_since(written) > OLD {
        process.warn_line(&format!(
            "warning: {}; without a running daemon, the fleet may have changed since: --kubeconfig reads the hub itself",
            age::line(written, now)
        ));
    } else {
        process.warn_line(&format!("the fleet is as of {}", to_seconds(written)));
    }
    Ok(snapshot)
}
