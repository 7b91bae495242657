//! The condition that records that a cluster was late.

use tidegate_api::condition::Condition;
use tidegate_api::key;
use tidegate_delivery::status::overdue;
use tidegate_model::time::SignedDuration;

use super::fixture::{cluster_addon, condition, entries};

fn took(conditions: &[Condition]) -> Option<SignedDuration> {
    overdue::took(&cluster_addon(&entries("a/x=1<1"), conditions))
}

#[test]
fn a_late_cluster_took_the_time_from_its_start_to_its_late_success() {
    let started = |second| condition(key::CONFIGURED, "True", "R", second);
    let late = |second| condition(key::OVERDUE, "False", "DoneLate", second);
    assert_eq!(took(&[started(40), late(100)]), Some(SignedDuration::from_secs(60)));
    assert_eq!(took(&[started(40)]), None);
    assert_eq!(took(&[late(100)]), None);
    assert_eq!(
        took(&[condition(key::CONFIGURED, "False", "R", 40), late(100)]),
        None,
        "it waits for other configurations"
    );
    assert_eq!(took(&[started(101), late(100)]), None, "its configuration was changed and changed back since then");
}
