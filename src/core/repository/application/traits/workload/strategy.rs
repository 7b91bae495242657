//! The traits `scaler` and `k8s-update-strategy`.

use serde_json::{Map, Value, json};

use crate::application::parsed::{present, set};
use crate::application::schema::{at_least, object, one_of, text};
use crate::application::traits::target::{Problem, Target};

/// Returns the schema of the properties of a `scaler`.
pub(in crate::application::traits) fn scaler_schema() -> Value {
    object(&[], json!({ "replicas": at_least(0) }))
}

/// Sets the number of replicas.
pub(in crate::application::traits) fn scale(properties: &Map<String, Value>, target: &mut Target<'_>) {
    let replicas = properties.get("replicas").cloned().unwrap_or_else(|| json!(1));
    if let Some(workload) = target.objects.first_mut() {
        set(workload, &["spec", "replicas"], replicas);
    }
}

/// Returns the schema of the properties of a `k8s-update-strategy`.
pub(in crate::application::traits) fn schema() -> Value {
    let amount = || json!({ "x-kubernetes-int-or-string": true, "pattern": "^[0-9]+%?$" });
    let rolling = json!({ "maxSurge": amount(), "maxUnavailable": amount(), "partition": at_least(0) });
    let strategy = json!({
        "type": one_of(&["RollingUpdate", "Recreate", "OnDelete"]),
        "rollingStrategy": object(&[], rolling),
    });
    let properties = json!({
        "targetAPIVersion": text(),
        "targetKind": one_of(&["Deployment", "StatefulSet", "DaemonSet"]),
        "strategy": object(&[], strategy),
    });
    object(&["strategy"], properties)
}

/// Replaces the strategy by which a workload replaces its pods.
pub(in crate::application::traits) fn apply(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let Some(workload) = target.objects.first_mut() else { return Ok(()) };
    let text = |member: &str| workload.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (kind, version) = (text("kind"), text("apiVersion"));
    let given = |member: &str, default: &'static str| {
        properties.get(member).and_then(Value::as_str).unwrap_or(default).to_owned()
    };
    if given("targetKind", "Deployment") != kind {
        let at: &[&str] = if properties.contains_key("targetKind") { &["targetKind"] } else { &[] };
        return Err(Problem::at(
            at,
            format!("is for a {}; write targetKind: {kind}", given("targetKind", "Deployment")),
        ));
    }
    if given("targetAPIVersion", "apps/v1") != version {
        return Err(Problem::at(&["targetAPIVersion"], format!("is not that of the workload; write {version}")));
    }
    let strategy = properties.get("strategy").unwrap_or(&Value::Null);
    let type_ = strategy.get("type").and_then(Value::as_str).unwrap_or("RollingUpdate");
    let (field, allowed) = if kind == "Deployment" { ("strategy", "Recreate") } else { ("updateStrategy", "OnDelete") };
    if type_ != "RollingUpdate" && type_ != allowed {
        let why = format!("is {type_}, which a {kind} does not have; write RollingUpdate or {allowed}");
        return Err(Problem::at(&["strategy", "type"], why));
    }
    let rolling = strategy.get("rollingStrategy");
    if rolling.is_some() && type_ != "RollingUpdate" {
        let why = format!("has no effect with type {type_}; remove it, or write type: RollingUpdate");
        return Err(Problem::at(&["strategy", "rollingStrategy"], why));
    }
    let rolling = rolling.map(|rolling| of_kind(&kind, rolling)).transpose()?;
    set(workload, &["spec", field], present([("type", Some(json!(type_))), ("rollingUpdate", rolling)]));
    Ok(())
}

/// Returns the parameters of a rolling update of a kind.
fn of_kind(kind: &str, rolling: &Value) -> Result<Value, Problem> {
    let own: &[&str] = if kind == "StatefulSet" { &["partition"] } else { &["maxSurge", "maxUnavailable"] };
    let at = |member: &str| Problem::at(&["strategy", "rollingStrategy", member], "");
    for member in rolling.as_object().into_iter().flatten().map(|(member, _)| member) {
        if !own.contains(&member.as_str()) {
            let why = format!("has no effect on a {kind}, which has {}; remove it", own.join(" and "));
            return Err(Problem { why, ..at(member) });
        }
    }
    if kind == "StatefulSet" {
        return Ok(json!({ "partition": rolling.get("partition").cloned().unwrap_or_else(|| json!(0)) }));
    }
    let is_none =
        |member: &str| rolling.get(member).is_some_and(|amount| [json!(0), json!("0"), json!("0%")].contains(amount));
    let is_given = |member: &str| rolling.get(member).is_some() && !is_none(member);
    match kind {
        "Deployment" if is_none("maxSurge") && is_none("maxUnavailable") => {
            let why =
                "is 0, and maxUnavailable, too, so that no pod could be replaced; write at least 1 for one of them";
            Err(Problem { why: why.to_owned(), ..at("maxSurge") })
        }
        "Deployment" => {
            let amount = |member: &str| number(rolling.get(member).cloned().unwrap_or_else(|| json!("25%")));
            Ok(json!({ "maxSurge": amount("maxSurge"), "maxUnavailable": amount("maxUnavailable") }))
        }
        _ if is_given("maxSurge") && is_given("maxUnavailable") => {
            let why = "cannot be given together with maxUnavailable for a DaemonSet; write 0 for one of them";
            Err(Problem { why: why.to_owned(), ..at("maxSurge") })
        }
        _ if is_none("maxUnavailable") && !is_given("maxSurge") => {
            let why = "is 0, so that no pod could be replaced; write at least 1, or a maxSurge";
            Err(Problem { why: why.to_owned(), ..at("maxUnavailable") })
        }
        _ => {
            // With a surge, Kubernetes refuses its own default of one unavailable pod.
            let none = is_given("maxSurge").then(|| json!(0));
            let [surge, unavailable] =
                ["maxSurge", "maxUnavailable"].map(|member| rolling.get(member).cloned().map(number));
            Ok(present([("maxSurge", surge), ("maxUnavailable", unavailable.or(none))]))
        }
    }
}

/// Returns an amount as Kubernetes reads it: a string without a percent sign is not a number to it.
fn number(amount: Value) -> Value {
    amount.as_str().and_then(|text| text.parse::<i64>().ok()).map_or(amount.clone(), |number| json!(number))
}
