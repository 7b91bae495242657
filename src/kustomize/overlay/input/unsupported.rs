//! Fields of kustomizations that are not supported, and what to do instead.

use super::fields::{Fields, Reader};
use crate::yaml::Node;

/// Fields that are refused unless they are empty, why, and what to do instead.
const UNSUPPORTED: [(&str, &str); 2] = [
    (
        "helmCharts",
        "rendering runs no other programs; render the chart with `helm template`, and list the result in resources",
    ),
    (
        "helmChartInflationGenerator",
        "rendering runs no other programs; render the chart with `helm template`, and list the result in resources",
    ),
];

/// Refuses unsupported fields.
pub(crate) fn unsupported(fields: &Fields<'_>, reader: &mut Reader) {
    for (name, remedy) in UNSUPPORTED {
        if let Some(node) = fields.get(name).filter(|node| holds_something(node)) {
            reader.error(node.origin, format!("{name} is not supported: {remedy}"));
        }
    }
    if let Some(node) = fields.get("helmGlobals") {
        reader.warn(node.origin, "helmGlobals has no effect, since helmCharts is not supported; remove it");
    }
}

fn holds_something(node: &Node) -> bool {
    match (node.as_sequence(), node.as_mapping()) {
        (Some(items), _) => !items.is_empty(),
        (_, Some(mapping)) => !mapping.is_empty(),
        _ => !node.is_null(),
    }
}
