//! Lets an add-on have another of its declared versions: finds the line to change, and proves that nothing else changes.

mod edit;
mod refusal;
mod request;

pub use refusal::Refusal;
pub use request::{Request, Upgrade, upgrade};
