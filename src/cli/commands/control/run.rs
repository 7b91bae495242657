//! The commands: each changes one field of a control file on the tip of the followed branch.

use std::collections::{BTreeMap, BTreeSet};

use super::decision::{Decision, What};
use super::message::message;
use super::{clusters, digest, report};
use crate::cli::args::{AbortArgs, PauseArgs, QuarantineArgs, RetryArgs};
use crate::cli::failure::Failure;
use crate::cli::own_git::{NewCommit, Place, Target, deliver};
use crate::cli::process::Process;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::near::remedy;
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_model::tree::Tree;
use tidegate_repository::control::edit::{Edited, edited};
use tidegate_repository::control::path_of;
use tidegate_repository::{Complaint, Loaded, SETTINGS_FILE, load_with};

/// Commits that no further cluster starts.
pub(crate) fn pause(process: &Process, args: PauseArgs) -> Result<(), Failure> {
    run(process, &Decision::pause(args, What::Pause))
}

/// Commits that a pause ends.
pub(crate) fn resume(process: &Process, args: PauseArgs) -> Result<(), Failure> {
    run(process, &Decision::pause(args, What::Resume))
}

/// Commits that a rollout ends, or continues.
pub(crate) fn abort(process: &Process, args: AbortArgs) -> Result<(), Failure> {
    run(process, &Decision::abort(args))
}

/// Commits that clusters start again.
pub(crate) fn retry(process: &Process, args: RetryArgs) -> Result<(), Failure> {
    run(process, &Decision::retry(args, to_seconds(Timestamp::now())))
}

/// Commits that clusters are left out, or take part again.
pub(crate) fn quarantine(process: &Process, args: QuarantineArgs) -> Result<(), Failure> {
    run(process, &Decision::quarantine(args))
}

fn run(process: &Process, decision: &Decision) -> Result<(), Failure> {
    let place = Place::open(&decision.commit.to.source, false)?;
    let target = match (&decision.commit.to.branch, decision.commit.to.no_push) {
        (Some(name), true) => Target::Local(name.clone()),
        (Some(name), false) => Target::Branch(name.clone()),
        (None, true) => Target::Local(decision.branch()),
        (None, false) => Target::Followed,
    };
    let subject = format!("control: {}", decision.title());
    let journaled = clusters::journaled(decision);
    let mut outcome = Outcome::default();
    let made = deliver(&place, &target, |_, tree| {
        outcome = change(decision, journaled.as_ref(), &place, tree)?;
        let Some(file) = outcome.file.take() else { return Ok(None) };
        Ok(Some(NewCommit {
            files: BTreeMap::from([file]),
            message: message(&subject, &decision.commit.reason),
            is_signed: decision.commit.to.sign,
        }))
    })?;
    outcome.warnings.iter().for_each(|warning| process.warn_line(warning));
    match made {
        None => process.say_line(&outcome.said)?,
        Some(made) => {
            process.say_line(&outcome.said)?;
            process.say(&report::delivered(&place, &target, &subject, &made))?;
            process.say(&report::acts(&place, &target))?;
        }
    }
    outcome.still.map_or(Ok(()), |still| Err(Failure::Unfinished(still)))
}

/// What a decision changes.
#[derive(Default)]
struct Outcome {
    /// The changed file; `None` if nothing changes.
    file: Option<(String, Option<Vec<u8>>)>,
    /// What is said about it.
    said: String,
    warnings: Vec<String>,
    /// Why the decision does not have the effect that the user expects.
    still: Option<String>,
}

