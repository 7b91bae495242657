//! What the trait `storage` adds: volumes, where the first container mounts them, variables from them, and the objects that they need.

use serde_json::{Map, Value};

use super::made;
use super::stored::stored;
use crate::application::parsed::set;
use crate::application::traits::target::{Problem, Target};
use crate::application::traits::workload::pods::{first_container, pod, put};

/// Adds volumes to the pods, mounts and variables to the first container, and the objects that the volumes need.
pub(in crate::application::traits) fn apply(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let stored = stored(properties);
    let Some(workload) = target.objects.first_mut() else { return Ok(()) };
    for item in &stored {
        if let Some(volume) = item.volume() {
            let Some(pod) = pod(workload) else { return Ok(()) };
            let volumes = pod.get("volumes").and_then(Value::as_array);
            let other =
                volumes.and_then(|volumes| volumes.iter().find(|other| other.get("name") == volume.get("name")));
            if other.is_some_and(|other| *other != volume) {
                let why =
                    format!("needs a volume {}, but the pods have another one of that name; rename one", item.volume);
                return Err(Problem::at(&["name"], why).within(&item.at));
            }
            put(pod, "volumes", volume);
        }
        let Some(container) = first_container(workload) else { return Ok(()) };
        if let Some((list, mount)) = item.mount() {
            append(container, list, mount);
        }
        item.variables().into_iter().for_each(|variable| put(container, "env", variable));
    }
    let mut made: Vec<Value> = Vec::new();
    for item in &stored {
        let Some(object) = made::object(item)? else { continue };
        if !made.contains(&object) {
            made.push(object);
        }
    }
    target.objects.append(&mut made);
    Ok(())
}

/// Adds an item to a list of a container. A volume can be mounted several times.
fn append(container: &mut Value, list: &str, item: Value) {
    let mut items = container.get(list).and_then(Value::as_array).cloned().unwrap_or_default();
    items.push(item);
    set(container, &[list], Value::Array(items));
}
