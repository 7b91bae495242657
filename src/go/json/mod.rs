//! JSON text as Go reads it, where the libraries of Rust read it otherwise or not at all: half surrogates, members given
//! twice, negative zeros, and the words in which a wrong text is refused.
//!
//! What a hub hands out is sound JSON and needs none of this. What somebody typed, and is to have the hash that upstream
//! gives it, does.

mod read;
mod scan;
mod text;

pub use self::read::{Json, OutOfRange};
pub use self::scan::SyntaxError;
