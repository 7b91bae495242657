//! Instants and durations, parsed and formatted as in Go's library.
//!
//! # Source
//! Go `time`: `Parse` with RFC 3339, `ParseDuration`, `Time.Format`.

mod parse;
mod span;
mod timestamp;
mod zone;

pub(super) use self::span::{parse_span, span_in, span_text};
pub(super) use self::timestamp::Timestamp;
pub(super) use self::zone::zone;
