//! When leases were renewed, by the clock of this process: neither a clock that is wrong nor one that is set makes a leader alive or dead.

use std::collections::BTreeMap;

use tokio::time::Instant;

use tidegate_api::lease::Lease;
use tidegate_delivery::upstream::manager::RENEWED;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The age of an old lease that may be renewed: it counts neither as fresh nor as one whose leader is gone.
const UNDECIDED: SignedDuration = SignedDuration::from_mins(10);

/// The leases that were seen.
#[derive(Debug, Default)]
pub(super) struct Renewals(BTreeMap<String, Seen>);

#[derive(Debug)]
struct Seen {
    renewed: Option<Timestamp>,
    /// When it was first seen as renewed at that time.
    since: Instant,
    /// Whether it was renewed after it was first seen.
    was_renewed: bool,
}

impl Renewals {
    /// Returns the leases as of now, each with the time of its renewal by this clock, as far as it is known.
    pub(super) fn dated(&mut self, leases: Vec<Lease>, now: Timestamp) -> Vec<Lease> {
        leases.into_iter().map(|lease| Lease { renewed: self.renewed(&lease, now), ..lease }).collect()
    }

    fn renewed(&mut self, lease: &Lease, now: Timestamp) -> Option<Timestamp> {
        let first = || Seen { renewed: lease.renewed, since: Instant::now(), was_renewed: false };
        let seen = self.0.entry(lease.name.clone()).or_insert_with(first);
        if seen.renewed != lease.renewed {
            *seen = Seen { was_renewed: true, ..first() };
        }
        let ago = |span: SignedDuration| now.checked_sub(span).unwrap_or(Timestamp::MIN);
        let observed = ago(SignedDuration::try_from(seen.since.elapsed()).unwrap_or(SignedDuration::MAX));
        let renewed = lease.renewed?;
        Some(match seen.was_renewed {
            true => observed,
            // A time in the future is that of a wrong clock. The lease was renewed before it was first seen.
            false if renewed > now => observed,
            false if !lease.holder.is_empty() && seen.since.elapsed() < RENEWED.unsigned_abs() => {
                renewed.max(ago(UNDECIDED))
            }
            false => renewed.min(observed),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minute)
    }

    /// Returns the age of a lease in minutes, renewed at this minute of the hub's clock, at a minute of the own clock.
    fn age(renewals: &mut Renewals, renewed: i64, now: i64) -> i64 {
        let lease = Lease { name: "manager-lock".to_owned(), holder: "a".to_owned(), renewed: Some(at(renewed)) };
        let dated = renewals.dated(vec![lease], at(now));
        at(now).duration_since(dated[0].renewed.unwrap()).as_mins()
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_is_renewed_is_fresh_whatever_the_clocks_say() {
        for wrong in [-120, 120] {
            let mut renewals = Renewals::default();
            for minute in [500, 501, 502, 503] {
                assert!(age(&mut renewals, minute, minute + wrong) <= 10, "its leader does not count as gone");
                tokio::time::advance(RENEWED.unsigned_abs()).await;
            }
            assert_eq!(age(&mut renewals, 503, 504 + wrong), 1);
            // The clock is set while the leader runs.
            assert_eq!(age(&mut renewals, 504, 504 - wrong), 0);
            tokio::time::advance(20 * RENEWED.unsigned_abs()).await;
            assert_eq!(age(&mut renewals, 504, 524 - wrong), 20, "its leader no longer renews it");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_old_lease_may_be_renewed_for_a_minute_after_it_was_first_seen() {
        let mut renewals = Renewals::default();
        assert_eq!(age(&mut renewals, 100, 102), 2, "a fresh one is fresh");
        let mut renewals = Renewals::default();
        assert_eq!(age(&mut renewals, 100, 700), 10);
        tokio::time::advance(RENEWED.unsigned_abs()).await;
        assert_eq!(age(&mut renewals, 100, 701), 601);
    }
}
