//! Declared objects that the hub has as declared. They are compared again once either side has changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::input::Input;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::instance::Instance;
use tidegate_model::object::ObjectKey;

/// By object: the declaration, and what the hub has.
#[derive(Debug, Default)]
pub(super) struct KeptDeclared {
    /// What else the comparison depends on.
    basis: Option<(Delivery, Instance)>,
    objects: BTreeMap<ObjectKey, (Arc<Value>, Arc<Value>)>,
}

impl KeptDeclared {
    /// Drops what does not hold for this input.
    pub(super) fn retain(&mut self, input: &Input<'_>) {
        let basis = (input.delivery, input.instance);
        if self.basis.as_ref().map(|(delivery, instance)| (*delivery, instance)) != Some(basis) {
            self.objects.clear();
            self.basis = Some((basis.0, basis.1.clone()));
        }
        let declared = &input.repository.objects;
        if self.objects.len() > declared.len() {
            self.objects.retain(|key, _| declared.contains_key(key));
        }
    }

    /// Returns `true` if exactly this object was found to be as declared.
    pub(super) fn has(&self, key: &ObjectKey, declared: &Arc<Value>, observed: Option<&Arc<Value>>) -> bool {
        let known = self.objects.get(key).zip(observed);
        known.is_some_and(|(known, observed)| Arc::ptr_eq(&known.0, declared) && Arc::ptr_eq(&known.1, observed))
    }

    /// Records that an object is as declared.
    pub(super) fn keep(&mut self, key: &ObjectKey, declared: &Arc<Value>, observed: &Arc<Value>) {
        self.objects.insert(key.clone(), (declared.clone(), observed.clone()));
    }
}
