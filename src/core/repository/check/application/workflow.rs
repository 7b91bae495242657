//! The steps of an application.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::dispatch;
use super::schema::{conform, listed};
use super::waits::{self, Around};
use crate::application::dispatch::{COMP_REV, TRAITS, is_dispatch};
use crate::application::ownership::OWNERSHIP;
use crate::application::steps::{DEPENDS_ON_APP, SUSPEND};
use crate::application::{OVERRIDE, REPLICATION};
use crate::definition::Definitions;
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_model::near::remedy;

/// The type of a step that delivers to the clusters of policies.
const DEPLOY: &str = "deploy";
/// The type of a step whose parts run side by side.
const GROUP: &str = "step-group";

/// Types of steps of KubeVela that are refused, with what to write instead.
const REFUSED: [(&str, &str); 8] = [
    ("apply-component", "write a policy of type override with a selector, and a step of type deploy"),
    ("notification", "name the receiver in tidegate.toml"),
    ("share-cloud-resource", "what it does cannot be planned"),
    ("webhook", "what it does cannot be planned"),
    ("apply-object", "write a component of type k8s-objects"),
    ("read-object", "what it finds cannot be planned"),
    ("exec", "what it does cannot be planned"),
    ("request", "what it does cannot be planned"),
];

/// Fields of a step or a component through which steps pass values while they run.
pub(super) const INPUTS: (&str, &str) =
    ("inputs", "is not supported: what a step finds out while it runs cannot be planned; write the value");
pub(super) const OUTPUTS: (&str, &str) =
    ("outputs", "is not supported: what a step finds out while it runs cannot be planned; remove it");

/// Fields of a step that are known and refused.
const REFUSED_FIELDS: [(&str, &str); 5] = [
    ("dependsOn", "is not supported: steps run in their order; remove it"),
    INPUTS,
    OUTPUTS,
    ("if", "is not supported: a step always runs; remove it"),
    ("timeout", "is not supported; write progressDeadline in the rolloutStrategy of a policy of type placement"),
];

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let any = || json!({ "x-kubernetes-preserve-unknown-fields": true });
    let step = |own: Value| {
        let mut step = json!({
            "type": "object",
            "required": ["name", "type"],
            "properties": {
                "name": { "type": "string", "minLength": 1 },
                "type": { "type": "string", "minLength": 1 },
                "properties": any(), "meta": any(),
                "dependsOn": any(), "inputs": any(), "outputs": any(), "if": any(), "timeout": any(),
            },
        });
        if let (Some(members), Value::Object(own)) = (step["properties"].as_object_mut(), own) {
            members.extend(own);
        }
        json!({
            "type": "array", "items": step,
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        })
    };
    let steps = step(json!({ "subSteps": step(json!({})), "mode": any() }));
    Schema::compile(&json!({ "type": "object", "properties": { "steps": steps, "mode": any(), "ref": any() } }))
});

static DEPLOY_SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    Schema::compile(&json!({
        "type": "object",
        "required": ["policies"],
        "properties": {
            "policies": { "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1 } },
            "parallelism": { "type": "integer", "minimum": 1, "maximum": 2_147_483_647 },
            "auto": { "type": "boolean" },
            "ignoreTerraformComponent": { "type": "boolean" },
        },
    }))
});

