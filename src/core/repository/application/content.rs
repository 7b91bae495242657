//! An application as a rollout unit: what its clusters get, and in which order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde_json::{Value, json};

use super::deployment::{self, Deployment, deployments};
use super::kind::{KIND, VERSION};
use super::order::Depends;
use super::ownership::Applying;
use super::parsed::{Component, Parsed, PolicyKind};
use super::rendered::Rendered;
use super::setting::Setting;
use super::used::is_per_cluster;
use super::{component, dispatch, order, ownership, required, scaled, selection, variant};
use crate::definition::{Definitions, Sample};
use crate::read::object::{Object, path};
use crate::settings::Applications;
use crate::unit::{Application, Configuration, Source, Turn, Unit};
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::{InstallStrategy, PlacementStrategy};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::manifest_work::FeedbackRule;
use tidegate_api::ocm::rollout_strategy::{RolloutAll, RolloutProgressive, RolloutStrategy};
use tidegate_delivery::{ReadyWhen, condition_rule, scaling_rule};
use tidegate_go::canonical::spec_hash;
use tidegate_model::digest::{Digest, short};
use tidegate_model::name::{ApplicationName, InvalidName, NamespacedName};
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::plural;

/// The annotation with the version of an application.
pub(crate) const PUBLISH_VERSION: &str = "app.oam.dev/publishVersion";

/// Returns the rollout unit of an application. Its digest is not known before the Placements are.
///
/// # Errors
/// [`InvalidName`] for an application without a valid name.
pub(crate) fn unit(
    object: &Object,
    parsed: &Parsed,
    (settings, definitions): (&Applications, &Definitions),
) -> Result<(ApplicationName, Unit), InvalidName> {
    let name = ApplicationName::try_from(&NamespacedName::new(&object.key.namespace, &object.key.name))?;
    let version = object
        .value
        .pointer("/metadata/annotations")
        .and_then(|annotations| annotations.get(PUBLISH_VERSION)?.as_str());
    let deployments = deployments(parsed);
    let (mut configurations, mut placements, mut order) = (BTreeMap::new(), Vec::new(), Vec::new());
    let mut content: Option<ConfigReference> = None;
    let mut known: BTreeMap<String, ConfigReference> = BTreeMap::new();
    for deployment in &deployments {
        let reference = known.entry(deployment.suffix()).or_insert_with(|| {
            let version = version.map(|version| format!("{version}{}", deployment.suffix()));
            let objects = objects((&name, definitions), parsed, Some(deployment));
            let depends = order::depends(&variant::copies(parsed.components.clone(), deployment));
            let (reference, configuration) = self::content(&name, (objects, &depends), version);
            configurations.insert(reference.clone(), configuration);
            reference
        });
        let reference = reference.clone();
        // What the first clusters get is the default of the others.
        let default = content.get_or_insert_with(|| reference.clone());
        let configs = if *default == reference { Vec::new() } else { vec![reference] };
        placements.push(placement(&name, deployment, settings, configs));
        order.push(Turn { step: deployment.step, may_be_empty: deployment.may_be_empty() });
    }
    let application = Application {
        name: name.clone(),
        metadata: serde_json::from_value::<ObjectMeta>(object.value["metadata"].clone()).unwrap_or_default(),
        strategy: InstallStrategy { type_: "Placements".to_owned(), placements },
        order,
        steps: deployment::names(parsed, &deployments),
        revisions: BTreeMap::new(),
        requires: required::units(&object.value),
        content: content.into_iter().collect(),
        place: object.place(),
    };
    let unit = Unit {
        source: Source::Application(Arc::new(application)),
        configurations,
        overrides: BTreeMap::new(),
        digest: Digest::default(),
        per_cluster: None,
    };
    Ok((name, unit))
}

fn placement(
    name: &ApplicationName,
    deployment: &Deployment<'_>,
    settings: &Applications,
    configs: Vec<ConfigReference>,
) -> PlacementStrategy {
    let (namespace, placement, rollout_strategy) = match &deployment.policy.kind {
        PolicyKind::Placement(named) => (named.namespace.clone(), named.name.clone(), named.rollout_strategy.clone()),
        PolicyKind::Dispatched(dispatched) => (None, selection::of_cluster(name.name(), &dispatched.cluster), None),
        _ => (None, selection::of_topology(name.name(), &deployment.policy.name), None),
    };
    let mut rollout_strategy = rollout_strategy.unwrap_or_else(|| strategy(deployment.parallelism, settings));
    if let Some(soak) = deployment.soak {
        soaking(&mut rollout_strategy, soak);
    }
    PlacementStrategy {
        namespace: namespace.unwrap_or_else(|| name.namespace().to_owned()),
        name: placement,
        rollout_strategy,
        configs,
    }
}

