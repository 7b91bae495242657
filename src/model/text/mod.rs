//! Text for people: error chains, safe lines, suggestions, plurals and positions.

pub mod error_chain;
pub mod glob;
pub mod line;
pub mod near;
pub mod plural;
pub mod position;
