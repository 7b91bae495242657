//! Entries of `managedFields`, and conflicts between them.

use serde_json::{Value, json};

use super::set::FieldSet;
use crate::api_error::{ApiError, Cause};
use crate::kind::Kind;
use tidegate_model::time::Timestamp;

/// The operation of server-side apply.
pub(crate) const APPLY: &str = "Apply";
/// The operation of all other writes.
pub(crate) const UPDATE: &str = "Update";

/// The manager of a write, with its target and time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Actor<'a> {
    /// The kind of the object.
    pub(crate) kind: &'a Kind,
    /// The version of the write.
    pub(crate) version: &'a str,
    /// The name of the manager.
    pub(crate) manager: &'a str,
    /// The subresource; empty for the object itself.
    pub(crate) subresource: &'a str,
    /// The time of the write.
    pub(crate) now: Timestamp,
}

impl Actor<'_> {
    /// Returns the `apiVersion` of the write.
    pub(crate) fn api_version(&self) -> String {
        self.kind.api_version(self.version)
    }

    /// Returns the identity of the entry in which the actor owns fields.
    pub(crate) fn identity(&self, operation: &'static str) -> Identity {
        Identity {
            operation,
            manager: self.manager.to_owned(),
            api_version: self.api_version(),
            subresource: self.subresource.to_owned(),
        }
    }
}

/// The identity of an entry. A manager that applies keeps one entry across versions.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// [`APPLY`] or [`UPDATE`].
    pub(crate) operation: &'static str,
    /// The name of the manager.
    pub(crate) manager: String,
    /// The `apiVersion` that the field paths refer to.
    pub(crate) api_version: String,
    /// The subresource; empty for the object itself.
    pub(crate) subresource: String,
}

impl Identity {
    fn distinctive(&self) -> (&str, &str, &str, &str) {
        let version = if self.operation == APPLY { "" } else { &self.api_version };
        (self.operation, &self.manager, version, &self.subresource)
    }

    fn printed(&self) -> String {
        let subresource = match self.subresource.as_str() {
            "" => String::new(),
            subresource => format!(" with subresource {subresource:?}"),
        };
        let version = if self.operation == UPDATE { format!(" using {}", self.api_version) } else { String::new() };
        format!("{:?}{subresource}{version}", self.manager)
    }
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        self.distinctive() == other.distinctive()
    }
}

impl Eq for Identity {}

impl PartialOrd for Identity {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Identity {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.distinctive().cmp(&other.distinctive())
    }
}

/// The fields that an entry owns.
#[derive(Debug, Clone)]
pub(crate) struct Owned {
    /// The fields.
    pub(crate) fields: FieldSet,
    /// The `apiVersion` that the field paths refer to.
    pub(crate) api_version: String,
    /// The time of the last change of the entry.
    pub(crate) time: String,
}

/// Parses an entry; `None` if it has no manager.
pub(crate) fn read(entry: &Value) -> Option<(Identity, Owned)> {
    let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
    let identity = Identity {
        operation: if text("operation") == APPLY { APPLY } else { UPDATE },
        manager: Some(text("manager")).filter(|manager| !manager.is_empty())?.to_owned(),
        api_version: text("apiVersion").to_owned(),
        subresource: text("subresource").to_owned(),
    };
    let fields = entry.get("fieldsV1").map(FieldSet::from_fields).unwrap_or_default();
    let owned = Owned { fields, api_version: identity.api_version.clone(), time: text("time").to_owned() };
    Some((identity, owned))
}

/// Serializes an entry.
pub(crate) fn written(identity: &Identity, owned: &Owned) -> Value {
    let mut entry = json!({
        "manager": identity.manager, "operation": identity.operation, "apiVersion": owned.api_version,
        "time": owned.time, "fieldsType": "FieldsV1", "fieldsV1": owned.fields.to_fields(),
    });
    if !identity.subresource.is_empty() {
        entry["subresource"] = json!(identity.subresource);
    }
    entry
}

/// The conflicting fields, by the manager that owns them.
#[derive(Debug, Clone)]
pub(crate) struct Conflicts(pub(crate) Vec<(Identity, FieldSet)>);

impl Conflicts {
    /// Returns the error of an apply that is not forced.
    pub(crate) fn to_error(&self) -> ApiError {
        let mut managers: Vec<(String, Vec<String>)> =
            self.0.iter().map(|(manager, fields)| (manager.printed(), fields.paths())).collect();
        managers.sort();
        let conflict = |manager: &str, path: &String| {
            Cause::new("FieldManagerConflict", path.clone(), format!("conflict with {manager}"))
        };
        let causes: Vec<Cause> = managers
            .iter()
            .flat_map(|(manager, paths)| paths.iter().map(move |path| conflict(manager, path)))
            .collect();
        let message = match causes.as_slice() {
            [only] => format!("Apply failed with 1 conflict: {}: {}", only.message, only.field),
            _ => {
                let listed = |(manager, paths): &(String, Vec<String>)| {
                    format!("conflicts with {manager}:\n- {}", paths.join("\n- "))
                };
                let listed: Vec<String> = managers.iter().map(listed).collect();
                format!("Apply failed with {} conflicts: {}", causes.len(), listed.join("\n"))
            }
        };
        ApiError::owned_by_others(&causes, message)
    }
}
