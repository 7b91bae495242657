//! Label selectors of Kubernetes.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, LabelSelectorRequirement};
use tidegate_go::label::{label_key_faults, subdomain_faults, value_faults};

use crate::field::Field;
use crate::field::Use::Read;
use crate::report::Report;

/// Reads a label selector. Whatever the hub would not accept is reported.
///
/// # Source
/// `k8s.io/apimachinery` meta/v1 `LabelSelector`.
pub(crate) fn selector(field: &Field<'_>, report: &mut Report) -> LabelSelector {
    field.open(report, &[("matchLabels", Read), ("matchExpressions", Read)]);
    let labels = field.get("matchLabels").map_or_else(BTreeMap::new, |labels| labels_of(&labels, report));
    let items = field.list(report, "matchExpressions");
    let expressions: Vec<_> = items.iter().filter_map(|item| expression(item, report)).collect();
    LabelSelector {
        match_labels: (!labels.is_empty()).then_some(labels),
        match_expressions: (!expressions.is_empty()).then_some(expressions),
    }
}

fn labels_of(field: &Field<'_>, report: &mut Report) -> BTreeMap<String, String> {
    let Some(mapping) = field.node.as_mapping() else {
        field.refuse(report, "must be a mapping of labels to values");
        return BTreeMap::new();
    };
    let mut labels = BTreeMap::new();
    for entry in mapping.iter() {
        let key = entry.key().text.to_string();
        let Some(label) = field.get(&key) else { continue };
        if let Some(value) = label.text(report) {
            check(&label, &key, &[value.to_owned()], report);
            labels.insert(key, value.to_owned());
        }
    }
    labels
}

/// Reads a requirement.
pub(crate) fn expression(field: &Field<'_>, report: &mut Report) -> Option<LabelSelectorRequirement> {
    field.open(report, &[("key", Read), ("operator", Read), ("values", Read)]);
    let values = field.texts(report, "values");
    let key = field.text_of(report, "key").unwrap_or_default();
    let operator = field.text_of(report, "operator").unwrap_or_default();
    check(field, key, &values, report);
    match (operator, values.is_empty()) {
        ("In" | "NotIn", false) | ("Exists" | "DoesNotExist", true) => {}
        ("In" | "NotIn", true) => field.refuse(report, format!("{operator} needs values")),
        ("Exists" | "DoesNotExist", false) => field.refuse(report, format!("{operator} has no values")),
        _ => field.refuse(report, format!("the operator {operator:?} must be In, NotIn, Exists or DoesNotExist")),
    }
    Some(LabelSelectorRequirement {
        key: key.to_owned(),
        operator: operator.to_owned(),
        values: (!values.is_empty()).then_some(values),
    })
}

fn check(field: &Field<'_>, key: &str, values: &[String], report: &mut Report) {
    for fault in label_key_faults(key) {
        field.refuse(report, format!("the label {key:?}: {fault}"));
    }
    for value in values {
        for fault in value_faults(value) {
            field.refuse(report, format!("the value {value:?}: {fault}"));
        }
    }
}

/// Returns the selector of clusters that both select. The labels of the second become expressions: both may ask for other values of a label.
pub(crate) fn both(first: &LabelSelector, second: &LabelSelector) -> LabelSelector {
    let mut all = first.clone();
    let labels = second.match_labels.iter().flatten().map(|(key, value)| one_of(key, std::slice::from_ref(value)));
    let more: Vec<_> = labels.chain(second.match_expressions.iter().flatten().cloned()).collect();
    if !more.is_empty() {
        all.match_expressions.get_or_insert_default().extend(more);
    }
    all
}

/// Returns the requirement that a label has one of these values.
pub(crate) fn one_of(key: &str, values: &[String]) -> LabelSelectorRequirement {
    LabelSelectorRequirement { key: key.to_owned(), operator: "In".to_owned(), values: Some(values.to_vec()) }
}

/// Returns a selector with one requirement.
pub(crate) fn only(requirement: LabelSelectorRequirement) -> LabelSelector {
    LabelSelector { match_labels: None, match_expressions: Some(vec![requirement]) }
}

/// Returns `true` if a selector selects every cluster.
pub(crate) fn selects_all(selector: &LabelSelector) -> bool {
    selector.match_labels.is_none() && selector.match_expressions.is_none()
}

/// Reads the names of clusters. Names that no cluster can have are reported.
pub(crate) fn names(items: &[Field<'_>], report: &mut Report) -> Vec<String> {
    let mut names = Vec::new();
    for item in items {
        let Some(name) = item.text(report) else { continue };
        if !subdomain_faults(name).is_empty() {
            item.refuse(report, format!("{name:?} cannot be the name of a cluster"));
        }
        names.push(name.to_owned());
    }
    names
}

/// Reads `key=value`. Anything else is reported.
pub(crate) fn pair(item: &Field<'_>, report: &mut Report) -> Option<LabelSelector> {
    let text = item.text(report)?;
    let Some((key, value)) = text.split_once('=').filter(|_| !text.contains([',', '!'])) else {
        item.refuse(report, "write the selector as key=value, or in clusterLabelSelectors");
        return None;
    };
    let (key, value) = (key.trim(), value.trim_start_matches('=').trim().to_owned());
    check(item, key, std::slice::from_ref(&value), report);
    Some(only(one_of(key, &[value])))
}
