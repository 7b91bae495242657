//! Lets an add-on have another of its declared versions: finds the line to change, and proves that nothing else changes. The template for
//! the next version is a copy of the one in use.

mod copy;
mod edit;
mod listing;
mod newer;
mod next;
mod patched;
mod refusal;
mod rendered;
mod request;

pub use newer::Newer;
pub use next::{Next, NextRequest, next, switched};
pub use refusal::Refusal;
pub use request::{Request, Upgrade, upgrade};
