//! Opens the pull requests.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anstream::adapter::strip_str;

use super::check::Found;
use super::proposed::{Topic, proposed};
use crate::cli::args::{PlanArgs, RehearseArgs, UpgradeArgs};
use crate::cli::commands::{plan, proposal};
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::forge;
use crate::cli::own_git::{Delivered, NewCommit, Place, Target, deliver};
use crate::cli::process::Process;
use tidegate_forge::{Answer, Forge, NewPull};
use tidegate_git::Reference;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::revision::CommitId;
use tidegate_review::presentation::rehearsal_text;

/// The most characters of a plan in the description of a pull request.
const BUDGET: u32 = 40_000;
/// How many times a rollout is rehearsed for the description of a pull request.
const RUNS: u32 = 200;

/// Opens a pull request for each add-on and base with newer versions, and prints its address. Returns how many of them, and how many other
/// versions, have none.
///
/// # Errors
/// [`Failure::Usage`] if there is no forge, [`Failure::Unreachable`] if it, or the repository, cannot be reached.
pub(super) async fn open(process: &Process, args: &UpgradeArgs, found: Vec<Found>) -> Result<usize, Failure> {
    let source = args.proposal.to.source.clone();
    let opened = tokio::task::spawn_blocking(move || Place::open(&source, true)).await;
    let place = Arc::new(opened.map_err(|error| Failure::internal(&error))??);
    let forge = forge(process, args, &place)?;
    let known = forge.open_pulls(&place.branch).await.map_err(|error| {
        Failure::unreachable(&error, "check the address and the token of [forge]; `tidegate doctor` does the same")
    })?;
    let known: BTreeMap<String, u64> = match known {
        Answer::New(pulls) => pulls.into_iter().map(|pull| (pull.head_branch, pull.number)).collect(),
        Answer::Unchanged => BTreeMap::new(),
    };
    let (topics, rest) = Topic::of(found);
    for found in &rest {
        process.warn_line(&format!(
            "{} {}: no add-on uses it in its default template, so there is no pull request; change it by hand",
            found.name, found.from
        ));
    }
    let mut left = rest.len();
    for topic in topics {
        match one(process, args, (&place, &forge, &known), &topic).await {
            Ok(()) => {}
            Err(failure @ Failure::Unreachable { .. }) => return Err(failure),
            Err(failure) => {
                left += 1;
                let why = failure.message().unwrap_or_else(|| "look at the errors above".to_owned());
                process.warn_line(&format!("{}: no pull request: {}", topic.name(), why.trim_start_matches("error: ")));
            }
        }
    }
    Ok(left)
}

/// Returns the forge of the configuration file.
fn forge(process: &Process, args: &UpgradeArgs, place: &Place) -> Result<Forge, Failure> {
    let file = File::read(args.proposal.to.source.config.as_deref())?;
    let reference = Reference::Branch(place.branch.clone());
    let config = forge::forge(&file, &place.address()?, &reference, None, process.clock())?;
    let config = config.ok_or_else(|| {
        let why = "--open needs a forge: name a file with [forge] and token_file with --config; see docs/begin.md";
        Failure::Usage(why.to_owned())
    })?;
    Ok(config.forge)
}

