//! Runs `helm template` and `vela dry-run`, each in an environment of its own.

mod process;
mod program;
mod vela;

pub use program::{Helm, HelmLimits, Release};
pub use vela::{DryRun, Vela};
