//! Changes of digests: who made each one, and what was in force before it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::basis::Basis;
use super::fact::Fact;
use super::pull::Pulls;
use super::subject::Authors;
use super::voucher::{RulesVoucher, Vouched};
use tidegate_api::rollout_policy::PolicySet;
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::replaced::Replaced;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};

/// Everything that is known about approvals at a revision.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Approvals {
    /// The approvals in Git, whether they count or not.
    pub facts: Vec<Fact>,
    /// The pull requests on the forge, with what people said about them.
    pub pulls: Arc<Pulls>,
    /// The last changes of the digest of each add-on, and of the rules under the name [`RULES`], newest first.
    pub changes: BTreeMap<UnitName, Vec<Change>>,
    /// The digests that are not in force any more.
    pub replaced: BTreeMap<UnitName, Replaced>,
    /// What the operator of the daemon says about rules.
    pub operator: Arc<Operator>,
}

/// The name under which changes of the rules are approved, as those of an add-on are. No add-on may have it.
pub const RULES: &str = "rules.tidegate.io";

/// What the operator of the daemon says about rules, in the daemon's own file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Operator {
    /// The RolloutPolicies that always apply.
    pub policies: PolicySet,
    /// How long a change of the rules waits until it takes effect without approval; `None` if it waits until it is approved.
    pub delay: Option<SignedDuration>,
}

/// A change of the digest of an add-on, or of the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The new digest.
    pub digest: Digest,
    /// The revision that brought it.
    pub commit: CommitId,
    /// The digest before; `None` if the add-on is new.
    pub from: Option<Digest>,
    /// Who made it, according to Git.
    pub authors: Authors,
    /// The revisions whose rules were in force when it was made: first the one whose people may approve, then those of which only the
    /// RolloutPolicies count. A revision does not decide by which rules it is judged.
    pub rules: Vec<Vouched<Arc<Basis>>>,
    /// The revision from which the add-on changed.
    pub before: Arc<Basis>,
    /// The revision that has the new digest.
    pub after: Arc<Basis>,
}

/// The last digest of each add-on that all its clusters completed.
pub type GoodDigests = BTreeMap<UnitName, Digest>;

impl Change {
    /// Returns the revisions that may declare the add-on, and whether they must: the one after the change, and the one before it.
    pub(super) fn declaring(&self) -> impl Iterator<Item = (&Basis, bool)> {
        [(&*self.after, true), (&*self.before, self.from.is_some())].into_iter()
    }

    /// Returns `true` if the add-on was not in force before the change. The revision before it may declare it nevertheless: the add-on may have
    /// left since. The first revision that is followed has nothing before it.
    pub(super) fn is_of_new(&self) -> bool {
        let is_first_revision = matches!(self.rules.first().map(|rules| &rules.by), Some(RulesVoucher::First(_)));
        self.from.is_none() && !is_first_revision
    }
}

impl Approvals {
    /// Returns the value for plans that no one approves.
    pub fn none() -> &'static Self {
        static NONE: LazyLock<Approvals> = LazyLock::new(Approvals::default);
        &NONE
    }

    /// Returns the name under which changes of the rules are recorded.
    pub fn rules() -> UnitName {
        static NAME: LazyLock<UnitName> = LazyLock::new(|| RULES.parse().expect("it is a name"));
        NAME.clone()
    }

    /// Returns when a digest of an add-on left force last; `None` if it never did.
    pub fn replaced(&self, addon: &UnitName, digest: &Digest) -> Option<Timestamp> {
        self.replaced.get(addon).and_then(|replaced| replaced.last(digest))
    }
}
