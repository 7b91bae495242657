//! Does the hub grant what Tidegate needs?

use std::fmt;

use crate::doctor::facts::{Facts, Review};
use crate::doctor::line::{Level, Verdict, few};
use crate::doctor::permission::Need;
use tidegate_delivery::upstream::DeliveryMode;

/// The permissions that are missing.
pub(super) struct Denied {
    /// Each verb on a resource.
    missing: Vec<String>,
    checked: usize,
    level: Level,
    /// Whether only Events would be missing.
    only_events: bool,
}

/// Judges the answers of the hub, for a daemon with these settings.
pub(super) fn permissions(all: &[Review], facts: &Facts) -> Denied {
    let is_needed = |review: &&Review| match review.permission.need {
        _ if review.permission.is_native && facts.delivery == DeliveryMode::Upstream => false,
        Need::Always | Need::Declared => true,
        Need::BuiltinPlacement => facts.builtin_placement,
        Need::Events => facts.events,
        // What these are needed for is a check of its own.
        Need::Doctor => false,
    };
    let needed: Vec<&Review> = all.iter().filter(is_needed).collect();
    let denied: Vec<&&Review> = needed.iter().filter(|review| !review.is_allowed).collect();
    let level = |review: &&&Review| match review.permission.need {
        Need::Always | Need::BuiltinPlacement => Level::Fail,
        // The repository may declare no such object, and Events are only news.
        Need::Declared | Need::Events | Need::Doctor => Level::Warn,
    };
    Denied {
        checked: needed.len(),
        level: denied.iter().map(level).max().unwrap_or(Level::Ok),
        only_events: denied.iter().all(|review| review.permission.need == Need::Events),
        missing: denied.iter().map(|review| format!("{} {}", review.verb, named(review))).collect(),
    }
}

fn named(review: &Review) -> String {
    let Review { permission, resource, .. } = review;
    if permission.group.is_empty() { (*resource).to_owned() } else { format!("{resource}.{}", permission.group) }
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { missing, checked, .. } = self;
        if missing.is_empty() {
            return write!(f, "all {checked} are granted");
        }
        write!(f, "{} of {checked} are missing: {}", missing.len(), few(missing.iter().map(String::as_str)))
    }
}

impl Verdict for Denied {
    fn level(&self) -> Level {
        self.level
    }

    fn fix(&self) -> Option<String> {
        match self.level {
            Level::Ok => None,
            _ if self.only_events => Some("apply the output of `tidegate rbac`, or run with --events off".to_owned()),
            Level::Warn => {
                Some("apply the output of `tidegate rbac`, unless the repository declares no such objects".to_owned())
            }
            Level::Fail => Some("apply the output of `tidegate rbac` to the hub".to_owned()),
        }
    }
}
