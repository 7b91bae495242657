//! The gates of an add-on in the plan of a change, and in rehearsals.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use super::unit::outlook::PlacementOutlook;
use tidegate_api::fleet::Fleet;
use tidegate_consent::{Approvals, Authors, GoodDigests, Judges, RulesVoucher, Vouched};
use tidegate_model::name::UnitName;
use tidegate_model::plural::counted;
use tidegate_model::time::Timestamp;
use tidegate_repository::Repository;
use tidegate_rollout::Status;
use tidegate_rollout::forecast::Forecast;
use tidegate_rollout::gate::{Foreseen, Gates, Policies, Reaction, Traffic, Turn, checks};

/// What guards the rollout of an add-on: the policies of both revisions, and the control files.
#[derive(Debug, Clone, Copy)]
pub struct Guards<'a> {
    /// The add-on.
    pub addon: &'a UnitName,
    /// The revision that is in force now. Its policies judge the change as well.
    pub base: Option<&'a Repository>,
    /// The revision after the change.
    pub head: &'a Repository,
    /// The clusters.
    pub fleet: &'a Fleet,
}

/// The people, authors and policies that decide about the change, by add-on.
pub type Judged = BTreeMap<UnitName, Judges>;

/// In a plan, every check counts as passed.
static NO_CHECKS: LazyLock<checks::Judged> = LazyLock::new(checks::Judged::default);

/// In a plan, every required unit counts as done.
static NO_UNITS: BTreeSet<UnitName> = BTreeSet::new();

/// A revision without policies and control files.
static NOTHING: LazyLock<Repository> = LazyLock::new(Repository::default);

/// A fleet without clusters.
static NOBODY: LazyLock<Fleet> = LazyLock::new(Fleet::default);

impl<'a> Guards<'a> {
    /// Returns the guards of an add-on without gates.
    pub fn none(addon: &'a UnitName) -> Self {
        Self { addon, base: None, head: &NOTHING, fleet: &NOBODY }
    }

    /// Returns the people, authors and policies that decide about the change, by add-on.
    pub fn judges(&self) -> Judged {
        let authors = Authors::Unknown("the authors of a plan are not known".to_owned());
        let before = self.base.map(|base| Arc::new(tidegate_repository::basis(base)));
        let after = tidegate_repository::basis(self.head);
        let before = Vouched::new(before.unwrap_or_else(|| Arc::new(after.clone())), RulesVoucher::Base);
        let judges = Approvals::none().of_proposal(
            self.addon,
            before,
            after.addons.get(self.addon),
            (authors, None),
            &GoodDigests::default(),
        );
        [(self.addon.clone(), judges)].into()
    }

    fn policies<'j>(&'j self, judges: &'j Judged) -> Policies<'j> {
        Policies::new(&self.head.policies, judges)
    }

    /// Returns the gates of a placement in virtual time.
    pub fn foreseen<'j>(
        &'j self,
        judges: &'j Judged,
        placement: &'j PlacementOutlook,
        now: Timestamp,
    ) -> Foreseen<'j, 'j> {
        let gates = Gates::new(self.policies(judges), &self.fleet.clusters, Traffic::default(), now);
        let (holds, approvals) = (&[][..], &[][..]);
        let placed = placement.placement.as_ref();
        let turn = Turn {
            unit: self.addon,
            placement: placed,
            holds,
            approvals,
            checks: &NO_CHECKS,
            rolls_back: false,
            is_foreseen: true,
            requires: &NO_UNITS,
        };
        Foreseen::new(gates, turn, &placement.groups)
    }

    /// Returns the gates of a placement in words.
    pub fn described(&self, judges: &Judged, placement: &PlacementOutlook) -> Vec<String> {
        self.policies(judges).described(self.addon, placement.placement.as_ref())
    }

    /// Returns `true` if the rollout goes through all clusters, whatever fails.
    pub fn tolerates(&self, judges: &Judged, placement: &PlacementOutlook) -> bool {
        let reaction = self.policies(judges).reaction(self.addon, placement.placement.as_ref());
        reaction.as_ref().is_some_and(Reaction::continues)
    }

    /// Returns which control file holds the rollout, or which gate clusters wait for at the end of a forecast.
    pub fn closed(&self, placement: &str, forecast: &Forecast) -> Option<String> {
        if let Some((file, pause)) = self.head.controls.pause_with_file(self.addon) {
            return Some(format!("{file} pauses it: {}", pause.reason));
        }
        let why = forecast.closed.as_ref()?;
        let waiting = forecast.clusters.iter().filter(|run| run.status == Status::ToApply).count();
        Some(format!("placement {placement}: {} never start: {why}", counted(waiting, "cluster")))
    }
}
