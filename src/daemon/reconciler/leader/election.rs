//! Decides what a replica does with the Lease.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::LeaseSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use tidegate_model::time::Timestamp;
use tokio::time::Instant;

/// How long a Lease is valid, and how often it is renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The others take over a Lease that has not changed for this time.
    pub duration: Duration,
    /// A leader that could not renew its Lease for this time sends no more writes. Shorter than `duration`.
    pub deadline: Duration,
    /// How often the leader renews the Lease, and the others look at it.
    pub period: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        let of = Duration::from_secs;
        Self { duration: of(9), deadline: of(6), period: of(2) }
    }
}

/// The Lease as it was seen last.
#[derive(Debug)]
struct Seen {
    /// `None` if it does not exist.
    lease: Option<LeaseSpec>,
    /// Since when it has not changed.
    since: Instant,
    /// When it was seen last.
    at: Instant,
}

/// The longest validity that is believed, whatever a Lease claims.
const LONGEST: Duration = Duration::from_secs(120);

/// What to do with the Lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Create it.
    Create,
    /// Become its holder, in place of another replica or of no one.
    Take,
    /// Renew it: this replica holds it.
    Renew,
    /// Look at it again later.
    Wait,
    /// End: this replica led, and does not hold the Lease any more.
    Resign,
}

/// What a replica knows of the Lease.
#[derive(Debug)]
pub struct Election {
    me: String,
    timing: Timing,
    /// What was seen last.
    seen: Option<Seen>,
    /// Whether this replica has ever led.
    has_led: bool,
}

impl Election {
    /// Creates the state of a replica with this name, which no other replica has.
    pub fn new(me: String, timing: Timing) -> Self {
        Self { me, timing, seen: None, has_led: false }
    }

    /// Decides from the Lease as it was read, `None` if it does not exist, and the time after that, on a monotonic clock of this machine.
    pub fn decide(&mut self, lease: Option<&LeaseSpec>, now: Instant) -> Move {
        let holder = lease.map(holder);
        if holder == Some(self.me.as_str()) {
            return Move::Renew;
        }
        match (holder, self.has_led) {
            // Someone deleted it. The others wait, so that this replica can create it again.
            (None, true) => return Move::Create,
            (Some(_), true) => return Move::Resign,
            // It was given up in order.
            (Some(""), false) => return Move::Take,
            (_, false) => {}
        }
        // Between two looks, a missing Lease may have existed, so they must be close together.
        let longest = if lease.is_some() { Duration::MAX } else { 2 * self.timing.period };
        let unchanged = self.seen.take().filter(|seen| seen.lease.as_ref() == lease && now - seen.at <= longest);
        let since = unchanged.map_or(now, |seen| seen.since);
        self.seen = Some(Seen { lease: lease.cloned(), since, at: now });
        match lease {
            _ if now - since < self.validity(lease) => Move::Wait,
            Some(_) => Move::Take,
            None => Move::Create,
        }
    }

    /// Records that this replica holds the Lease. Returns `true` the first time.
    pub fn won(&mut self) -> bool {
        !std::mem::replace(&mut self.has_led, true)
    }

    /// Returns the name of this replica.
    pub fn me(&self) -> &str {
        &self.me
    }

    /// Returns the timing of this replica.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Returns the specification of the Lease that this replica writes.
    pub fn claim(&self, before: Option<&LeaseSpec>, now: Timestamp) -> LeaseSpec {
        let is_renewed = before.is_some_and(|before| holder(before) == self.me);
        let transitions = before.and_then(|before| before.lease_transitions);
        let acquired = before.filter(|_| is_renewed).and_then(|before| before.acquire_time.clone());
        LeaseSpec {
            holder_identity: Some(self.me.clone()),
            lease_duration_seconds: i32::try_from(self.timing.duration.as_secs()).ok(),
            lease_transitions: Some(match transitions {
                Some(transitions) if is_renewed => transitions,
                Some(transitions) => transitions.saturating_add(1),
                None => 0,
            }),
            acquire_time: Some(acquired.unwrap_or(MicroTime(now))),
            renew_time: Some(MicroTime(now)),
            ..LeaseSpec::default()
        }
    }

    /// Returns how long a Lease is valid: for as long as its holder says, and at least for as long as this replica would.
    fn validity(&self, lease: Option<&LeaseSpec>) -> Duration {
        let claimed = lease.and_then(|lease| u64::try_from(lease.lease_duration_seconds?).ok());
        claimed.map(Duration::from_secs).unwrap_or_default().clamp(self.timing.duration, LONGEST)
    }
}

/// Returns who holds a Lease; empty if no one does.
pub(super) fn holder(lease: &LeaseSpec) -> &str {
    lease.holder_identity.as_deref().unwrap_or_default()
}
