//! Steps of the clock of a machine. What was recorded before a step is a time of another clock.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::time::{SignedDuration, Timestamp};
use super::unseen::{Gap, Unseen};

/// The steps of the clock since the oldest time that still matters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockSteps {
    /// The times that steps forward have left out.
    #[serde(default, skip_serializing_if = "Unseen::is_empty")]
    forward: Unseen,
    /// By how many seconds the clock was set back, in all.
    #[serde(default, skip_serializing_if = "is_zero")]
    back_seconds: i64,
}

impl ClockSteps {
    /// Returns `true` if there was no step.
    pub fn is_empty(&self) -> bool {
        self.forward.is_empty() && self.back_seconds == 0
    }

    /// Records a step: the clock shows `now` instead of `expected`.
    pub fn add(&mut self, expected: Timestamp, now: Timestamp) {
        if now > expected {
            self.forward.add(Gap { from: expected, to: now });
        } else {
            let back = now.duration_until(expected);
            self.back_seconds = self.back_seconds.saturating_add(back.as_secs());
            self.forward.take_back(now, back);
        }
    }

    /// Returns a time that was recorded before, on the clock of now: the time since then is what has really passed. Never later than `now`.
    pub fn adjusted(&self, since: Timestamp, now: Timestamp) -> Timestamp {
        let back = SignedDuration::from_secs(self.back_seconds);
        // A time in the future was recorded before the clock was set back.
        let since = if since > now { since.checked_sub(back).unwrap_or(now).min(now) } else { since };
        self.forward.shifted(since, now, SignedDuration::ZERO)
    }
}

// Serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(seconds: &i64) -> bool {
    *seconds == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap_or_default()
    }

    #[test]
    fn a_step_forward_is_no_time_that_has_passed() {
        let mut steps = ClockSteps::default();
        steps.add(at(130), at(10_130));
        // It soaked for 30 seconds before the step, and for 20 after it.
        assert_eq!(steps.adjusted(at(100), at(10_150)), at(10_100));
        assert_eq!(steps.adjusted(at(10_140), at(10_150)), at(10_140));
    }

    #[test]
    fn a_step_back_stretches_nothing() {
        let mut steps = ClockSteps::default();
        steps.add(at(10_030), at(30));
        assert_eq!(steps.adjusted(at(10_000), at(50)), at(0));
        assert_eq!(steps.adjusted(at(40), at(50)), at(40), "it was recorded after the step");
        assert_eq!(ClockSteps::default().adjusted(at(99), at(50)), at(50), "a time in the future is now");
    }

    #[test]
    fn a_clock_that_returns_leaves_nothing_behind() {
        let mut steps = ClockSteps::default();
        steps.add(at(130), at(10_130));
        steps.add(at(10_150), at(150));
        assert_eq!(steps.adjusted(at(100), at(160)), at(100));
    }
}
