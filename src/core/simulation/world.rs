//! The world of a schedule: it goes forward in steps, and everything in it is drawn from the seed.

use std::sync::LazyLock;

use tidegate_checker::Checker;
use tidegate_model::random::Random;
use tidegate_model::time::{SignedDuration, Timestamp};

use super::agents::Agents;
use super::declared::Commits;
use super::hub::Hub;
use super::replica::{Lease, Remote, Replica};
use super::revision::{Form, Revision};
use super::schedule::{Event, Faults, Schedule};
use super::{Observer, Protection};

/// Everything there is.
pub(crate) struct World {
    pub(crate) observer: Option<Observer>,
    pub(super) form: Form,
    pub(super) hub: Hub,
    pub(super) agents: Agents,
    pub(super) now: Timestamp,
    /// How far the clocks of all machines were set ahead.
    pub(super) ahead: SignedDuration,
    pub(super) commits: Commits,
    pub(super) remote: Remote,
    pub(super) replicas: Vec<Replica>,
    pub(super) lease: Lease,
    pub(super) judge: Checker,
    pub(super) random: Random,
    pub(super) faults: Faults,
    pub(super) protection: Protection,
    pub(super) interval: SignedDuration,
    pub(super) trace: Vec<String>,
    pub(super) plans: usize,
    pub(super) writes: usize,
    pub(super) events: Vec<(u64, Event)>,
    pub(super) last: Revision,
    pub(super) heals_core: bool,
}

/// What a step leaves to do.
#[derive(Debug, Default)]
pub(super) struct Next {
    /// Whether something happened that others react to.
    pub(super) is_busy: bool,
    /// When something happens even if nothing else does.
    pub(super) at: Vec<Timestamp>,
}

impl World {
    pub(crate) fn new(seed: u64, protection: Protection, form: Form) -> Self {
        let mut random = Random::new(seed);
        let Schedule { mut events, last, heals_core, faults, replicas, interval } = Schedule::draw(&mut random);
        events.reverse();
        for (_, event) in &mut events {
            if let Event::Commit(revision) = event {
                revision.form = form;
            }
        }
        let last = Revision { form, ..last };
        Self {
            observer: None,
            form,
            hub: Hub::default(),
            agents: Agents::default(),
            now: begin(),
            ahead: SignedDuration::ZERO,
            commits: Commits::default(),
            remote: Remote::default(),
            replicas: (0..replicas).map(|_| Replica::default()).collect(),
            lease: Lease { holder: None, expires: begin() },
            judge: Checker::new(),
            random,
            faults,
            protection,
            interval: SignedDuration::from_secs(interval),
            trace: Vec::new(),
            plans: 0,
            writes: 0,
            events,
            last,
            heals_core,
        }
    }

    /// Returns `true` if a cluster heals in the end.
    pub(super) fn is_in_core(&self, cluster: &str) -> bool {
        let number = cluster.trim_start_matches('c').parse().unwrap_or(0_u8);
        !self.heals_core || number < 2 || number % 2 == 0
    }

    /// Adds a line to the trace.
    pub(super) fn note(&mut self, what: std::fmt::Arguments<'_>) {
        let second = begin().duration_until(self.now).as_secs();
        self.trace.push(format!("{second:>4} s {what}"));
    }
}

pub(super) fn begin() -> Timestamp {
    static BEGIN: LazyLock<Timestamp> =
        LazyLock::new(|| "2026-03-01T12:00:00Z".parse().unwrap_or(Timestamp::UNIX_EPOCH));
    *BEGIN
}
