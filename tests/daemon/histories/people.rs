//! What people decide beyond a single command: approvals, and confirmations of removals.

use std::collections::BTreeSet;

use tidegate_consent::Approvals;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::Phase;
use tidegate_repository::adopt::{LeftOut, adopt};

use super::super::adopt::{fleet, unmark};
use super::play::{SETTINGS, Stage};
use super::unit::Unit;

impl Stage {
    fn latest(&self) -> Option<Snapshot> {
        let snapshot = self.daemon.as_ref()?.latest();
        (snapshot.tick > 0 && self.world.repository().exists()).then(|| (*snapshot).clone())
    }

    /// Bob approves the rules and the digest that wait, and overrides a freeze if `break_glass`.
    pub(super) fn approve(&self, break_glass: bool) {
        let Some(snapshot) = self.latest() else { return };
        let rules = snapshot.report.rules.as_ref().and_then(|rules| rules.waiting.as_ref());
        if let Some(waiting) = rules {
            self.world.approve(&Approvals::rules(), &waiting.digest, false);
        }
        for unit in Unit::ALL {
            let report = snapshot.report.addons.get(unit.name());
            if let Some(digest) = report.and_then(|report| report.digest.as_ref()) {
                self.world.approve(&unit.unit_name(), digest, break_glass);
            }
        }
    }

    /// While no daemon runs, someone removes the marks of the instance, and adopts the hub. The files declare the add-on, or a reason says why
    /// they do not.
    pub(super) async fn adopt(&mut self) {
        if !self.is_complete() {
            return;
        }
        self.stop().await;
        unmark(&self.world).await;
        let adoption = adopt(&*fleet(&self.world).await, &BTreeSet::new());
        assert!(adoption.unwritable.is_empty(), "{:?}", adoption.unwritable);
        let name = Unit::AddOn.name();
        let is_declared = |key: &ObjectKey| key.kind == "ClusterManagementAddOn" && key.name == name;
        let is_left_out = |left: &LeftOut| left.object == format!("ClusterManagementAddOn {name}");
        let is_known =
            adoption.objects.values().flatten().any(is_declared) || adoption.left_out.iter().any(is_left_out);
        assert!(is_known, "{adoption:?}");
        self.edited.extend((1..=10).flat_map(|number| ["aws", "gcp"].map(|cloud| format!("{cloud}-{number:03}"))));
        self.start(false).await;
    }

    /// Returns `true` if a removal is held, or no cluster is left, which is a problem of an add-on.
    pub(super) fn is_held(&self) -> bool {
        let snapshot = self.latest();
        let mut addons = snapshot.iter().flat_map(|snapshot| snapshot.report.addons.values());
        addons.any(|addon| {
            let problem = addon.problem.as_deref().unwrap_or_default();
            addon.phase == Phase::Held || problem.contains("cannot be scheduled")
        })
    }

    /// Someone confirms the removals that are held.
    pub(super) fn confirm(&self) {
        let Some(snapshot) = self.latest() else { return };
        let holds = snapshot.report.addons.values().filter_map(|addon| addon.removal.as_ref());
        let revisions: Vec<String> =
            holds.filter_map(|hold| hold.revision.as_ref()).map(|revision| format!("{:?}", revision.short())).collect();
        if revisions.is_empty() {
            return;
        }
        let settings = self.world.read("main", SETTINGS);
        let kept: Vec<&str> = settings.lines().filter(|line| !line.starts_with("confirm = ")).collect();
        let confirmed = format!("{}\nconfirm = [{}]\n", kept.join("\n"), revisions.join(", "));
        if confirmed != settings {
            self.world.commit("confirm", [(SETTINGS.to_owned(), Some(confirmed.into_bytes()))].into());
        }
    }
}