/// Sets how long a cluster has to stay healthy until it is done.
fn soaking(strategy: &mut RolloutStrategy, soak: &str) {
    let soak = Some(soak.to_owned());
    match strategy.type_.as_str() {
        "Progressive" => strategy.progressive.get_or_insert_default().min_success_time = soak,
        "ProgressivePerGroup" => strategy.progressive_per_group.get_or_insert_default().min_success_time = soak,
        _ => strategy.all.get_or_insert_default().min_success_time = soak,
    }
}

/// Returns the strategy for the clusters of a policy that has none.
pub(super) fn strategy(parallelism: Option<u32>, settings: &Applications) -> RolloutStrategy {
    let progress_deadline = match settings.deadline_minutes {
        0 => None,
        minutes => Some(format!("{minutes}m")),
    };
    match parallelism {
        Some(parallelism) => {
            let max_concurrency = Some(IntOrString::Int(i32::try_from(parallelism).unwrap_or(i32::MAX)));
            let progressive =
                RolloutProgressive { max_concurrency, progress_deadline, ..RolloutProgressive::default() };
            let (type_, progressive) = ("Progressive".to_owned(), Some(progressive));
            RolloutStrategy { type_, progressive, ..RolloutStrategy::default() }
        }
        None => {
            let all = RolloutAll { progress_deadline, ..RolloutAll::default() };
            RolloutStrategy { type_: "All".to_owned(), all: Some(all), ..RolloutStrategy::default() }
        }
    }
}

/// Returns the objects that clusters get of an application, those of deployments that differ apart; none if it cannot be read. Without a
/// deployment, they are those that its components render to. If they depend on the cluster, they are those of the samples.
pub(crate) fn rendered(object: &Object, definitions: &Definitions) -> Vec<Vec<Rendered>> {
    let name = ApplicationName::try_from(&NamespacedName::new(&object.key.namespace, &object.key.name));
    let (Ok(name), Ok(parsed)) = (name, Parsed::read(&object.value)) else { return Vec::new() };
    if definitions.cluster().is_none() && is_per_cluster(&object.value, definitions) {
        let samples = definitions.samples.iter();
        let on_sample = |sample: &Sample| definitions.on_cluster(&sample.facts, || rendered(object, definitions));
        return samples.flat_map(on_sample).collect();
    }
    let deployments = deployments(&parsed);
    if deployments.is_empty() {
        return vec![objects((&name, definitions), &parsed, None)];
    }
    let distinct: BTreeMap<String, _> =
        deployments.iter().map(|deployment| (deployment.suffix(), deployment)).collect();
    distinct.into_values().map(|deployment| objects((&name, definitions), &parsed, Some(deployment))).collect()
}

/// Returns the objects of the components of an application as they are; none if it cannot be read.
pub(crate) fn components(object: &Object, definitions: &Definitions) -> Vec<Rendered> {
    let name = ApplicationName::try_from(&NamespacedName::new(&object.key.namespace, &object.key.name));
    let (Ok(name), Ok(parsed)) = (name, Parsed::read(&object.value)) else { return Vec::new() };
    match definitions.samples.first().filter(|_| is_per_cluster(&object.value, definitions)) {
        Some(sample) => definitions.on_cluster(&sample.facts, || objects((&name, definitions), &parsed, None)),
        None => objects((&name, definitions), &parsed, None),
    }
}

/// Returns the number of components of an application, those of each deployment counted apart.
pub(crate) fn size(object: &Object) -> usize {
    let Ok(parsed) = Parsed::read(&object.value) else { return 0 };
    let copies = deployments(&parsed).iter().map(Deployment::copies).fold(0_usize, usize::saturating_add);
    parsed.all_components().len().saturating_mul(copies.max(1))
}

