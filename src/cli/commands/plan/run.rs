//! The command: reads both revisions, the journal and the fleet, and prints the plan.

use super::change::Change;
use crate::cli::args::{Output, PlanArgs, PlanFormat};
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_model::near;
use tidegate_review::presentation::{Options, html, markdown, plan_text};
use tidegate_review::proposal::document::{Plan, Verdict};

/// Prints what a change will do to the fleet.
///
/// # Errors
/// [`Failure::Changes`] if something changes, [`Failure::Findings`] if something is blocked or wrong. Wrong usage is
/// [`Failure::Unfinished`], because exit code 2 means changes.
pub(crate) async fn run(process: &Process, args: PlanArgs) -> Result<(), Failure> {
    match show(process, &args).await.map_err(not_as_changes)?.result {
        Verdict::Nothing => Ok(()),
        Verdict::Changes => Err(Failure::Changes),
        Verdict::Blocked => Err(Failure::Findings),
    }
}

/// Returns a failure that does not have the exit code of a plan with changes.
fn not_as_changes(failure: Failure) -> Failure {
    match failure {
        Failure::Usage(message) => Failure::Unfinished(message),
        other => other,
    }
}

/// Prints what a change will do to the fleet, and returns it.
///
/// # Errors
/// [`Failure::Usage`] if the arguments do not fit the repository, the journal or the fleet.
pub(crate) async fn show(process: &Process, args: &PlanArgs) -> Result<Plan, Failure> {
    let plan = read(args).await?;
    match args.output {
        None => process.say(&plan_text(&plan, args.full))?,
        Some(PlanFormat::Json) => process.say(&format!("{}\n", document(&plan, Output::Json)?))?,
        Some(PlanFormat::Yaml) => process.say(&document(&plan, Output::Yaml)?)?,
        Some(PlanFormat::Markdown) => process.say(&markdown(&plan, &options(args)))?,
        Some(PlanFormat::Html) => process.say(&html(&plan))?,
    }
    Ok(plan)
}

/// Returns the plan of a change as Markdown.
///
/// # Errors
/// As [`show`].
pub(crate) async fn markdown_of(args: &PlanArgs) -> Result<String, Failure> {
    Ok(markdown(&read(args).await?, &options(args)))
}

/// Reads a change, and plans it.
async fn read(args: &PlanArgs) -> Result<Plan, Failure> {
    let change = Change::read(&args.change).await?;
    let plan = change.planned(args.addon.as_deref());
    let known = change.with(None, |request| {
        let both = [&request.base, &request.head].into_iter().flat_map(|side| side.repository.addons.keys());
        both.map(ToString::to_string).collect::<Vec<_>>()
    });
    check(&plan, args.addon.as_deref(), &known)?;
    Ok(plan)
}

fn options(args: &PlanArgs) -> Options {
    let PlanArgs { budget, repository, pull_request, full_plan, .. } = args;
    Options {
        budget: *budget as usize,
        repository: repository.clone(),
        pull_request: *pull_request,
        full_plan: full_plan.clone(),
    }
}

fn document(plan: &Plan, output: Output) -> Result<String, Failure> {
    let document = serde_json::to_value(plan).map_err(|error| Failure::internal(&error))?;
    printed(output, &document)
}

/// Refuses the name of an add-on that is in neither revision.
fn check(plan: &Plan, addon: Option<&str>, known: &[String]) -> Result<(), Failure> {
    let Some(addon) = addon.filter(|_| plan.addons.is_empty()) else { return Ok(()) };
    let remedy = near::remedy(addon, known.iter().map(String::as_str));
    Err(Failure::Usage(format!("--addon {addon}: neither revision has it, or it has errors in both; {remedy}")))
}
