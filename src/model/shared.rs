//! Values that many owners share until one of them changes its own.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A value with many owners. An owner that changes it gets a copy of its own first, if there are others.
///
/// A clone costs a pointer. A value that has not been changed since it was cloned is recognized by its pointer, so what was derived from
/// it need not be derived again.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Returns `true` if both are the same value in memory. Equal values need not be.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Clone> Shared<T> {
    /// Returns the value, without a copy if this is its only owner.
    pub fn into_inner(self) -> T {
        Arc::unwrap_or_clone(self.0)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.0 == other.0
    }
}

impl<T: Eq> Eq for Shared<T> {}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<I, T: FromIterator<I>> FromIterator<I> for Shared<T> {
    fn from_iter<S: IntoIterator<Item = I>>(items: S) -> Self {
        Self::from(T::from_iter(items))
    }
}

impl<'a, T> IntoIterator for &'a Shared<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (&*self.0).into_iter()
    }
}

/// Values that are derived from shared ones, by key.
#[derive(Debug)]
pub struct Derived<K, T, V>(BTreeMap<K, (Shared<T>, V)>);

impl<K, T, V> Default for Derived<K, T, V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord + Clone, T, V> Derived<K, T, V> {
    /// Derives the values of those that have changed, drops those that are gone, and returns all.
    pub fn updated(
        &mut self,
        from: &BTreeMap<K, Shared<T>>,
        mut derive: impl FnMut(&K, &T) -> V,
    ) -> impl Iterator<Item = &V> {
        let mut before = std::mem::take(&mut self.0);
        for (key, shared) in from {
            let known = before.remove(key).filter(|(known, _)| known.is_same(shared));
            let derived = known.unwrap_or_else(|| (shared.clone(), derive(key, shared)));
            self.0.insert(key.clone(), derived);
        }
        self.0.values().map(|(_, derived)| derived)
    }
}
