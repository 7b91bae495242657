//! Components that run containers: `webservice` and `worker`.
//!
//! # Source
//! KubeVela's definitions of these types. A Deployment has one container, with the name of the component.

use serde_json::{Map, Value, json};

use super::kind::COMPONENT_LABEL;
use super::parsed::set;

/// Returns the schema of the properties of a `worker`.
pub(super) fn worker() -> Value {
    let text = || json!({ "type": "string", "minLength": 1 });
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    let labels = || json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let definition = |name: &str| json!({ "$ref": format!("#/components/schemas/io.k8s.api.core.v1.{name}") });
    let quantity = || json!({ "$ref": "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity" });
    json!({
        "type": "object",
        "required": ["image"],
        "properties": {
            "image": text(),
            "imagePullPolicy": { "type": "string", "enum": ["Always", "Never", "IfNotPresent"] },
            "imagePullSecrets": { "type": "array", "items": text() },
            "cmd": texts(),
            "args": texts(),
            "env": {
                "type": "array", "items": definition("EnvVar"),
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            },
            "cpu": quantity(),
            "memory": quantity(),
            "limit": { "type": "object", "properties": { "cpu": quantity(), "memory": quantity() } },
            "livenessProbe": definition("Probe"),
            "readinessProbe": definition("Probe"),
            "labels": labels(),
            "annotations": labels(),
        },
    })
}

/// Returns the schema of the properties of a `webservice`: those of a worker, and ports.
pub(super) fn service() -> Value {
    let port = || json!({ "type": "integer", "minimum": 1, "maximum": 65535 });
    let mut schema = worker();
    schema["properties"]["port"] = port();
    schema["properties"]["exposeType"] = json!({ "type": "string", "enum": ["ClusterIP", "NodePort", "LoadBalancer"] });
    schema["properties"]["ports"] = json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["port"],
            "properties": {
                "port": port(),
                "containerPort": port(),
                "name": {
                    "type": "string", "maxLength": 15,
                    "pattern": "^([a-z0-9]+-)*[a-z0-9]*[a-z][a-z0-9]*(-[a-z0-9]+)*$",
                },
                "protocol": { "type": "string", "enum": ["TCP", "UDP", "SCTP"] },
                "expose": { "type": "boolean" },
                "nodePort": port(),
            },
        },
    });
    schema
}

/// Returns the Deployment of a component, and its Service if a port is exposed.
pub(super) fn objects(name: &str, properties: &Map<String, Value>) -> Vec<Value> {
    let selector = json!({ COMPONENT_LABEL: name });
    let ports = ports(properties);
    let mut labels = properties.get("labels").cloned().unwrap_or_else(|| json!({}));
    set(&mut labels, &[COMPONENT_LABEL], json!(name));
    let template = present([
        (
            "metadata",
            Some(present([("labels", Some(labels)), ("annotations", properties.get("annotations").cloned())])),
        ),
        (
            "spec",
            Some(present([
                ("containers", Some(json!([container(name, properties, &ports)]))),
                ("imagePullSecrets", secrets(properties)),
            ])),
        ),
    ]);
    let deployment = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": name },
        "spec": { "selector": { "matchLabels": selector.clone() }, "template": template },
    });
    let exposed: Vec<Value> = ports.iter().filter(|port| port.is_exposed).map(Port::of_service).collect();
    let service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": { "name": name },
        "spec": {
            "type": properties.get("exposeType").cloned().unwrap_or_else(|| json!("ClusterIP")),
            "selector": selector,
            "ports": exposed.clone(),
        },
    });
    let service = Some(service).filter(|_| !exposed.is_empty());
    [deployment].into_iter().chain(service).collect()
}

fn container(name: &str, properties: &Map<String, Value>, ports: &[Port]) -> Value {
    let as_given = |member: &str| properties.get(member).cloned();
    let amounts = |of: &Map<String, Value>| {
        let given = ["cpu", "memory"].into_iter().filter_map(|what| Some((what.to_owned(), of.get(what)?.clone())));
        Some(given.collect::<Map<_, _>>()).filter(|amounts| !amounts.is_empty()).map(Value::Object)
    };
    let requests = amounts(properties);
    // Upstream's definitions set the limits to the requests unless others are given.
    let limits = properties.get("limit").and_then(Value::as_object).and_then(amounts).or_else(|| requests.clone());
    let resources = requests.is_some() || limits.is_some();
    let listed: Vec<Value> = ports.iter().map(Port::of_container).collect();
    present([
        ("name", Some(json!(name))),
        ("image", as_given("image")),
        ("imagePullPolicy", as_given("imagePullPolicy")),
        ("command", as_given("cmd")),
        ("args", as_given("args")),
        ("ports", Some(json!(listed)).filter(|_| !listed.is_empty())),
        ("env", as_given("env")),
        ("resources", resources.then(|| present([("requests", requests), ("limits", limits)]))),
        ("livenessProbe", as_given("livenessProbe")),
        ("readinessProbe", as_given("readinessProbe")),
    ])
}

/// Returns an object with the members that have a value.
fn present<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Map<_, _>>().into()
}

fn secrets(properties: &Map<String, Value>) -> Option<Value> {
    let names = properties.get("imagePullSecrets")?.as_array()?;
    Some(names.iter().map(|name| json!({ "name": name })).collect())
}

/// A port of a component.
struct Port {
    port: i64,
    container: i64,
    name: String,
    protocol: String,
    node: Option<i64>,
    is_exposed: bool,
}

impl Port {
    fn of_container(&self) -> Value {
        json!({ "containerPort": self.container, "name": self.name, "protocol": self.protocol })
    }

    fn of_service(&self) -> Value {
        let mut port =
            json!({ "port": self.port, "targetPort": self.container, "name": self.name, "protocol": self.protocol });
        if let Some(node) = self.node {
            set(&mut port, &["nodePort"], json!(node));
        }
        port
    }
}

/// Returns the ports. The older field `port` is a port of the container alone, and counts only if there is no list.
fn ports(properties: &Map<String, Value>) -> Vec<Port> {
    let listed = properties.get("ports").and_then(Value::as_array).cloned();
    let alone = || properties.get("port").map(|port| json!({ "port": port })).into_iter().collect();
    let read = |given: &Value| {
        let number = |member: &str| given.get(member).and_then(Value::as_i64);
        let text = |member: &str| given.get(member).and_then(Value::as_str).map(str::to_owned);
        let port = number("port")?;
        let protocol = text("protocol").unwrap_or_else(|| "TCP".to_owned());
        let suffix = if protocol == "TCP" { String::new() } else { format!("-{}", protocol.to_lowercase()) };
        Some(Port {
            port,
            container: number("containerPort").unwrap_or(port),
            name: text("name").unwrap_or_else(|| format!("port-{port}{suffix}")),
            protocol,
            node: number("nodePort"),
            is_exposed: given.get("expose").and_then(Value::as_bool).unwrap_or_default(),
        })
    };
    listed.unwrap_or_else(alone).iter().filter_map(read).collect()
}
