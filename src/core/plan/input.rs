//! The input of a plan.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use super::hub_objects::ownership::Ownership;
use super::report::{ClusterReport, Report};
use tidegate_api::fleet::Fleet;
use tidegate_api::key::{CERTIFICATES_GROUP, RBAC_GROUP};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::instance::Instance;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::object::{GroupKind, ObjectKey};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_repository::{Archive, Configuration, Repository, Unit};
use tidegate_rollout::gate::checks::Observations;
use tidegate_rollout::{Barrier, ClusterStatus, Gate, Status};

/// Who chooses the clusters of a Placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlacementMode {
    /// Tidegate does, and writes the PlacementDecisions: for hubs without a scheduler, and for the sandbox.
    Builtin,
    /// The hub's own scheduler does; its PlacementDecisions are read.
    Hub,
}

/// The input of a plan: the desired state, the observed state, and the current time.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The desired state.
    pub repository: &'a Repository,
    /// The observed state: one consistent observation.
    pub fleet: &'a Fleet,
    /// Group and kind of declared objects that cannot be observed, because the hub does not serve them or does not let
    /// Tidegate read them.
    pub unobserved: &'a BTreeSet<GroupKind>,
    /// Who chooses clusters.
    pub placement_mode: PlacementMode,
    /// Who renders add-ons and writes their works.
    pub delivery: Delivery,
    /// The instance that plans. Objects with the mark of another instance are not written.
    pub instance: &'a Instance,
    /// The revision that was seen last. A held removal records it, and is confirmed by naming it.
    pub revision: Option<&'a CommitId>,
    /// The results of earlier plans.
    pub past: &'a Past,
    /// The configurations of earlier revisions, which waiting clusters still have.
    pub archive: &'a Archive,
    /// The approvals in Git, and what judges changes besides their revision.
    pub approvals: &'a Approvals,
    /// What the checks of policies measured beside the plan.
    pub observations: &'a Observations,
    /// The current time.
    pub now: Timestamp,
}

/// Returns the kind of the objects that give agents their permissions on the hub.
pub(super) fn role_bindings() -> GroupKind {
    GroupKind::new(RBAC_GROUP, "RoleBinding")
}

/// Returns the kind of the requests of agents for certificates.
pub(super) fn certificate_requests() -> GroupKind {
    GroupKind::new(CERTIFICATES_GROUP, "CertificateSigningRequest")
}

/// Returns the kinds of the objects with which agents request tokens.
pub(super) fn token_kinds() -> [GroupKind; 3] {
    [GroupKind::new("", "ServiceAccount"), GroupKind::new(RBAC_GROUP, "Role"), role_bindings()]
}

impl<'a> Input<'a> {
    /// Returns the input of a plan without a past: nothing was approved, measured or reported before. The time is the epoch.
    pub fn offline(repository: &'a Repository, fleet: &'a Fleet, instance: &'a Instance) -> Self {
        static NOTHING: LazyLock<(BTreeSet<GroupKind>, Past, Archive)> = LazyLock::new(Default::default);
        let (unobserved, past, archive) = &*NOTHING;
        Self {
            repository,
            fleet,
            unobserved,
            placement_mode: PlacementMode::Builtin,
            delivery: Delivery::Native,
            instance,
            revision: None,
            past,
            archive,
            approvals: Approvals::none(),
            observations: Observations::none(),
            now: Timestamp::UNIX_EPOCH,
        }
    }

    /// Returns `true` if the RoleBindings of the hub cannot be watched, so that it is not known which of them exist.
    pub(super) fn bindings_are_unobserved(&self) -> bool {
        self.unobserved.contains(&role_bindings())
    }

    /// Returns `true` if the hub was not observed for a while until now. What clusters reported in the meantime is taken in by this
    /// plan, and counts for starts from the next one on.
    pub(super) fn is_first_look(&self) -> bool {
        self.past.is_old && self.repository.settings.rules().counts_from_start
    }

