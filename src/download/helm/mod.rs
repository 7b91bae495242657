//! Runs `helm template`, in an environment of its own.

mod process;
mod program;

pub use program::{Helm, HelmLimits, Release};
