//! The command: finds the files, commits them, and shows the plan.

use tokio::runtime::Handle;

use super::target::{Target, target};
use crate::cli::args::{ChangeArgs, FleetSource, PlanArgs, RollbackArgs, SourceArgs};
use crate::cli::commands::control;
use crate::cli::commands::plan;
use crate::cli::failure::Failure;
use crate::cli::own_git::{self, Delivered, NewCommit, Place, deliver};
use crate::cli::process::Process;
use tidegate_model::revision::CommitId;
use tidegate_repository::revert::{Refusal, Request, revert};
use tidegate_review::proposal::document::Plan;

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
    if to == own_git::Target::Followed {
        return Ok(());
    }
    process.say_line("")?;
    planned(process, &args, &place, &base, &delivered.commit).await;
    Ok(())
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
        let new = NewCommit { files: changed, message: message(args, &subject, &target), is_signed: args.commit.sign };
        if to == own_git::Target::Followed {
            refuse_blocked(process, args, &place, tip, &new)?;
        }
        Ok(Some(new))
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

/// Prints the plan of a commit that is pushed without a review, and refuses it if a policy of the repository does. Blocks.
fn refuse_blocked(
    process: &Process,
    args: &RollbackArgs,
    place: &Place,
    tip: &CommitId,
    new: &NewCommit,
) -> Result<(), Failure> {
    let unsigned = NewCommit { is_signed: false, ..new.clone() };
    let (commit, _) = place.commit(tip, &unsigned)?;
    let plan = Handle::current().block_on(planned(process, args, place, tip, &commit));
    process.say_line("")?;
    match plan.iter().flat_map(|plan| &plan.policies).find(|policy| policy.blocks()) {
        None => Ok(()),
        Some(policy) => Err(Failure::Unfinished(format!(
            "nothing was pushed, because policy {} would hold {} back; without --push, the commit goes to a branch for review",
            policy.policy, args.addon
        ))),
    }
}

/// Prints the plan of the commit, and returns it; `None`, after a warning, if there is no plan.
async fn planned(
    process: &Process,
    args: &RollbackArgs,
    place: &Place,
    base: &CommitId,
    head: &CommitId,
) -> Option<Plan> {
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
    let plan = plan::show(process, &PlanArgs::of_change(change)).await;
    let warn = |failure: &Failure| {
        let why = failure.message().unwrap_or_default();
        process.warn_line(&format!("the plan cannot be shown: {}", why.trim_start_matches("error: ")));
    };
    plan.inspect_err(warn).ok()
}
