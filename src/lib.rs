//! Tidegate: a GitOps reconciler for Open Cluster Management add-ons.
//!
//! This package has the edge to the hub, the loop and the command line. The decisions are in `src/core`, and the other members of the
//! workspace are libraries of their own; `ARCHITECTURE.md` describes them.

pub mod audit;
pub mod cli;
pub mod doctor;
pub mod hub;
pub mod monitor;
pub mod oracle;
pub mod reconciler;
pub mod telemetry;
