//! Names of revisions that are used again for another content.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::complaint::{Complaint, Rule};
use crate::types::{Published, Repository};
use crate::unit::Source;
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::name::{NamespacedName, UnitName};

/// Blocks the AppDeployments that use a revision which had another digest before. What is known of earlier revisions stays known: those that
/// left the repository, and the first content of one that was published again.
///
/// After a restart, what the last good revisions of AppDeployments have is known.
pub(super) fn block(
    repository: &mut Repository,
    good: &BTreeMap<UnitName, Arc<Repository>>,
    last: Option<&Repository>,
) {
    let mut known: BTreeMap<&NamespacedName, &Published> = BTreeMap::new();
    known.extend(last.into_iter().flat_map(|last| last.former_revisions.iter().chain(&last.revisions)));
    // The last good revision of another unit may be newer.
    known.extend(good.iter().flat_map(|(unit, good)| used(good, unit)));
    let is_other = |(name, published): &(&NamespacedName, &Published)| {
        known.get(name).is_some_and(|known| known.digest != published.digest)
    };
    let again: BTreeMap<NamespacedName, Published> =
        repository.revisions.iter().filter(is_other).map(|(name, again)| (name.clone(), again.clone())).collect();
    repository.may_prune &= again.is_empty();
    for (name, Published { digest, place, .. }) in &again {
        let before = known.get(name).map(|known| known.digest.short()).unwrap_or_default();
        let message = format!(
            "revision {:?} was published before with digest {before}, and has {} now; restore the file, and publish the change as another \
             revision",
            name.name,
            digest.short(),
        );
        let units: Vec<UnitName> = users(repository, name).cloned().collect();
        let complaint = Complaint {
            addons: Arc::new(units.iter().cloned().collect()),
            ..Complaint::new(Rule::Application, Diagnostic::error(place.clone(), message))
        };
        for unit in units {
            repository.blocked.entry(unit).or_default().push(complaint.clone());
        }
    }
    let is_former = |name: &NamespacedName| again.contains_key(name) || !repository.revisions.contains_key(name);
    let former = known.into_iter().filter(|(name, _)| is_former(name));
    repository.former_revisions = former.map(|(name, published)| (name.clone(), published.clone())).collect();
    repository.revisions.retain(|name, _| !again.contains_key(name));
}

/// Returns the revisions that a unit uses.
fn used<'r>(repository: &'r Repository, unit: &UnitName) -> impl Iterator<Item = (&'r NamespacedName, &'r Published)> {
    let source = repository.addons.get(unit).map(|unit| &unit.source);
    let all = repository.former_revisions.iter().chain(&repository.revisions);
    all.filter(move |(name, _)| source.is_some_and(|source| uses(source, name)))
}

/// Returns the AppDeployments that use a revision.
fn users<'r>(repository: &'r Repository, revision: &'r NamespacedName) -> impl Iterator<Item = &'r UnitName> {
    repository.addons.iter().filter(|(_, unit)| uses(&unit.source, revision)).map(|(name, _)| name)
}

fn uses(source: &Source, revision: &NamespacedName) -> bool {
    match source {
        Source::Application(application) => {
            application.name.namespace() == revision.namespace && application.revisions.contains_key(&revision.name)
        }
        Source::AddOn { .. } => false,
    }
}
