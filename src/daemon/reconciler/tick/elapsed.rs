//! The time between ticks: steps of the clock, and times in which the hub was not observed or no one delivered.

use std::sync::Arc;
use std::time::Duration;

use super::ticker::Ticker;
use crate::reconciler::absence::Part;
use tidegate_model::time::{SignedDuration, Timestamp, to_seconds};
use tidegate_model::unseen::Gap;

/// What people should know while a step of the clock matters.
const CLOCK_WAS_SET: &str = "the clock of the daemon's machine was set while clusters were under way; soak times and deadlines do not count the \
                             difference, but windows, freezes and the age of approvals follow the clock";
/// Clocks that differ by more are a problem, as for `tidegate doctor`.
const APART: SignedDuration = SignedDuration::from_mins(5);

impl Ticker {
    /// Records since when the hub cannot be used, and why.
    pub(crate) fn note_absence(&mut self, why: &str, since: tokio::time::Instant) {
        self.gaps.lost();
        self.metrics.absences.lost_since(Part::Hub, why, (since, self.clock.now()));
    }

    /// Returns `true` if the last tick of this process was longer ago than expected.
    pub(crate) fn is_out_of_date(&self) -> bool {
        self.count > 0 && self.gaps.at(self.clock.now()).is_some()
    }

    /// Records that the next tick follows within this time.
    pub(crate) fn expect(&mut self, after: Duration) {
        self.gaps.expect(self.clock.now(), after);
    }

    /// Returns since when clusters have waited for an add-on manager that is away.
    fn manager_away_since(&self) -> Option<Timestamp> {
        self.chooser.away_since(|| self.memory.past.report.is_underway())
    }

    /// Returns the time on the hub if its clock and that of this machine are far apart.
    fn time_of_hub(&self, now: Timestamp) -> Option<Timestamp> {
        self.hub.time().filter(|time| time.duration_until(now).abs() >= APART)
    }

    /// Records a step of the clock since the last tick. The first tick compares the clock with the last entry of the journal, and with the
    /// clock of the hub: it may have been set while no daemon ran.
    fn note_clock(&mut self, now: Timestamp) {
        let stepped = self.clock_watch.stepped(now);
        let while_away = || {
            // An entry of the journal that is later than now was written before the clock was set back.
            let journaled = self.memory.looked.filter(|looked| *looked > now);
            journaled.or_else(|| self.time_of_hub(now)).filter(|_| self.count == 1)
        };
        let Some(expected) = stepped.or_else(while_away) else { return };
        tracing::warn!(%expected, %now, "the clock of this machine was set; soak times and deadlines do not count the difference");
        self.metrics.clock_steps.inc();
        self.gaps.stepped(expected, now);
        let report = Arc::make_mut(&mut self.memory.past.report);
        report.clock.add(expected, now);
        report.unseen.stepped(expected, now);
    }

    /// Records the time in which the hub was not observed, if it ends now, and the time in which no one delivered.
    pub(super) fn note_gap(&mut self, now: Timestamp) {
        self.note_clock(now);
        let gap = self.gaps.at(now);
        self.gaps.looked(now);
        self.memory.past.is_old = gap.is_some();
        if let Some(gap) = gap {
            tracing::info!(from = %gap.from, to = %gap.to, "the hub was not looked at; this time does not count for deadlines");
            Arc::make_mut(&mut self.memory.past.report).unseen.add(gap);
        }
        if let Some(from) = self.manager_away_since() {
            Arc::make_mut(&mut self.memory.past.report).unseen.add(Gap { from, to: now });
        }
    }

    /// Returns what people should know about the clocks and the add-on manager.
    pub(super) fn notices_of_time(&self, now: Timestamp) -> impl Iterator<Item = String> {
        let away = self.manager_away_since().map(|since| manager_is_away(to_seconds(since)));
        let clock = (!self.memory.past.report.clock.is_empty()).then(|| CLOCK_WAS_SET.to_owned());
        let apart = self.time_of_hub(now).map(|time| clocks_differ(time < now));
        away.into_iter().chain(clock).chain(apart)
    }
}

fn clocks_differ(is_ahead: bool) -> String {
    format!(
        "the clock of the daemon's machine is five minutes or more {} that of the hub; windows, freezes and the age of approvals follow it; \
         check the time synchronization of both",
        if is_ahead { "ahead of" } else { "behind" }
    )
}

fn manager_is_away(since: Timestamp) -> String {
    format!(
        "OCM's add-on manager, which delivers, has been away since {since}, so the clusters that are under way wait; start it \
         (`kubectl get pods -n {}`)",
        tidegate_api::key::HUB_NAMESPACE
    )
}
