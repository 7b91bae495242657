//! The scenarios of the demo: what Tidegate does if something goes wrong, or if people have to decide.

mod approval;
mod canary_failure;
mod pull_request;
mod rollback;
mod tally;

use super::FILE;
use super::place::Place;
use super::repository::{Files, entry, example};
use super::stage::Stage;
use crate::cli::args::Scenario;
use crate::cli::failure::Failure;

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
        Scenario::PullRequest => files = Files::from([pull_request::settings()]),
        Scenario::Approval => files = Files::from([approval::settings(place)?]),
    }
    Ok(files)
}

/// Shows a scenario.
pub(super) async fn play(scenario: Scenario, stage: &mut Stage<'_>) -> Result<(), Failure> {
    match scenario {
        Scenario::CanaryFailure => canary_failure::play(stage).await,
        Scenario::Rollback => rollback::play(stage).await,
        Scenario::PullRequest => pull_request::play(stage).await,
        Scenario::Approval => approval::play(stage).await,
    }
}
