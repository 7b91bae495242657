//! The objects on the hub with which the agents of add-ons request tokens, instead of certificates.

use serde_json::Value;

use crate::context::{Context, Subject};
use crate::input::{Input, token_kinds};
use crate::removal::hooks::is_held;
use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::object_key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_delivery::{Agent, uses_tokens};
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// Returns the writes that create and repair the objects of an agent that uses tokens, and delete those of one that no longer does. The
/// condition becomes `True` once they are on the hub; the agent reads the uid of its ServiceAccount from the message.
///
/// # Source
/// OCM `pkg/addon/controllers/addontokeninfra`.
pub(super) fn arranged(
    context: &Context<'_>,
    subject: &Subject<'_>,
    agent: Agent<'_>,
    status: &mut ManagedClusterAddOnStatus,
) -> Vec<Write> {
    let Input { fleet, now, instance, .. } = *context.input;
    if subject.addon.metadata.deletion_timestamp.is_some() {
        return Vec::new();
    }
    let keys = agent.token_keys();
    let observed = keys.each_ref().map(|key| fleet.tokens.get(key));
    let (uses, is_known) = (uses_tokens(&status.registrations), is_known(context.input));
    if !uses {
        let writes: Vec<Write> = keys.iter().filter_map(|key| deleted(context.input, key)).collect();
        if writes.is_empty() && is_known {
            status.conditions.retain(|condition| condition.type_ != key::TOKEN_READY);
        }
        return writes;
    }
    if !is_known {
        let why = "Failed to apply token infrastructure: the ServiceAccounts, Roles and RoleBindings of the hub cannot be watched";
        let claim = Claim::new(key::TOKEN_READY, "False", "TokenInfrastructureApplyFailed", why);
        condition::set(&mut status.conditions, claim, now);
        return Vec::new();
    }
    let wanted = agent.token_objects(&instance.id);
    let differs = |(wanted, observed): &(Value, Option<&Value>)| observed.is_none_or(|o| !has(o, wanted));
    let [account, ..] = observed;
    let observed = observed.map(|object| object.map(|object| &**object));
    let writes: Vec<Write> =
        wanted.into_iter().zip(observed).filter(differs).map(|(object, _)| Write::Apply { object }).collect();
    let uid = account.and_then(|account| account.pointer("/metadata/uid")).and_then(Value::as_str);
    if let Some(uid) = uid.filter(|_| writes.is_empty()) {
        let [ObjectKey { namespace, name, .. }, ..] = keys;
        let message = format!("ServiceAccount {namespace}/{name} (UID: {uid}) is ready");
        condition::set(
            &mut status.conditions,
            Claim::new(key::TOKEN_READY, "True", "TokenInfrastructureReady", message),
            now,
        );
    }
    writes
}

/// Returns the resourceVersions of the objects of an agent.
pub(super) fn versions(context: &Context<'_>, cluster: &ClusterName) -> [Option<String>; 3] {
    let tokens = &context.input.fleet.tokens;
    let Some(addon) = context.unit.addon_name().filter(|_| !tokens.is_empty()) else { return [None, None, None] };
    let keys = Agent { addon, cluster }.token_keys();
    keys.map(|key| Some(tokens.get(&key)?.pointer("/metadata/resourceVersion")?.as_str()?.to_owned()))
}

/// Returns `true` if the objects of all agents can be observed.
pub(super) fn is_known(input: &Input<'_>) -> bool {
    !token_kinds().iter().any(|kind| input.unobserved.contains(kind))
}

/// Returns the writes that delete the objects of agents whose add-on has left the cluster, or is leaving it and no longer waits for a
/// pre-delete hook. Upstream deletes them earlier, so that the hook of such an agent loses the hub.
pub(crate) fn left(input: &Input<'_>) -> Vec<Lane> {
    if !is_known(input) {
        return Vec::new();
    }
    let is_left = |key: &ObjectKey, object: &Value| {
        let Some(name) = addon_of(object) else { return false };
        let addon = object_key::cluster_addon(&key.namespace, name.as_str());
        let addons = input.fleet.cluster_addons.get(&name);
        match addons.and_then(|addons| addons.get(key.namespace.as_str())) {
            Some(addon) => addon.metadata.deletion_timestamp.is_some() && !is_held(addon),
            None => !input.fleet.unreadable.contains_key(&addon),
        }
    };
    let left = input.fleet.tokens.iter().filter(|(key, object)| is_left(key, object));
    let writes = left.filter_map(|(key, _)| deleted(input, key));
    writes.map(|write| Lane { stage: Stage::Deliver, writes: vec![write] }).collect()
}

fn addon_of(object: &Value) -> Option<UnitName> {
    object.pointer("/metadata/labels")?.get(key::TOKEN_ADDON)?.as_str()?.parse().ok()
}

/// Returns the write that deletes an object of this instance.
fn deleted(input: &Input<'_>, key: &ObjectKey) -> Option<Write> {
    let object = input
        .fleet
        .tokens
        .get(key)
        .filter(|object| Mark::of_object(object).is_some_and(|mark| mark.is_of(input.instance)))?;
    let uid = object.pointer("/metadata/uid")?.as_str()?.to_owned();
    Some(Write::Delete { key: key.clone(), precondition: Precondition { uid, resource_version: None } })
}

/// Returns `true` if an object has every field of another one, with the labels of the other among its own.
fn has(observed: &Value, wanted: &Value) -> bool {
    let label = |name: &str| observed.pointer("/metadata/labels").and_then(|labels| labels.get(name));
    let fields = wanted.as_object().into_iter().flatten().filter(|(name, _)| *name != "metadata");
    let labels = wanted.pointer("/metadata/labels").and_then(Value::as_object).into_iter().flatten();
    labels.into_iter().all(|(name, value)| label(name) == Some(value))
        && fields.into_iter().all(|(name, value)| observed.get(name) == Some(value))
}
