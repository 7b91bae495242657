//! Status feedback: values from the status of the resources that a work has applied to the cluster.

use serde_json::Value;

use crate::json_path;
use tidegate_api::ocm::manifest_work::{
    FeedbackRule, FeedbackValue, FieldValue, ManifestConfigOption, ManifestResourceMeta,
};
use tidegate_model::glob;

type NamedPaths = &'static [(&'static str, &'static str)];

/// The values of `WellKnownStatus` rules, by `apiVersion` and kind.
///
/// # Source
/// OCM `pkg/work/spoke/statusfeedback/rules`, read 2026-08-11.
const WELL_KNOWN: [(&str, &str, NamedPaths); 4] = [
    (
        "apps/v1",
        "Deployment",
        &[
            ("ReadyReplicas", ".status.readyReplicas"),
            ("Replicas", ".status.replicas"),
            ("AvailableReplicas", ".status.availableReplicas"),
        ],
    ),
    (
        "apps/v1",
        "DaemonSet",
        &[
            ("NumberReady", ".status.numberReady"),
            ("DesiredNumberScheduled", ".status.desiredNumberScheduled"),
            ("NumberAvailable", ".status.numberAvailable"),
        ],
    ),
    (
        "batch/v1",
        "Job",
        &[
            ("JobComplete", r#".status.conditions[?(@.type=="Complete")].status"#),
            ("JobSucceeded", ".status.succeeded"),
        ],
    ),
    ("v1", "Pod", &[("PodReady", r#".status.conditions[?(@.type=="Ready")].status"#), ("PodPhase", ".status.phase")]),
];

/// Returns the feedback rules for a manifest: those of the first matching option that has any.
pub(crate) fn rules<'a>(configs: &'a [ManifestConfigOption], meta: &ManifestResourceMeta) -> &'a [FeedbackRule] {
    let meant = configs.iter().find(|config| {
        let id = &config.resource_identifier;
        let same = id.group == meta.group && id.resource == meta.resource;
        same && glob::matches(&id.name, &meta.name)
            && glob::matches(&id.namespace, &meta.namespace)
            && !config.feedback_rules.is_empty()
    });
    meant.map(|config| config.feedback_rules.as_slice()).unwrap_or_default()
}

/// Returns the values that the rules request, and the errors.
///
/// A path without a value is not an error.
pub(crate) fn values(rules: &[FeedbackRule], object: &Value) -> (Vec<FeedbackValue>, Vec<String>) {
    let (mut values, mut failures) = (Vec::new(), Vec::new());
    let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
    for rule in rules {
        if rule.type_ != "WellKnownStatus" {
            let found = rule.json_paths.iter().filter_map(|path| value(&path.name, &path.path, object));
            values.extend(found);
            continue;
        }
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        match WELL_KNOWN.iter().find(|known| (known.0, known.1) == (api_version, kind)) {
            Some((.., paths)) => values.extend(paths.iter().filter_map(|(name, path)| value(name, path, object))),
            None => {
                let group_version =
                    if api_version.contains('/') { api_version.to_owned() } else { format!("/{api_version}") };
                failures.push(format!(
                    "cannot find the wellknown statuses for resource with gvk {group_version}, Kind={kind}"
                ));
            }
        }
    }
    (values, failures)
}

fn value(name: &str, path: &str, object: &Value) -> Option<FeedbackValue> {
    let of_type = |type_: &str| FieldValue { type_: type_.to_owned(), ..FieldValue::default() };
    let field_value = match json_path::find(object, path).first()? {
        Value::Number(number) => FieldValue { integer: Some(number.as_i64()?), ..of_type("Integer") },
        Value::String(text) => FieldValue { string: Some(text.clone()), ..of_type("String") },
        Value::Bool(flag) => FieldValue { boolean: Some(*flag), ..of_type("Boolean") },
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    Some(FeedbackValue { name: name.to_owned(), field_value })
}
