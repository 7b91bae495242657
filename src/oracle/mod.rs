//! The engine's answers to recorded cases: what upstream's code was asked, in the form in which its answers were written down.
//!
//! Owns nothing but the forms: each area reads a case, asks the module that decides in *compat* semantics, and tells its
//! answer. The test of the recorded cases and `tidegate oracle` both come through [`answer`].

mod area;
mod config;
mod placement;
mod progress;
mod rollout;
mod sequence;
mod spec_hash;
mod template;
mod typed;
mod work;

pub use self::area::{Area, UnknownArea, answer};
