//! Which notices are sent, and which are not sent again.

use super::{at, notice};
use tidegate_daemon::reconciler::news::Kind;
use tidegate_daemon::reconciler::notification::{Memory, Notice};

fn kinds(notices: Vec<Notice>) -> Vec<Kind> {
    notices.into_iter().map(|notice| notice.kind).collect()
}

/// Notes a notice about an add-on, and returns whether it is sent.
fn is_sent(memory: &mut Memory, kind: Kind, addon: &str, seconds: i64) -> bool {
    memory.note(notice(kind, addon), at(seconds)).is_some()
}

use Kind::{AddonHeld, AddonReleased, ClustersDegraded, RolloutCompleted, RolloutResumed, RolloutStopped};

#[test]
fn the_same_state_is_sent_once_for_each_add_on() {
    let mut memory = Memory::default();
    assert!(is_sent(&mut memory, RolloutStopped, "istio", 0));
    assert!(!is_sent(&mut memory, RolloutStopped, "istio", 1));
    assert!(!is_sent(&mut memory, RolloutStopped, "istio", 1_000_000), "it is still the same");
    assert!(is_sent(&mut memory, RolloutStopped, "otel", 2));
    assert!(is_sent(&mut memory, AddonHeld, "istio", 3), "another part of the add-on's state");
    let mut other = notice(RolloutStopped, "istio");
    other.state.name.push_str(" of another digest");
    assert!(memory.note(other, at(4)).is_some());
}

#[test]
fn a_change_of_state_is_sent_at_once() {
    let mut memory = Memory::default();
    for (at, kind) in [RolloutStopped, RolloutResumed, RolloutCompleted].into_iter().enumerate() {
        assert!(is_sent(&mut memory, kind, "istio", i64::try_from(at).unwrap()), "{kind:?}");
    }
    assert_eq!(memory.look_at(), None);
}

#[test]
fn a_state_that_returns_soon_is_sent_after_a_quiet_time_if_it_still_holds() {
    let mut memory = Memory::default();
    assert!(is_sent(&mut memory, AddonHeld, "istio", 0));
    assert!(is_sent(&mut memory, AddonReleased, "istio", 10));
    assert!(!is_sent(&mut memory, AddonHeld, "istio", 20));
    assert_eq!(memory.look_at(), Some(at(300)));
    assert_eq!(kinds(memory.due(at(299))), []);
    assert_eq!(kinds(memory.due(at(300))), [AddonHeld]);
    assert_eq!(memory.look_at(), None);
}

#[test]
fn what_changes_back_and_forth_is_sent_ever_more_rarely_and_the_last_word_is_true() {
    let mut memory = Memory::default();
    let mut sent = Vec::new();
    for minute in 0..600 {
        sent.extend(memory.due(at(minute * 60)));
        let kind = if minute % 2 == 0 { AddonHeld } else { AddonReleased };
        sent.extend(memory.note(notice(kind, "istio"), at(minute * 60)));
    }
    assert!(sent.len() <= 16, "{} notices in ten hours", sent.len());
    let last = |memory: &mut Memory| kinds(memory.due(at(1_000_000)));
    assert!(last(&mut memory) == [AddonReleased] || sent.last().unwrap().kind == AddonReleased);
}

#[test]
fn a_state_that_is_over_before_its_quiet_time_ends_is_not_sent() {
    let mut memory = Memory::default();
    assert!(is_sent(&mut memory, AddonHeld, "istio", 0));
    assert!(is_sent(&mut memory, AddonReleased, "istio", 10));
    assert!(!is_sent(&mut memory, AddonHeld, "istio", 20));
    assert!(!is_sent(&mut memory, AddonReleased, "istio", 30), "it was sent last");
    assert_eq!((memory.look_at(), kinds(memory.due(at(10_000)))), (None, Vec::new()));
}

#[test]
fn a_state_that_gets_worse_is_sent_again_and_one_that_does_not_is_not() {
    let mut memory = Memory::default();
    let mut degraded = |level: u32, seconds: i64| {
        let mut notice = notice(ClustersDegraded, "istio");
        notice.state.level = level;
        memory.note(notice, at(seconds)).is_some()
    };
    assert!(degraded(0, 0));
    assert!(degraded(2, 1));
    assert!(!degraded(1, 2));
    assert!(!degraded(2, 3));
    assert!(degraded(3, 4));
}