/// Applies a decision to the files of a revision.
fn change(
    decision: &Decision,
    journaled: Option<&BTreeSet<ClusterName>>,
    place: &Place,
    tree: &Tree,
) -> Result<Outcome, Failure> {
    let before = load_with(tree, &place.path, &place.operator);
    let file = path_of(decision.addon.as_ref());
    let mut outcome = Outcome::default();
    let unusable =
        before.repository.controls.unreadable.iter().find(|(found, _)| **found == file || *found == "control");
    if let Some((_, why)) = unusable {
        if matches!(decision.what, What::Pause) {
            outcome.said =
                format!("{} is paused already, because a control file cannot be used: {why}", decision.subject());
            return Ok(outcome);
        }
        return Err(Failure::Usage(format!("{file} cannot be changed: {why}; fix it by hand, until then it pauses")));
    }
    known(decision, &before, tree.files.contains_key(&file), &mut outcome)?;
    outcome.warnings.extend(clusters::check(decision, journaled, &before)?);
    let digest = match &decision.addon {
        Some(addon) if decision.needs_digest() => Some(digest::of(decision, addon, &before)?),
        _ => None,
    };
    let Some(change) = decision.change(digest) else { return Ok(outcome) };
    let new = match edited(tree.files.get(&file).map(Vec::as_slice), &change) {
        Err(why) => return Err(Failure::Usage(format!("{file} cannot be changed: {why}; change it by hand"))),
        Ok(Edited::Unchanged) => {
            outcome.said = format!("nothing to do: {}", unchanged(decision, &before));
            outcome.still = still_paused(decision, &before);
            return Ok(outcome);
        }
        Ok(Edited::Removed) => None,
        Ok(Edited::Written(text)) => Some(text.into_bytes()),
    };
    let mut tree = tree.clone();
    match &new {
        Some(bytes) => drop(tree.files.insert(file.clone(), bytes.clone())),
        None => drop(tree.files.remove(&file)),
    }
    let after = load_with(&tree, &place.path, &place.operator);
    let is_new =
        |complaint: &&Complaint| complaint.diagnostic.place.file == file && !before.complaints.contains(complaint);
    outcome.warnings.extend(after.complaints.iter().filter(is_new).map(|complaint| format!("warning: {complaint}")));
    outcome.warnings.extend(still_aborted(decision, &after));
    outcome.still = still_paused(decision, &after);
    outcome.said = format!("{file}: {}", decision.title());
    outcome.file = Some((file, new));
    Ok(outcome)
}

/// Refuses an add-on that does not exist, unless the declarations cannot be read.
fn known(decision: &Decision, loaded: &Loaded, has_file: bool, outcome: &mut Outcome) -> Result<(), Failure> {
    let Some(addon) = &decision.addon else { return Ok(()) };
    let repository = &loaded.repository;
    if repository.addons.contains_key(addon) || repository.blocked.contains_key(addon) || decision.ends() && has_file {
        return Ok(());
    }
    if repository.unreadable_files.contains(SETTINGS_FILE) {
        outcome.warnings.push(format!(
            "warning: the declarations cannot be read, so it is not known whether there is an add-on {addon}"
        ));
        return Ok(());
    }
    let names = repository.addons.keys().chain(repository.blocked.keys()).map(UnitName::as_str);
    let names: Vec<&str> = names.collect();
    let remedy = remedy(addon.as_str(), names.iter().copied());
    Err(Failure::Usage(format!("the repository has no add-on {:?}; {remedy}", addon.as_str())))
}

/// Returns why a decision changes nothing.
fn unchanged(decision: &Decision, loaded: &Loaded) -> String {
    let subject = decision.subject();
    let controls = &loaded.repository.controls;
    let control = decision.addon.as_ref().map_or(Some(&controls.fleet), |addon| controls.addons.get(addon));
    match &decision.what {
        What::Pause => {
            let reason = control.and_then(|control| control.pause.as_ref()).map_or("", |pause| pause.reason.as_str());
            format!("{subject} is paused already: {reason}")
        }
        What::Resume => format!("{subject} is not paused"),
        What::Abort { .. } => format!("the rollout of {subject} is aborted already"),
        What::Continue => format!("no rollout of {subject} is aborted"),
        What::Retry { .. } => format!("{subject} is retried already"),
        What::Quarantine { .. } => "the clusters are in this quarantine already".to_owned(),
        What::Release { .. } => "no such cluster is in quarantine".to_owned(),
    }
}

/// Returns why an add-on stays paused although it was resumed.
fn still_paused(decision: &Decision, loaded: &Loaded) -> Option<String> {
    let addon = decision.addon.as_ref().filter(|_| matches!(decision.what, What::Resume))?;
    let controls = &loaded.repository.controls;
    if let Some(own) = controls.addons.get(addon).and_then(|control| control.pause.as_ref()) {
        return Some(format!("{addon} stays paused: {}", own.reason));
    }
    let all = controls.fleet.pause.as_ref()?;
    Some(format!(
        "{addon} stays paused by {}: {}; `tidegate resume --all` ends a pause of all add-ons",
        path_of(None),
        all.reason
    ))
}

/// Returns a warning if the rollout of an add-on that was resumed is aborted.
fn still_aborted(decision: &Decision, loaded: &Loaded) -> Option<String> {
    let addon = decision.addon.as_ref().filter(|_| matches!(decision.what, What::Resume))?;
    let repository = &loaded.repository;
    let abort = repository.controls.abort(addon, repository.digest(addon)?)?;
    Some(format!(
        "warning: the rollout of {addon} stays aborted: {}; `tidegate abort {addon} --release` lets it continue",
        abort.reason
    ))
}
