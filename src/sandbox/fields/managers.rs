//! The field managers of an object and the fields that each of them owns.

use std::collections::BTreeMap;

use serde_json::Value;

use super::compare::{Comparison, fields};
use super::entry::{self, APPLY, Actor, Conflicts, Identity, Owned, UPDATE};
use super::merge::{merge, remove};
use super::set::FieldSet;
use super::versions::Versions;
use crate::object;
use tidegate_model::time::to_seconds;

/// The entries of `managedFields`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Managers(BTreeMap<Identity, Owned>);

impl Managers {
    /// Parses the `managedFields` of an object.
    pub(crate) fn of(object: &Value) -> Self {
        let entries = object::metadata(object, "managedFields").and_then(Value::as_array);
        Self(entries.into_iter().flatten().filter_map(entry::read).collect())
    }

    /// Returns `true` if no manager owns any field.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets the `managedFields` of an object.
    pub(crate) fn write(&self, object: &mut Value) {
        let mut entries: Vec<(&Identity, &Owned)> = self.0.iter().collect();
        entries.sort_by_key(|(identity, owned)| (identity.operation, &owned.time, &identity.manager));
        let entries: Vec<Value> =
            entries.into_iter().map(|(identity, owned)| entry::written(identity, owned)).collect();
        object::set(object, "managedFields", (!entries.is_empty()).then_some(Value::Array(entries)));
    }

    /// Makes the actor the only owner of the fields that its write changed.
    pub(crate) fn record_update(&mut self, before: &Value, after: &Value, actor: &Actor<'_>) {
        let identity = actor.identity(UPDATE);
        let versions = Versions::new(actor.kind);
        let changed = self.yield_fields(before, after, &identity, versions);
        let own = self.0.get(&identity).map(|owned| owned.fields.clone()).unwrap_or_default();
        let own = own.difference(&changed.removed).union(&changed.modified).union(&changed.added);
        self.set(identity, own, actor);
    }

    /// Merges an applied configuration into the live object, removes the fields that only this manager owned and no longer applies,
    /// and updates the ownership.
    ///
    /// # Errors
    /// [`Conflicts`] if other managers own fields that would change, unless `force` is set.
    pub(crate) fn apply(
        &mut self,
        live: &Value,
        applied: &Value,
        actor: &Actor<'_>,
        force: bool,
    ) -> Result<Value, Conflicts> {
        let identity = actor.identity(APPLY);
        let mut versions = Versions::new(actor.kind);
        let api_version = actor.api_version();
        let schema = versions.schema(&api_version);
        let last = self.0.get(&identity).cloned();
        let given = fields(applied, schema);
        let mut merged = merge(live, applied, schema);
        self.set(identity.clone(), given.clone(), actor);
        if let Some(last) = last {
            merged = self.pruned(&merged, (&last, &given), &api_version, &versions);
        }
        if !force {
            self.conflicts(live, &merged, &identity, &mut versions)?;
        }
        self.yield_fields(live, &merged, &identity, versions);
        Ok(merged)
    }

    /// Returns an object without the fields that only this manager owned and no longer applies.
    ///
    /// The applied configuration also contains fields that no manager can own, such as the name; their parent fields stay.
    fn pruned(
        &self,
        merged: &Value,
        (last, given): (&Owned, &FieldSet),
        api_version: &str,
        versions: &Versions<'_>,
    ) -> Value {
        let Some(schema) = versions.schema(&last.api_version) else { return merged.clone() };
        let in_last = versions.convert(merged, &last.api_version);
        let last_fields = last.fields.with_named_parents(Some(schema));
        let mut pruned = remove(&in_last, &last_fields, Some(schema));
        let mut by_version: BTreeMap<&str, FieldSet> = BTreeMap::new();
        for owned in self.0.values() {
            let all = by_version.remove(owned.api_version.as_str()).unwrap_or_default();
            by_version.insert(&owned.api_version, all.union(&owned.fields));
        }
        let all = by_version.remove(api_version).unwrap_or_default();
        by_version.insert(api_version, all.union(given));
        for (version, owned) in by_version {
            let Some(schema) = versions.schema(version) else { continue };
            let (whole, rest) = (versions.convert(merged, version), versions.convert(&pruned, version));
            let named = |value: &Value| fields(value, Some(schema)).with_named_parents(Some(schema));
            let kept = named(&rest).union(&owned.with_named_parents(Some(schema)));
            pruned = remove(&whole, &named(&whole).difference(&kept), Some(schema));
        }
        // Fields without an owner stay, unless they were nested in a field that the manager has dropped.
        let pruned = versions.convert(&pruned, &last.api_version);
        let named = |value: &Value| fields(value, Some(schema)).with_named_parents(Some(schema));
        let dropped = named(&in_last).difference(&named(&pruned)).intersection(&last_fields);
        let pruned = remove(&in_last, &dropped, Some(schema));
        versions.convert(&pruned, api_version)
    }

    fn conflicts(
        &self,
        before: &Value,
        after: &Value,
        identity: &Identity,
        versions: &mut Versions<'_>,
    ) -> Result<(), Conflicts> {
        let mut found = Vec::new();
        for (other, owned) in self.0.iter().filter(|(other, _)| *other != identity) {
            let Some(changed) = versions.compare(before, after, &owned.api_version) else { continue };
            let taken = changed.modified.clone().union(&changed.added);
            let taken = owned.fields.intersection(&taken).without_server_fields();
            if !taken.is_empty() {
                found.push((other.clone(), taken));
            }
        }
        if found.is_empty() { Ok(()) } else { Err(Conflicts(found)) }
    }

    /// Removes the changed fields from all other managers, and returns the comparison in the version of the write.
    fn yield_fields(
        &mut self,
        before: &Value,
        after: &Value,
        identity: &Identity,
        mut versions: Versions<'_>,
    ) -> Comparison {
        self.0.retain(|other, owned| {
            if other == identity {
                return true;
            }
            // The fields of a version that is no longer served cannot be tracked, so the entry is dropped.
            let Some(changed) = versions.compare(before, after, &owned.api_version) else { return false };
            let lost = changed.modified.clone().union(&changed.added).union(&changed.removed);
            owned.fields = owned.fields.difference(&lost);
            !owned.fields.is_empty()
        });
        versions.take(before, after, &identity.api_version)
    }

    fn set(&mut self, identity: Identity, fields: FieldSet, actor: &Actor<'_>) {
        let fields = fields.without_server_fields();
        if fields.is_empty() {
            self.0.remove(&identity);
            return;
        }
        let api_version = actor.api_version();
        let same = self.0.get(&identity).filter(|owned| owned.fields == fields && owned.api_version == api_version);
        let time = same.map_or_else(|| to_seconds(actor.now).to_string(), |owned| owned.time.clone());
        self.0.insert(identity, Owned { fields, api_version, time });
    }
}
