//! The workloads of components: one for each type that runs containers.

use serde_json::{Map, Value, json};

use super::parsed::{COMPONENT_LABEL, present, set};
use super::port::Port;
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

/// Maximum length of the name of a workload if Kubernetes adds to it, and puts it into labels.
pub(crate) const LONGEST_NAME: usize = 52;

/// Returns how long the name of a component of a type may be, if that is limited.
pub(crate) fn longest_name(type_: &str) -> Option<usize> {
    matches!(type_, "cron-task" | "statefulset" | "task").then_some(LONGEST_NAME)
}

/// Returns the workload of a component, and its Services.
pub(super) fn objects(type_: &str, name: &str, properties: &Map<String, Value>) -> Vec<Value> {
    let ports = port::ports(properties);
    let exposed = port::service(name, properties, &ports);
    let workload = match type_ {
        "cron-task" => return vec![task::cron_job(name, properties)],
        "task" => return vec![task::job(name, properties)],
        "daemon" => pods("DaemonSet", name, properties, &ports),
        "statefulset" => {
            let mut workload = pods("StatefulSet", name, properties, &ports);
            let headless = headless(name, &ports);
            set(&mut workload, &["spec", "serviceName"], headless["metadata"]["name"].clone());
            return [workload, headless].into_iter().chain(exposed).collect();
        }
        _ => pods("Deployment", name, properties, &ports),
    };
    [workload].into_iter().chain(exposed).collect()
}

/// Returns the Service that gives each pod of a StatefulSet a name.
fn headless(name: &str, ports: &[Port]) -> Value {
    let ports: Vec<Value> = ports.iter().map(Port::of_headless).collect();
    let spec = present([
        ("clusterIP", Some(json!("None"))),
        ("selector", Some(json!({ COMPONENT_LABEL: name }))),
        ("ports", Some(json!(ports)).filter(|_| !ports.is_empty())),
    ]);
    let name = format!("{name}-headless");
    json!({ "apiVersion": "v1", "kind": "Service", "metadata": { "name": name }, "spec": spec })
}

fn pods(kind: &str, name: &str, properties: &Map<String, Value>, ports: &[Port]) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": { "name": name },
        "spec": {
            "selector": { "matchLabels": { COMPONENT_LABEL: name } },
            "template": pod::template(name, properties, ports),
        },
    })
}
