//! Values whose changes are recorded.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tidegate_model::shared::Shared;

/// A value whose changes are recorded.
pub(crate) trait Tracked: Sized {
    /// What has changed.
    type Change: Serialize + DeserializeOwned + std::fmt::Debug;

    /// Returns what has changed since `before`, or everything if there is nothing before; `None` if nothing has changed.
    fn change(&self, before: Option<&Self>) -> Option<Self::Change>;

    /// Returns the value after a change; `None` if the change does not fit what is before.
    fn changed(before: Option<Self>, change: Self::Change) -> Option<Self>;
}

/// What has changed in a map.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MapChange<K, C> {
    changed: Vec<(K, C)>,
    removed: Vec<K>,
}

impl<K, V> Tracked for BTreeMap<K, V>
where
    K: Ord + Clone + Serialize + DeserializeOwned + std::fmt::Debug,
    V: Tracked,
{
    type Change = MapChange<K, V::Change>;

    fn change(&self, before: Option<&Self>) -> Option<Self::Change> {
        let value = |key: &K| before.and_then(|before| before.get(key));
        let changes = self.iter().filter_map(|(key, now)| Some((key.clone(), now.change(value(key))?)));
        let changed: Vec<_> = changes.collect();
        let keys = before.into_iter().flat_map(BTreeMap::keys);
        let removed: Vec<K> = keys.filter(|key| !self.contains_key(key)).cloned().collect();
        let is_same = before.is_some() && changed.is_empty() && removed.is_empty();
        (!is_same).then_some(MapChange { changed, removed })
    }

    fn changed(before: Option<Self>, change: Self::Change) -> Option<Self> {
        let mut map = before.unwrap_or_default();
        for key in change.removed {
            map.remove(&key)?;
        }
        for (key, change) in change.changed {
            let value = V::changed(map.remove(&key), change)?;
            map.insert(key, value);
        }
        Some(map)
    }
}

impl<T: Tracked + Clone> Tracked for Shared<T> {
    type Change = T::Change;

    fn change(&self, before: Option<&Self>) -> Option<Self::Change> {
        if before.is_some_and(|before| self.is_same(before)) {
            return None;
        }
        (**self).change(before.map(|before| &**before))
    }

    fn changed(before: Option<Self>, change: Self::Change) -> Option<Self> {
        T::changed(before.map(Self::into_inner), change).map(Self::from)
    }
}

impl<T: Tracked + Clone> Tracked for Arc<T> {
    type Change = T::Change;

    fn change(&self, before: Option<&Self>) -> Option<Self::Change> {
        if before.is_some_and(|before| Self::ptr_eq(self, before)) {
            return None;
        }
        (**self).change(before.map(|before| &**before))
    }

    fn changed(before: Option<Self>, change: Self::Change) -> Option<Self> {
        T::changed(before.map(Self::unwrap_or_clone), change).map(Self::new)
    }
}

/// Lets values be recorded as a whole when they change.
macro_rules! whole {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::tracked::Tracked for $type {
            // A list with one entry, because the value may be absent as well, like the change.
            type Change = (Self,);

            fn change(&self, before: Option<&Self>) -> Option<(Self,)> {
                (before != Some(self)).then(|| (self.clone(),))
            }

            fn changed(_: Option<Self>, (change,): (Self,)) -> Option<Self> {
                Some(change)
            }
        }
    )+};
}

/// Lets the fields of a struct be recorded on their own. All fields have to be named.
macro_rules! fields {
    ($type:ident as $change:ident { $($field:ident: $of:ty),+ $(,)? }) => {
        #[doc = concat!("What has changed in a [`", stringify!($type), "`], by field.")]
        #[derive(Debug, serde::Serialize, serde::Deserialize)]
        pub(crate) struct $change {
            $($field: Option<<$of as $crate::tracked::Tracked>::Change>,)+
        }

        impl $crate::tracked::Tracked for $type {
            type Change = $change;

            fn change(&self, before: Option<&Self>) -> Option<$change> {
                let Self { $($field),+ } = self;
                let change = $change {
                    $($field: $crate::tracked::Tracked::change($field, before.map(|before| &before.$field)),)+
                };
                let is_same = true $(&& change.$field.is_none())+;
                (!is_same).then_some(change)
            }

            fn changed(before: Option<Self>, change: $change) -> Option<Self> {
                Some(match before {
                    Some(before) => Self {
                        $($field: match change.$field {
                            Some(change) => <$of as $crate::tracked::Tracked>::changed(Some(before.$field), change)?,
                            None => before.$field,
                        },)+
                    },
                    None => Self {
                        $($field: <$of as $crate::tracked::Tracked>::changed(None, change.$field?)?,)+
                    },
                })
            }
        }
    };
}

pub(crate) use {fields, whole};
