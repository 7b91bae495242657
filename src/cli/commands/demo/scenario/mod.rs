//! The scenarios of the demo: what Tidegate does if something goes wrong, or if people have to decide.

mod approval;
mod canary_failure;
mod people;
mod rollback;

use super::place::Place;
use super::repository::{Files, entry, example};
use super::stage::Stage;
use super::{BROKEN, FILE};
use crate::cli::args::Scenario;
use crate::cli::failure::Failure;
use tidegate_core::plan::report::AddonReport;
use tidegate_model::progress::ClusterState;

/// The deadline of the clusters, so that a broken version fails within the demo.
const DEADLINE: &str = "8s";

/// The file with the policy of a scenario.
const POLICY: &str = "fleet/policies/hello-template.yaml";

/// Prepares a scenario, and returns its changes of the example repository.
pub(super) fn prepare(scenario: Scenario, place: &Place) -> Result<Files, Failure> {
    let addon = example(FILE).replace("progressDeadline: 10m", &format!("progressDeadline: {DEADLINE}"));
    let mut files = Files::from([entry(FILE, addon)]);
    match scenario {
        Scenario::CanaryFailure => {}
        Scenario::Rollback => files.extend([rollback::policy()]),
        Scenario::Approval => files = Files::from([approval::settings(place)?]),
    }
    Ok(files)
}

/// Shows a scenario.
pub(super) async fn play(scenario: Scenario, stage: &mut Stage<'_>) -> Result<(), Failure> {
    match scenario {
        Scenario::CanaryFailure => canary_failure::play(stage).await,
        Scenario::Rollback => rollback::play(stage).await,
        Scenario::Approval => approval::play(stage).await,
    }
}

/// The clusters that have started on the broken version, and those that have not.
#[derive(Default)]
struct Tally {
    failed: usize,
    others: usize,
}

impl Tally {
    /// Counts the clusters of an add-on.
    fn of(addon: &AddonReport) -> Self {
        let failed = addon.clusters.values().filter(|cluster| cluster.version == BROKEN).count();
        Self { failed, others: addon.clusters.len() - failed }
    }
}

/// Returns `true` if every cluster that started on the broken version has failed.
fn has_failed(addon: &AddonReport) -> bool {
    let mut started = addon.clusters.values().filter(|cluster| cluster.version == BROKEN).peekable();
    let is_failed = |state| matches!(state, ClusterState::Failed | ClusterState::TimedOut);
    started.peek().is_some() && started.all(|cluster| is_failed(cluster.state))
}
