//! A JSON parser that behaves like Go's where Rust libraries differ: unpaired surrogates, duplicate keys, negative zero,
//! and the messages for invalid JSON.
//!
//! JSON from a hub is well-formed and does not need this. JSON that a person wrote does, because its hash must match
//! upstream's.

mod scanner;
mod string;
mod tree;

pub use self::scanner::SyntaxError;
pub use self::tree::{Json, OutOfRange};
