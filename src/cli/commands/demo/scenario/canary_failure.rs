//! A broken version stops at the canaries, and a revert heals them.

use super::DEADLINE;
use super::tally::{Tally, has_failed};
use crate::cli::commands::demo::repository::DEMO;
use crate::cli::commands::demo::stage::{Stage, is_completed};
use crate::cli::commands::demo::{ADDON, BROKEN, FROM};
use crate::cli::failure::Failure;
use tidegate_model::plural::counted;
use tidegate_model::progress::Phase;

/// Shows the scenario.
pub(super) async fn play(stage: &mut Stage<'_>) -> Result<(), Failure> {
    stage.say(&format!("1. The repository declares {ADDON} {FROM}, and Tidegate installs it on all clusters."));
    stage.installed().await?;

    let files = stage.repository.broken()?;
    stage.repository.commit(&DEMO, &format!("{ADDON}: upgrade to {BROKEN}\n"), files)?;
    stage.say(&format!(
        "\n2. Someone commits an upgrade to {BROKEN}, whose image does not exist. The canaries start first, and a cluster that\n   \
         is not ready within {DEADLINE} (progressDeadline) counts as failed."
    ));
    stage.until(|addon| addon.phase == Phase::Stopped && has_failed(addon)).await?;

    let Tally { failed, others } = stage.addon(Tally::of).unwrap_or_default();
    stage.say(&format!(
        "\n3. The {} failed, so the rollout has stopped. The other {} have not started and keep {FROM}. This is why:",
        counted(failed, "canary cluster"),
        counted(others, "cluster"),
    ));
    stage.explain(|status| status.phase == Phase::Stopped && status.clusters.failed == failed).await?;

    let files = stage.repository.version(BROKEN, FROM)?;
    stage.repository.commit(&DEMO, &format!("Revert \"{ADDON}: upgrade to {BROKEN}\"\n"), files)?;
    stage.say("4. Someone reverts the commit. The canaries get the old version again.");
    stage.until(|addon| is_completed(addon, FROM)).await?;
    stage.say(&format!("\n{ADDON} {FROM} works on all clusters again."));
    stage.journaled(|status| status.phase == Phase::Completed && status.version == FROM).await?;
    stage.epilogue()
}
