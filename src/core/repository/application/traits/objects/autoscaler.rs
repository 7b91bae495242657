//! The traits `hpa` and `cpuscaler`, which add a HorizontalPodAutoscaler for the workload.

use serde_json::{Map, Value, json};

use crate::application::parsed::present;
use crate::application::schema::{at_least, list, object, one_of, quantity, text};
use crate::application::traits::target::{Problem, Target};

/// The value of a metric if there is none, in percent of what the pods request.
const USED: i64 = 50;
/// The least and the most replicas if there are none.
const RANGE: (i64, i64) = (1, 10);

/// Returns the schema of the properties of an `hpa`.
pub(in crate::application::traits) fn schema() -> Value {
    let metric = || object(&[], json!({ "type": one_of(&["Utilization", "AverageValue"]), "value": quantity() }));
    let custom = object(&["name", "value"], json!({ "name": text(), "value": quantity() }));
    let own = json!({ "cpu": metric(), "mem": metric(), "podCustomMetrics": list(custom) });
    with_range(own)
}

/// Returns the schema of the properties of a `cpuscaler`.
pub(in crate::application::traits) fn cpu_schema() -> Value {
    with_range(json!({ "cpuUtil": at_least(1) }))
}

fn with_range(mut own: Value) -> Value {
    for member in ["min", "max"] {
        own[member] = at_least(1);
    }
    for member in ["targetAPIVersion", "targetKind"] {
        own[member] = text();
    }
    object(&[], own)
}

/// Adds the autoscaler of an `hpa`.
pub(in crate::application::traits) fn apply(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let none = Value::Object(Map::new());
    // KubeVela: the load of the processors counts even if nothing is said about it.
    let mut metrics = vec![resource("cpu", "cpu", properties.get("cpu").unwrap_or(&none))?];
    if let Some(memory) = properties.get("mem") {
        metrics.push(resource("mem", "memory", memory)?);
    }
    let custom = properties.get("podCustomMetrics").and_then(Value::as_array).into_iter().flatten();
    metrics.extend(custom.map(|metric| {
        json!({
            "type": "Pods",
            "pods": {
                "metric": { "name": metric.get("name") },
                "target": { "type": "AverageValue", "averageValue": metric.get("value") },
            },
        })
    }));
    add(properties, target, &metrics)
}

/// Adds the autoscaler of a `cpuscaler`.
pub(in crate::application::traits) fn apply_cpu(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let used = properties.get("cpuUtil").cloned().unwrap_or_else(|| json!(USED));
    add(properties, target, &[metric("cpu", &json!({ "type": "Utilization", "averageUtilization": used }))])
}

/// Returns the metric for the use of a resource, which a member of the properties gives.
///
/// # Errors
/// Why its value does not fit its type.
fn resource(member: &str, name: &str, given: &Value) -> Result<Value, Problem> {
    let type_ = given.get("type").and_then(Value::as_str).unwrap_or("Utilization");
    let value = given.get("value").cloned().unwrap_or_else(|| json!(USED));
    match type_ {
        "Utilization" if value.as_i64().is_none_or(|percent| percent < 1) => {
            let why = format!(
                "is {value}, but type Utilization has a number of percent of what the pods request; write such a number, or type: AverageValue"
            );
            Err(Problem::at(&[member, "value"], why))
        }
        "Utilization" => Ok(metric(name, &json!({ "type": type_, "averageUtilization": value }))),
        _ => Ok(metric(name, &json!({ "type": type_, "averageValue": value }))),
    }
}

fn metric(resource: &str, target: &Value) -> Value {
    json!({ "type": "Resource", "resource": { "name": resource, "target": target } })
}

/// Adds an autoscaler with the name of the component.
fn add(properties: &Map<String, Value>, target: &mut Target<'_>, metrics: &[Value]) -> Result<(), Problem> {
    let number = |member: &str, default| properties.get(member).and_then(Value::as_i64).unwrap_or(default);
    let (min, max) = (number("min", RANGE.0), number("max", RANGE.1));
    if min > max {
        let (member, other) = if properties.contains_key("min") { ("min", "max") } else { ("max", "min") };
        let (is, limit) = if member == "min" { (min, max) } else { (max, min) };
        let than = if member == "min" { "more" } else { "less" };
        return Err(Problem::at(
            &[member],
            format!("is {is}, {than} than {other}, which is {limit}; correct one of them"),
        ));
    }
    let Some(workload) = target.objects.first() else { return Ok(()) };
    // KubeVela defaults them to those of a Deployment. Here they are those of the workload.
    for (member, field) in [("targetKind", "kind"), ("targetAPIVersion", "apiVersion")] {
        let is = workload.get(field).and_then(Value::as_str).unwrap_or_default();
        if let Some(wanted) = properties.get(member).and_then(Value::as_str).filter(|wanted| *wanted != is) {
            let why = format!("is {wanted}, but the workload has {field} {is}; write {is}, or leave it out");
            return Err(Problem::at(&[member], why));
        }
    }
    let scaled = present([
        ("apiVersion", workload.get("apiVersion").cloned()),
        ("kind", workload.get("kind").cloned()),
        ("name", workload.pointer("/metadata/name").cloned()),
    ]);
    target.objects.push(json!({
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": { "name": target.component },
        "spec": { "scaleTargetRef": scaled, "minReplicas": min, "maxReplicas": max, "metrics": metrics },
    }));
    Ok(())
}