    /// Returns a recorded time as the clock of now would have shown it; see [`ClockSteps::adjusted`].
    pub(super) fn adjusted(&self, since: Timestamp) -> Timestamp {
        self.past.report.clock.adjusted(since, self.now)
    }

    /// Returns a recorded time like [`Input::adjusted`]; `None` if it is in the future without a reason: then the clock was set back when
    /// no time was measured.
    pub(super) fn since(&self, at: Timestamp) -> Option<Timestamp> {
        (at <= self.now || !self.past.report.clock.is_empty()).then(|| self.adjusted(at))
    }

    /// Returns the status of a cluster with times on the clock of now, and a deadline that does not count the time in which the hub was not
    /// observed. Compat counts all of it, as upstream does.
    pub(super) fn seen(&self, status: ClusterStatus) -> ClusterStatus {
        if !self.repository.settings.rules().counts_from_start {
            return status;
        }
        let (report, now) = (&self.past.report, self.now);
        let has_deadline = matches!(status.status, Status::Progressing | Status::Failed);
        let counted = |since: Timestamp| {
            let since = self.adjusted(since);
            if has_deadline { report.unseen.counted(since, now) } else { since }
        };
        ClusterStatus {
            last_transition: status.last_transition.map(counted),
            started: status.started.map(counted),
            ..status
        }
    }

    /// Returns the gate of the pause of an add-on, or of all add-ons. It also holds removals.
    pub(super) fn pause(&self, addon: &UnitName) -> Option<Gate> {
        let (source, pause) = self.repository.controls.pause_with_file(addon)?;
        Some(Gate { source, barrier: Barrier::Paused { reason: pause.reason.clone() } })
    }

    /// Returns the rules that decide who owns an object.
    pub fn ownership(&self) -> Ownership<'a> {
        Ownership { instance: self.instance, adopt: &self.repository.operator.adopt }
    }

    /// Returns a configuration with this hash, from the add-on as declared or from an earlier revision.
    pub(super) fn configuration(
        &self,
        declared: Option<&'a Unit>,
        reference: &ConfigReference,
        hash: &str,
    ) -> Option<&'a Configuration> {
        let current = declared.and_then(|addon| addon.configurations.get(reference));
        let current = current.filter(|config| config.spec_hash == hash);
        current.or_else(|| self.archive.get(reference, hash))
    }
}

/// The results of earlier plans, from this process or, after a restart, from the journal.
///
/// Decisions about removals depend on it: the last group of a cluster that no placement selects any longer, and which removals were
/// held.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// The last report.
    pub report: Arc<Report>,
    /// Whether the hub was not observed for a while since the last report.
    pub is_old: bool,
    /// The last complete reading of each Placement's decisions, where the hub's own scheduler writes them.
    pub readings: Readings,
    /// Decisions that the hub's scheduler made for a Placement that was not as declared. They are ignored until they change again, at
    /// most for a while.
    pub distrusted: Distrusted,
    /// Fields that others have added to declared objects, with the number of times in a row that they were removed.
    pub drifts: Drifts,
}

/// By object: the fields, and the number of times in a row that they were removed.
pub(super) type Drifts = BTreeMap<ObjectKey, (BTreeSet<String>, u32)>;

/// Decisions that may date from a time at which their Placement was not as declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distrust {
    /// The declared `spec` at that time.
    pub spec: Value,
    /// The groups in the decisions.
    pub groups: Vec<DecisionGroup>,
    /// When the scheduler has had enough time to answer the repair of the Placement.
    pub until: Timestamp,
}

/// Distrusted decisions by Placement.
pub(super) type Distrusted = BTreeMap<NamespacedName, Distrust>;

/// Decision groups by Placement.
pub(super) type Readings = BTreeMap<NamespacedName, Vec<DecisionGroup>>;

impl Past {
    /// Returns the last report about an add-on on a cluster.
    pub fn cluster(&self, addon: &UnitName, cluster: &ClusterName) -> Option<&ClusterReport> {
        self.report.addons.get(addon)?.clusters.get(cluster)
    }
}
