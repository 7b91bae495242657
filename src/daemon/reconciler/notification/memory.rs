//! Decides which notices are sent: none twice, and a state that changes back and forth ever more rarely.
//!
//! Each add-on has a few subjects, such as its rollout. Of each, the state that was notified last is kept: the same state is not
//! notified again. A state that returns within a quiet time waits until the end of that time, and is dropped if it is over by
//! then, so the last notice is always true. The quiet time doubles with each return.

use std::collections::BTreeMap;
use std::time::Duration;

use super::event::Event;
use super::notice::{Notice, State};
use tidegate_model::backoff::Backoff;
use tidegate_model::name::UnitName;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The quiet time of a state.
const QUIET: Backoff = Backoff { first: Duration::from_secs(5 * 60), longest: Duration::from_secs(6 * 60 * 60) };
/// After this time, a state is forgotten.
const FORGET: SignedDuration = SignedDuration::from_hours(24);
/// Number of states of a subject that are remembered.
const REMEMBERED: usize = 64;

/// What notices are about: an add-on, and a part of its state that changes on its own.
type Subject = (Option<UnitName>, Topic);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Topic {
    Rollout,
    Approval,
    Health,
    Hold,
}

/// The notices that were sent.
#[derive(Debug, Default)]
pub struct Memory(BTreeMap<Subject, Known>);

#[derive(Debug, Default)]
struct Known {
    current: Option<State>,
    /// When each state was notified last, and how often.
    sent: BTreeMap<String, (Timestamp, u32)>,
    waiting: Option<(Timestamp, Notice)>,
}

impl Memory {
    /// Returns the notice if it is to be sent now.
    pub fn note(&mut self, notice: Notice, now: Timestamp) -> Option<Notice> {
        let known = self.0.entry((notice.addon.clone(), topic(notice.event))).or_default();
        known.waiting = None;
        let is_current = |state: &State| state.name == notice.state.name && state.level >= notice.state.level;
        if known.current.as_ref().is_some_and(is_current) {
            return None;
        }
        let is_worse = known.current.as_ref().is_some_and(|state| state.name == notice.state.name);
        let quiet = known.sent.get(&notice.state.name).and_then(|(at, times)| {
            let quiet = SignedDuration::try_from(QUIET.after(*times)).ok()?;
            at.checked_add(quiet).ok()
        });
        match quiet.filter(|end| *end > now && !is_worse) {
            Some(end) => {
                known.waiting = Some((end, notice));
                None
            }
            None => Some(known.send(notice, now)),
        }
    }

    /// Returns the notices whose quiet time is over.
    pub fn due(&mut self, now: Timestamp) -> Vec<Notice> {
        let due = |known: &mut Known| {
            let (_, notice) = known.waiting.take_if(|(end, _)| *end <= now)?;
            Some(known.send(notice, now))
        };
        self.0.values_mut().filter_map(due).collect()
    }

    /// Returns when the next quiet time is over after which a notice is sent.
    pub fn look_at(&self) -> Option<Timestamp> {
        self.0.values().filter_map(|known| known.waiting.as_ref()).map(|(end, _)| *end).min()
    }
}

impl Known {
    fn send(&mut self, notice: Notice, now: Timestamp) -> Notice {
        self.current = Some(notice.state.clone());
        self.sent.retain(|_, (at, _)| now.duration_since(*at) < FORGET);
        if self.sent.len() >= REMEMBERED {
            let oldest = self.sent.iter().min_by_key(|(_, (at, _))| *at).map(|(name, _)| name.clone());
            oldest.and_then(|name| self.sent.remove(&name));
        }
        let (at, times) = self.sent.entry(notice.state.name.clone()).or_insert((now, 0));
        (*at, *times) = (now, times.saturating_add(1));
        notice
    }
}

fn topic(event: Event) -> Topic {
    match event {
        Event::Halted | Event::Completed => Topic::Rollout,
        Event::Gate => Topic::Approval,
        Event::Degraded => Topic::Health,
        Event::Held => Topic::Hold,
    }
}
