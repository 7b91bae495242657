//! The traits `expose` and `gateway`, which add a Service and an Ingress.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::application::parsed::{COMPONENT_LABEL, present, set};
use crate::application::schema::{flag, label, object, one_of, port, text, text_map};
use crate::application::traits::target::{Problem, Target};

/// Returns the schema of the properties of an `expose`.
pub(in crate::application::traits) fn expose_schema() -> Value {
    let properties = json!({
        "port": { "type": "array", "minItems": 1, "maxItems": 100, "items": port() },
        "type": one_of(&["ClusterIP", "NodePort", "LoadBalancer"]),
        "annotations": text_map(),
    });
    object(&["port"], properties)
}

/// Returns the schema of the properties of a `gateway`.
pub(in crate::application::traits) fn gateway_schema() -> Value {
    let properties = json!({
        "domain": text(),
        "http": { "type": "object", "additionalProperties": port() },
        "class": text(),
        "classInSpec": flag(),
        "secretName": text(),
        "gatewayHost": text(),
        "name": label(63),
        "pathType": one_of(&["ImplementationSpecific", "Prefix", "Exact"]),
        "annotations": text_map(),
        "labels": text_map(),
        "existingServiceName": text(),
    });
    object(&["http"], properties)
}

/// Adds a Service with the ports in the list.
pub(in crate::application::traits) fn expose(properties: &Map<String, Value>, target: &mut Target<'_>) {
    let numbers = properties.get("port").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_i64);
    let type_ = properties.get("type").cloned().unwrap_or_else(|| json!("ClusterIP"));
    let mut service = service(target.component, target.component, numbers);
    set(&mut service, &["spec", "type"], type_);
    if let Some(annotations) = properties.get("annotations") {
        set(&mut service, &["metadata", "annotations"], annotations.clone());
    }
    target.objects.push(service);
}

fn service(name: &str, component: &str, ports: impl Iterator<Item = i64>) -> Value {
    let port = |port: i64| json!({ "port": port, "targetPort": port, "name": format!("port-{port}") });
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": { "name": name },
        "spec": { "selector": { COMPONENT_LABEL: component }, "ports": ports.map(port).collect::<Vec<_>>() },
    })
}

/// Adds an Ingress, and a Service for it unless another one is named.
pub(in crate::application::traits) fn gateway(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let given = |member: &str| properties.get(member).and_then(Value::as_str);
    if given("secretName").is_some() && given("domain").is_none() {
        return Err(Problem::at(&["secretName"], "has no effect without domain; add it, or remove this"));
    }
    let paths = || properties.get("http").and_then(Value::as_object).into_iter().flatten();
    if paths().next().is_none() {
        return Err(Problem::at(&["http"], "is empty; write at least one path with the number of a port"));
    }
    if let Some((path, _)) = paths().find(|(path, _)| !path.starts_with('/')) {
        return Err(Problem::at(&["http", path], "is not a path; start it with /"));
    }
    let name = match given("name") {
        Some(name) => format!("{}-{name}", target.component),
        None => target.component.to_owned(),
    };
    if given("existingServiceName").is_none() {
        let ports: BTreeSet<i64> = paths().filter_map(|(_, port)| port.as_i64()).collect();
        check_service(&name, target)?;
        target.objects.push(service(&name, target.component, ports.into_iter()));
    }
    target.objects.push(ingress(properties, &name));
    Ok(())
}

/// Refuses a Service that would select no pods, or replace another one.
fn check_service(name: &str, target: &Target<'_>) -> Result<(), Problem> {
    let is_service = |object: &Value| {
        object.get("kind") == Some(&json!("Service")) && object.pointer("/metadata/name") == Some(&json!(name))
    };
    if target.objects.iter().any(is_service) {
        let why = format!(
            "adds Service {name}, which the component has already; write existingServiceName: {name} to use it, or another name"
        );
        return Err(Problem::at(&[], why));
    }
    let labels = target.objects.first().and_then(|workload| workload.pointer("/spec/template/metadata/labels"));
    let label = labels.and_then(|labels| labels.get(COMPONENT_LABEL)?.as_str());
    if label != Some(target.component) {
        let why = format!(
            "adds a Service for pods with the label {COMPONENT_LABEL}: {}, which the pods do not have; add it to them, or write existingServiceName",
            target.component
        );
        return Err(Problem::at(&[], why));
    }
    Ok(())
}

fn ingress(properties: &Map<String, Value>, name: &str) -> Value {
    let given = |member: &str| properties.get(member).cloned();
    let class = given("class").unwrap_or_else(|| json!("nginx"));
    let in_spec = given("classInSpec") == Some(json!(true));
    let service = given("existingServiceName").unwrap_or_else(|| json!(name));
    let path_type = given("pathType").unwrap_or_else(|| json!("ImplementationSpecific"));
    let path = |(path, port): (&String, &Value)| {
        json!({
            "path": path,
            "pathType": path_type,
            "backend": { "service": { "name": service, "port": { "number": port } } },
        })
    };
    let paths: Vec<Value> = properties.get("http").and_then(Value::as_object).into_iter().flatten().map(path).collect();
    let rule = present([("host", given("domain")), ("http", Some(json!({ "paths": paths })))]);
    let tls = given("secretName").map(|secret| json!([{ "hosts": [given("domain")], "secretName": secret }]));
    let mut ingress = json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": { "name": name },
        "spec": present([
            ("ingressClassName", Some(class.clone()).filter(|_| in_spec)),
            ("tls", tls),
            ("rules", Some(json!([rule]))),
        ]),
    });
    let annotations = properties.get("annotations").and_then(Value::as_object).into_iter().flatten();
    let class = (!in_spec).then_some(("kubernetes.io/ingress.class", class));
    let host = given("gatewayHost").map(|host| ("ingress.controller/host", host));
    for (name, value) in
        class.into_iter().chain(host).chain(annotations.map(|(name, value)| (name.as_str(), value.clone())))
    {
        set(&mut ingress, &["metadata", "annotations", name], value);
    }
    for (name, value) in properties.get("labels").and_then(Value::as_object).into_iter().flatten() {
        set(&mut ingress, &["metadata", "labels", name], value.clone());
    }
    ingress
}
