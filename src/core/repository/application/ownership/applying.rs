//! How the agent of a cluster applies an object.

use serde_json::{Value, json};

use crate::application::parsed::present;

/// The path of a rule of an `apply-once` that means all fields.
pub(crate) const ALL_FIELDS: &str = "*";

/// How the agent applies an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Applying {
    /// Field by field, without force.
    #[default]
    Fields,
    /// Field by field, with force.
    TakeOver,
    /// It is not applied, and only reported.
    ReadOnly,
    /// It is created if it is missing.
    Once,
    /// Field by field, each time that the manifest changes, and not in between. The fields are those that are expected to change.
    WhenChanged(Vec<String>),
    /// Field by field, except for the number of replicas, which something else on the cluster sets.
    WithoutReplicas,
}

impl Applying {
    /// Returns the strategy of the agent.
    pub(in crate::application) fn strategy(&self) -> Value {
        match self {
            Self::Fields | Self::WithoutReplicas => fields(false, None),
            Self::TakeOver => fields(true, None),
            Self::ReadOnly => json!({ "type": "ReadOnly" }),
            Self::Once => json!({ "type": "CreateOnly" }),
            Self::WhenChanged(paths) => {
                let pointers: Vec<String> = paths.iter().map(|path| pointer(path)).collect();
                // The agent compares the manifest with the last one only if there is at least one field.
                let pointers = if pointers.is_empty() { vec![pointer(ALL_FIELDS)] } else { pointers };
                fields(false, Some(json!([{ "condition": "OnSpokeChange", "jsonPointers": pointers }])))
            }
        }
    }
}

fn fields(force: bool, ignored: Option<Value>) -> Value {
    let members =
        [("fieldManager", Some(json!("work-agent"))), ("force", Some(json!(force))), ("ignoreFields", ignored)];
    json!({ "type": "ServerSideApply", "serverSideApply": present(members) })
}

/// Returns a path such as `spec.containers[0].image` as a JSON pointer.
pub(crate) fn pointer(path: &str) -> String {
    if path == ALL_FIELDS {
        return "/spec".to_owned();
    }
    let step = |step: &str| format!("/{}", step.replace('~', "~0").replace('/', "~1"));
    path.split(['.', '[']).map(|part| part.trim_end_matches(']')).filter(|part| !part.is_empty()).map(step).collect()
}
