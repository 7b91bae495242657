//! Changes of digests: who made each one, and whose rules judge it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fact::Fact;
use super::people::People;
use super::subject::{Author, Authors};
use tidegate_model::digest::Digest;
use tidegate_model::name::AddonName;

/// Everything that is known about approvals at a revision.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Approvals {
    /// The approvals, whether they count or not.
    pub facts: Vec<Fact>,
    /// The last changes of the digest of each add-on, newest first.
    pub changes: BTreeMap<AddonName, Vec<Change>>,
}

/// A change of the digest of an add-on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The new digest.
    pub digest: Digest,
    /// The digest before; `None` if the add-on is new.
    pub from: Option<Digest>,
    /// Who made it.
    pub authors: Authors,
    /// The people of the revision before. A revision does not decide who may approve it.
    pub people: Arc<People>,
}

impl Approvals {
    /// Returns the people who may approve a digest, and who made the change to it.
    ///
    /// `settled` is a digest that needs no approval any more, such as the one that all clusters have: all changes since then are judged
    /// together, because the digest contains all of them. Without it, only the last change is judged.
    pub fn of(&self, addon: &AddonName, digest: &Digest, settled: Option<&Digest>) -> (Arc<People>, Authors) {
        let all = self.changes.get(addon).map(Vec::as_slice).unwrap_or_default();
        let mut people = Arc::default();
        let mut authors: Vec<Author> = Vec::new();
        let mut is_found = false;
        for change in all.iter().skip_while(|change| change.digest != *digest) {
            is_found = true;
            people = change.people.clone();
            match &change.authors {
                Authors::Known(known) => authors.extend(known.iter().cloned()),
                Authors::Unknown(why) => return (people, Authors::Unknown(why.clone())),
            }
            if settled.is_none() || change.from.as_ref() == settled || change.from.is_none() {
                authors.sort();
                authors.dedup();
                return (people, Authors::Known(authors));
            }
        }
        let why = if is_found { "older changes are not recorded" } else { "the change to this digest is not recorded" };
        (people, Authors::Unknown(why.to_owned()))
    }
}
