//! Parameters of requests.

use serde_json::Value;

use super::Selector;
use crate::sandbox::refusal::{Cause, Refusal};

/// The parameters of a query, as they came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parameters(pub(crate) Vec<(String, String)>);

impl Parameters {
    /// Returns a parameter; empty if it is not there.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
    }

    /// Says whether a parameter is set to a true value.
    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.text(name), "true" | "1")
    }
}

/// What a list or watch asks for.
#[derive(Debug, Clone)]
pub(crate) struct ListOptions {
    /// Which objects.
    pub(crate) selector: Selector,
    /// At most so many; 0 for all.
    pub(crate) limit: usize,
    /// Where the last page ended; empty for the first.
    pub(crate) token: String,
    /// From which revision; empty for the present.
    pub(crate) resource_version: String,
    /// Whether a watch wants to know how far it is.
    pub(crate) bookmarks: bool,
    /// Whether a watch begins with the present state and says where that ends.
    pub(crate) send_initial_events: bool,
    /// Seconds after which a watch ends; 0 for never.
    pub(crate) timeout_seconds: u64,
}

impl ListOptions {
    /// Reads the options.
    ///
    /// # Errors
    /// Bad request, if a selector cannot be read.
    pub(crate) fn read(parameters: &Parameters) -> Result<Self, Refusal> {
        let number = |name: &str| parameters.text(name).parse().unwrap_or(0);
        Ok(Self {
            selector: Selector::parse(parameters.text("labelSelector"), parameters.text("fieldSelector"))?,
            limit: usize::try_from(number("limit")).unwrap_or(0),
            token: parameters.text("continue").to_owned(),
            resource_version: parameters.text("resourceVersion").to_owned(),
            bookmarks: parameters.flag("allowWatchBookmarks"),
            send_initial_events: parameters.flag("sendInitialEvents"),
            timeout_seconds: number("timeoutSeconds"),
        })
    }
}

/// How a write is to be done.
#[derive(Debug, Clone)]
pub(crate) struct WriteOptions {
    /// Who writes.
    pub(crate) manager: String,
    /// Whether nothing is to be kept.
    pub(crate) dry_run: bool,
    /// Whether unknown members are refused.
    pub(crate) strict: bool,
    /// Whether fields are taken from other managers.
    pub(crate) force: bool,
}

impl WriteOptions {
    /// Reads the options; a write without a manager goes by the name of the program.
    ///
    /// # Errors
    /// If `dryRun` or `fieldValidation` has a value that does not exist.
    pub(crate) fn read(parameters: &Parameters, user_agent: &str) -> Result<Self, Refusal> {
        let dry_run = is_dry_run(parameters.text("dryRun"))?;
        let strict = match parameters.text("fieldValidation") {
            "" | "Ignore" | "Warn" => false,
            "Strict" => true,
            other => {
                let why =
                    format!("Unsupported value: {other:?}: supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
                return Err(unsupported("CreateOptions", "fieldValidation", &why));
            }
        };
        Ok(Self {
            manager: manager(parameters.text("fieldManager"), user_agent),
            dry_run,
            strict,
            force: parameters.flag("force"),
        })
    }

    /// Returns the options of the hub's own writes.
    pub(crate) fn own(manager: &str) -> Self {
        Self { manager: manager.to_owned(), dry_run: false, strict: true, force: true }
    }
}

fn is_dry_run(text: &str) -> Result<bool, Refusal> {
    match text {
        "" => Ok(false),
        "All" => Ok(true),
        other => {
            let why = format!("Unsupported value: {other:?}: supported values: \"All\"");
            Err(unsupported("CreateOptions", "dryRun", &why))
        }
    }
}

fn unsupported(kind: &str, field: &str, why: &str) -> Refusal {
    Refusal::invalid("meta.k8s.io", kind, "", &[Cause::new("FieldValueNotSupported", field, why)])
}

fn manager(given: &str, user_agent: &str) -> String {
    let program = user_agent.split('/').next().unwrap_or_default();
    let name = if given.is_empty() { program } else { given };
    let name: String = name.chars().take(128).filter(|c| !c.is_control()).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// The kinds of patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// RFC 6902.
    Json,
    /// RFC 7386.
    Merge,
    /// Kubernetes' own merge, for core kinds only.
    Strategic,
    /// Server-side apply.
    Apply,
}

impl Dialect {
    /// Reads the media type of a patch.
    ///
    /// # Errors
    /// Unsupported media type, for any other.
    pub(crate) fn read(content_type: &str) -> Result<Self, Refusal> {
        match content_type.split(';').next().unwrap_or_default().trim() {
            "application/json-patch+json" => Ok(Self::Json),
            "application/merge-patch+json" => Ok(Self::Merge),
            "application/strategic-merge-patch+json" => Ok(Self::Strategic),
            "application/apply-patch+yaml" => Ok(Self::Apply),
            _ => Err(Refusal::unsupported_patch()),
        }
    }
}

/// What becomes of the dependants of a deleted object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Propagation {
    /// They go after the object.
    Background,
    /// They go before the object.
    Foreground,
    /// They stay.
    Orphan,
}

/// How a deletion is to be done.
#[derive(Debug, Clone)]
pub(crate) struct DeleteOptions {
    /// What becomes of the dependants.
    pub(crate) propagation: Propagation,
    /// The object must have this uid.
    pub(crate) uid: Option<String>,
    /// The object must be at this revision.
    pub(crate) resource_version: Option<String>,
    /// Whether nothing is to be kept.
    pub(crate) dry_run: bool,
}

impl DeleteOptions {
    /// Reads the options from the query and the body.
    ///
    /// # Errors
    /// If `dryRun` or `propagationPolicy` has a value that does not exist.
    pub(crate) fn read(parameters: &Parameters, body: &Value) -> Result<Self, Refusal> {
        let given = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_else(|| parameters.text(name));
        let propagation = match given("propagationPolicy") {
            "" | "Background" => Propagation::Background,
            "Foreground" => Propagation::Foreground,
            "Orphan" => Propagation::Orphan,
            other => {
                let why = format!(
                    "Unsupported value: {other:?}: supported values: \"Background\", \"Foreground\", \"Orphan\", \"\""
                );
                return Err(unsupported("DeleteOptions", "propagationPolicy", &why));
            }
        };
        let listed = body.get("dryRun").and_then(|list| list.get(0)).and_then(Value::as_str);
        let precondition = |name: &str| Some(body.get("preconditions")?.get(name)?.as_str()?.to_owned());
        Ok(Self {
            propagation,
            uid: precondition("uid"),
            resource_version: precondition("resourceVersion"),
            dry_run: is_dry_run(listed.unwrap_or_else(|| parameters.text("dryRun")))?,
        })
    }
}
