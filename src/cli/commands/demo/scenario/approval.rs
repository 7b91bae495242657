//! After the canaries, the rollout waits until someone other than its author approves it.

use super::POLICY;
use super::tally::are_canaries_done;
use crate::cli::commands::approve::document;
use crate::cli::commands::demo::people::{self, ADA, BOB, Person};
use crate::cli::commands::demo::place::Place;
use crate::cli::commands::demo::repository::{BRANCH, DEMO, Files, entry, example};
use crate::cli::commands::demo::stage::{Stage, is_completed};
use crate::cli::commands::demo::{ADDON, FROM, TO};
use crate::cli::failure::Failure;
use tidegate_consent::file::{Entry, path, with};
use tidegate_model::name::UnitName;
use tidegate_model::progress::Phase;
use tidegate_model::time::to_seconds;
use tidegate_repository::SETTINGS_FILE;

/// The decision group that needs an approval: the one after the canaries, which has no name.
const GROUP: &str = "1";

/// Creates the people and their keys, and returns the settings of the repository with their names.
pub(super) fn settings(place: &Place) -> Result<(String, Option<Vec<u8>>), Failure> {
    people::create(place)?;
    let names = format!(
        "\n[people]\n{ADA} = [\"{ADA}@localhost\"]\n{BOB} = [\"{BOB}@localhost\"]\nleads = [\"{ADA}\", \"{BOB}\"]\n"
    );
    Ok(entry(SETTINGS_FILE, format!("{}{names}", example(SETTINGS_FILE))))
}

/// Returns the policy of the scenario.
fn policy() -> (String, Option<Vec<u8>>) {
    let text = format!(
        "# Before the first group after the canaries, one of the leads has to approve.\n\
         apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata:\n  name: leads\nspec:\n  selector:\n    \
         addOns: [{ADDON}]\n  approvals:\n  - {{name: leads, count: 1, of: [leads], before: [\"{GROUP}\"]}}\n"
    );
    entry(POLICY, text)
}

/// Shows the scenario.
pub(super) async fn play(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let (ada, bob) = (Person::read(stage.place, ADA)?, Person::read(stage.place, BOB)?);
    stage.say(&format!("1. The repository declares {ADDON} {FROM}, and Tidegate installs it on all clusters."));
    stage.installed().await?;

    let message = format!("{ADDON}: approval after the canaries\n");
    let policy = stage.repository.commit_to(BRANCH, &DEMO, &message, Files::from([policy()]))?;
    // No one has signed it. It is no part of the change if it is followed before.
    stage.followed(&policy).await?;
    let files = stage.repository.version(FROM, TO)?;
    stage.repository.commit(&ada.author(), &format!("{ADDON}: upgrade to {TO}\n"), files)?;
    stage.say(&format!(
        "\n2. A RolloutPolicy in {POLICY} now wants the approval of one of the leads, who are Ada and Bob,\n   before group {GROUP}. \
         Ada commits an upgrade to {TO}. The canaries start first."
    ));
    stage.until(|addon| are_canaries_done(addon) && !addon.gates.is_empty()).await?;
    let canaries = stage.addon(|addon| addon.counts().succeeded).unwrap_or_default();
    stage.say("\n3. The canaries are done. Nothing else starts until the gate is open, and this is who can open it:");
    stage.explain(|status| !status.gates.is_empty() && status.clusters.succeeded == canaries).await?;

    approve(stage, &ada, ADA).await?;
    stage.say("4. Ada approves her own change: a commit with a file in approvals/, signed with her key.");
    stage.until(|addon| addon.approvals.iter().any(|approval| !approval.verdict.void.is_empty())).await?;
    let why = stage.addon(|addon| {
        let mut void = addon.approvals.iter().flat_map(|approval| &approval.verdict.void);
        void.next().map(|void| void.why.to_string()).unwrap_or_default()
    });
    stage.say(&format!("\n   Her approval does not count: {}.", why.unwrap_or_default()));

    approve(stage, &bob, BOB).await?;
    stage.say("\n5. Bob approves, in a commit signed with his key. The gate opens.");
    stage.until(|addon| is_completed(addon, TO)).await?;
    stage.say(&format!("\n{ADDON} {TO} is on all clusters."));
    stage.journaled(|status| status.phase == Phase::Completed && status.version == TO).await?;
    stage.epilogue()
}

/// Commits the approval of a person, as `tidegate approve` does.
async fn approve(stage: &Stage<'_>, person: &Person, name: &str) -> Result<(), Failure> {
    let journal = stage.journaled(|status| status.version == TO).await?;
    let missing = |what: &str| Failure::Internal(format!("the journal of the demo has no {what}"));
    let instance = journal.instance().ok_or_else(|| missing("instance"))?.id;
    let digest = journal.addons.get(ADDON).and_then(|status| status.digest.clone()).ok_or_else(|| missing("digest"))?;
    let addon: UnitName = ADDON.parse().map_err(|error| Failure::internal(&error))?;
    let entry = Entry {
        by: name.to_owned(),
        at: to_seconds(stage.repository.now()),
        instance,
        reason: "the canaries are fine".to_owned(),
        break_glass: false,
    };
    let file = path(&addon, digest.as_str(), Some(GROUP));
    let present = stage.repository.text(&file).ok();
    let new = document(&addon, digest.as_str(), Some(GROUP), entry);
    let bytes = with(&file, present.as_deref().map(str::as_bytes), &new);
    let bytes = bytes.map_err(|error| Failure::Internal(error.to_string()))?;
    let message = format!("approve: {ADDON} {GROUP} {}\n\nthe canaries are fine\n", digest.short());
    stage.repository.commit(&person.author(), &message, Files::from([(file, Some(bytes))]))
}
