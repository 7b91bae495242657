//! `ListOptions`, for lists and watches.

use super::{Parameters, Selector};
use crate::api_error::{ApiError, Cause};
use crate::kind::Kind;
use tidegate_go::quote::go_quoted;

/// The options of a list or watch.
#[derive(Debug, Clone)]
pub(crate) struct ListOptions {
    /// The label and field selector.
    pub(crate) selector: Selector,
    /// Maximum number of items; 0 for all.
    pub(crate) limit: usize,
    /// The `continue` token; empty for the first page.
    pub(crate) token: String,
    /// The requested resourceVersion; empty for the most recent.
    pub(crate) resource_version: String,
    /// Whether a list must show exactly that resourceVersion.
    pub(crate) exact: bool,
    /// Whether a list may also show a later resourceVersion.
    pub(crate) not_older: bool,
    /// Whether a watch gets bookmarks.
    pub(crate) bookmarks: bool,
    /// `sendInitialEvents`: whether a watch starts with the current state; `None` if not given.
    pub(crate) send_initial_events: Option<bool>,
    /// Timeout of a watch in seconds; 0 for none.
    pub(crate) timeout_seconds: u64,
}

impl ListOptions {
    /// Parses the options for objects of a kind.
    ///
    /// # Errors
    /// Bad request, if a selector or a number is malformed; invalid, if the options contradict each other.
    pub(crate) fn read(parameters: &Parameters, kind: &Kind) -> Result<Self, ApiError> {
        let limit = usize::try_from(parameters.number("limit")?).unwrap_or(0);
        let timeout_seconds = u64::try_from(parameters.number("timeoutSeconds")?).unwrap_or(0);
        let labels = parameters.text("labelSelector");
        let selector = Selector::parse(labels, parameters.text("fieldSelector"), kind);
        let is_watch = parameters.flag("watch");
        let causes = if is_watch { watch_causes(parameters) } else { list_causes(parameters) };
        // A malformed selector is reported before contradicting options, a selector by an unknown field after them.
        let selector = match selector {
            Err(error) if !error.message.contains("field ") => return Err(error),
            selector => selector,
        };
        if !causes.is_empty() {
            return Err(ApiError::invalid("meta.k8s.io", "ListOptions", "", &causes));
        }
        Ok(Self {
            selector: selector?,
            limit,
            token: parameters.text("continue").to_owned(),
            resource_version: parameters.text("resourceVersion").to_owned(),
            exact: parameters.text("resourceVersionMatch") == "Exact",
            not_older: parameters.text(MATCH) == "NotOlderThan",
            bookmarks: parameters.flag("allowWatchBookmarks"),
            send_initial_events: parameters.choice("sendInitialEvents"),
            timeout_seconds,
        })
    }
}

fn forbidden(field: &str, why: &str) -> Cause {
    Cause::new("FieldValueForbidden", field, format!("Forbidden: {why}"))
}

const MATCH: &str = "resourceVersionMatch";

fn unknown_match(given: &str, known: &str) -> Cause {
    let message = format!("Unsupported value: {}: supported values: {known}", go_quoted(given));
    Cause::new("FieldValueNotSupported", MATCH, message)
}

/// Returns the errors in the combination of options of a list.
///
/// # Source
/// `ValidateListOptions` of `k8s.io/apimachinery/pkg/apis/meta/internalversion/validation`.
fn list_causes(parameters: &Parameters) -> Vec<Cause> {
    let mut causes = Vec::new();
    let (given, version) = (parameters.text(MATCH), parameters.text("resourceVersion"));
    if !given.is_empty() {
        if version.is_empty() {
            causes.push(forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
        }
        if !parameters.text("continue").is_empty() {
            causes.push(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
        }
        if !matches!(given, "Exact" | "NotOlderThan") {
            causes.push(unknown_match(given, "\"Exact\", \"NotOlderThan\", \"\""));
        }
        if given == "Exact" && version == "0" {
            let why = "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"";
            causes.push(forbidden(MATCH, why));
        }
    }
    if parameters.get("sendInitialEvents").is_some() {
        causes.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    causes
}

/// Like [`list_causes`], for a watch.
fn watch_causes(parameters: &Parameters) -> Vec<Cause> {
    let mut causes = Vec::new();
    let given = parameters.text(MATCH);
    let says_initial = parameters.get("sendInitialEvents").is_some();
    if says_initial && given != "NotOlderThan" {
        causes.push(forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    }
    if !given.is_empty() {
        if !says_initial {
            let why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
            causes.push(forbidden(MATCH, why));
        }
        if given != "NotOlderThan" {
            causes.push(unknown_match(given, "\"NotOlderThan\""));
        }
        if !parameters.text("continue").is_empty() {
            causes.push(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
        }
    }
    causes
}
