//! Leader election: what a replica does with the Lease, and that two replicas never may write at the same time.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::LeaseSpec;
use proptest::prelude::*;
use tidegate_daemon::reconciler::leader::{Election, Move, Timing};
use tidegate_model::time::Timestamp;
use tokio::time::Instant;

fn held_by(name: &str, renewal: i64) -> LeaseSpec {
    let election = Election::new(name.to_owned(), Timing::default());
    election.claim(None, Timestamp::from_second(renewal).unwrap())
}

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

#[test]
fn a_lease_is_taken_over_once_it_has_not_changed_for_as_long_as_it_is_valid() {
    let (mut election, start) = (Election::new("b".to_owned(), Timing::default()), Instant::now());
    let (first, renewed) = (held_by("a", 1), held_by("a", 2));
    assert_eq!(election.decide(Some(&first), start), Move::Wait);
    assert_eq!(election.decide(Some(&first), start + seconds(8)), Move::Wait);
    // The time counts from the last change that this replica has seen, however long it did not look.
    assert_eq!(election.decide(Some(&renewed), start + seconds(100)), Move::Wait);
    assert_eq!(election.decide(Some(&renewed), start + seconds(108)), Move::Wait);
    assert_eq!(election.decide(Some(&renewed), start + seconds(109)), Move::Take);
}

#[test]
fn the_date_of_a_lease_does_not_matter() {
    let (mut election, start) = (Election::new("b".to_owned(), Timing::default()), Instant::now());
    for renewal in [-62_135_596_800, 0, 253_402_207_200] {
        assert_eq!(election.decide(Some(&held_by("a", renewal)), start + seconds(60)), Move::Wait, "{renewal}");
    }
}

#[test]
fn a_longer_validity_is_respected_up_to_two_minutes_and_a_shorter_one_is_not() {
    for (claimed, expected) in [(Some(30), 30), (Some(1), 9), (Some(-5), 9), (None, 9), (Some(i32::MAX), 120)] {
        let (mut election, start) = (Election::new("b".to_owned(), Timing::default()), Instant::now());
        let lease = LeaseSpec { lease_duration_seconds: claimed, ..held_by("a", 1) };
        assert_eq!(election.decide(Some(&lease), start), Move::Wait);
        let after = |time: Duration| start + seconds(expected) + time - seconds(1);
        assert_eq!(election.decide(Some(&lease), after(Duration::ZERO)), Move::Wait, "{claimed:?}");
        assert_eq!(election.decide(Some(&lease), after(seconds(1))), Move::Take, "{claimed:?}");
    }
}

#[test]
fn a_lease_that_was_given_up_is_taken_at_once_and_a_missing_one_is_not() {
    let (mut election, start) = (Election::new("b".to_owned(), Timing::default()), Instant::now());
    let free = LeaseSpec { holder_identity: Some(String::new()), ..held_by("a", 1) };
    assert_eq!(election.decide(Some(&free), start), Move::Take);
    // Someone may have deleted the Lease of a replica that leads.
    assert_eq!(election.decide(None, start), Move::Wait);
    for second in [3, 6] {
        assert_eq!(election.decide(None, start + seconds(second)), Move::Wait);
    }
    assert_eq!(election.decide(None, start + seconds(9)), Move::Create);
    // It may have existed while this replica did not look.
    assert_eq!(election.decide(None, start + seconds(60)), Move::Wait);
}

#[test]
fn a_leader_renews_its_lease_creates_a_deleted_one_again_and_resigns_when_another_replica_holds_it() {
    let (mut election, start) = (Election::new("a".to_owned(), Timing::default()), Instant::now());
    assert_eq!(election.decide(Some(&held_by("a", 1)), start), Move::Renew);
    election.won();
    assert_eq!(election.decide(None, start), Move::Create);
    let free = LeaseSpec { holder_identity: None, ..held_by("a", 1) };
    for lease in [held_by("b", 1), free] {
        assert_eq!(election.decide(Some(&lease), start), Move::Resign);
    }
}

#[test]
fn only_a_change_of_the_holder_counts_as_a_transition() {
    let (first, at) = (held_by("a", 1), Timestamp::from_second(2).unwrap());
    let of = |name: &str| Election::new(name.to_owned(), Timing::default());
    let (renewed, taken) = (of("a").claim(Some(&first), at), of("b").claim(Some(&first), at));
    assert_eq!(
        (first.lease_transitions, renewed.lease_transitions, taken.lease_transitions),
        (Some(0), Some(0), Some(1))
    );
    assert_eq!(renewed.acquire_time, first.acquire_time);
    assert_eq!(taken.acquire_time, taken.renew_time);
}

