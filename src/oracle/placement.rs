//! One scheduling pass of one Placement.

use std::collections::BTreeMap;
use std::sync::Arc;

use kube::{Resource, ResourceExt as _};
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Map, Value, json};

use tidegate_api::condition::find;
use tidegate_api::fleet::ClusterScores;
use tidegate_api::ocm::addon_placement_score::AddOnPlacementScore;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::{Placement, PlacementDecision, PlacementStatus};
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::time::Timestamp;
use tidegate_rollout::placement::{
    Code, DecisionPage, Explanation, FilterResult, Input, Outcome, PluginMessage, PrioritizerResult, Tally, explain,
    wants_scheduling,
};

/// Answers one case.
pub(super) fn answer(input: &Value) -> Result<Value, serde_json::Error> {
    let case = Case::read(input)?;
    if !wants_scheduling(&case.placement) {
        return Ok(json!({ "skipped": true, "selected": [], "numOfUnscheduled": 0, "decisions": [] }));
    }
    let id = NamespacedName::new(case.placement.namespace().unwrap_or_default(), case.placement.name_any());
    let tally = Tally::of(&case.decisions);
    let (outcome, explanation) = explain(&Input {
        placement: &id,
        spec: &case.placement.spec,
        status: case.placement.status.as_ref(),
        clusters: &case.clusters,
        sets: &case.sets,
        bindings: &case.bindings,
        scores: &case.scores,
        decided: &tally.decided(&id),
        balance: &tally.balance(&id),
        now: case.now,
    });
    Ok(tell(&case.placement, &outcome, explanation))
}

/// The input of a case.
struct Case {
    now: Timestamp,
    placement: Placement,
    clusters: BTreeMap<ClusterName, Arc<ManagedCluster>>,
    sets: BTreeMap<String, Arc<ManagedClusterSet>>,
    bindings: BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    decisions: Vec<PlacementDecision>,
    scores: ClusterScores,
}

impl Case {
    fn read(input: &Value) -> Result<Self, serde_json::Error> {
        let mut case = Self {
            now: serde_json::from_value(input["now"].clone())?,
            placement: object(&input["placement"])?,
            clusters: BTreeMap::new(),
            sets: named(&input["managedClusterSets"], |set: &ManagedClusterSet| Ok(set.name_any()))?,
            bindings: named(&input["managedClusterSetBindings"], |binding: &ManagedClusterSetBinding| {
                Ok(NamespacedName::new(binding.namespace().unwrap_or_default(), binding.name_any()))
            })?,
            decisions: list(&input["placementDecisions"])?,
            scores: ClusterScores::new(),
        };
        case.clusters = named(&input["managedClusters"], |cluster: &ManagedCluster| name(&cluster.name_any()))?;
        for score in list::<AddOnPlacementScore>(&input["addOnPlacementScores"])? {
            let cluster = name(&score.namespace().unwrap_or_default())?;
            case.scores.entry(cluster).or_default().insert(score.name_any(), Arc::new(score));
        }
        Ok(case)
    }
}

fn name(text: &str) -> Result<ClusterName, serde_json::Error> {
    text.parse().map_err(serde_json::Error::custom)
}

/// Fields that cases leave out if they are empty or zero, although the schema requires them or has a default: the list or object
/// that they belong to, their name, and the value that is meant.
const OMITTED: [(&str, &str, Omitted); 8] = [
    ("/spec/clusterSelector", "selectorType", Omitted::Text),
    ("/spec/decisionStrategy/groupStrategy/decisionGroups", "groupName", Omitted::Text),
    // The scheduler's input has no defaults applied: a weight that is left out is 0.
    ("/spec/prioritizerPolicy/configurations", "weight", Omitted::Zero),
    ("/spec/taints", "key", Omitted::Text),
    ("/spec/taints", "effect", Omitted::Text),
    ("/status/decisions", "clusterName", Omitted::Text),
    ("/status/scores", "name", Omitted::Text),
    ("/status/scores", "value", Omitted::Zero),
];

#[derive(Clone, Copy)]
enum Omitted {
    Text,
    Zero,
}

/// Reads an object whose empty fields may be left out.
fn object<T: DeserializeOwned + Resource<DynamicType = ()>>(value: &Value) -> Result<T, serde_json::Error> {
    let mut value = value.clone();
    if let Some(members) = value.as_object_mut() {
        members.entry("apiVersion").or_insert_with(|| T::api_version(&()).into());
        members.entry("kind").or_insert_with(|| T::kind(&()).into());
        members.entry("spec").or_insert_with(|| json!({}));
    }
    for (place, member, omitted) in OMITTED {
        let found = value.pointer_mut(place);
        let holders = match found {
            Some(Value::Array(items)) => items.as_mut_slice(),
            Some(holder) => std::slice::from_mut(holder),
            None => continue,
        };
        for holder in holders.iter_mut().filter_map(Value::as_object_mut) {
            holder.entry(member).or_insert_with(|| match omitted {
                Omitted::Text => "".into(),
                Omitted::Zero => 0.into(),
            });
        }
    }
    serde_json::from_value(value)
}

