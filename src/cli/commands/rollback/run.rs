//! The command: finds the files, commits them, and shows the plan.

use super::target::{Target, target};
use crate::cli::args::RollbackArgs;
use crate::cli::commands::control;
use crate::cli::commands::proposal::{self, Made};
use crate::cli::failure::Failure;
use crate::cli::own_git::{self, NewCommit, Place, deliver};
use crate::cli::process::Process;
use tidegate_repository::revert::{Refusal, Request, revert};

/// Commits that an add-on is as it was at an earlier rollout.
pub(crate) async fn run(process: &Process, args: RollbackArgs) -> Result<(), Failure> {
    let (reading, printing) = (args.clone(), process.clone());
    proposal::propose(process, &args.proposal, move || made(&printing, &reading)).await
}

/// Makes the commit; `None` if nothing changes.
fn made(process: &Process, args: &RollbackArgs) -> Result<Option<Made>, Failure> {
    let addon = &args.addon;
    let place = Place::open(&args.proposal.to.source, true)?;
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
    let to = proposal::destination(&args.proposal, || format!("tidegate/rollback-{addon}-{}", target.number));
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
        let new =
            NewCommit { files: changed, message: message(args, &subject, &target), is_signed: args.proposal.to.sign };
        if to == own_git::Target::Followed {
            proposal::refuse_blocked(process, (addon, &args.proposal), &place, tip, &new)?;
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
        control::body(&args.reason),
        target.revision,
        target.digest
    )
}
