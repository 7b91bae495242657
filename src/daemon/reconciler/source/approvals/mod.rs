//! Approvals in the followed repository: what Git has, with who signed it, as plain values.

mod authors;
mod changed;
mod collect;
mod collected;
mod evidence;
mod replaced;

pub(in crate::reconciler) use authors::authors;
pub use authors::{claimed as author_of, is_decision};
pub(super) use collected::Collected;
pub use evidence::signature as signature_of;
