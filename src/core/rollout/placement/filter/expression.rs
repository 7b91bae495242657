//! CEL selectors: expressions that a cluster must meet.
//!
//! # Source
//! `open-cluster-management.io/ocm` pkg/placement/helpers/cel.go.

use std::cell::OnceCell;

use serde_json::{Map, Value};

use tidegate_api::fleet::ClusterScores;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_cel::{Evaluator, Program, Scores};
use tidegate_go::quantity::Quantity;

/// The cost limit of all expressions of one predicate together, for one cluster.
///
/// # Source
/// `k8s.io/apiserver` pkg/apis/cel, `RuntimeCELCostBudget`.
const MAX_COST: u64 = 10_000_000;

/// Expressions that must all be true. An empty list matches every cluster.
#[derive(Default)]
pub(super) struct Expressions(Vec<Program>);

impl Expressions {
    /// Compiles expressions; the error describes the first one that does not compile.
    pub(super) fn compile(texts: &[String]) -> Result<Self, String> {
        let compiled = texts.iter().map(|text| Program::compile(text).map_err(|refusal| refusal.message));
        compiled.collect::<Result<_, _>>().map(Self)
    }

    /// Returns `true` if every expression is true for a cluster. An expression that fails or costs too much counts as
    /// false.
    pub(super) fn hold(&self, subject: &Subject<'_>, scores: &ClusterScores, evaluator: &mut Evaluator) -> bool {
        let mut left = MAX_COST;
        self.0.iter().all(|program| {
            let answer = evaluator.evaluate(program, subject.as_json(), &Observed(scores));
            let rest = left.checked_sub(answer.cost);
            left = rest.unwrap_or(0);
            rest.is_some() && answer.holds
        })
    }
}

/// The scores of a fleet, as expressions read them.
struct Observed<'a>(&'a ClusterScores);

impl Scores for Observed<'_> {
    fn find(&self, cluster: &str, name: &str) -> Option<Vec<(&str, i64)>> {
        let found = self.0.get(cluster)?.get(name)?;
        let scores = found.status.as_ref().map_or(&[][..], |status| &status.scores);
        Some(scores.iter().map(|score| (score.name.as_str(), i64::from(score.value))).collect())
    }
}

/// A cluster that expressions are evaluated for.
pub(super) struct Subject<'a> {
    /// The cluster as observed.
    pub(super) cluster: &'a ManagedCluster,
    /// The cluster in the form that expressions read, created when the first one is evaluated.
    form: OnceCell<Value>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(cluster: &'a ManagedCluster) -> Self {
        Self { cluster, form: OnceCell::new() }
    }

    fn as_json(&self) -> &Value {
        self.form.get_or_init(|| form(self.cluster))
    }
}

/// Fields that are left out when empty: the path of the object that holds them, or of a list of such objects, and the
/// field name.
const OMITTED: [(&str, &str); 6] = [
    ("/spec", "leaseDurationSeconds"),
    ("/spec/managedClusterClientConfigs", "caBundle"),
    ("/spec/taints", "value"),
    ("/status/version", "kubernetes"),
    ("/status/clusterClaims", "name"),
    ("/status/clusterClaims", "value"),
];

/// Converts a cluster to JSON with exactly the fields that upstream's types write, since `has()` and `size()` depend on
/// them.
fn form(cluster: &ManagedCluster) -> Value {
    // Every cluster can be written as JSON.
    let mut form = serde_json::to_value(cluster).unwrap_or_default();
    let Some(members) = form.as_object_mut() else { return form };
    // Upstream's cache drops these two fields.
    members.remove("apiVersion");
    members.remove("kind");
    let status = members.entry("status").or_insert_with(|| Map::new().into());
    if let Some(status) = status.as_object_mut() {
        status.entry("version").or_insert_with(|| Map::new().into());
    }
    if let Some(metadata) = members.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.retain(|name, value| name == "deletionGracePeriodSeconds" || !is_zero(value));
    }
    for (place, member) in OMITTED {
        for holder in holders(&mut form, place) {
            if holder.get(member).is_some_and(is_zero) {
                holder.remove(member);
            }
        }
    }
    for taint in holders(&mut form, "/spec/taints") {
        taint.entry("timeAdded").or_insert(Value::Null);
    }
    for place in ["/status/capacity", "/status/allocatable"] {
        for amount in holders(&mut form, place).iter_mut().flat_map(|amounts| amounts.values_mut()) {
            if let Some(canonical) = amount.as_str().and_then(Quantity::canonical) {
                *amount = canonical.into();
            }
        }
    }
    form
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(_) => false,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}

/// Returns the objects at a path: the object itself, or the objects in a list.
fn holders<'v>(value: &'v mut Value, place: &str) -> Vec<&'v mut Map<String, Value>> {
    match value.pointer_mut(place) {
        Some(Value::Array(items)) => items.iter_mut().filter_map(Value::as_object_mut).collect(),
        Some(Value::Object(members)) => vec![members],
        _ => Vec::new(),
    }
}
