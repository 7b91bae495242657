//! The fleet as a document: what a plan needs of a hub, so that a plan can be made without the hub.
//!
//! A [`Snapshot`] is written as `fleet.yaml`: one line per cluster, sorted, so that a change to one cluster is one line of diff. The same
//! fleet gives the same bytes. Nothing in it changes just because time passes: it has no resourceVersions, generations or heartbeats. It
//! has no Secrets and no content of works.
//!
//! ```text
//! fleet of the hub --Snapshot::of--> Snapshot --to_yaml--> fleet.yaml --read--> Snapshot --fleet--> fleet for a plan
//! ```

mod capture;
mod listing;
mod record;
mod restore;
mod text;

pub use self::listing::{Filter, FleetList, Health, Listing, Row, RowState, UnknownState};
pub use self::record::{
    Availability, Cluster, Configuration, Group, HubAddon, HubObject, HubPlacement, Installed, InstalledState,
    NEVER_APPLIED, Owner, Scores, Snapshot, Unreadable,
};
pub use self::text::Error;
