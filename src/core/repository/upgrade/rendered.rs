//! Whether the template for the next version, as it is rendered, is a copy of the one in use.

use serde_json::Value;

use super::newer::Newer;

/// The annotation with the version of a template's chart.
pub(super) const CHART_VERSION: &str = "tidegate.io/chart-version";
/// The annotation with the name of the release of a template's chart. Without it, that is the name of the template.
pub(super) const CHART_RELEASE: &str = "tidegate.io/chart-release";

/// Returns `true` if a template differs from the one in use only by its name and by what is newer. A patch of an overlay that names the one in
/// use does not reach its copy, and an image that an overlay sets is not the one in the file.
pub(super) fn is_copy(old: &Value, new: &Value, name: &str, newer: &[Newer]) -> bool {
    let (mut expected, mut new) = (old.clone(), new.clone());
    if let Some(own) = expected.pointer_mut("/metadata/name") {
        *own = Value::from(name);
    }
    // Images first: what the chart contains is not compared.
    let (images, charts): (Vec<&Newer>, Vec<&Newer>) =
        newer.iter().partition(|newer| matches!(newer, Newer::Image { .. }));
    for newer in images.into_iter().chain(charts) {
        let is_there = match newer {
            Newer::Image { name, from, to } => {
                let before = expected.clone();
                set_images(&mut expected, &format!("{name}:{from}"), &format!("{name}:{to}"));
                before != expected
            }
            Newer::Chart { to, .. } => {
                // What the chart contains is newer, too.
                [&mut expected, &mut new]
                    .into_iter()
                    .filter_map(manifests)
                    .for_each(|manifests| *manifests = Value::Null);
                let version = expected.pointer_mut("/metadata/annotations").and_then(|all| all.get_mut(CHART_VERSION));
                version.map(|version| *version = Value::from(to.as_str())).is_some()
            }
        };
        if !is_there {
            return false;
        }
    }
    expected == new
}

fn manifests(template: &mut Value) -> Option<&mut Value> {
    template.pointer_mut("/spec/agentSpec/workload/manifests")
}

/// Gives all containers with an image another one.
fn set_images(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::Object(fields) => {
            if let Some(image) = fields.get_mut("image").filter(|image| *image == from) {
                *image = Value::from(to);
            }
            fields.values_mut().for_each(|value| set_images(value, from, to));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| set_images(item, from, to)),
        _ => {}
    }
}
