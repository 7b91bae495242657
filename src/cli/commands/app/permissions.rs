//! `tidegate app permissions`: the ClusterRole that work agents lack to apply an application.

use serde_json::{Value, json};

use super::agent_rights;
use super::declared::{Declared, Found, short};
use crate::cli::args::{AppPermissionsArgs, Output};
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_api::key::{AGGREGATE_TO_WORK, RBAC_GROUP};
use tidegate_delivery::{Allowing, allowing};
use tidegate_repository::{ClusterContents, Lacking, Rights};

/// Prints the role, and on standard error what it is based on.
///
/// # Errors
/// [`Failure::Findings`] if an object needs a right that no role is printed for; [`Failure::Unreachable`] if a cluster is to be asked and does
/// not answer.
pub(super) async fn run(process: &Process, args: &AppPermissionsArgs) -> Result<(), Failure> {
    let declared = Declared::read(process, &args.source)?;
    declared.warn(process);
    let found = declared.find(&args.application)?;
    let repository = &declared.loaded.repository;
    if found.unit.per_cluster.is_some() && repository.clusters.is_empty() {
        process.warn_line(&format!(
            "what {} needs is not known: it depends on the cluster, and no ManagedCluster is declared here; declare one",
            short(found.name.as_str())
        ));
        return Err(Failure::Findings);
    }
    let rendered = ClusterContents::default().of(repository, &repository.clusters);
    let rights = Rights::of(rendered.as_ref().unwrap_or(repository));
    let lacking = match args.check {
        true => agent_rights::denied(args, rights.needed(found.name).unwrap_or_default()).await?,
        false => rights.lacking(found.name).unwrap_or_default(),
    };
    let Allowing { rules, refused } = allowing(&lacking.requests());
    let role = (!rules.is_empty()).then(|| {
        json!({
            "apiVersion": format!("{RBAC_GROUP}/v1"),
            "kind": "ClusterRole",
            "metadata": { "name": role_name(&declared, &found), "labels": { AGGREGATE_TO_WORK: "true" } },
            "rules": rules,
        })
    });
    match (args.output, &role) {
        (Some(output), role) => {
            let document = document(&found, &lacking, role.as_ref(), &refused);
            process.say_line(printed(output, &document)?.trim_end())?;
        }
        (None, Some(role)) => process.say_line(printed(Output::Yaml, role)?.trim_end())?,
        (None, None) if refused.is_empty() => {
            let who = if args.check { "the work agent of this cluster has" } else { "work agents have" };
            process.warn_line(&format!("{who} every right that {} needs", short(found.name.as_str())));
        }
        (None, None) => {}
    }
    for (kind, resource) in &lacking.guessed {
        process.warn_line(&format!(
            "note: the resource {resource} of {kind} is guessed from its kind; compare it with `kubectl api-resources` on a cluster"
        ));
    }
    for access in &refused {
        process.warn_line(&format!(
            "{access}: no role is printed for this right, because an account that has it can give itself others; ask an administrator of \
             the cluster"
        ));
    }
    if refused.is_empty() { Ok(()) } else { Err(Failure::Findings) }
}

/// Returns the name of the role. It has the namespace of the application only if another one has the same name: roles belong to a whole
/// cluster.
fn role_name(declared: &Declared, found: &Found<'_>) -> String {
    let name = &found.outline.name;
    let is_shared = declared.applications.iter().filter(|other| other.name.name() == name.name()).count() > 1;
    let namespace = if is_shared { format!("{}:", name.namespace()) } else { String::new() };
    format!("tidegate:work:{namespace}{}", name.name())
}

fn document(
    found: &Found<'_>,
    lacking: &Lacking,
    role: Option<&Value>,
    refused: &[tidegate_delivery::Access],
) -> Value {
    json!({
        "application": found.name,
        "role": role,
        "components": lacking.components,
        "guessed": lacking.guessed,
        "refused": refused,
    })
}
