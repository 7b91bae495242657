//! The marks of instances, with each name recorded once.

use std::collections::BTreeMap;

use crate::snapshot::record::Owner;
use tidegate_api::mark::Mark;
use tidegate_model::instance::InstanceId;

/// The instances that were found.
pub(super) struct Marks<'a> {
    ours: Option<&'a InstanceId>,
    names: BTreeMap<String, String>,
}

impl<'a> Marks<'a> {
    pub(super) fn new(ours: Option<&'a InstanceId>) -> Self {
        Self { ours, names: BTreeMap::new() }
    }

    /// Returns the owner that a mark names.
    pub(super) fn owner(&mut self, mark: Option<Mark>) -> Owner {
        let Some(Mark { id, name }) = mark else { return Owner::none() };
        let owner =
            if self.ours.is_some_and(|ours| ours.as_str() == id) { Owner::default() } else { Owner::other(&id) };
        // An object that was not written since the instance was renamed has the old name. The choice must not depend on the order.
        if !name.is_empty() && self.names.get(&id).is_none_or(|known| *known < name) {
            self.names.insert(id, name);
        }
        owner
    }

    /// Returns the names of the instances that have one, by identity.
    pub(super) fn names(self) -> BTreeMap<String, String> {
        self.names
    }
}
