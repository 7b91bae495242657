//! Concurrent writes, with optimistic locking.

use std::sync::Arc;

use serde_json::json;

use super::api_error::ApiError;
use super::handle::Sandbox;
use super::kind::Catalog;
use super::object;
use super::request::Target;
use super::store::{Key, Place, Stored};
use super::verbs::{Transaction, Written};

/// How many times a write is attempted optimistically before it takes the lock.
const ATTEMPTS: usize = 3;

/// Result of an optimistic write.
enum Attempt {
    /// The write is done, or was refused.
    Done(Result<Written, ApiError>),
    /// A concurrent write changed the object, its namespace or the catalog.
    Stale,
    /// The write affects more than one object.
    More,
}

impl Sandbox {
    /// Writes one object while other writes may be running. The write first runs on an excerpt of the store, without blocking
    /// others. If a concurrent write interferes too often, or if the write affects more than one object, it runs on the store.
    pub(crate) fn write(
        &self,
        target: &Target,
        name: &str,
        act: impl Fn(&mut Transaction<'_>) -> Result<Written, ApiError>,
    ) -> Result<Written, ApiError> {
        for _ in 0..ATTEMPTS {
            match self.attempt(target, name, &act) {
                Attempt::Done(result) => return result,
                Attempt::Stale => {}
                Attempt::More => break,
            }
        }
        self.transact(act)
    }

    fn attempt(
        &self,
        target: &Target,
        name: &str,
        act: impl Fn(&mut Transaction<'_>) -> Result<Written, ApiError>,
    ) -> Attempt {
        let (now, catalog) = (self.now(), self.catalog());
        let places: Vec<Place> = [target.place(name)].into_iter().chain(namespace_of(target, &catalog)).collect();
        let mut excerpt = self.read(|store| store.excerpt(&places));
        let before: Vec<Option<Stored>> = places.iter().map(|place| excerpt.stored(place).cloned()).collect();
        let mut transaction = Transaction::new(&catalog, &mut excerpt, now);
        let result = act(&mut transaction);
        if !transaction.is_all() {
            return Attempt::More;
        }
        let mut changes = excerpt.into_changes();
        let (kind, change, mut written) = match (changes.pop(), changes.is_empty(), result) {
            (None, _, result) => return Attempt::Done(result),
            (Some((kind, change)), true, Ok(written)) => (kind, change, written),
            _ => return Attempt::More,
        };
        let revision = {
            let mut store = self.hub.store.write();
            let is_same = |(place, before): (&Place, &Option<Stored>)| match (store.stored(place), before) {
                (Some(stored), Some(before)) => stored.is(before),
                (stored, before) => stored.is_none() && before.is_none(),
            };
            let is_known = places.iter().any(|place| place.kind == kind && place.key == change.key);
            let is_free = || !store.contains(&Place::new(kind, change.key.clone()));
            let is_same_catalog = Arc::ptr_eq(&catalog, &self.hub.catalog.read());
            if !is_same_catalog || !places.iter().zip(&before).all(is_same) || !(is_known || is_free()) {
                return Attempt::Stale;
            }
            let uid = object::text(&written.object, "uid").to_owned();
            let Some(revision) = store.take_over(kind, change, &uid) else { return Attempt::More };
            revision
        };
        self.notify(revision);
        let object = Arc::make_mut(&mut written.object);
        object::set(object, "resourceVersion", Some(json!(revision.to_string())));
        Attempt::Done(Ok(written))
    }
}

/// Returns the place of the namespace object of a target.
fn namespace_of(target: &Target, catalog: &Catalog) -> Option<Place> {
    let namespaces = catalog.named("", "Namespace").filter(|_| !target.namespace.is_empty())?;
    Some(Place::new(namespaces.index, Key::new("", &target.namespace)))
}
