//! Tidegate: a GitOps reconciler for Open Cluster Management add-ons.
//!
//! This package is the program: the command line, `doctor` and the audit. The daemon is in `src/daemon`, the decisions are in
//! `src/core`, and the other members of the workspace are libraries of their own; `ARCHITECTURE.md` describes them.

pub mod audit;
pub mod cli;
pub mod doctor;
