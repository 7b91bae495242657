//! The command: read the hub, write the files, and report both what was written and what was not.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::report;
use crate::cli::args::AdoptArgs;
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::cli::new_files;
use crate::cli::process::Process;
use tidegate_api::fleet::Fleet;
use tidegate_api::key::RBAC_GROUP;
use tidegate_daemon::hub::{Hub, Options};
use tidegate_daemon::telemetry::metrics::Metrics;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::AddonName;
use tidegate_model::near::nearest;
use tidegate_model::object::GroupKind;
use tidegate_model::plural::first_of;
use tidegate_repository::adopt::{Adoption, adopt, roles};

/// How long the hub may take to list every kind.
const PATIENCE: Duration = Duration::from_secs(60);

/// Writes the repository, or prints what it would contain.
pub(crate) async fn run(process: &Process, args: AdoptArgs) -> Result<(), Failure> {
    new_files::check_empty(&args.dir)?;
    let client = compose::client(&args.hub).await?;
    let hub = compose::connected(client, Options::default(), &Metrics::default()).await?;
    hub.watch_kinds(&BTreeSet::from([bindings()])).await;
    let seen = hub.look_at_all(PATIENCE).await.map_err(|error| {
        Failure::unreachable(&error, "check that the account of the kubeconfig may list every kind of OCM")
    })?;
    let only: BTreeSet<AddonName> = args.addons.iter().cloned().collect();
    check_names(&seen.fleet, &only)?;
    let fleet = with_roles(&hub, Fleet::clone(&seen.fleet)).await?;
    let adoption = adopt(&fleet, &only);
    if !args.dry_run {
        new_files::write(&args.dir, &adoption.files)?;
    }
    if let Some(why) = hub.unserved().get(&bindings()) {
        process.warn_line(&format!(
            "warning: the RoleBindings of agents cannot be listed, so it is not known who loses permissions: {why}"
        ));
    }
    process.say(&report::text(&adoption, &args.dir, args.dry_run))?;
    end(process, &adoption)
}

/// Returns the kind of the objects that give agents their roles.
fn bindings() -> GroupKind {
    GroupKind::new(RBAC_GROUP, "RoleBinding")
}

/// Adds the roles to a fleet that its templates give to their agents. Those that may not be read are added with the reason.
async fn with_roles(hub: &Hub, mut fleet: Fleet) -> Result<Fleet, Failure> {
    for key in roles(&fleet) {
        match hub.role(&key).await {
            Ok(Some(role)) => drop(fleet.declared.insert(key, Arc::new(role))),
            Ok(None) => {}
            Err(error) if error.is_transient() => {
                return Err(Failure::unreachable(&error, "run the command again when the hub answers"));
            }
            Err(error) => {
                let why = format!(
                    "{}; let the account of the kubeconfig get roles and clusterroles, or copy the role into the repository",
                    ErrorChain(&error)
                );
                fleet.unreadable.insert(key, why);
            }
        }
    }
    Ok(fleet)
}

/// Refuses the name of an add-on that the hub does not have.
fn check_names(fleet: &Fleet, only: &BTreeSet<AddonName>) -> Result<(), Failure> {
    let known: Vec<&str> = fleet.addons.keys().map(AddonName::as_str).collect();
    let Some(missing) = only.iter().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let remedy = match nearest(missing.as_str(), known.iter().copied()) {
        Some(near) => format!("did you mean {near:?}?"),
        None if known.is_empty() => "it has no add-ons; check --kubeconfig and --context".to_owned(),
        None => format!("it has {}", first_of(known.iter().copied(), 10)),
    };
    Err(Failure::Usage(format!("--addon {missing}: the hub has no ClusterManagementAddOn of that name; {remedy}")))
}

/// Ends with findings if the repository cannot be used as it is.
fn end(process: &Process, adoption: &Adoption) -> Result<(), Failure> {
    if adoption.files.is_empty() {
        process.warn_line("error: the hub has no add-on that can be declared; nothing was written");
        return Err(Failure::Findings);
    }
    for complaint in &adoption.complaints {
        process.warn_line(&complaint.to_string());
    }
    for problem in &adoption.unwritable {
        process.warn_line(&format!("error: {problem}"));
    }
    let is_sound = adoption.unwritable.is_empty() && !adoption.complaints.iter().any(|complaint| complaint.is_error());
    if is_sound { Ok(()) } else { Err(Failure::Findings) }
}
