//! Decides whether enough people have approved a change: rules, approvals as facts, and the verdict.
//!
//! ```text
//! rule, people, facts, subject, now --judge--> Verdict: who counts, what does not count and why, and what is missing
//! ```
//!
//! Nothing here reads Git or checks a signature: a [`Fact`] already has the commit that added it and the verdict on its signature.
//! A fact that is not proven in every respect counts for nothing, and the verdict gives the reason.

mod change;
mod fact;
pub mod file;
mod identity;
mod judge;
mod people;
mod problem;
mod rule;
mod subject;
mod verdict;
mod why;

pub use change::{Approvals, Change, Judges};
pub use fact::{Addition, Fact, Signature, Signer, Source};
pub use judge::judge;
pub use people::People;
pub use problem::Problem;
pub use rule::{After, Rule};
pub use subject::{Author, Authors, Subject};
pub use verdict::{Missing, Seat, State, Verdict, Void};
pub use why::Why;
