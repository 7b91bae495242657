//! Reading the statuses of add-on objects and computing their next values: pure functions over API types.
//!
//! Owns the rules between a rollout decision and the objects of the hub: which configurations a cluster should have
//! ([`layer`]), how far it has come with them ([`state`]), what is written when it starts ([`merge`], [`configured`]) and when
//! it is done ([`progress`], [`works`]), and the summary of all clusters of a placement (`tally`, [`progression`]). The
//! module `rollout` decides which clusters start when; other modules carry out the writes.
//!
//! Functions named `compat` return exactly what upstream's controllers do, and those named `strict` what Tidegate does;
//! functions with neither name are the same for both. They differ only in these points:
//!
//! | situation | compat | strict |
//! | --- | --- | --- |
//! | an add-on has no configurations | a cluster succeeds at once | it succeeds once `Configured` is `True` and it reports `Completed` |
//! | one configuration is in progress, another changes | the cluster stays in progress, and gets the change at once | it has to start again |
//! | `Progressing` has reason `Failed` | the cluster has failed until everything is applied | it has failed until it gets another configuration |
//! | deadline of a cluster in progress | runs from the last change of `Progressing`; a silent cluster never times out | runs from its start |
//! | everything is applied, but the reason of `Progressing` is not `Completed` | the cluster is done, since an unknown time | it is in progress |
//! | a status entry lacks `desiredConfig` | [`NoDesiredConfig`], where upstream crashes | it is dropped |
//! | a status lists an entry twice | both stay, and the cluster never completes | the second is dropped |
//! | a configuration of a placement changes its name | hashes and history of all configurations are reset | each keeps its history; the new name takes over that of its kind |
//! | default configurations in a status | keep the order and repetitions of the declaration | are sorted by kind, each listed once |
//! | a cluster's own configurations list one twice | its placement never completes | it counts like any other |
//! | a cluster is not done at its deadline | this is not recorded | a separate condition ([`overdue`]) records it |
//! | works are ready, but the add-on is not known to be healthy | the cluster is done | it is in progress |
//! | the numbers of a placement | are computed from cluster states and rollout membership | are counted from the report of each cluster |
//! | annotation of a hosting cluster | `HostingManifestApplied` is awaited, works on the host count | is ignored: nothing is hosted |
//!
//! # Source
//! `open-cluster-management.io/ocm` pkg/addon/controllers (addonconfiguration, addonprogressing, cmainstallprogression) and
//! `addon-framework` (addonconfig, cmaconfig), read 2026-08-11.

mod addon;
mod cluster;
mod config;

pub use self::addon::tally::Tally;
pub use self::addon::{default_config, install, progression};
pub use self::cluster::progress::Progress;
pub use self::cluster::state::State;
pub use self::cluster::{configured, hosting, merge, overdue, progress, proof, state, supported, works};
pub use self::config::desired::Desired;
pub use self::config::entry::{Entry, NoDesiredConfig};
pub use self::config::layer::{Layer, Layers};
pub use self::config::{hash, layer};
