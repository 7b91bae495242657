//! Lists.

use super::data::{List, Value};

impl<'a> List<'a> {
    pub(crate) fn of(items: Vec<Value<'a>>) -> Self {
        Self::Built(items.into())
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Json(items) => items.len(),
            Self::Built(items) | Self::Joined(items) => items.len(),
            Self::Growing(items) => items.borrow().len(),
        }
    }

    pub(crate) fn get(&self, at: usize) -> Option<Value<'a>> {
        match self {
            Self::Json(items) => items.get(at).map(Value::from),
            Self::Built(items) | Self::Joined(items) => items.get(at).cloned(),
            Self::Growing(items) => items.borrow().get(at).cloned(),
        }
    }

    /// Iterates over the current items.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Value<'a>> {
        (0..self.len()).map_while(|at| self.get(at))
    }

    /// Returns the concatenation of two lists.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        if let Self::Growing(items) = self {
            let more: Vec<Value<'a>> = other.iter().collect();
            items.borrow_mut().extend(more);
            return self.clone();
        }
        match (self.len(), other.len()) {
            (0, _) => other.clone(),
            (_, 0) => self.clone(),
            _ => Self::Joined(self.iter().chain(other.iter()).collect()),
        }
    }

    /// Returns the list in a form that can no longer change.
    pub(crate) fn frozen(self) -> Self {
        match self {
            Self::Growing(items) => Self::Built(items.borrow().as_slice().into()),
            frozen => frozen,
        }
    }
}