/// Returns the objects of a deployment, or of the components as they are.
fn objects(
    (name, definitions): (&ApplicationName, &Definitions),
    parsed: &Parsed,
    deployment: Option<&Deployment<'_>>,
) -> Vec<Rendered> {
    let place = |component: &Component| {
        let index = parsed.components.iter().position(|known| known == component);
        let of_component = index.map(|index| path(&["spec", "components"]).item(index));
        of_component.or_else(|| parsed.place_of(deployment?, component)).unwrap_or_default()
    };
    let components = match deployment {
        Some(deployment) => variant::of_deployment(&parsed.components, deployment),
        None => parsed.components.clone(),
    };
    let namespace = deployment.and_then(Deployment::namespace).unwrap_or_else(|| name.namespace());
    let setting = Setting { application: name, namespace, definitions };
    let of_component = |component: &Component| {
        let rendered = |made| Rendered::of(place(component), component, made);
        component::objects(setting, component).into_iter().map(rendered).collect::<Vec<_>>()
    };
    let dispatched = |(index, made)| {
        let component = parsed.components.get(index)?;
        Some(Rendered::of(path(&["spec", "components"]).item(index), component, made))
    };
    let mut objects: Vec<Rendered> = match deployment.and_then(Deployment::dispatched) {
        Some(steps) => dispatch::objects(setting, parsed, steps).into_iter().filter_map(dispatched).collect(),
        None => components.iter().flat_map(of_component).collect(),
    };
    ownership::decide(&parsed.policies, &mut objects);
    objects
}

/// Returns what some clusters get, in the form of an AddOnTemplate, and the reference to it. The name of the reference has the version, or the
/// first digits of the hash.
///
/// # Shape
/// `spec.dependsOn` has the order of the components; it is absent if no component depends on another.
pub(super) fn content(
    name: &ApplicationName,
    (objects, depends): (Vec<Rendered>, &Depends),
    version: Option<String>,
) -> (ConfigReference, Configuration) {
    let (appliers, mut objects): (Vec<Applying>, Vec<Value>) =
        objects.into_iter().map(|rendered| (rendered.applying, rendered.object)).unzip();
    let scaled = scaled::release(&mut objects);
    let applied = |(object, applying)| applied(object, applying, &scaled);
    let configs: Vec<Value> = objects.iter().zip(&appliers).filter_map(applied).collect();
    let order = order::delivered(depends, &objects);
    let mut content = json!({
        "apiVersion": format!("{}/{VERSION}", key::APPLICATION_GROUP),
        "kind": KIND,
        "metadata": { "namespace": name.namespace(), "name": name.name() },
        "spec": { "agentSpec": { "workload": { "manifests": objects }, "manifestConfigs": configs } },
    });
    if !order.is_empty() {
        content["spec"]["dependsOn"] = json!(order);
    }
    let hash = spec_hash(&content);
    let version = version.unwrap_or_else(|| short(&hash).to_owned());
    let reference = ConfigReference {
        group: key::APPLICATION_GROUP.to_owned(),
        resource: key::APPLICATIONS.to_owned(),
        namespace: name.namespace().to_owned(),
        name: format!("{}@{version}", name.name()),
    };
    (reference, Configuration { object: Arc::new(content), spec_hash: hash, deployment_config: None })
}

/// Returns how the agent applies an object: field by field unless a policy says otherwise, so that what others set stays. It reports who sets the
/// number of replicas of a workload that something else scales, and what the conditions of an object read.
fn applied(object: &Value, applying: &Applying, scaled: &BTreeSet<ObjectKey>) -> Option<Value> {
    let key = ObjectKey::of(object)?;
    let is_scaled = scaled.contains(&key) || *applying == Applying::WithoutReplicas;
    let ObjectKey { group, kind, namespace, name } = key;
    let mut config = json!({
        "resourceIdentifier": { "group": group, "resource": plural(&kind), "namespace": namespace, "name": name },
        "updateStrategy": applying.strategy(),
    });
    let conditions = ReadyWhen::of(object).and_then(Result::ok).map(|conditions| condition_rule(&conditions));
    let rules: Vec<FeedbackRule> = is_scaled.then(scaling_rule).into_iter().chain(conditions).collect();
    if !rules.is_empty() {
        config["feedbackRules"] = json!(rules);
    }
    Some(config)
}
