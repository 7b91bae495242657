//! Patches: RFC 6902, RFC 7386 and the strategic merge of the core kinds.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::admission;
use super::transaction::{Transaction, writable};
use crate::sandbox::object;
use crate::sandbox::refusal::Refusal;
use crate::sandbox::request::{Dialect, Target, WriteOptions};

/// Lists of the core kinds that are merged by item, with the member that tells items apart; empty for the item itself.
const MERGED_LISTS: [(&str, &str); 3] = [("ownerReferences", "uid"), ("finalizers", ""), ("secrets", "name")];

impl Transaction<'_> {
    /// Patches an object, or its status, in any dialect but server-side apply.
    ///
    /// # Errors
    /// If the object is not there, the patch cannot be carried out, or what comes out is no such object.
    pub(crate) fn patch(
        &mut self,
        target: &Target,
        name: &str,
        patch: &Value,
        dialect: Dialect,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, Refusal> {
        writable(target)?;
        if dialect == Dialect::Strategic && target.kind.custom {
            return Err(Refusal::unsupported_patch());
        }
        let live = self.live(target, name)?;
        let mut next = Value::clone(&live);
        match dialect {
            Dialect::Json => {
                let patch = serde_json::from_value::<json_patch::Patch>(patch.clone());
                let patch = patch.map_err(|error| Refusal::bad_request(error.to_string()))?;
                json_patch::patch(&mut next, &patch).map_err(|_| Refusal::unprocessable_patch())?;
            }
            Dialect::Strategic => strategic(&mut next, patch),
            Dialect::Merge | Dialect::Apply => json_patch::merge(&mut next, patch),
        }
        admission::accept_type(target, &mut next)?;
        admission::accept_name(name, &next)?;
        admission::accept_namespace(target, &mut next)?;
        self.update(target, &live, next, None, options)
    }
}

/// Merges as RFC 7386 does, but for the lists of [`MERGED_LISTS`] and for directives, which leave no trace.
fn strategic(value: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *value = patch.clone();
        return;
    };
    if patch.get("$patch").and_then(Value::as_str) == Some("replace") {
        *value = Value::Object(Map::new());
    }
    let members = object::members_mut(value);
    for (name, patch) in patch.iter().filter(|(name, _)| !name.starts_with('$')) {
        let key = MERGED_LISTS.iter().find(|(list, _)| list == name).map(|(_, key)| *key);
        match (patch, key, members.get_mut(name)) {
            (Value::Null, ..) => {
                members.remove(name);
            }
            (Value::Array(patch), Some(key), Some(Value::Array(items))) => merge_list(items, patch, key),
            (_, _, Some(member)) => strategic(member, patch),
            (_, _, None) => {
                let mut member = Value::Null;
                strategic(&mut member, patch);
                members.insert(name.clone(), member);
            }
        }
    }
}

fn merge_list(items: &mut Vec<Value>, patch: &[Value], key: &str) {
    for item in patch {
        let same = |other: &Value| if key.is_empty() { other == item } else { other.get(key) == item.get(key) };
        let found = items.iter().position(same);
        let deletes = item.get("$patch").and_then(Value::as_str) == Some("delete");
        match found.and_then(|index| items.get_mut(index).map(|other| (index, other))) {
            Some((index, _)) if deletes => {
                items.remove(index);
            }
            Some((_, other)) => strategic(other, item),
            None if deletes => {}
            None => items.push(item.clone()),
        }
    }
}
