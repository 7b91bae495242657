//! A repository, a hub and a daemon for one test, and ways to inspect and change them.

mod approvals;
mod clock;
mod commits;
mod fleet;
mod gate;
mod recorded;
mod replica;
pub(super) mod requests;
mod running;
mod settled;
mod setup;

pub(crate) use self::clock::now;
pub(super) use self::clock::{PATIENCE, eventually};
pub(crate) use self::commits::git_in;
pub(super) use self::fleet::{addon_path, work_path};
pub(super) use self::gate::HubGate;
pub(super) use self::replica::Waiting;
pub(super) use self::running::{Running, instance_of, short};
pub(super) use self::setup::{World, empty_hub};
