//! `tidegate upgrade`: commits that an add-on has another of its versions, and shows the plan.

use crate::cli::args::UpgradeArgs;
use crate::cli::commands::control;
use crate::cli::commands::newer;
use crate::cli::commands::proposal::{self, Made};
use crate::cli::failure::Failure;
use crate::cli::own_git::{self, NewCommit, Place, deliver};
use crate::cli::process::Process;
use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::upgrade::{Refusal, Request, upgrade};

/// Commits that an add-on has another version.
pub(crate) async fn run(process: &Process, args: UpgradeArgs) -> Result<(), Failure> {
    let (Some(addon), Some(version)) = (args.addon.clone(), args.version.clone()) else {
        return newer::run(process, args).await;
    };
    let (reading, printing) = (args.clone(), process.clone());
    proposal::propose(process, &args.proposal, move || made(&printing, &reading, (&addon, &version))).await
}

/// Makes the commit; `None` if nothing changes.
fn made(process: &Process, args: &UpgradeArgs, (addon, version): (&UnitName, &str)) -> Result<Option<Made>, Failure> {
    let place = Place::open(&args.proposal.to.source, true)?;
    let mut base = place.tip()?;
    proposal::fetch_journal(&place, &args.proposal, &place.tree(&base)?)?;
    let to = proposal::destination(&args.proposal, || format!("tidegate/upgrade-{addon}-{version}"));
    let (mut subject, mut files) = (String::new(), Vec::new());
    let delivered = deliver(&place, &to, |tip, tree| {
        let request = Request { tip: tree, path: &place.path, operator: &place.operator, addon, version };
        let change = match upgrade(&request) {
            Ok(change) => change,
            Err(same @ Refusal::Same { .. }) => {
                process.say_line(&format!("nothing to do: {same}"))?;
                return Ok(None);
            }
            Err(refusal @ Refusal::NoVersion { .. }) => {
                let of = format!(
                    "that is commit {} on {}; push a template that you have committed",
                    tip.short(),
                    place.shown()
                );
                return Err(Failure::Unfinished(format!("{refusal} ({of})")));
            }
            Err(refusal) => return Err(Failure::Unfinished(refusal.to_string())),
        };
        base = tip.clone();
        subject = format!("{addon}: {} to {}", change.from, change.to);
        files = vec![change.file.clone()];
        let body = args.reason.as_deref().map(|reason| format!("\n{}\n", control::body(reason))).unwrap_or_default();
        let new = NewCommit {
            files: [(change.file, Some(change.text.into_bytes()))].into(),
            message: format!("{subject}\n{body}"),
            is_signed: args.proposal.to.sign,
        };
        if to == own_git::Target::Followed {
            let is_planned = proposal::refuse_blocked(process, (addon, &args.proposal), &place, tip, &new)?;
            if !is_planned {
                let why = "nothing was pushed, because there is no plan that policies could judge; without --push, the commit goes to a branch for review";
                return Err(Failure::Unfinished(why.to_owned()));
            }
        }
        Ok(Some(new))
    })?;
    if delivered.is_some() {
        name_users(process, &place, &place.tree(&base)?, &to, &files)?;
    }
    Ok(delivered.map(|delivered| Made { place, to, base, delivered, subject, files }))
}

/// Names the other overlays of the repository whose result depends on the changed files.
fn name_users(
    process: &Process,
    place: &Place,
    tree: &Tree,
    to: &own_git::Target,
    files: &[String],
) -> Result<(), Failure> {
    let head = match to {
        own_git::Target::Branch(name) | own_git::Target::Local(name) => format!(" --head {name}"),
        own_git::Target::Followed => String::new(),
    };
    for (overlay, file) in proposal::other_users(place, tree, files) {
        process.say_line(&format!(
            "{overlay} uses {file} as well; `tidegate plan{head} --overlay {overlay}` shows what changes there"
        ))?;
    }
    Ok(())
}
