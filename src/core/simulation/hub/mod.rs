//! A hub in memory, and what a replica knows of it.

mod place;
mod store;
mod view;

pub use store::{Conflict, Hub};
pub use view::{Lag, View};
