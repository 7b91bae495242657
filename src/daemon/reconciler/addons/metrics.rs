//! Metrics with a label for the add-on. The series of an add-on are removed when it leaves the repository.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::rollouts;
use tidegate_model::name::UnitName;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::shared::Shared;
use tidegate_plan::report::{AddonReport, Report};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
enum State {
    Succeeded,
    Progressing,
    Failed,
    Waiting,
}

/// The phases as labels; see [`Phase`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
enum InPhase {
    Completed,
    Progressing,
    Stopped,
    Refused,
    Removing,
    Held,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByAddon {
    addon: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByState {
    addon: String,
    state: State,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByPhase {
    addon: String,
    phase: InPhase,
}

const STATES: [State; 4] = [State::Succeeded, State::Progressing, State::Failed, State::Waiting];
const PHASES: [(InPhase, Phase); 6] = [
    (InPhase::Removing, Phase::Removing),
    (InPhase::Held, Phase::Held),
    (InPhase::Completed, Phase::Completed),
    (InPhase::Progressing, Phase::Progressing),
    (InPhase::Stopped, Phase::Stopped),
    (InPhase::Refused, Phase::Refused),
];

/// The state of each add-on. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    clusters: Family<ByState, Gauge>,
    degraded: Family<ByAddon, Gauge>,
    leaving: Family<ByAddon, Gauge>,
    phase: Family<ByPhase, Gauge>,
    stopped: Family<ByAddon, Gauge>,
    repairs: Family<ByAddon, Counter>,
    rollouts: rollouts::Metrics,
    known: Arc<Mutex<BTreeMap<UnitName, Shared<AddonReport>>>>,
}

impl Metrics {
    /// Registers the metrics.
    pub fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        let Self { clusters, degraded, leaving, phase, stopped, repairs, rollouts, known: _ } = metrics.clone();
        rollouts.register(registry);
        registry.register("tidegate_clusters", "Clusters of an add-on by state", clusters);
        registry.register(
            "tidegate_clusters_degraded",
            "Clusters that succeeded and whose add-on has stopped working since",
            degraded,
        );
        registry.register("tidegate_clusters_leaving", "Clusters from which an add-on is being removed", leaving);
        registry.register("tidegate_addon_phase", "1 for the phase of the add-on, 0 for the others", phase);
        registry.register(
            "tidegate_addon_stopped",
            "1 if the rollout of the add-on is stopped by too many failures, else 0",
            stopped,
        );
        registry.register(
            "tidegate_repairs",
            "Objects that someone else changed or deleted and that were written again",
            repairs,
        );
        metrics
    }

    /// Records the state of the add-ons, and removes those that are gone.
    pub fn planned(&self, report: &Report) {
        let mut known = self.known.lock();
        let is_known =
            |name: &UnitName, addon: &Shared<AddonReport>| known.get(name).is_some_and(|it| it.is_same(addon));
        for (name, addon) in report.addons.iter().filter(|(name, addon)| !is_known(name, addon)) {
            self.record(name, addon);
            self.rollouts.record(name, known.get(name).map(|before| &**before), addon);
        }
        known.keys().filter(|name| !report.addons.contains_key(*name)).for_each(|name| self.forget(name));
        known.clone_from(&report.addons);
    }

    /// Counts a repair; for an object that belongs to no add-on, the label is empty.
    pub fn repaired(&self, addon: Option<&UnitName>) {
        let addon = addon.map(ToString::to_string).unwrap_or_default();
        self.repairs.get_or_create(&ByAddon { addon }).inc();
    }

    fn record(&self, name: &UnitName, report: &AddonReport) {
        let addon = || name.to_string();
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let Counts { succeeded, progressing, failed, waiting, degraded, total: _, leaving: _ } = report.counts();
        for (state, count) in STATES.into_iter().zip([succeeded, progressing, failed, waiting]) {
            self.clusters.get_or_create(&ByState { addon: addon(), state }).set(number(count));
        }
        for (label, phase) in PHASES {
            let labels = ByPhase { addon: addon(), phase: label };
            self.phase.get_or_create(&labels).set(i64::from(report.phase == phase));
        }
        let by_addon = ByAddon { addon: addon() };
        let leaving = report.clusters.values().filter(|cluster| cluster.state.is_unselected()).count();
        self.degraded.get_or_create(&by_addon).set(number(degraded));
        self.leaving.get_or_create(&by_addon).set(number(leaving));
        self.stopped.get_or_create(&by_addon).set(i64::from(report.phase == Phase::Stopped));
        let _ = self.repairs.get_or_create(&by_addon);
    }

    /// Removes the series of an add-on, if there are any.
    fn forget(&self, name: &UnitName) {
        let addon = || name.to_string();
        for state in STATES {
            self.clusters.remove(&ByState { addon: addon(), state });
        }
        for (phase, _) in PHASES {
            self.phase.remove(&ByPhase { addon: addon(), phase });
        }
        let by_addon = ByAddon { addon: addon() };
        for family in [&self.degraded, &self.leaving, &self.stopped] {
            family.remove(&by_addon);
        }
        self.repairs.remove(&by_addon);
        self.rollouts.forget(name);
    }
}
