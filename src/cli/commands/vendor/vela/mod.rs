//! The applications that `vela dry-run` renders, as `[[vendor]]` in `tidegate.toml` declares them.

mod application;
mod change;
mod expected;
mod output;
mod render;
mod state;

pub(super) use change::changes;
pub(super) use render::render;
pub(super) use state::{misplaced, outdated, undeclared};
