//! Something that waits for a person.

use schemars::JsonSchema;
use serde::Serialize;

use tidegate_model::name::UnitName;
use tidegate_model::time::{Rfc3339, Timestamp};

/// How urgent something is. Sorted from the most urgent one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub enum Urgency {
    /// Something failed, or nothing is known any more.
    Failed,
    /// A person must decide.
    Decide,
    /// It works, but not as declared.
    Look,
}

/// Something that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Need {
    /// How urgent it is.
    pub urgency: Urgency,
    /// The add-on; absent if it is about the whole repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addon: Option<UnitName>,
    /// What it is.
    pub what: String,
    /// Why; empty if there is nothing more to say.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What to do, and who can; empty if that follows from the reason.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub opens: String,
    /// Pages of the forge where it can be done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<String>,
    /// Since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub since: Option<Timestamp>,
}

/// Returns something that waits, without more details.
pub(super) fn need(urgency: Urgency, what: impl Into<String>) -> Need {
    let (what, why, opens) = (what.into(), String::new(), String::new());
    Need { urgency, addon: None, what, why, opens, urls: Vec::new(), since: None }
}
