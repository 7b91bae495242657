//! Patches: RFC 6902, RFC 7386 and the strategic merge of the core kinds.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::transaction::{Transaction, writable};
use super::update::{Ownership, given_managers};
use super::{Input, admission, decoding, json_patch, strategic};
use crate::object;
use crate::refusal::{Cause, Refusal};
use crate::request::{Dialect, Target, WriteOptions};
use tidegate_go::quote::go_quoted;

/// A JSON patch has at most so many operations.
const OPERATIONS_LIMIT: usize = 10_000;

impl Transaction<'_> {
    /// Patches an object, or its status, in any dialect but server-side apply.
    ///
    /// # Errors
    /// If the object is not there, the patch cannot be carried out, or what comes out is no such object.
    pub(crate) fn patch(
        &mut self,
        target: &Target,
        name: &str,
        patch: &Input,
        dialect: Dialect,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, Refusal> {
        writable(target)?;
        let live = self.live(target, name)?;
        let mut next = patched(&live, &patch.value, dialect)?;
        let untouched = take_untouched(&live, &mut next);
        let managers = if untouched.contains_key("metadata") { Ownership::Kept } else { given_managers(&next) };
        let decoded = decoding::decode(target, &mut next)
            .and_then(|unknown| self.judge(&patch.duplicates, &unknown, options.validation));
        if let Err(why) = decoded {
            let whole = patched(&live, &patch.value, dialect)?.to_string();
            let cause = Cause::invalid("patch", &go_quoted(&whole), &why);
            return Err(Refusal::invalid("", "", "", &[cause]));
        }
        object::members_mut(&mut next).extend(untouched);
        admission::accept_namespace(target, &mut next)?;
        admission::accept_name(name, &next)?;
        admission::accept_type(target, &mut next)?;
        self.update(target, &live, next, managers, options)
    }
}

/// Takes the members out of an object that are as they were: those need not be read into their kind again.
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

/// Returns an object as it is after a patch.
fn patched(live: &Value, patch: &Value, dialect: Dialect) -> Result<Value, Refusal> {
    let undecodable = |expected: &str| {
        let found = decoding::go_type(patch);
        let why = format!("json: cannot unmarshal {found} into Go value of type {expected}");
        Refusal::bad_request(format!("error decoding patch: {why}"))
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
                return Err(Refusal::too_many_operations(OPERATIONS_LIMIT, found));
            }
            json_patch::apply(&mut next, operations)?;
        }
        _ if !(patch.is_object() || patch.is_null()) => return Err(undecodable("map[string]interface {}")),
        Dialect::Strategic => strategic::merge(&mut next, patch)?,
        Dialect::Merge | Dialect::Apply => {
            // A patch of null has no members.
            if patch.is_object() {
                ::json_patch::merge(&mut next, patch);
            }
        }
    }
    Ok(next)
}
