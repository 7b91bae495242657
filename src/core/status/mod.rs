//! What the statuses of add-on objects say, and what they should say next: pure functions over API types.
//!
//! Owns the rules between a rollout decision and the objects of the hub: which configurations a cluster should have
//! ([`layer`]), how far it is with them ([`state`]), what is written when it starts ([`merge`], [`configured`]) and when it is
//! done ([`progress`], [`works`]), and what all clusters of a placement amount to ([`tally`], [`progression`]). Who starts
//! when is up to `rollout`; carrying anything out is up to others.
//!
//! Functions named `compat` answer bit for bit as upstream's controllers do, and those named `strict` as Tidegate does;
//! what has neither name is the same for both. They differ in these points and in no other:
//!
//! | situation | compat | strict |
//! | --- | --- | --- |
//! | an add-on without configurations | has succeeded at once | has succeeded once `Configured` is `True` and it says `Completed` |
//! | one configuration is under way, another is to change | the cluster is under way, and gets the other at once | the cluster is to start anew |
//! | `Progressing` has reason `Failed` | the cluster has failed, until everything is applied | it has failed, until it gets another configuration |
//! | a cluster is under way | its time runs from when `Progressing` last changed; one that reports nothing has none, and never times out | it counts from when it was told to start |
//! | everything is applied, and `Progressing` does not say `Completed` | it is done, since no known time | it is under way |
//! | an entry of a status lacks `desiredConfig` | [`NoDesiredConfig`], where upstream crashes | it is dropped |
//! | an entry of a status is there twice | both stay, and the cluster never completes | the second is dropped |
//! | the configurations of a placement change by name | hashes and history of all of them begin anew | each keeps its history, an upgrade by name the one of its kind |
//! | default configurations in a status | keep the order and repetitions of the declaration | are sorted by kind, each once |
//! | a cluster's own configurations repeat one | its placement never completes | it counts as any other |
//! | a cluster is not done when its deadline ends | nothing keeps that | a condition of its own ([`overdue`]) keeps it |
//! | works are ready but the add-on is not known to be well | it is done | it is under way |
//! | the numbers of a placement | come from the states of clusters and from who is in the rollout | are what is told of each cluster |
//! | annotation of a hosting cluster | `HostingManifestApplied` is waited for, works there count | is not looked at: nothing is hosted |
//!
//! # Source
//! `open-cluster-management.io/ocm` pkg/addon/controllers (addonconfiguration, addonprogressing, cmainstallprogression) and
//! `addon-framework` (addonconfig, cmaconfig), read 2026-08-11.

pub mod configured;
pub mod default_config;
pub mod desired;
pub mod entry;
pub mod hash;
pub mod install;
pub mod layer;
pub mod merge;
pub mod overdue;
pub mod progress;
pub mod progression;
pub mod state;
pub mod supported;
pub mod tally;
pub mod works;

pub use desired::Desired;
pub use entry::{Entry, NoDesiredConfig};
pub use layer::Layers;
pub use progress::Progress;
pub use state::State;
pub use tally::Tally;
