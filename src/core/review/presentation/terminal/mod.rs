//! Plans and rehearsals as text for a terminal.

mod addon;
mod plan;
mod rehearsal;
mod sign;
mod waves;

pub use plan::plan_text;
pub use rehearsal::rehearsal_text;
