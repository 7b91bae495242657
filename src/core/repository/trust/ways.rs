//! The ways onto a cluster.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{OperatorFacts, Way};
use crate::{Loaded, Repository, Scope};
use tidegate_consent::RULES;
use tidegate_model::name::UnitName;
use tidegate_model::plural::counted;
use tidegate_rollout::gate::Policies;

const IN_FORCE: &str = "the rules in force before the change";
const OPERATOR: &str = "the daemon's file";

/// Returns all ways, the most common one first.
pub(super) fn ways(loaded: &Loaded, operator: &OperatorFacts) -> Vec<Way> {
    let repository = &loaded.repository;
    let pusher = pusher(operator);
    let way = |what: &str, guards: Vec<String>, vouched: &str| Way {
        what: what.to_owned(),
        who: pusher.clone(),
        guards,
        vouched: vouched.to_owned(),
    };
    let mut ways: Vec<Way> = repository
        .addons
        .keys()
        .map(|addon| way(&format!("a change of {addon}"), of_addon(repository, addon), IN_FORCE))
        .collect();
    ways.push(way("a new add-on", of_new(repository), IN_FORCE));
    let rules = of_rules(repository, operator);
    ways.push(way("a change of policies, people, or labels and annotations of declared clusters", rules, IN_FORCE));
    let prune = &repository.settings.prune;
    let brake = format!("at most {} % and {} at once", prune.max_percent, counted(prune.max_clusters, "cluster"));
    let confirm = "more after a commit to [prune] confirm of tidegate.toml".to_owned();
    ways.push(way("the removal of an add-on from clusters", vec![brake, confirm], "the revision in force"));
    let control = vec!["it opens no approval, window or limit".to_owned()];
    ways.push(way("pause, abort, retry and quarantine (control/)", control, "the newest revision"));
    ways.push(way("other objects on the hub", of_kinds(operator), OPERATOR));
    ways.extend(agents(loaded));
    let journal = if operator.signs_journal {
        "only commits that the daemon's key signed count"
    } else {
        "the trailer Daemon, which anyone can copy"
    };
    ways.push(Way {
        what: "the state after a restart (the journal)".to_owned(),
        who: "anyone who may push to the journal's branch".to_owned(),
        guards: vec![journal.to_owned()],
        vouched: if operator.signs_journal { OPERATOR.to_owned() } else { "no one".to_owned() },
    });
    ways
}

/// Returns who can start a change.
fn pusher(operator: &OperatorFacts) -> String {
    match operator.signed_commits {
        Some("every") => "anyone who may push, if a trusted key signed every commit".to_owned(),
        Some(_) => "anyone who may push, if a trusted key signed the last commit".to_owned(),
        None => "anyone who may push to the followed branch".to_owned(),
    }
}

fn of_addon(repository: &Repository, addon: &UnitName) -> Vec<String> {
    let judges = BTreeMap::new();
    let policies = Policies::new(&repository.policies, &judges);
    let Some(declared) = repository.addons.get(addon) else { return Vec::new() };
    let placements: Vec<_> = declared.placements().map(Some).collect();
    let placements = if placements.is_empty() { vec![None] } else { placements };
    let described = placements.iter().flat_map(|placement| policies.described(addon, placement.as_ref()));
    let mut seen = BTreeSet::new();
    let gates: Vec<String> = described.filter(|gate| seen.insert(gate.clone())).collect();
    gates.into_iter().chain(of_code(repository)).collect()
}

/// Returns the gates that an add-on has whatever its name is: each approval of a policy for all add-ons, before any cluster starts.
fn of_new(repository: &Repository) -> Vec<String> {
    let for_all = repository.policies.iter().filter(|(_, policy)| {
        let names = &policy.spec.selector.add_ons;
        names.is_empty() || names.iter().any(|name| name == "*")
    });
    let gates = for_all
        .flat_map(|(name, policy)| policy.spec.approvals.iter().map(move |approval| approval_of(name, approval)));
    gates.chain(of_code(repository)).collect()
}

fn of_rules(repository: &Repository, operator: &OperatorFacts) -> Vec<String> {
    let policies = repository.policies.iter();
    let all = policies.flat_map(|(name, policy)| policy.spec.approvals.iter().map(move |a| approval_of(name, a)));
    let mut guards: Vec<String> = all.collect();
    if !guards.is_empty() {
        guards.push(format!("a review, or tidegate approve {RULES}"));
        guards.extend(operator.delay.iter().map(|delay| format!("or a delay of {delay}")));
    }
    guards
}

fn approval_of(policy: &str, approval: &tidegate_api::rollout_policy::Approval) -> String {
    let (name, count, of) = (&approval.name, approval.count.max(1), approval.of.join(", "));
    format!("approval {name:?} by {count} of {of} (RolloutPolicy {policy})")
}

fn of_code(repository: &Repository) -> Option<String> {
    let policies = repository.plan_policies.as_ref().filter(|policies| !policies.is_empty())?;
    Some(match policies.len() {
        1 => "1 policy as code".to_owned(),
        count => format!("{count} policies as code"),
    })
}

fn of_kinds(operator: &OperatorFacts) -> Vec<String> {
    let allowed = if operator.kinds.is_empty() { "none".to_owned() } else { operator.kinds.join(", ") };
    vec![
        "kinds of OCM, namespaces, and what add-ons refer to; no works, and no rights".to_owned(),
        format!("in addition, by [hub] kinds: {allowed}"),
    ]
}

/// Returns what the agents of add-ons may do on the hub.
fn agents(loaded: &Loaded) -> Vec<Way> {
    let way = |permission: &crate::HubPermission| {
        let names: Vec<&str> = permission.addons.iter().map(UnitName::as_str).collect();
        let whose = match &permission.scope {
            Scope::CurrentCluster => "bound to the agent of that cluster alone",
            Scope::SingleNamespace { .. } => "bound to the agents of all clusters",
        };
        Way {
            what: format!("{} {} on the hub, {}", permission.role.kind, permission.role.name, permission.scope),
            who: format!("the agent of {} on each cluster", names.join(", ")),
            guards: vec![whose.to_owned()],
            vouched: "names that Tidegate forms".to_owned(),
        }
    };
    // A template that no add-on uses gives nothing.
    loaded.hub_permissions.iter().filter(|permission| !permission.addons.is_empty()).map(way).collect()
}
