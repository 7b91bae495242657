//! A change as the commands that look ahead read it: two revisions, the journal and the fleet.

use super::fleet::{self, Observed};
use super::past::{self, Known};
use super::sides::{Side, Sources};
use crate::cli::args::ChangeArgs;
use crate::cli::failure::Failure;
use tidegate_core::proposal::{self, Request};
use tidegate_model::time::Timestamp;

/// A change, and everything that its plan needs.
pub(super) struct Change {
    pub(super) known: Known,
    base: Side,
    head: Side,
    observed: Observed,
}

impl Change {
    /// Reads a change.
    pub(super) async fn read(args: &ChangeArgs) -> Result<Self, Failure> {
        let reading = args.clone();
        let read = tokio::task::spawn_blocking(move || -> Result<(Known, Side, Side), Failure> {
            let sources = Sources::open(&reading)?;
            let known = past::known(&reading.source)?;
            let (base, head) = sources.read(&reading, &known)?;
            Ok((known, base, head))
        });
        let (known, base, head) = read.await.map_err(|error| Failure::internal(&error))??;
        let observed = fleet::observed(&args.fleet, &known, &base.repository).await?;
        Ok(Self { known, base, head, observed })
    }

    /// Passes the change to a function of the core, for one add-on or for all.
    pub(super) fn with<R>(&self, only: Option<&str>, look: impl FnOnce(&Request<'_>) -> R) -> R {
        let Self { known, base, head, observed } = self;
        look(&Request {
            base: half(base),
            head: half(head),
            fleet: &observed.fleet,
            source: &observed.source,
            as_of: observed.as_of,
            instance: &observed.instance,
            latencies: &known.latencies(),
            now: observed.as_of.unwrap_or_else(Timestamp::now),
            only,
        })
    }
}

fn half(side: &Side) -> proposal::Side<'_> {
    proposal::Side { revision: side.revision.clone(), loaded: &side.loaded, repository: &side.repository }
}
