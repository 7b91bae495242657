//! The roles on the hub that templates give to agents, and what Tidegate needs to bind them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::{Value, json};

use super::finding::{harmless, prefix};
use super::github;
use crate::cli::args::Output;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::doctor;
use tidegate_model::object::ObjectKey;
use tidegate_repository::{DeclaredRole, HubPermission, Loaded, Scope};

/// A hub permission with the rules that Tidegate's role does not contain.
#[derive(Debug)]
pub(super) struct Needed<'a> {
    permission: &'a HubPermission,
    /// What to add to Tidegate's role; empty if it contains everything.
    missing: Vec<PolicyRule>,
}

/// Returns the hub permissions of everything that was loaded, in the order of their places. One that several overlays share is listed once.
pub(super) fn needed(loaded: &[(String, Loaded)]) -> Vec<Needed<'_>> {
    let all = loaded.iter().flat_map(|(_, loaded)| &loaded.hub_permissions);
    let identified = all.map(|permission| {
        let rules = permission.declared.as_ref().map(|role| json!(role).to_string());
        ((&permission.place, &permission.role, &permission.scope, rules), permission)
    });
    let distinct: BTreeMap<_, &HubPermission> = identified.collect();
    distinct
        .into_values()
        .map(|permission| Needed { permission, missing: doctor::missing(&permission.rules()) })
        .collect()
}

/// Returns the data for programs.
pub(super) fn data(all: &[Needed<'_>]) -> Value {
    let entry = |needed: &Needed<'_>| {
        let mut entry = json!(needed.permission);
        entry["granted"] = json!(needed.missing.is_empty());
        entry["missingRules"] = json!(needed.missing);
        entry
    };
    all.iter().map(entry).collect()
}

/// Returns one command per permission for the log of a GitHub workflow, which shows it as a notice.
pub(super) fn notices(root: &Path, all: &[Needed<'_>]) -> String {
    let prefix = prefix(root);
    let notice = |needed: &Needed<'_>| {
        let place = &needed.permission.place;
        let file = format!("{prefix}{}", place.file);
        github::notice(&file, place, "tidegate hub permission", &sentence(needed))
    };
    all.iter().map(notice).collect()
}

/// Returns a permission as a sentence, without its place.
fn sentence(needed: &Needed<'_>) -> String {
    let Needed { permission: HubPermission { template, role, scope, declared, .. }, missing } = needed;
    let scope = place_of(scope);
    let declared = match declared {
        Some(role) => format!("declared in {}", role.place),
        None => "not declared in this repository".to_owned(),
    };
    let granted = match missing.is_empty() {
        true => "deploy/rbac.yaml allows Tidegate to bind it",
        false => "deploy/rbac.yaml does not allow Tidegate to bind it",
    };
    harmless(&format!("{template} gives its agents {role} {scope}; the role is {declared}; {granted}"))
}

fn place_of(scope: &Scope) -> String {
    match scope {
        Scope::CurrentCluster => "in the namespace of their cluster".to_owned(),
        Scope::SingleNamespace { namespace } => format!("in namespace {namespace}"),
    }
}

/// Returns the section for people; empty if there are no hub permissions.
pub(super) fn section(all: &[Needed<'_>]) -> Result<String, Failure> {
    if all.is_empty() {
        return Ok(String::new());
    }
    let mut lines = vec!["hub permissions of agents:".to_owned()];
    let mut roles: BTreeMap<&ObjectKey, Vec<&Needed<'_>>> = BTreeMap::new();
    for needed in all {
        roles.entry(&needed.permission.role).or_default().push(needed);
    }
    for (role, users) in roles {
        lines.push(format!("  {role}"));
        let given = users.iter().map(|Needed { permission, .. }| {
            format!("    {}: given by {} {}", permission.place, permission.template, place_of(&permission.scope))
        });
        lines.extend(given);
        let declared: BTreeSet<Vec<String>> = users.iter().map(|needed| declaration(needed.permission)).collect();
        lines.extend(declared.into_iter().flatten());
    }
    let text: String = lines.iter().map(|line| format!("{}\n", harmless(line))).collect();
    Ok(format!("{text}{}", remedy(all)?))
}

/// Returns the lines about the declaration of a role.
fn declaration(permission: &HubPermission) -> Vec<String> {
    let Some(DeclaredRole { place, rules }) = &permission.declared else {
        return vec!["    not declared in this repository".to_owned()];
    };
    let Some(rules) = rules else {
        return vec![format!("    {place}: declared here; the hub fills in its rules")];
    };
    let rules = rules.iter().map(|rule| format!("      {}", summary(rule)));
    std::iter::once(format!("    {place}: declared here, allows")).chain(rules).collect()
}

/// Returns a rule on one line, such as `get, list: secrets`.
fn summary(rule: &PolicyRule) -> String {
    let groups = rule.api_groups.as_deref().unwrap_or(&[]);
    let resources = rule.resources.as_deref().unwrap_or(&[]);
    let of_group = |group: &String| match group.as_str() {
        "" => resources.join(", "),
        group => resources.iter().map(|resource| format!("{resource}.{group}")).collect::<Vec<_>>().join(", "),
    };
    let urls = rule.non_resource_urls.as_deref().unwrap_or(&[]);
    let objects: Vec<String> = groups.iter().map(of_group).chain(urls.iter().cloned()).collect();
    let names = match rule.resource_names.as_deref() {
        None | Some([]) => String::new(),
        Some(names) => format!(" named {}", names.join(", ")),
    };
    format!("{}: {}{names}", rule.verbs.join(", "), objects.join(", "))
}

/// Returns what to do so that Tidegate may bind the roles.
fn remedy(all: &[Needed<'_>]) -> Result<String, Failure> {
    let mut rules: Vec<&PolicyRule> = Vec::new();
    for rule in all.iter().flat_map(|needed| &needed.missing) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    if rules.is_empty() {
        return Ok("  deploy/rbac.yaml contains what Tidegate needs to bind them\n".to_owned());
    }
    let writes = match all.iter().any(|needed| !needed.missing.is_empty() && needed.permission.declared.is_some()) {
        true => " to write declared roles, and",
        false => "",
    };
    let yaml = printed(Output::Yaml, &json!(rules))?;
    let yaml: String = yaml.lines().map(|line| format!("    {line}\n")).collect();
    Ok(format!(
        "  add these rules to the ClusterRole of Tidegate, since deploy/rbac.yaml lacks them. It needs them{writes} to bind roles if it\n  \
         delivers the add-ons itself. If OCM's add-on manager delivers them, the manager binds the roles, and needs the permission:\n{yaml}"
    ))
}
