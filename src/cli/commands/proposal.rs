//! A commit that proposes a change of an add-on: where it goes, and the plan that is shown for it.

use tokio::runtime::Handle;

use crate::cli::args::{ChangeArgs, FleetSource, PlanArgs, ProposalArgs, SourceArgs};
use crate::cli::commands::control;
use crate::cli::commands::plan;
use crate::cli::failure::Failure;
use crate::cli::own_git::{self, Delivered, NewCommit, Place};
use crate::cli::process::Process;
use tidegate_kustomize::overlay::{may_change, overlays, render};
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;
use tidegate_repository::{SETTINGS_FILE, load, settings_of};
use tidegate_review::proposal::document::Plan;

/// A commit that was made, and where.
pub(super) struct Made {
    pub(super) place: Place,
    pub(super) to: own_git::Target,
    /// The commit before it.
    pub(super) base: CommitId,
    pub(super) delivered: Delivered,
    pub(super) subject: String,
    pub(super) files: Vec<String>,
}

/// Makes a commit, away from the tasks that must not wait, and reports it. `make` returns `None` if nothing changes.
pub(super) async fn propose(
    process: &Process,
    args: &ProposalArgs,
    make: impl FnOnce() -> Result<Option<Made>, Failure> + Send + 'static,
) -> Result<(), Failure> {
    let made = tokio::task::spawn_blocking(make).await.map_err(|error| Failure::internal(&error))??;
    match made {
        Some(made) => report(process, args, made).await,
        None => Ok(()),
    }
}

/// Returns where the commit goes. `name` is that of a new branch for which the user gave none.
pub(super) fn destination(args: &ProposalArgs, name: impl FnOnce() -> String) -> own_git::Target {
    let name = || args.to.branch.clone().unwrap_or_else(name);
    match (args.push, args.to.no_push) {
        (true, _) => own_git::Target::Followed,
        (false, true) => own_git::Target::Local(name()),
        (false, false) => own_git::Target::Branch(name()),
    }
}

/// Fetches the journal, from which the fleet of the plan is read. `tree` contains the files of the newest revision.
pub(super) fn fetch_journal(place: &Place, args: &ProposalArgs, tree: &Tree) -> Result<(), Failure> {
    let settings = settings_of(tree.files.get(SETTINGS_FILE).cloned());
    let branch = args.journal_branch.clone().unwrap_or(settings.journal_branch);
    place.fetched(&branch).map(drop)
}

/// Returns the arguments with which the change between two commits is planned.
pub(super) fn change(args: &ProposalArgs, place: &Place, (base, head): (&CommitId, &CommitId)) -> ChangeArgs {
    ChangeArgs {
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
    }
}

/// Returns the other overlays of a repository whose result depends on changed files, each with the file.
pub(super) fn other_users(place: &Place, tree: &Tree, files: &[String]) -> Vec<(String, String)> {
    let path = if place.path.is_empty() { load(tree, "").repository.settings.path } else { place.path.clone() };
    let mut users = Vec::new();
    for overlay in overlays(tree).into_iter().filter(|overlay| *overlay != path) {
        let read = render(tree, &overlay).read;
        let used = files.iter().filter(|file| may_change(&read, file));
        users.extend(used.map(|file| (overlay.clone(), file.clone())));
    }
    users
}

/// Prints what was made, and the plan, unless [`refuse_blocked`] has printed it.
async fn report(process: &Process, args: &ProposalArgs, made: Made) -> Result<(), Failure> {
    let Made { place, to, base, delivered, subject, files } = made;
    process.say_line(&subject)?;
    process.say_line(&format!("files: {}", files.join(", ")))?;
    process.say(&control::delivered(&place, &to, &subject, &delivered))?;
    process.say(&control::acts(&place, &to))?;
    if to == own_git::Target::Followed {
        return Ok(());
    }
    process.say_line("")?;
    planned(process, args, &place, &base, &delivered.commit).await;
    Ok(())
}

/// Prints the plan of a commit that is pushed without a review, and refuses the commit if a policy would hold it back. Returns `true` if there
/// is a plan that policies could judge. Blocks.
pub(super) fn refuse_blocked(
    process: &Process,
    (addon, args): (&UnitName, &ProposalArgs),
    place: &Place,
    tip: &CommitId,
    new: &NewCommit,
) -> Result<bool, Failure> {
    let unsigned = NewCommit { is_signed: false, ..new.clone() };
    let (commit, _) = place.commit(tip, &unsigned)?;
    let plan = Handle::current().block_on(planned(process, args, place, tip, &commit));
    process.say_line("")?;
    match plan.iter().flat_map(|plan| &plan.policies).find(|policy| policy.blocks()) {
        None => Ok(plan.is_some()),
        Some(policy) => Err(Failure::Unfinished(format!(
            "nothing was pushed, because policy {} would hold {addon} back; without --push, the commit goes to a branch for review",
            policy.policy
        ))),
    }
}

/// Prints the plan of the commit, and returns it; `None`, after a warning, if there is no plan.
async fn planned(
    process: &Process,
    args: &ProposalArgs,
    place: &Place,
    base: &CommitId,
    head: &CommitId,
) -> Option<Plan> {
    let change = change(args, place, (base, head));
    let plan = plan::show(process, &PlanArgs::of_change(change)).await;
    let warn = |failure: &Failure| {
        let why = failure.message().unwrap_or_default();
        process.warn_line(&format!("the plan cannot be shown: {}", why.trim_start_matches("error: ")));
    };
    plan.inspect_err(warn).ok()
}
