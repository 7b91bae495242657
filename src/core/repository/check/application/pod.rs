//! The pods that an application renders: what a schema does not show.
//!
//! # Source
//! Kubernetes `pkg/apis/core/validation`: volumes, mounts and containers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::schema::listed;
use crate::read::notes::Notes;
use tidegate_api::schema::path::Path;

/// Adds the problems of the pods of a rendered workload, at the place of its component.
pub(super) fn check(notes: &mut Notes<'_>, at: &Path, workload: &Value) {
    let pointers = ["/spec/template/spec", "/spec/jobTemplate/spec/template/spec"];
    let Some(pointer) = pointers.into_iter().find(|pointer| workload.pointer(pointer).is_some()) else { return };
    let at = pointer.split('/').skip(1).fold(at.clone(), |at, member| at.member(member));
    let pod = workload.pointer(pointer).unwrap_or(&Value::Null);
    let name = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    let claims = listed(workload, "/spec/volumeClaimTemplates").filter_map(|(_, claim)| name(claim.get("metadata")?));
    let volumes = listed(pod, "/volumes").filter_map(|(_, volume)| name(volume));
    let volumes: BTreeSet<String> = volumes.chain(claims).collect();
    for (index, container) in listed(pod, "/containers") {
        let at = at.member("containers").item(index);
        let mut paths: BTreeSet<&str> = BTreeSet::new();
        for (index, mount) in listed(container, "/volumeMounts") {
            let at = at.member("volumeMounts").item(index);
            if let Some(name) = name(mount).filter(|name| !volumes.contains(name)) {
                let known: Vec<&str> = volumes.iter().map(String::as_str).collect();
                let remedy = match known.is_empty() {
                    true => "add a volume".to_owned(),
                    false => tidegate_model::near::remedy(&name, known.iter().copied()),
                };
                let message = format!("{at}.name is {name:?}, which is not a volume of the pods; {remedy}");
                notes.error(notes.object.value_origin(&at), message);
            }
            let path = mount.get("mountPath").and_then(Value::as_str).unwrap_or_default();
            if !paths.insert(path) {
                let message = format!("{at}.mountPath is {path}, like that of a mount before it; choose another path");
                notes.error(notes.object.value_origin(&at), message);
            }
        }
    }
}