/// Adds the problems of the workflow.
pub(super) fn check(notes: &mut Notes<'_>, definitions: &Definitions) {
    let object = notes.object;
    let Some(workflow) = object.value.pointer("/spec/workflow") else { return };
    let at = path(&["spec", "workflow"]);
    let before = notes.complaints.len();
    conform(notes, (&at, workflow), &SCHEMA);
    for (member, why) in [
        ("mode", "is not supported: steps run in their order, and those of a step-group side by side; remove it"),
        ("ref", "is not supported; write the steps here"),
    ] {
        if workflow.get(member).is_some() {
            let at = at.member(member);
            notes.error(object.key_origin(&at), format!("{at} {why}"));
        }
    }
    if notes.complaints.len() > before {
        return;
    }
    let mut policies = Policies::of(&object.value);
    let steps: Vec<&Value> = listed(workflow, "/steps").map(|(_, step)| step).collect();
    let part = |notes: &mut Notes<'_>, step: (&Path, &Value), policies: &mut Policies<'_>| {
        refused_fields(notes, step);
        match step.1.get("type").and_then(Value::as_str).is_some_and(is_dispatch) {
            true => dispatch::step(notes, step, definitions.rollout),
            false => deploy(notes, step, policies),
        }
    };
    for (index, step) in listed(workflow, "/steps") {
        let at = at.member("steps").item(index);
        if waits::waits(step) {
            refused_fields(notes, (&at, step));
            waits::check(notes, (&at, step), Around::of(&steps, index, &policies.soaking));
            continue;
        }
        if step.get("type").and_then(Value::as_str) != Some(GROUP) {
            part(notes, (&at, step), &mut policies);
            continue;
        }
        refused_fields(notes, (&at, step));
        for member in ["properties", "mode"].into_iter().filter(|member| step.get(member).is_some()) {
            let at = at.member(member);
            notes.error(object.key_origin(&at), format!("{at} has no effect on a {GROUP}; remove it"));
        }
        let mut is_empty = true;
        for (index, step) in listed(step, "/subSteps") {
            part(notes, (&at.member("subSteps").item(index), step), &mut policies);
            is_empty = false;
        }
        if is_empty {
            notes.error(object.value_origin(&at), format!("{at} has no subSteps; add some, or remove it"));
        }
    }
    if listed(workflow, "/steps").next().is_some() && notes.complaints.len() == before {
        policies.unnamed(notes);
    }
    dispatch::check(notes, definitions);
}

fn refused_fields(notes: &mut Notes<'_>, (at, step): (&Path, &Value)) {
    for (member, why) in REFUSED_FIELDS {
        if step.get(member).is_some() {
            let at = at.member(member);
            notes.error(notes.object.key_origin(&at), format!("{at} {why}"));
        }
    }
}

/// Adds the problems of a step that is no group and does not dispatch.
fn deploy(notes: &mut Notes<'_>, (at, step): (&Path, &Value), policies: &mut Policies<'_>) {
    let object = notes.object;
    let type_ = step.get("type").and_then(Value::as_str).unwrap_or_default();
    if type_ != DEPLOY {
        let at = at.member("type");
        if waits::waits(step) {
            return notes.error(object.value_origin(&at), format!("{at} is {type_}; move it out of the {GROUP}"));
        }
        let message = match REFUSED.iter().find(|(name, _)| *name == type_) {
            Some((_, instead)) => format!("{at} is {type_:?}, which is not supported: {instead}"),
            None => format!(
                "{at} is {type_:?}, which is not a known step type; {}",
                remedy(type_, [DEPLOY, GROUP, SUSPEND, DEPENDS_ON_APP, COMP_REV, TRAITS])
            ),
        };
        return notes.error(object.value_origin(&at), message);
    }
    if listed(step, "/subSteps").next().is_some() {
        let at = at.member("subSteps");
        notes.error(object.key_origin(&at), format!("{at} is only for a {GROUP}; remove it"));
    }
    let at = at.member("properties");
    let none = Value::Object(serde_json::Map::new());
    let properties = step.get("properties").unwrap_or(&none);
    let before = notes.complaints.len();
    conform(notes, (&at, properties), &DEPLOY_SCHEMA);
    if properties.get("auto") == Some(&Value::Bool(false)) {
        let at = at.member("auto");
        let message = format!(
            "{at} is false, but does not say who approves; write a RolloutPolicy with approvals, and remove it"
        );
        notes.error(object.key_origin(&at), message);
    }
    if notes.complaints.len() > before {
        return;
    }
    let mut selects = false;
    for (index, name) in listed(properties, "/policies") {
        let at = at.member("policies").item(index);
        let name = name.as_str().unwrap_or_default();
        selects |= policies.used(notes, &at, name);
        if properties.get("parallelism").is_some() && policies.strategies.contains(name) {
            let message = format!(
                "{at} is {name}, which has a rolloutStrategy, so that parallelism has no effect; remove one of the two"
            );
            notes.error(object.value_origin(&at), message);
        }
    }
    if !selects && notes.complaints.len() == before {
        let message = format!("{at}.policies selects no clusters; name a policy of type topology or placement");
        notes.error(object.value_origin(&at.member("policies")), message);
    }
}

