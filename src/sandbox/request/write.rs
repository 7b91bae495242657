//! Options of writes, and patch types.

use super::{Parameters, Requester};
use crate::api_error::{ApiError, Cause};
use crate::kind::Kind;
use tidegate_go::quote::go_quoted;

/// The `fieldValidation` option: how unknown and duplicate fields are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldValidation {
    /// They are silently ignored.
    Ignore,
    /// The answer has a warning for each.
    Warn,
    /// The write is refused.
    Strict,
}

/// The options of a write.
#[derive(Debug, Clone)]
pub(crate) struct WriteOptions {
    /// The field manager.
    pub(crate) manager: String,
    /// Whether nothing is persisted.
    pub(crate) dry_run: bool,
    /// How unknown and duplicate fields are treated.
    pub(crate) validation: FieldValidation,
    /// Whether an apply takes over conflicting fields from other managers.
    pub(crate) force: bool,
    /// Who sends it.
    pub(crate) requester: Requester,
}

/// The verbs whose options differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteVerb {
    /// Creation.
    Create,
    /// Replacement.
    Update,
    /// A patch other than server-side apply.
    Patch,
    /// Server-side apply.
    Apply,
}

impl WriteVerb {
    fn options_kind(self) -> &'static str {
        match self {
            Self::Create => "CreateOptions",
            Self::Update => "UpdateOptions",
            Self::Patch | Self::Apply => "PatchOptions",
        }
    }
}

/// Maximum length of a field manager's name, in bytes.
const MANAGER_LIMIT: usize = 128;

impl WriteOptions {
    /// Parses the options. Without a field manager, the name of the program in the user agent is used. The requester is the
    /// administrator.
    ///
    /// # Errors
    /// Invalid, with every invalid option.
    ///
    /// # Source
    /// `ValidateCreateOptions` and its siblings in `k8s.io/apimachinery/pkg/apis/meta/v1/validation`.
    pub(crate) fn read(parameters: &Parameters, verb: WriteVerb, user_agent: &str) -> Result<Self, ApiError> {
        let manager = parameters.text("fieldManager");
        let mut causes = Vec::new();
        match verb {
            WriteVerb::Apply if manager.is_empty() => {
                let message = "Required value: is required for apply patch";
                causes.push(Cause::new("FieldValueRequired", "fieldManager", message));
            }
            WriteVerb::Patch if parameters.get("force").is_some() => {
                let message = "Forbidden: may not be specified for non-apply patch";
                causes.push(Cause::new("FieldValueForbidden", "force", message));
            }
            _ => {}
        }
        causes.extend(manager_causes(manager));
        let dry_run = parameters.all("dryRun");
        causes.extend(dry_run_cause(&dry_run));
        let validation = field_validation(parameters.text("fieldValidation")).map_err(|cause| causes.push(cause));
        match validation {
            Ok(validation) if causes.is_empty() => Ok(Self {
                manager: named_manager(manager, user_agent),
                dry_run: !dry_run.is_empty(),
                validation,
                force: parameters.flag("force"),
                requester: Requester::default(),
            }),
            _ => Err(ApiError::invalid("meta.k8s.io", verb.options_kind(), "", &causes)),
        }
    }

    /// Returns the options of the hub's own writes.
    pub(crate) fn own(manager: &str) -> Self {
        Self {
            manager: manager.to_owned(),
            dry_run: false,
            validation: FieldValidation::Strict,
            force: true,
            requester: Requester::default(),
        }
    }
}

/// Returns the error in a list of `dryRun` values.
pub(super) fn dry_run_cause(given: &[&str]) -> Option<Cause> {
    let given_list = || serde_json::json!(given).to_string();
    let message = || format!("Unsupported value: {}: supported values: \"All\"", given_list());
    given.iter().any(|value| *value != "All").then(|| Cause::new("FieldValueNotSupported", "dryRun", message()))
}

fn field_validation(given: &str) -> Result<FieldValidation, Cause> {
    match given {
        "Ignore" => Ok(FieldValidation::Ignore),
        "" | "Warn" => Ok(FieldValidation::Warn),
        "Strict" => Ok(FieldValidation::Strict),
        other => {
            let known = "supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"";
            let message = format!("Unsupported value: {}: {known}", go_quoted(other));
            Err(Cause::new("FieldValueNotSupported", "fieldValidation", message))
        }
    }
}

fn manager_causes(manager: &str) -> Vec<Cause> {
    let mut causes = Vec::new();
    if manager.len() > MANAGER_LIMIT {
        let message = format!("Too long: may not be more than {MANAGER_LIMIT} bytes");
        causes.push(Cause::new("FieldValueTooLong", "fieldManager", message));
    }
    for (at, character) in manager.char_indices().filter(|(_, character)| character.is_control()) {
        let why = format!("invalid character U+{:04X} (at position {at})", u32::from(character));
        causes.push(Cause::invalid("fieldManager", &go_quoted(manager), &why));
    }
    causes
}

fn named_manager(given: &str, user_agent: &str) -> String {
    if !given.is_empty() {
        return given.to_owned();
    }
    let program = user_agent.split('/').next().unwrap_or_default();
    let mut name = String::new();
    for character in program.chars().filter(|character| !character.is_control()) {
        if name.len() + character.len_utf8() > MANAGER_LIMIT {
            break;
        }
        name.push(character);
    }
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// The types of patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// JSON Patch, RFC 6902.
    Json,
    /// JSON Merge Patch, RFC 7386.
    Merge,
    /// Strategic merge patch, for core kinds only.
    Strategic,
    /// Server-side apply.
    Apply,
}

impl Dialect {
    /// Parses the media type of a patch of objects of a kind.
    ///
    /// # Errors
    /// Unsupported media type, for any other media type.
    pub(crate) fn read(content_type: &str, kind: &Kind) -> Result<Self, ApiError> {
        match content_type.split(';').next().unwrap_or_default() {
            "application/json-patch+json" => Ok(Self::Json),
            "application/merge-patch+json" => Ok(Self::Merge),
            "application/strategic-merge-patch+json" if !kind.custom => Ok(Self::Strategic),
            "application/apply-patch+yaml" => Ok(Self::Apply),
            _ if kind.custom => Err(ApiError::unsupported_media_type(
                "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
            )),
            _ => Err(ApiError::unsupported_media_type(
                "application/json-patch+json, application/merge-patch+json, \
                 application/strategic-merge-patch+json, application/apply-patch+yaml",
            )),
        }
    }

    /// Returns the verb whose options apply to the patch.
    pub(crate) fn verb(self) -> WriteVerb {
        if self == Self::Apply { WriteVerb::Apply } else { WriteVerb::Patch }
    }
}
