//! Notifications of receivers.

mod delivery;
mod memory;
mod messages;
mod news;
mod receivers;

use std::path::Path;

use tidegate_daemon::reconciler::news::Kind;
use tidegate_daemon::reconciler::notification::{Address, Event, Notice, Protocol, Receiver, State, parse_address};
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::time::Timestamp;

/// Returns the moment some seconds after the start of a test.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_795_435_200 + seconds).unwrap()
}

pub(crate) fn instance() -> Instance {
    Instance { id: InstanceId::of(7), name: "prod-eu".to_owned() }
}

/// Returns a notice about an add-on.
pub(crate) fn notice(kind: Kind, addon: &str) -> Notice {
    Notice {
        event: Event::of(kind).unwrap(),
        kind,
        addon: Some(addon.parse().unwrap()),
        version: "1.27.1".to_owned(),
        digest: Some("0123456789ab".to_owned()),
        revision: Some("cdef01234567".to_owned()),
        clusters: Some(1_000),
        why: "canary: stopped by the failure budget: 2 failed, 1 allowed".to_owned(),
        remedy: "tidegate explain istio shows the clusters that failed".to_owned(),
        state: State { name: kind.reason(), level: 0 },
    }
}

/// Returns a receiver with an address in this file.
pub(crate) fn receiver(protocol: Protocol, address: &Path) -> Receiver {
    Receiver {
        number: 1,
        protocol,
        address: Address::File(address.to_owned()),
        secret_file: None,
        token_file: None,
        room: "!fleet/1:example.org".to_owned(),
        events: Event::ALL.to_vec(),
        addons: Vec::new(),
        link: Some(parse_address("https://git.example.com/platform/fleet/src/branch/tidegate/journal").unwrap()),
    }
}
