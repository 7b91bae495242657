//! The vars of a layer.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::declaration::Var;
use crate::overlay::budget::Budget;
use crate::overlay::model::Resource;
use crate::yaml::{Error, Provenance};

/// Vars by name.
#[derive(Debug, Default)]
pub(crate) struct VarSet(BTreeMap<Arc<str>, Var>);

impl VarSet {
    /// Declares vars, and records their names in the objects that they refer to.
    ///
    /// # Errors
    /// [`Error`] if several objects match a var, or its name is taken.
    pub(crate) fn declare(
        &mut self,
        vars: &[Var],
        resources: &mut [Resource],
        provenance: &Provenance,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        for var in vars {
            budget.charge(resources.len(), var.origin)?;
            let is_match = |resource: &&mut Resource| {
                !resource.node.is_empty() && resource.ids().any(|id| var.target.matches(&id))
            };
            let mut matching = resources.iter_mut().filter(is_match);
            match (matching.next(), matching.next()) {
                (Some(one), Some(other)) => {
                    let message = format!(
                        "the var {} refers to {} and {}, but must refer to one object; write the namespace in objref",
                        var.name,
                        one.id(),
                        other.id()
                    );
                    return Err(var.target.origin.error(message));
                }
                (Some(one), None) => one.vars.push(Arc::clone(&var.name)),
                // Overlays that add the object later do not help: a var is bound where it is declared.
                (None, _) => {}
            }
        }
        vars.iter().try_for_each(|var| self.add(var.clone(), provenance))
    }

    /// Adds the vars of a lower layer.
    ///
    /// # Errors
    /// [`Error`] if a name is taken.
    pub(crate) fn extend(&mut self, below: Self, provenance: &Provenance) -> Result<(), Error> {
        below.0.into_values().try_for_each(|var| self.add(var, provenance))
    }

    fn add(&mut self, var: Var, provenance: &Provenance) -> Result<(), Error> {
        if let Some(known) = self.0.get(&var.name) {
            let message = format!(
                "the var {} is already declared at {}; declare it once, or under another name",
                var.name,
                provenance.place(known.origin)
            );
            return Err(var.origin.error(message));
        }
        self.0.insert(Arc::clone(&var.name), var);
        Ok(())
    }

    /// Returns the vars in the order of their names.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Var> {
        self.0.values()
    }
}
