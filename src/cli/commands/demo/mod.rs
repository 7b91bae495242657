//! `tidegate demo`: a repository, a hub with a simulated fleet, the daemon and an upgrade, all on this machine.

mod forge;
mod page;
mod people;
mod place;
mod repository;
mod run;
mod running;
mod scenario;
mod stage;

pub(crate) use run::run;

/// The add-on that is upgraded, the file that contains its version, and the two versions.
pub(super) const ADDON: &str = "hello-template";
pub(super) const FILE: &str = "fleet/addons/hello-template/addon.yaml";
pub(super) const FROM: &str = "0.4.0";
pub(super) const TO: &str = "0.4.1";
/// A version that no simulated cluster can run, and the directory of the templates.
pub(super) const BROKEN: &str = "9.9.9";
pub(super) const TEMPLATES: &str = "fleet/addons/hello-template";