/// One look of a replica at the Lease, in milliseconds.
#[derive(Debug, Clone)]
struct Look {
    replica: usize,
    /// Since the last look of any replica.
    after: u64,
    /// Between the moment at which the hub reads the Lease and that at which the replica gets it.
    answer: u64,
    /// Between that and the moment at which the hub gets what the replica writes.
    request: u64,
    /// Whether the replica crashes before it looks, and starts again under another name.
    crashes: bool,
    /// Whether a person deletes the Lease after that.
    is_deleted: bool,
}

fn look() -> impl Strategy<Value = Look> {
    let delay = || prop_oneof![8 => 0..200_u64, 2 => 0..10_000_u64, 1 => 0..3_600_000_u64];
    let parts = (0..3_usize, delay(), delay(), delay(), prop::bool::weighted(0.05), prop::bool::weighted(0.03));
    parts.prop_map(|(replica, after, answer, request, crashes, is_deleted)| Look {
        replica,
        after,
        answer,
        request,
        crashes,
        is_deleted,
    })
}

/// The Lease on the hub, and its resourceVersion.
#[derive(Default)]
struct Hub {
    lease: Option<LeaseSpec>,
    version: u64,
}

/// A write that is on its way to the hub.
struct Sent {
    arrives: u64,
    replica: usize,
    decided: Move,
    /// The resourceVersion that the Lease must have.
    upon: u64,
    lease: LeaseSpec,
    /// Until when the replica may write if the hub accepts it.
    until: u64,
}

proptest! {
    #[test]
    fn two_replicas_never_may_write_at_the_same_time(looks in prop::collection::vec(look(), 1..120)) {
        let (start, timing) = (Instant::now(), Timing::default());
        let deadline = u64::try_from(timing.deadline.as_millis()).unwrap();
        let mut names = 0..;
        let mut named = || format!("replica-{}", names.next().unwrap());
        let mut elections: Vec<Election> = (0..3).map(|_| Election::new(named(), timing)).collect();
        // When each replica can look again: it does one thing at a time.
        let (mut free, mut until) = ([0_u64; 3], [0_u64; 3]);
        let (mut hub, mut now, mut sent) = (Hub::default(), 0, Vec::<Sent>::new());
        let mut deleted_at = None;
        for look in looks {
            now = (now + look.after).max(free[look.replica]);
            sent.sort_by_key(|write| write.arrives);
            for write in sent.extract_if(.., |write| write.arrives <= now) {
                let is_accepted = hub.version == write.upon && hub.lease.is_none() == (write.decided == Move::Create);
                if is_accepted {
                    let others = (0..3).filter(|other| *other != write.replica);
                    let writing: Vec<usize> = others.filter(|other| until[*other] > write.arrives).collect();
                    prop_assert!(writing.is_empty(), "{} leads at {}, and {writing:?} may write", write.replica, write.arrives);
                    // Otherwise the process that sent it has crashed.
                    if write.lease.holder_identity.as_deref() == Some(elections[write.replica].me()) {
                        elections[write.replica].won();
                    }
                    hub = Hub { lease: Some(write.lease), version: hub.version + 1 };
                    until[write.replica] = write.until;
                }
            }
            if look.crashes {
                elections[look.replica] = Election::new(named(), timing);
                // What the old process has sent still arrives, and what it may do until then counts.
            }
            let election = &mut elections[look.replica];
            let (seen, upon) = (hub.lease.clone(), hub.version);
            let decides = now + look.answer;
            let decided = election.decide(seen.as_ref(), start + Duration::from_millis(decides));
            match decided {
                Move::Create | Move::Take | Move::Renew => {
                    let at = Timestamp::from_millisecond(i64::try_from(decides).unwrap()).unwrap();
                    let lease = election.claim(seen.as_ref(), at);
                    let arrives = decides + look.request;
                    sent.push(Sent { arrives, replica: look.replica, decided, upon, lease, until: decides + deadline });
                    free[look.replica] = arrives + 1;
                }
                Move::Wait => free[look.replica] = decides,
                Move::Resign => {
                    *election = Election::new(named(), timing);
                    until[look.replica] = 0;
                }
            }
            // Someone who deletes it again and again could make any replica miss that it existed.
            if look.is_deleted && deleted_at.is_none_or(|at| now > at + 20_000) {
                deleted_at = Some(now);
                hub = Hub { lease: None, version: hub.version + 1 };
            }
        }
    }
}