/// The policies of an application by name, with where they are and which step names them.
struct Policies<'v> {
    types: BTreeMap<&'v str, (usize, &'v str)>,
    users: BTreeMap<&'v str, Path>,
    /// The policies with a rollout strategy.
    strategies: BTreeSet<&'v str>,
    /// The policies with a soak time in their strategy.
    soaking: BTreeSet<&'v str>,
}

impl<'v> Policies<'v> {
    fn of(application: &'v Value) -> Self {
        let text = |policy: &'v Value, member: &str| policy.get(member).and_then(Value::as_str);
        let policies = || listed(application, "/spec/policies");
        let has_strategy = |policy: &&Value| policy.pointer("/properties/rolloutStrategy").is_some();
        let strategies = policies().map(|(_, policy)| policy).filter(has_strategy);
        let strategies = strategies.filter_map(|policy| text(policy, "name")).collect();
        let soaks = |policy: &&Value| {
            let settings = policy.pointer("/properties/rolloutStrategy").and_then(Value::as_object);
            settings.into_iter().flatten().any(|(_, settings)| settings.get("minSuccessTime").is_some())
        };
        let soaking = policies().map(|(_, policy)| policy).filter(soaks);
        let soaking = soaking.filter_map(|policy| text(policy, "name")).collect();
        let types =
            policies().filter_map(|(index, policy)| Some((text(policy, "name")?, (index, text(policy, "type")?))));
        Self { types: types.collect(), users: BTreeMap::new(), strategies, soaking }
    }

    /// Notes that a step names a policy. Returns `true` if the policy selects clusters.
    fn used(&mut self, notes: &mut Notes<'_>, at: &Path, name: &str) -> bool {
        let object = notes.object;
        let Some((known, (_, type_))) = self.types.get_key_value(name) else {
            let message =
                format!("{at} is {name:?}, which is not a policy; {}", remedy(name, self.types.keys().copied()));
            notes.error(object.value_origin(at), message);
            return false;
        };
        if OWNERSHIP.contains(type_) {
            let message =
                format!("{at} is {name}, but a policy of type {type_} applies to all clusters; remove it here");
            notes.error(object.value_origin(at), message);
            return false;
        }
        let selects = ![OVERRIDE, REPLICATION].contains(type_);
        let is_used_once = selects || *type_ == REPLICATION && self.is_in_same_step(known, at);
        if let Some(first) = self.users.insert(known, at.clone()).filter(|_| is_used_once) {
            let message = format!(
                "{at} names {name} again, like {first}, but a cluster gets the application once; keep one of the two"
            );
            notes.error(object.value_origin(at), message);
        }
        selects
    }

    /// Returns `true` if the step of a place has named a policy already.
    fn is_in_same_step(&self, name: &str, at: &Path) -> bool {
        let step = |path: &Path| path.0.split_last().map(|(_, step)| step.to_vec());
        self.users.get(name).is_some_and(|first| step(first) == step(at))
    }

    /// Adds a complaint about each policy that no step names.
    fn unnamed(&self, notes: &mut Notes<'_>) {
        let unnamed = self
            .types
            .iter()
            .filter(|(name, (_, type_))| !self.users.contains_key(*name) && !OWNERSHIP.contains(type_));
        for (name, (index, _)) in unnamed {
            let at = path(&["spec", "policies"]).item(*index);
            let message =
                format!("policy {name} has no effect, since no step names it; name it in a step, or remove it");
            notes.error(notes.object.value_origin(&at), message);
        }
    }
}
