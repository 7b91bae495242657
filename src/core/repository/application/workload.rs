//! The workloads of components: one for each type that runs containers.

use serde_json::{Map, Value, json};

use super::kind::COMPONENT_LABEL;
use super::{pod, port, task};

/// Returns the schema of the properties of a `worker`.
pub(super) fn worker() -> Value {
    pod::lasting()
}

/// Returns the schema of the properties of a `webservice`: those of a worker, and ports.
pub(super) fn service() -> Value {
    let mut schema = pod::lasting();
    port::add_schema(&mut schema);
    schema
}

/// Returns the workload of a component, and its Service if a port is exposed.
pub(super) fn objects(type_: &str, name: &str, properties: &Map<String, Value>) -> Vec<Value> {
    match type_ {
        "cron-task" => vec![task::cron_job(name, properties)],
        "daemon" => pods("DaemonSet", name, properties),
        _ => pods("Deployment", name, properties),
    }
}

fn pods(kind: &str, name: &str, properties: &Map<String, Value>) -> Vec<Value> {
    let ports = port::ports(properties);
    let workload = json!({
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": { "name": name },
        "spec": {
            "selector": { "matchLabels": { COMPONENT_LABEL: name } },
            "template": pod::template(name, properties, &ports),
        },
    });
    [workload].into_iter().chain(port::service(name, properties, &ports)).collect()
}
