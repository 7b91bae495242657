//! Gates in the forecast of one placement.
//!
//! Windows, freezes, limits and the clusters under way with other units at the begin are known. Approvals count as given at once, and other
//! units as done, because nothing says when that will be.

use super::gates::{Gates, Turn};
use crate::GroupKey;
use crate::forecast::{Admission, Gatekeeper};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::time::Timestamp;

/// The gates of one placement in virtual time.
pub struct Foreseen<'a, 't> {
    gates: Gates<'a>,
    turn: Turn<'t>,
    groups: &'t [DecisionGroup],
}

impl<'a, 't> Foreseen<'a, 't> {
    /// Creates the gates of a placement with these decision groups.
    pub fn new(gates: Gates<'a>, turn: Turn<'t>, groups: &'t [DecisionGroup]) -> Self {
        Self { gates, turn: Turn { is_foreseen: true, ..turn }, groups }
    }
}

impl Gatekeeper for Foreseen<'_, '_> {
    fn admit(&mut self, cluster: &str, group: i32, now: Timestamp) -> Admission {
        let Ok(name) = cluster.parse() else { return Admission::Open };
        let named = self.groups.iter().find(|known| known.index == group).map(|known| known.name.clone());
        let group = GroupKey { index: group, name: named.unwrap_or_default() };
        self.gates.advance(now);
        match self.gates.admit(&self.turn, &name, &group) {
            None => Admission::Open,
            Some(gate) => Admission::Closed { why: gate.to_string(), until: gate.look_at() },
        }
    }

    fn finish(&mut self, cluster: &str) {
        if let Ok(name) = cluster.parse() {
            self.gates.finish(self.turn.unit, &name);
        }
    }
}
