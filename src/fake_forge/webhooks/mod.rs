//! The webhook: signed messages about what happened.

mod delivery;
mod queue;
mod signature;

pub use delivery::DeliveryRecord;
pub(crate) use delivery::Payload;
pub(crate) use queue::Queue;
pub(crate) use signature::signed;
