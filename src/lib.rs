//! Tidegate: a GitOps reconciler for Open Cluster Management add-ons.
//!
//! The modules are floors, each importing only from those above it in this list; `ARCHITECTURE.md` draws the house, and a test
//! keeps its law.

// Floor 0: values, Kubernetes types, expressions, YAML, signatures and messages of commits, logs and metrics.
pub mod api;
pub mod approval;
pub mod cel;
pub mod model;
pub mod signature;
pub mod telemetry;
pub mod yaml;

// Floor 1: pure logic, each on its own.
pub mod delivery;
pub mod overlay;
pub mod placement;
pub mod repository;
pub mod rollout;
pub mod status;

// Floor 2: the one pipeline, what it looks like as files, and what checks both from outside.
pub mod audit;
pub mod checker;
pub mod journal;
pub mod plan;

// Floor 3: the edges, and the door for recorded cases.
pub mod git;
pub mod hub;
pub mod oracle;
pub mod sandbox;

// Floor 4: the loop.
pub mod reconciler;

// Floor 5: what looks at the loop.
pub mod monitor;

// Floor 6: the door.
pub mod cli;
