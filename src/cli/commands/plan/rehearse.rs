//! `tidegate rehearse`: when the rollout of a change will end, and with which risk.

use std::collections::BTreeMap;

use super::change::Change;
use crate::cli::args::{Output, RehearsalFormat, RehearseArgs};
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_journal::Experience;
use tidegate_model::document::API_VERSION;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::UnitName;
use tidegate_model::near;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{GoDuration, SignedDuration, Timestamp};
use tidegate_plan::{Guards, Outlook};
use tidegate_review::presentation::{rehearsal_html, rehearsal_text};
use tidegate_review::proposal::rollouts;
use tidegate_review::rehearsal::document::{AddonRehearsal, Rehearsal};
use tidegate_review::rehearsal::{Clusters, Draw, Request, Scenario, rehearse};

/// Prints the rehearsal of every add-on that is rolled out.
pub(crate) async fn run(process: &Process, args: RehearseArgs) -> Result<(), Failure> {
    let document = rehearsal(process, &args).await?;
    let output = match args.output {
        None => return process.say(&rehearsal_text(&document)),
        Some(RehearsalFormat::Html) => return process.say(&rehearsal_html(&document)),
        Some(RehearsalFormat::Json) => Output::Json,
        Some(RehearsalFormat::Yaml) => Output::Yaml,
    };
    let document = serde_json::to_value(&document).map_err(|error| Failure::internal(&error))?;
    process.say_line(printed(output, &document)?.trim_end())
}

/// Rehearses every add-on that is rolled out.
pub(crate) async fn rehearsal(process: &Process, args: &RehearseArgs) -> Result<Rehearsal, Failure> {
    let change = Change::read(&args.change).await?;
    let rehearsed = change.with(None, |request| -> Result<Vec<AddonRehearsal>, Failure> {
        let errors = request.head.loaded.complaints.iter().filter(|complaint| complaint.is_error());
        let errors: Vec<String> = errors.map(ToString::to_string).collect();
        errors.iter().for_each(|error| process.warn_line(error));
        let rolled_out = only(rollouts(request), args.addon.as_deref())?;
        if rolled_out.is_empty() && !errors.is_empty() {
            return Err(Failure::Findings);
        }
        let (base, head) = (request.base.repository, request.head.repository);
        let circumstances = (head.settings.rules().engine, request.now);
        let one = |(name, outlook): (&UnitName, &Outlook)| {
            let experience = change.known.experience.get(name).cloned().unwrap_or_default();
            let guards = Guards { addon: name, base: Some(base), head, fleet: request.fleet };
            one(args, (name, outlook, guards), circumstances, &experience)
        };
        rolled_out.iter().map(one).collect()
    });
    let addons = rehearsed?;
    Ok(Rehearsal {
        api_version: API_VERSION.to_owned(),
        kind: "Rehearsal".to_owned(),
        scenario: described(args, &change.known.experience),
        runs: args.runs as usize,
        seed: args.seed,
        addons,
    })
}

/// Rehearses one add-on.
fn one(
    args: &RehearseArgs,
    (name, outlook, guards): (&UnitName, &Outlook, Guards<'_>),
    (semantics, now): (Semantics, Timestamp),
    experience: &Experience,
) -> Result<AddonRehearsal, Failure> {
    let within = args.within.map(|span| SignedDuration::try_from(span.0)).transpose();
    let within = within.map_err(|_| Failure::Usage("--within is too long".to_owned()))?;
    let request = Request {
        addon: name,
        placements: &outlook.placements,
        guards,
        semantics,
        now,
        runs: args.runs as usize,
        within,
    };
    let seed = |number: usize| args.seed.wrapping_add(number as u64);
    let scenario =
        Scenario { latencies: experience.latencies.clone(), failing: args.fail.unwrap_or(experience.failing) };
    let mut clusters = |number: usize| Clusters { scenario: &scenario, draw: Draw { seed: seed(number) } };
    let rehearsed = rehearse(&request, &mut clusters);
    rehearsed.map_err(|error| Failure::Usage(format!("{name} cannot be rolled out: {}", ErrorChain(&error))))
}

/// Returns how clusters behave, for people.
fn described(args: &RehearseArgs, experience: &BTreeMap<UnitName, Experience>) -> String {
    let percent = |share: f64| format!("{}%", (share * 1000.0).round() / 10.0);
    let known = experience.values().any(|known| !known.latencies.is_empty());
    let latency = if known {
        "clusters take as long as in the last five rollouts of the add-on, or 30s to 3m0s if there are none".to_owned()
    } else {
        let seconds = |span: Option<&SignedDuration>| GoDuration(span.copied().unwrap_or_default()).to_string();
        let assumed = Scenario::ASSUMED;
        format!(
            "clusters are assumed to take {} to {}: no earlier rollout is known",
            seconds(assumed.first()),
            seconds(assumed.last())
        )
    };
    let mut parts = vec![latency];
    match args.fail {
        Some(share) => parts.push(format!("{} fail", percent(share))),
        None if known => parts.push("as many fail as in the last five rollouts".to_owned()),
        None => parts.push("none fails".to_owned()),
    }
    parts.join("; ")
}

/// Leaves only one add-on, if one is named.
fn only(
    mut rolled_out: BTreeMap<UnitName, Outlook>,
    addon: Option<&str>,
) -> Result<BTreeMap<UnitName, Outlook>, Failure> {
    let Some(addon) = addon else { return Ok(rolled_out) };
    let known: Vec<String> = rolled_out.keys().map(ToString::to_string).collect();
    rolled_out.retain(|name, _| name.as_str() == addon);
    if rolled_out.is_empty() {
        let remedy = if known.is_empty() {
            "nothing is rolled out by this change".to_owned()
        } else {
            near::remedy(addon, known.iter().map(String::as_str))
        };
        return Err(Failure::Usage(format!("{addon} is not rolled out by this change; {remedy}")));
    }
    Ok(rolled_out)
}
