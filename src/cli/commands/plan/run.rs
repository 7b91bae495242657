//! The command: reads both revisions, the journal and the fleet, and prints the plan.

use super::fleet::{self, Observed};
use super::past::{self, Known};
use super::sides::{Side, Sources};
use crate::cli::args::{Output, PlanArgs, PlanFormat};
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::output::plan_text;
use crate::cli::output::stdout::say;
use tidegate_core::proposal::document::{Plan, Verdict};
use tidegate_core::proposal::{self, Request, propose};
use tidegate_model::near;
use tidegate_model::time::Timestamp;

/// Prints what a change will do to the fleet.
///
/// # Errors
/// [`Failure::Changes`] if something changes, [`Failure::Findings`] if something is blocked or wrong. Wrong usage is
/// [`Failure::Unfinished`], because exit code 2 means changes.
pub(crate) async fn run(args: PlanArgs) -> Result<(), Failure> {
    planned(args).await.map_err(|failure| match failure {
        Failure::Usage(message) => Failure::Unfinished(message),
        other => other,
    })
}

async fn planned(args: PlanArgs) -> Result<(), Failure> {
    let reading = args.clone();
    let read = tokio::task::spawn_blocking(move || -> Result<(Known, Side, Side), Failure> {
        let sources = Sources::open(&reading)?;
        let known = past::known(&reading.source)?;
        let (base, head) = sources.read(&reading, &known)?;
        Ok((known, base, head))
    });
    let (known, base, head) = read.await.map_err(|error| Failure::internal(&error))??;
    let Observed { fleet, source, as_of, instance } = fleet::observed(&args.fleet, &known, &base.repository).await?;
    let plan = propose(&Request {
        base: half(&base),
        head: half(&head),
        fleet: &fleet,
        source: &source,
        as_of,
        instance: &instance,
        latencies: &known.latencies,
        now: as_of.unwrap_or_else(Timestamp::now),
    });
    let plan = only(plan, args.addon.as_deref())?;
    match args.output {
        None => say(&plan_text::text(&plan, args.full))?,
        Some(PlanFormat::Json) => say(&format!("{}\n", document(&plan, Output::Json)?))?,
        Some(PlanFormat::Yaml) => say(&document(&plan, Output::Yaml)?)?,
    }
    match plan.result {
        Verdict::Nothing => Ok(()),
        Verdict::Changes => Err(Failure::Changes),
        Verdict::Blocked => Err(Failure::Findings),
    }
}

fn half(side: &Side) -> proposal::Side<'_> {
    proposal::Side { revision: side.revision.clone(), loaded: &side.loaded, repository: &side.repository }
}

fn document(plan: &Plan, output: Output) -> Result<String, Failure> {
    let document = serde_json::to_value(plan).map_err(|error| Failure::internal(&error))?;
    printed(output, &document)
}

/// Leaves only one add-on in a plan, if one is named.
fn only(mut plan: Plan, addon: Option<&str>) -> Result<Plan, Failure> {
    let Some(addon) = addon else { return Ok(plan) };
    let known: Vec<String> = plan.addons.iter().map(|addon| addon.name.to_string()).collect();
    plan.addons.retain(|found| found.name.as_str() == addon);
    if plan.addons.is_empty() {
        let remedy = near::remedy(addon, known.iter().map(String::as_str));
        return Err(Failure::Usage(format!("--addon {addon}: neither revision has it; {remedy}")));
    }
    Ok(plan)
}