/// Opens one pull request, unless its branch exists already. `known` are the numbers of the open pull requests by branch.
async fn one(
    process: &Process,
    args: &UpgradeArgs,
    (place, forge, known): (&Arc<Place>, &Forge, &BTreeMap<String, u64>),
    topic: &Topic,
) -> Result<(), Failure> {
    let branch = topic.branch();
    let (printing, reading, to, about) = (process.clone(), args.clone(), place.clone(), topic.clone());
    let pushed = tokio::task::spawn_blocking(move || pushed(&printing, &reading, &to, &about)).await;
    let Some(Pushed { subject, base, delivered, others }) = pushed.map_err(|error| Failure::internal(&error))?? else {
        let name = topic.name();
        return process.say_line(&match known.get(&branch) {
            Some(number) => format!("{name}: proposed before, by pull request {number}"),
            None => format!(
                "{name}: branch {branch} exists without an open pull request; to propose the same versions again, remove it"
            ),
        });
    };
    let body = body(process, args, place, (topic, &others), (&base, &delivered.commit)).await;
    let pull = NewPull { title: subject, body, head_branch: branch.clone(), base_branch: place.branch.clone() };
    let opened = match forge.open_pull(&pull).await {
        Ok(opened) => opened,
        Err(error) => {
            // Without this, the next run would skip these versions. If the pull request was opened after all, this closes it.
            let (to, name) = (place.clone(), branch.clone());
            let removed = tokio::task::spawn_blocking(move || to.remove(&name, &delivered.commit)).await;
            let hint = match removed.map_err(|error| Failure::internal(&error)).and_then(|removed| removed) {
                Ok(()) => format!("the branch {branch} was removed again; run the command again later"),
                Err(_) => format!("remove the branch {branch}, and run the command again later"),
            };
            let message = format!("{}: the pull request cannot be opened: {}", topic.name(), ErrorChain(&error));
            return Err(Failure::Unreachable { message, hint });
        }
    };
    process.say_line(&format!(
        "{}: opened pull request {} from branch {branch}: {}",
        topic.name(),
        opened.number,
        opened.url
    ))
}

/// A change on its branch.
struct Pushed {
    subject: String,
    /// The commit before it.
    base: CommitId,
    delivered: Delivered,
    /// The other overlays that it may change.
    others: BTreeSet<String>,
}

/// Pushes the change to a branch; `None` if the branch exists. Blocks.
fn pushed(process: &Process, args: &UpgradeArgs, place: &Place, topic: &Topic) -> Result<Option<Pushed>, Failure> {
    let branch = topic.branch();
    if place.fetched(&branch)?.is_some() {
        return Ok(None);
    }
    let tip = place.tip()?;
    proposal::fetch_journal(place, &args.proposal, &place.tree(&tip)?)?;
    let (mut subject, mut base, mut others) = (String::new(), tip, BTreeSet::new());
    let delivered = deliver(place, &Target::Branch(branch), |tip, tree| {
        let change = proposed(process, args, place, tree, topic)?;
        let message = format!("{}\n\n{}\n", change.subject, topic.lines().join("\n"));
        let files: Vec<String> = change.files.keys().cloned().collect();
        others = proposal::other_users(place, tree, &files).into_iter().map(|(overlay, _)| overlay).collect();
        (subject, base) = (change.subject, tip.clone());
        Ok(Some(NewCommit { files: change.files, message, is_signed: args.proposal.to.sign }))
    })?;
    Ok(delivered.map(|delivered| Pushed { subject, base, delivered, others }))
}

/// Returns the description of a pull request: the versions, the plan and the rehearsal. What cannot be made says so.
async fn body(
    process: &Process,
    args: &UpgradeArgs,
    place: &Place,
    (topic, others): (&Topic, &BTreeSet<String>),
    commits: (&CommitId, &CommitId),
) -> String {
    let change = proposal::change(&args.proposal, place, commits);
    let without = |what: &str, failure: &Failure| {
        let why = failure.message().unwrap_or_default();
        format!("There is no {what}: {}", why.trim_start_matches("error: "))
    };
    let mut plan_args = PlanArgs::of_change(change.clone());
    plan_args.budget = BUDGET;
    let plan = plan::markdown_of(&plan_args).await.unwrap_or_else(|failure| without("plan", &failure));
    let rehearse = RehearseArgs { addon: None, change, output: None, fail: None, runs: RUNS, seed: 0, within: None };
    let rehearsal = plan::rehearsal(process, &rehearse).await;
    let rehearsal =
        rehearsal.map(|rehearsal| format!("```text\n{}\n```", strip_str(rehearsal_text(&rehearsal).trim_end())));
    let rehearsal = rehearsal.unwrap_or_else(|failure| without("rehearsal", &failure));
    let versions: Vec<String> = topic.lines().iter().map(|line| format!("- {line}")).collect();
    let others = match others.is_empty() {
        true => String::new(),
        false => {
            let names: Vec<String> = others.iter().map(|overlay| format!("`{overlay}`")).collect();
            format!("Other overlays use the same files, and are not part of the plan: {}.\n\n", names.join(", "))
        }
    };
    format!("Newer versions:\n\n{}\n\n{others}{plan}\n\n### Rehearsal\n\n{rehearsal}\n", versions.join("\n"))
}
