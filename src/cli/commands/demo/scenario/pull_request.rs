//! A change goes from a pull request on a forge to all clusters: plan, review, merge, canaries, and another review for the rest.

use super::POLICY;
use super::tally::are_canaries_done;
use crate::cli::commands::demo::forge::{Forge, failure};
use crate::cli::commands::demo::people::{ADA, BOB};
use crate::cli::commands::demo::repository::{Author, BRANCH as MAIN, DEMO, Files, entry, example};
use crate::cli::commands::demo::stage::{Stage, indented, is_completed};
use crate::cli::commands::demo::{ADDON, FROM, TO};
use crate::cli::failure::Failure;
use tidegate_fake_forge::{Method, StatusRecord, Verdict};
use tidegate_journal::pulls::PullFile;
use tidegate_model::line::cut;
use tidegate_model::progress::Phase;
use tidegate_repository::SETTINGS_FILE;

/// The decision group that needs an approval of its own: the one after the canaries, which has no name.
const GROUP: &str = "1";
/// The branch of the upgrade.
const UPGRADE: &str = "upgrade";
/// The number of lines of a comment that are shown.
const LINES: usize = 24;
/// The number of characters of a line that are shown.
const WIDTH: usize = 140;

/// Returns the settings of the repository with the people and their accounts.
pub(super) fn settings() -> (String, Option<Vec<u8>>) {
    let person = |name: &str| format!("{name} = [\"{name}@localhost\", \"forge:{name}\"]\n");
    let names = format!("\n[people]\n{}{}leads = [\"{ADA}\", \"{BOB}\"]\n", person(ADA), person(BOB));
    entry(SETTINGS_FILE, format!("{}{names}", example(SETTINGS_FILE)))
}

/// Returns the policy of the scenario.
fn policy() -> (String, Option<Vec<u8>>) {
    let text = format!(
        "# One of the leads reviews each change before it starts, and again before the first group after the canaries.\n\
         apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata:\n  name: leads\nspec:\n  selector:\n    \
         addOns: [{ADDON}]\n  approvals:\n  - {{name: review, count: 1, of: [leads]}}\n  \
         - {{name: promotion, count: 1, of: [leads], before: [\"{GROUP}\"], after: Reached}}\n"
    );
    entry(POLICY, text)
}

/// Shows the scenario.
pub(super) async fn play(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let forge = stage.forge.clone().ok_or_else(|| Failure::Internal("the scenario has no forge".to_owned()))?;
    let noun = forge.noun();
    stage.say(&format!("1. The repository declares {ADDON} {FROM}, and Tidegate installs it on all clusters."));
    stage.installed().await?;

    let message = format!("{ADDON}: reviews by the leads\n");
    let policy = stage.repository.commit_to(MAIN, &DEMO, &message, Files::from([policy()]))?;
    stage.followed(&policy).await?;
    forge.sandbox.add_branch(UPGRADE).map_err(failure)?;
    let files = stage.repository.version(FROM, TO)?;
    let title = format!("{ADDON}: upgrade to {TO}");
    let ada = Author { name: ADA, signer: None };
    let head = stage.repository.commit_to(UPGRADE, &ada, &format!("{title}\n"), files)?;
    let change = forge.sandbox.open_pull(ADA, UPGRADE, MAIN, &title).map_err(failure)?;
    stage.say(&format!(
        "\n2. A RolloutPolicy in {POLICY} now wants a review of one of the leads, who are Ada and Bob,\n   before a change starts, and \
         another one before group {GROUP}. Ada opens {noun} {change} with an upgrade to {TO}.\n   Tidegate comments on it with its plan, \
         which starts with:\n"
    ));
    let plan = stage.found("the plan was not commented", || forge.comment(change)).await?;
    stage.say(&quoted(&plan));
    stage.say(&format!("\n   The statuses of its commit are:\n\n{}", statuses(stage, &forge, head.as_str()).await?));

    forge.sandbox.review(BOB, change, Verdict::Approve).map_err(failure)?;
    let is_approved = |status: &StatusRecord| status.state == "success";
    let approvals = || forge.status(head.as_str(), "tidegate/approvals").filter(is_approved);
    let approved = stage.found("the approval was not reported", approvals).await?;
    stage.say(&format!("\n3. Bob approves on {}, and Ada merges.\n\n{}", forge.name(), shown(&approved)));
    forge.sandbox.merge(ADA, change, Method::Merge).map_err(failure)?;
    stage.until(|addon| are_canaries_done(addon) && !addon.gates.is_empty()).await?;
    let request = stage.found("no approval was asked for", || forge.request(change)).await?;
    stage.say(&format!(
        "\n4. The canaries are done. Tidegate opens {noun} {} to ask for the next review:\n\n   {}\n\n{}",
        request.number,
        request.title,
        quoted(&request.body)
    ));

    forge.sandbox.review(BOB, request.number, Verdict::Approve).map_err(failure)?;
    stage.say(&format!("\n5. Bob approves {noun} {}. The gate opens.", request.number));
    stage.until(|addon| is_completed(addon, TO)).await?;
    stage.say(&format!("\n{ADDON} {TO} is on all clusters. The journal names the reviewer and the review:"));
    stage.explain(|status| status.phase == Phase::Completed && status.version == TO).await?;
    let file = PullFile::Record(change).path();
    let record = || stage.repository.text_on(&stage.place.journal, &file).ok().flatten();
    let record = stage.found("the reviews were not journaled", record).await?;
    stage.say(&format!("$ {}\n{}", stage.place.show(&file), indented(&opinions(&record))));
    stage.say(&format!("the plan that Bob has approved:\n  {}", stage.place.show(&PullFile::Plan(change).path())));
    stage.epilogue()
}

/// Returns what people said about a pull request, of its file in the journal.
fn opinions(record: &str) -> String {
    let is_inside = |line: &str| line.starts_with([' ', '-']);
    let from = record.lines().skip_while(|line| *line != "opinions:").enumerate();
    let said = from.take_while(|(index, line)| *index == 0 || is_inside(line)).map(|(_, line)| format!("{line}\n"));
    format!("...\n{}...\n", said.collect::<String>())
}

/// Returns the statuses of the plan and of the approvals, once both are known.
async fn statuses(stage: &Stage<'_>, forge: &Forge, commit: &str) -> Result<String, Failure> {
    let of = |context: &str| forge.status(commit, context).filter(|status| status.state != "pending");
    let plan = stage.found("the plan was not reported", || of("tidegate/plan")).await?;
    let approvals = || forge.status(commit, "tidegate/approvals");
    let approvals = stage.found("the approvals were not reported", approvals).await?;
    Ok(format!("{}\n{}", shown(&plan), shown(&approvals)))
}

/// Returns a status as a line.
fn shown(status: &StatusRecord) -> String {
    let StatusRecord { context, state, description, .. } = status;
    format!("     {context:20} {state:8} {}", description.as_deref().unwrap_or_default())
}

/// Returns the first lines of what the daemon wrote on the forge, without the hidden first line by which it is found again.
fn quoted(body: &str) -> String {
    let mut lines = body.lines().filter(|line| !line.starts_with("<!--"));
    let mut text: String = lines.by_ref().take(LINES).map(|line| format!("   | {}\n", cut(line, WIDTH))).collect();
    if lines.next().is_some() {
        text.push_str("   | ...\n");
    }
    text.truncate(text.trim_end().len());
    text
}
