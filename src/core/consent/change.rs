//! Changes of digests: who made each one, and whose rules judge it.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::fact::Fact;
use super::people::People;
use super::pull::Pulls;
use super::subject::{Author, Authors};
use super::vouched;
use tidegate_api::rollout_policy::PolicySet;
use tidegate_model::digest::Digest;
use tidegate_model::name::AddonName;

/// Everything that is known about approvals at a revision.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Approvals {
    /// The approvals in Git, whether they count or not.
    pub facts: Vec<Fact>,
    /// The pull requests on the forge, with what people said about them.
    pub pulls: Arc<Pulls>,
    /// The last changes of the digest of each add-on, newest first.
    pub changes: BTreeMap<AddonName, Vec<Change>>,
}

/// A change of the digest of an add-on.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The new digest.
    pub digest: Digest,
    /// The digest before; `None` if the add-on is new.
    pub from: Option<Digest>,
    /// Who made it, according to Git.
    pub authors: Authors,
    /// The people of the revision from which it is counted. A revision does not decide who may approve it.
    pub people: Arc<People>,
    /// The RolloutPolicies of the revision from which it is counted. They apply to the change as well, so that a revision cannot loosen the rules for itself.
    pub policies: Arc<PolicySet>,
}

/// What judges a digest besides the revision that brought it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judges {
    /// The people who may approve it.
    pub people: Arc<People>,
    /// Who made the change to it.
    pub authors: Authors,
    /// Who made the earlier changes that are judged with the last one.
    pub earlier: Authors,
    /// The RolloutPolicies that were in force before it.
    pub policies: Arc<PolicySet>,
}

impl Approvals {
    /// Returns the value for plans that no one approves.
    pub fn none() -> &'static Self {
        static NONE: LazyLock<Approvals> = LazyLock::new(Approvals::default);
        &NONE
    }

    /// Returns what judges a digest: who may approve it, who made the change to it, and the policies before it.
    ///
    /// `settled` is a digest that needs no approval any more, such as the one that all clusters have: all changes since then are judged
    /// together, because the digest contains all of them. Without it, only the last change is judged.
    pub fn of(&self, addon: &AddonName, digest: &Digest, settled: Option<&Digest>) -> Judges {
        let all = self.changes.get(addon).map(Vec::as_slice).unwrap_or_default();
        let (mut people, mut policies) = (Arc::default(), Arc::default());
        let mut last: Option<Authors> = None;
        let mut earlier: Vec<Author> = Vec::new();
        for change in all.iter().skip_while(|change| change.digest != *digest) {
            (people, policies) = (change.people.clone(), change.policies.clone());
            let authors = vouched::of_change(change, addon, &self.pulls);
            match (&last, authors) {
                (None, authors) => last = Some(authors),
                (Some(_), Authors::Known(known)) => earlier.extend(known),
                (Some(_), unknown) => {
                    return Judges { people, authors: unknown.clone(), earlier: unknown, policies };
                }
            }
            if settled.is_none() || change.from.as_ref() == settled || change.from.is_none() {
                let all = last.as_ref().unwrap_or(&change.authors).with(&earlier);
                return Judges { people, authors: all, earlier: Authors::known(earlier), policies };
            }
        }
        let why =
            if last.is_some() { "older changes are not recorded" } else { "the change to this digest is not recorded" };
        let unknown = Authors::Unknown(why.to_owned());
        Judges { people, authors: unknown.clone(), earlier: unknown, policies }
    }
}
