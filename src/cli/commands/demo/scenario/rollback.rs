//! A broken version stops at the canaries, which return to the last good version by themselves.

use super::tally::Tally;
use super::{DEADLINE, POLICY};
use crate::cli::commands::demo::repository::{DEMO, entry};
use crate::cli::commands::demo::stage::{Stage, is_completed};
use crate::cli::commands::demo::{ADDON, BROKEN, FROM, TO};
use crate::cli::failure::Failure;
use tidegate_model::plural::counted;
use tidegate_model::progress::Phase;

/// Returns the policy of the scenario.
pub(super) fn policy() -> (String, Option<Vec<u8>>) {
    let text = format!(
        "# If more clusters fail than the rollout strategy allows, all clusters return to the last version that worked.\n\
         apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata:\n  name: back-to-good\nspec:\n  selector:\n    \
         addOns: [{ADDON}]\n  onFailure:\n    action: Rollback\n"
    );
    entry(POLICY, text)
}

/// Shows the scenario.
pub(super) async fn play(stage: &mut Stage<'_>) -> Result<(), Failure> {
    stage.say(&format!(
        "1. The repository declares {ADDON} {FROM}, and Tidegate installs it on all clusters.\n   A RolloutPolicy in {POLICY} has \
         `onFailure: {{action: Rollback}}`."
    ));
    stage.installed().await?;

    let files = stage.repository.broken()?;
    stage.repository.commit(&DEMO, &format!("{ADDON}: upgrade to {BROKEN}\n"), files)?;
    stage.say(&format!(
        "\n2. Someone commits an upgrade to {BROKEN}, whose image does not exist. The canaries start first, and a cluster that\n   \
         is not ready within {DEADLINE} (progressDeadline) counts as failed."
    ));
    stage.until(|addon| addon.rejected.is_some()).await?;

    let Tally { others, .. } = stage.addon(Tally::of).unwrap_or_default();
    stage.say(&format!(
        "\n3. Canaries failed, so Tidegate rejects {BROKEN} and takes them back to {FROM}. The other {} have not started.",
        counted(others, "cluster"),
    ));
    stage.until(|addon| addon.rejected.is_some() && is_completed(addon, FROM)).await?;
    stage.say(&format!(
        "\n4. All clusters have {FROM} again, although the repository still declares {BROKEN}. This is why:"
    ));
    stage.explain(|status| status.rejected.is_some() && status.phase == Phase::Completed).await?;

    let files = stage.repository.version(BROKEN, TO)?;
    stage.repository.commit(&DEMO, &format!("{ADDON}: upgrade to {TO}, with an image that exists\n"), files)?;
    stage.say(&format!("5. Someone commits {TO}, which works. It is another version, so it is rolled out."));
    stage.until(|addon| is_completed(addon, TO)).await?;
    stage.say(&format!("\n{ADDON} {TO} is on all clusters."));
    stage.journaled(|status| status.phase == Phase::Completed && status.version == TO).await?;
    stage.epilogue()
}
