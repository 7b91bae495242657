//! The engine's answers to recorded cases: it gets the same inputs as upstream's code, and answers in the form in which upstream's
//! answers were recorded.
//!
//! Owns only these forms: each area reads a case, asks the module that decides in *compat* semantics, and formats its answer. The
//! test of the recorded cases and `tidegate oracle` both call [`answer`].

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
