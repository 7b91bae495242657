//! `tidegate app render`: what a cluster, or the clusters of a step, get of an application.

use std::collections::BTreeSet;

use serde_json::Value;

use super::declared::{Declared, Found, short};
use crate::cli::args::{AppRenderArgs, Format, Output};
use crate::cli::failure::Failure;
use crate::cli::output::document::{print, printed};
use crate::cli::process::Process;
use crate::cli::repository::cluster::OfflineCluster;
use tidegate_model::near::remedy;

/// Prints the objects.
///
/// # Errors
/// [`Failure::Findings`] if no step selects the cluster.
pub(super) fn run(process: &Process, args: &AppRenderArgs) -> Result<(), Failure> {
    let declared = Declared::read(process, &args.source)?;
    declared.warn(process);
    let found = declared.find(&args.application)?;
    let objects = match &args.cluster {
        Some(cluster) => of_cluster(process, args, &declared, &found, cluster)?,
        None => of_step(&found, args.step.as_deref().unwrap_or_default())?,
    };
    match args.output {
        Format::Yaml => objects.iter().try_for_each(|object| print(process, object)),
        Format::Json => process.say_line(&printed(Output::Json, &Value::Array(objects))?),
    }
}

fn of_cluster(
    process: &Process,
    args: &AppRenderArgs,
    declared: &Declared,
    found: &Found<'_>,
    name: &str,
) -> Result<Vec<Value>, Failure> {
    let cluster = OfflineCluster::new(process, &declared.loaded.repository, &declared.root, name, &args.labels)?;
    match cluster.preview(found.name, found.unit)? {
        Some(preview) => Ok(preview.rendered.deploy().cloned().collect()),
        None => {
            cluster.why_not(found.name, found.unit).iter().for_each(|line| process.warn_line(line));
            Err(Failure::Findings)
        }
    }
}

/// Returns the objects of a step. Those of parts that get the same are there once.
fn of_step(found: &Found<'_>, step: &str) -> Result<Vec<Value>, Failure> {
    let parts = found.parts(Some(step));
    if parts.is_empty() {
        let known = found.outline.parts.iter().map(|part| part.name.as_str());
        let (name, remedy) = (short(found.name.as_str()), remedy(step, known));
        return Err(Failure::Usage(format!("--step {step}: {name} has no such step; {remedy}")));
    }
    if found.unit.per_cluster.is_some() {
        let name = short(found.name.as_str());
        return Err(Failure::Usage(format!(
            "what clusters get of {name} depends on the cluster, because a definition reads context.cluster; name one with --cluster"
        )));
    }
    let contents: BTreeSet<&str> = parts.iter().filter_map(|(_, part)| Some(found.content(part)?.0)).collect();
    if contents.len() > 1 {
        let policies: Vec<&str> = parts.iter().map(|(part, _)| part.policy.as_str()).collect();
        let message = format!(
            "--step {step}: its clusters get different objects; name one of its policies: {}",
            policies.join(", ")
        );
        return Err(Failure::Usage(message));
    }
    let first = parts.first().and_then(|(_, part)| found.content(part));
    Ok(first.map(|(_, objects)| objects.to_vec()).unwrap_or_default())
}
