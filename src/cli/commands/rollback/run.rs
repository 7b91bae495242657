//! The command: finds the files, commits them, and shows the plan.

use super::target::{Target, target};
use crate::cli::args::{ChangeArgs, FleetSource, PlanArgs, RollbackArgs, SourceArgs};
use crate::cli::commands::control;
use crate::cli::commands::plan;
use crate::cli::failure::Failure;
use crate::cli::own_git::{self, Delivered, NewCommit, Place, deliver};
use crate::cli::process::Process;
use tidegate_core::repository::revert::{Refusal, Request, revert};
use tidegate_model::revision::CommitId;

/// Commits that an add-on is as it was at an earlier rollout.
pub(crate) async fn run(process: &Process, args: RollbackArgs) -> Result<(), Failure> {
    let (reading, printing) = (args.clone(), process.clone());
    let read = tokio::task::spawn_blocking(move || made(&printing, &reading));
    let Some(Made { place, to, base, delivered, subject, files }) =
        read.await.map_err(|error| Failure::internal(&error))??
    else {
        return Ok(());
    };
    process.say_line(&subject)?;
    process.say_line(&format!("files: {}", files.join(", ")))?;
    process.say(&control::delivered(&place, &to, &subject, &delivered))?;
    process.say(&control::acts(&place, &to))?;
    process.say_line("")?;
    planned(process, &args, &place, &base, &delivered.commit).await
}

/// A commit that was made, and where.
struct Made {
    place: Place,
    to: own_git::Target,
    /// The commit before it.
    base: CommitId,
    delivered: Delivered,
    subject: String,
    files: Vec<String>,
}

/// Makes the commit; `None` if nothing changes.
fn made(process: &Process, args: &RollbackArgs) -> Result<Option<Made>, Failure> {
    let addon = &args.addon;
    let place = Place::open(&args.commit.source, true)?;
    let first = place.tip()?;
    let target = target(args, &place, &place.tree(&first)?)?;
    let missing = || {
        Failure::Usage(format!(
            "revision {} of rollout {} is no longer in {}",
            target.revision,
            target.number,
            place.shown()
        ))
    };
    if !place.obtained(&target.revision)? {
        return Err(missing());
    }
    let past = place.tree(&target.revision)?;
    let subject = subject(args, &target);
    let to = destination(args, &target);
    let (mut base, mut files) = (first, Vec::new());
    let delivered = deliver(&place, &to, |tip, tree| {
        let request = Request {
            tip: tree,
            past: &past,
            path: &place.path,
            operator: &place.operator,
            addon,
            digest: &target.digest,
        };
        let changed = match revert(&request) {
            Ok(changed) => changed,
            Err(same @ Refusal::Same { .. }) => {
                process.say_line(&format!("nothing to do: {same}"))?;
                return Ok(None);
            }
            Err(refusal) => {
                return Err(Failure::Unfinished(format!(
                    "{addon} cannot be taken back to rollout {}: {refusal}",
                    target.number
                )));
            }
        };
        base = tip.clone();
        files = changed.keys().cloned().collect();
        Ok(Some(NewCommit { files: changed, message: message(args, &subject, &target), is_signed: args.commit.sign }))
    })?;
    Ok(delivered.map(|delivered| Made { place, to, base, delivered, subject, files }))
}

fn subject(args: &RollbackArgs, target: &Target) -> String {
    format!("{}: back to {} of rollout {}", args.addon, target.version, target.number)
}

fn message(args: &RollbackArgs, subject: &str, target: &Target) -> String {
    // Policies and people read what git revert would write.
    let reverts = target.reverts.as_ref().map(|commit| format!("This reverts commit {commit}.\n")).unwrap_or_default();
    format!(
        "{subject}\n\n{}\n\nThe files of the add-on are as in revision {}, with digest {}.\n{reverts}",
        control::body(&args.commit.reason),
        target.revision,
        target.digest
    )
}

fn destination(args: &RollbackArgs, target: &Target) -> own_git::Target {
    let name =
        || args.commit.branch.clone().unwrap_or_else(|| format!("tidegate/rollback-{}-{}", args.addon, target.number));
    match (args.push, args.commit.no_push) {
        (true, _) => own_git::Target::Followed,
        (false, true) => own_git::Target::Local(name()),
        (false, false) => own_git::Target::Branch(name()),
    }
}

/// Prints the plan of the commit.
async fn planned(
    process: &Process,
    args: &RollbackArgs,
    place: &Place,
    base: &CommitId,
    head: &CommitId,
) -> Result<(), Failure> {
    let change = ChangeArgs {
        base: Some(base.to_string()),
        head: Some(head.to_string()),
        overlay: Some(place.path.clone()).filter(|path| !path.is_empty()),
        fleet: FleetSource::default(),
        source: SourceArgs {
            source: Some(place.directory().display().to_string()),
            reference: Some(place.branch.clone()),
            journal_branch: args.journal_branch.clone(),
            ..SourceArgs::default()
        },
    };
    match plan::run(process, PlanArgs::of_change(change)).await {
        Ok(()) | Err(Failure::Changes | Failure::Findings) => Ok(()),
        Err(failure) => {
            let why = failure.message().unwrap_or_default();
            process.warn_line(&format!("the plan cannot be shown: {}", why.trim_start_matches("error: ")));
            Ok(())
        }
    }
}
