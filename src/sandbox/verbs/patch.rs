//! JSON Patch (RFC 6902), JSON Merge Patch (RFC 7386) and, for core kinds, strategic merge patch.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Input;
use super::transaction::{Transaction, writable};
use super::update::{Ownership, given_managers};
use crate::api_error::{ApiError, Cause};
use crate::object;
use crate::request::{Dialect, Target, WriteOptions};
use crate::verbs::body::admission;
use crate::verbs::body::decoding;
use crate::verbs::patches::json_patch;
use crate::verbs::patches::strategic;
use tidegate_go::quote::go_quoted;

/// Maximum number of operations of a JSON patch.
const OPERATIONS_LIMIT: usize = 10_000;

impl Transaction<'_> {
    /// Patches an object, or a subresource of it, with any patch type but server-side apply.
    ///
    /// # Errors
    /// If the object does not exist, the patch does not apply, or the result is not a valid object of the kind.
    pub(crate) fn patch(
        &mut self,
        target: &Target,
        name: &str,
        patch: &Input,
        dialect: Dialect,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, ApiError> {
        writable(target)?;
        let live = self.live(target, name)?;
        let mut next = patched(&live, &patch.value, dialect)?;
        let untouched = take_untouched(&live, &mut next);
        let managers = if untouched.contains_key("metadata") { Ownership::Kept } else { given_managers(&next) };
        let decoded = decoding::decode(target, &mut next)
            .and_then(|unknown| self.check_fields(&patch.duplicates, &unknown, options.validation));
        if let Err(why) = decoded {
            let whole = patched(&live, &patch.value, dialect)?.to_string();
            let cause = Cause::invalid("patch", &go_quoted(&whole), &why);
            return Err(ApiError::invalid("", "", "", &[cause]));
        }
        object::members_mut(&mut next).extend(untouched);
        admission::accept_namespace(target, &mut next)?;
        admission::accept_name(name, &next)?;
        admission::accept_type(target, &mut next)?;
        self.update(target, &live, next, managers, options)
    }
}

/// Removes and returns the fields that a patch has not changed: those need not be decoded again.
fn take_untouched(live: &Value, next: &mut Value) -> Map<String, Value> {
    let mut untouched = Map::new();
    let Some(members) = next.as_object_mut() else { return untouched };
    let names = live.as_object().into_iter().flatten();
    for (name, before) in names.filter(|(name, _)| !matches!(name.as_str(), "apiVersion" | "kind")) {
        if members.get(name) == Some(before)
            && let Some(member) = members.remove(name)
        {
            untouched.insert(name.clone(), member);
        }
    }
    untouched
}

/// Returns the patched object.
fn patched(live: &Value, patch: &Value, dialect: Dialect) -> Result<Value, ApiError> {
    let undecodable = |expected: &str| {
        let found = decoding::go_type(patch);
        let why = format!("json: cannot unmarshal {found} into Go value of type {expected}");
        ApiError::bad_request(format!("error decoding patch: {why}"))
    };
    let mut next = live.clone();
    match dialect {
        Dialect::Json => {
            let operations = match patch {
                Value::Array(operations) => operations.as_slice(),
                Value::Null => &[],
                _ => return Err(undecodable("[]handlers.jsonPatchOp")),
            };
            if operations.len() > OPERATIONS_LIMIT {
                let found = operations.len();
                return Err(ApiError::too_many_operations(OPERATIONS_LIMIT, found));
            }
            json_patch::apply(&mut next, operations)?;
        }
        _ if !(patch.is_object() || patch.is_null()) => return Err(undecodable("map[string]interface {}")),
        Dialect::Strategic => strategic::merge(&mut next, patch)?,
        Dialect::Merge | Dialect::Apply => {
            // A null patch is treated as an empty object.
            if patch.is_object() {
                ::json_patch::merge(&mut next, patch);
            }
        }
    }
    Ok(next)
}
