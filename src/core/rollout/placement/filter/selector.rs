//! Selectors by label, claim and expression, compiled once per run.
//!
//! # Source
//! `k8s.io/apimachinery` meta/v1 `LabelSelectorAsSelector`, labels `NewRequirement`.

use std::collections::BTreeSet;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, LabelSelectorRequirement};

use super::expression::{Expressions, Subject};
use tidegate_api::fleet::ClusterScores;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::placement::{
    ClusterClaimSelector, ClusterSelector as ClusterSelectorSpec, GroupClusterSelector,
};
use tidegate_cel::Evaluator;
use tidegate_go::label;

/// Requirements that must all be met. An empty list matches every cluster.
#[derive(Default)]
pub struct Selector<'a>(Vec<Requirement<'a>>);

struct Requirement<'a> {
    key: &'a str,
    test: Test<'a>,
}

enum Test<'a> {
    In(BTreeSet<&'a str>),
    NotIn(BTreeSet<&'a str>),
    Exists,
    DoesNotExist,
}

impl<'a> Selector<'a> {
    /// Compiles a label selector; the error describes what is wrong with it.
    ///
    /// # Errors
    /// What is wrong with it, in the words of Kubernetes.
    pub fn labels(selector: &'a LabelSelector) -> Result<Self, String> {
        let mut requirements = Vec::new();
        for (key, value) in selector.match_labels.iter().flatten() {
            check(key, std::slice::from_ref(value), None)?;
            requirements.push(Requirement { key, test: Test::In(BTreeSet::from([value.as_str()])) });
        }
        for expression in selector.match_expressions.iter().flatten() {
            requirements.push(Requirement::compile(expression)?);
        }
        Ok(Self(requirements))
    }

    fn expressions(expressions: &'a [LabelSelectorRequirement]) -> Result<Self, String> {
        expressions.iter().map(Requirement::compile).collect::<Result<_, _>>().map(Self)
    }

    /// Returns `true` if the labels of a cluster meet every requirement.
    pub fn matches_labels(&self, cluster: &ManagedCluster) -> bool {
        let labels = cluster.metadata.labels.as_ref();
        self.matches(|key| labels.and_then(|labels| labels.get(key)).map(String::as_str))
    }

    fn matches_claims(&self, cluster: &ManagedCluster) -> bool {
        let claims = cluster.status.as_ref().map_or(&[][..], |status| &status.cluster_claims);
        // If several claims have the same name, the last one counts.
        self.matches(|key| claims.iter().rev().find(|claim| claim.name == key).map(|claim| claim.value.as_str()))
    }

    fn matches<'v>(&self, value_of: impl Fn(&str) -> Option<&'v str>) -> bool {
        self.0.iter().all(|requirement| {
            let value = value_of(requirement.key);
            match &requirement.test {
                Test::In(values) => value.is_some_and(|value| values.contains(value)),
                Test::NotIn(values) => value.is_none_or(|value| !values.contains(value)),
                Test::Exists => value.is_some(),
                Test::DoesNotExist => value.is_none(),
            }
        })
    }
}

impl<'a> Requirement<'a> {
    fn compile(expression: &'a LabelSelectorRequirement) -> Result<Self, String> {
        let LabelSelectorRequirement { key, operator, values } = expression;
        let listed = values.as_deref().unwrap_or_default();
        let set = || listed.iter().map(String::as_str).collect();
        let (test, problem) = match operator.as_str() {
            "In" | "NotIn" if listed.is_empty() => {
                (Test::Exists, Some("for 'in', 'notin' operators, values set can't be empty"))
            }
            "In" => (Test::In(set()), None),
            "NotIn" => (Test::NotIn(set()), None),
            "Exists" | "DoesNotExist" if !listed.is_empty() => {
                (Test::Exists, Some("values set must be empty for exists and does not exist"))
            }
            "Exists" => (Test::Exists, None),
            "DoesNotExist" => (Test::DoesNotExist, None),
            other => return Err(format!("{other:?} is not a valid label selector operator")),
        };
        let problem =
            problem.map(|problem| format!("values: Invalid value: {}: {problem}", as_json(values.as_deref())));
        check(key, listed, problem)?;
        Ok(Self { key, test })
    }
}

fn as_json(values: Option<&[String]>) -> String {
    values.map_or_else(|| "null".to_owned(), |values| serde_json::Value::from(values).to_string())
}

fn check(key: &str, values: &[String], problem: Option<String>) -> Result<(), String> {
    let mut problems = Vec::new();
    let broken = label::key_faults(key);
    if !broken.is_empty() {
        problems.push(format!("key: Invalid value: {key:?}: {}", broken.join("; ")));
    }
    problems.extend(problem);
    for (i, value) in values.iter().enumerate() {
        let broken = label::value_faults(value);
        if !broken.is_empty() {
            problems.push(format!("values[{i}][{key}]: Invalid value: {value:?}: {}", broken.join("; ")));
        }
    }
    match problems.len() {
        0 => Ok(()),
        1 => Err(problems.concat()),
        _ => Err(format!("[{}]", problems.join(", "))),
    }
}

/// The requirements on a cluster: labels, claims and expressions.
#[derive(Default)]
pub(in crate::placement) struct ClusterSelector<'a> {
    labels: Selector<'a>,
    claims: Selector<'a>,
    expressions: Expressions,
}

impl<'a> ClusterSelector<'a> {
    /// Compiles the selector of a predicate; the error describes what is wrong with it.
    pub(super) fn of_predicate(selector: &'a ClusterSelectorSpec) -> Result<Self, String> {
        let ClusterSelectorSpec { label_selector, claim_selector, cel_selector } = selector;
        let compiled = Self::compile(label_selector.as_ref(), claim_selector.as_ref())?;
        let texts = cel_selector.as_ref().map_or(&[][..], |selector| &selector.cel_expressions);
        Ok(Self { expressions: Expressions::compile(texts)?, ..compiled })
    }

    /// Compiles the selector of a decision group; the error describes what is wrong with it.
    pub(in crate::placement) fn of_group(selector: &'a GroupClusterSelector) -> Result<Self, String> {
        Self::compile(selector.label_selector.as_ref(), selector.claim_selector.as_ref())
    }

    fn compile(labels: Option<&'a LabelSelector>, claims: Option<&'a ClusterClaimSelector>) -> Result<Self, String> {
        Ok(Self {
            labels: labels.map_or_else(|| Ok(Selector::default()), Selector::labels)?,
            claims: Selector::expressions(claims.map_or(&[], |claims| &claims.match_expressions))?,
            expressions: Expressions::default(),
        })
    }

    /// Returns `true` if a cluster meets the requirements on labels and claims.
    pub(in crate::placement) fn matches(&self, cluster: &ManagedCluster) -> bool {
        self.labels.matches_labels(cluster) && self.claims.matches_claims(cluster)
    }

    /// Returns `true` if a cluster meets all requirements, including expressions.
    pub(super) fn matches_wholly(
        &self,
        subject: &Subject<'_>,
        scores: &ClusterScores,
        evaluator: &mut Evaluator,
    ) -> bool {
        self.matches(subject.cluster) && self.expressions.hold(subject, scores, evaluator)
    }
}
