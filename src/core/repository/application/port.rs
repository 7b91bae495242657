//! The ports of a component, and the Service that exposes them.

use serde_json::{Map, Value, json};

use super::parsed::COMPONENT_LABEL;
use super::parsed::set;
use super::schema::{flag, list, object, one_of, port};

/// Adds the properties of ports to a schema.
pub(super) fn add_schema(schema: &mut Value) {
    let name = json!({
        "type": "string", "maxLength": 15,
        "pattern": "^([a-z0-9]+-)*[a-z0-9]*[a-z][a-z0-9]*(-[a-z0-9]+)*$",
    });
    let item = json!({
        "port": port(),
        "containerPort": port(),
        "name": name,
        "protocol": one_of(&["TCP", "UDP", "SCTP"]),
        "expose": flag(),
        "nodePort": port(),
    });
    schema["properties"]["port"] = port();
    schema["properties"]["exposeType"] = one_of(&["ClusterIP", "NodePort", "LoadBalancer"]);
    schema["properties"]["ports"] = list(object(&["port"], item));
}

/// A port of a component.
pub(super) struct Port {
    port: i64,
    container: i64,
    name: String,
    protocol: String,
    node: Option<i64>,
    is_exposed: bool,
}

impl Port {
    /// Returns the port of the container.
    pub(super) fn of_container(&self) -> Value {
        json!({ "containerPort": self.container, "name": self.name, "protocol": self.protocol })
    }

    /// Returns the port of a Service without an address of its own.
    pub(super) fn of_headless(&self) -> Value {
        json!({ "port": self.port, "targetPort": self.container, "name": self.name, "protocol": self.protocol })
    }

    fn of_service(&self) -> Value {
        let mut port = self.of_headless();
        if let Some(node) = self.node {
            set(&mut port, &["nodePort"], json!(node));
        }
        port
    }
}

/// Returns the ports. The older field `port` is a port of the container alone, and counts only if there is no list.
pub(super) fn ports(properties: &Map<String, Value>) -> Vec<Port> {
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

/// Returns the Service of a component, if a port is exposed.
pub(super) fn service(name: &str, properties: &Map<String, Value>, ports: &[Port]) -> Option<Value> {
    let exposed: Vec<Value> = ports.iter().filter(|port| port.is_exposed).map(Port::of_service).collect();
    let service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": { "name": name },
        "spec": {
            "type": properties.get("exposeType").cloned().unwrap_or_else(|| json!("ClusterIP")),
            "selector": { COMPONENT_LABEL: name },
            "ports": exposed.clone(),
        },
    });
    Some(service).filter(|_| !exposed.is_empty())
}