fn list<T: DeserializeOwned + Resource<DynamicType = ()>>(value: &Value) -> Result<Vec<T>, serde_json::Error> {
    value.as_array().into_iter().flatten().map(object).collect()
}

fn named<K: Ord, T: DeserializeOwned + Resource<DynamicType = ()>>(
    value: &Value,
    key: impl Fn(&T) -> Result<K, serde_json::Error>,
) -> Result<BTreeMap<K, Arc<T>>, serde_json::Error> {
    list::<T>(value)?.into_iter().map(|object| Ok((key(&object)?, Arc::new(object)))).collect()
}

fn tell(placement: &Placement, outcome: &Outcome, explanation: Explanation) -> Value {
    let Explanation { eligible_sets, available, filters, prioritizers, code } = explanation;
    let warns_by_chance = prioritizers.iter().filter(|result| result.name.starts_with("AddOn/")).count() > 1;
    let mut answer = Map::new();
    let mut add = |member: &str, value: Value| {
        if value != json!([]) || matches!(member, "selected" | "decisions") {
            answer.insert(member.to_owned(), value);
        }
    };
    add("eligibleClusterSets", json!(eligible_sets));
    add("availableClusters", json!(names(&available)));
    add("filterResults", filter_results(&filters));
    add("prioritizerResults", prioritizer_results(prioritizers));
    let selected = outcome.selected.iter();
    let selected = selected.map(|ranked| json!({ "clusterName": ranked.cluster.as_str(), "score": ranked.score }));
    add("selected", selected.collect());
    add("numOfUnscheduled", json!(outcome.unscheduled));
    add("decisions", outcome.decisions.iter().map(|page| decision(page, placement)).collect());
    add("status", status(&outcome.status, placement.status.as_ref()));
    if let Some(at) = outcome.look_at {
        add("requeueAt", json!(at.to_string()));
    }
    if let Some(code) = code {
        add("scheduleStatus", schedule_status(&code, warns_by_chance));
    }
    Value::Object(answer)
}

fn names(clusters: &[ClusterName]) -> Vec<&str> {
    clusters.iter().map(ClusterName::as_str).collect()
}

fn filter_results(filters: &[FilterResult]) -> Value {
    let mut pipeline = String::new();
    let results = filters.iter().map(|FilterResult { name, clusters }| {
        if !pipeline.is_empty() {
            pipeline.push(',');
        }
        pipeline.push_str(name);
        json!({ "name": pipeline, "clusters": names(clusters) })
    });
    results.collect()
}

fn prioritizer_results(mut prioritizers: Vec<PrioritizerResult>) -> Value {
    prioritizers.sort_by(|a, b| (&a.name, a.weight).cmp(&(&b.name, b.weight)));
    let result = |PrioritizerResult { name, weight, scores }: PrioritizerResult| {
        let scores: Map<String, Value> =
            scores.into_iter().map(|(cluster, score)| (cluster.to_string(), score.into())).collect();
        json!({ "name": name, "weight": weight, "scores": scores })
    };
    prioritizers.into_iter().map(result).collect()
}

fn decision(page: &DecisionPage, placement: &Placement) -> Value {
    json!({
        "name": page.name,
        "namespace": page.namespace,
        "labels": page.labels,
        "ownerReferences": [{
            "apiVersion": Placement::api_version(&()),
            "kind": Placement::kind(&()),
            "name": placement.metadata.name,
            "uid": placement.metadata.uid,
            "controller": true,
            "blockOwnerDeletion": true,
        }],
        "clusters": names(&page.clusters),
    })
}

fn status(decided: &PlacementStatus, observed: Option<&PlacementStatus>) -> Value {
    let conditions = decided.conditions.iter().map(|condition| {
        let before = observed.and_then(|status| find(&status.conditions, &condition.type_));
        json!({
            "type": condition.type_,
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
            "transitioned": before.is_none_or(|before| before.status != condition.status),
        })
    });
    json!({
        "numberOfSelectedClusters": decided.number_of_selected_clusters,
        "decisionGroups": decided.decision_groups,
        "conditions": conditions.collect::<Value>(),
    })
}

fn schedule_status(code: &Code, warns_by_chance: bool) -> Value {
    let (code, PluginMessage { plugin, message }) = match code {
        Code::Success => return json!({ "code": "Success" }),
        Code::Warning(_) if warns_by_chance => return json!({ "code": "Warning" }),
        Code::Warning(complaint) => ("Warning", &sorted(complaint)),
        Code::Error(complaint) => ("Error", complaint),
        Code::Misconfigured(complaint) => ("Misconfigured", complaint),
    };
    let mut status = json!({ "code": code, "message": message });
    if !plugin.is_empty() {
        status["plugin"] = plugin.as_str().into();
    }
    status
}

/// Sorts the scores in a warning, which upstream lists in the order of its cache.
fn sorted(PluginMessage { plugin, message }: &PluginMessage) -> PluginMessage {
    let mut words: Vec<&str> = message.split(' ').collect();
    if let [_, scores @ .., _] = words.as_mut_slice() {
        scores.sort_unstable();
    }
    PluginMessage { plugin: plugin.clone(), message: words.join(" ") }
}
