//! Checks what a journal records against the repository: the rules of the revisions, the approvals, and who made the changes.
//!
//! The journal says which clusters started, on which digest, and which changes of digests were judged. Which rules a change had to meet, and
//! whether they were met, is found out again here.

mod case;
mod changes;
mod decided;
mod doubt;
mod evidence;
mod known;
mod needed;
mod prover;
mod rules;
mod seats;
mod start;
mod tracked;

pub use evidence::{Evidence, Given, Revision};
pub use prover::{Proof, prove};
