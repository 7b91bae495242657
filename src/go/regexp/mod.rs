//! Regular expressions in Go's syntax (RE2).
//!
//! Go and `regex` agree on what an expression matches, but not on the syntax: each expression is parsed by Go's rules and
//! translated to the syntax of `regex`.
//!
//! # Source
//! Go `regexp/syntax`.

mod class;
mod escape;
mod flags;
mod group_flags;
mod groups;
mod parser;
mod piece;

use regex::{Regex, RegexBuilder};

use self::parser::translate;

/// Maximum size of a compiled expression, in bytes.
const MAX_BYTES: usize = 10 << 20;
/// Maximum nesting of groups for `regex`. Expressions that get here are less nested.
const MAX_NESTING: u32 = 4_000;

/// A compiled expression.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The expression in the syntax of `regex`.
    pub regex: Regex,
    /// Approximate number of instructions.
    pub size: u64,
}

impl Pattern {
    /// Compiles an expression. Groups more than 250 deep and more than 256 Unicode classes are refused, unlike in Go.
    ///
    /// # Errors
    /// Go's error message.
    pub fn compile(text: &str) -> Result<Self, String> {
        let (translated, size) = translate(text).map_err(|problem| format!("error parsing regexp: {problem}"))?;
        let built = RegexBuilder::new(&translated).size_limit(MAX_BYTES).nest_limit(MAX_NESTING).build();
        let regex = built.map_err(|_| format!("error parsing regexp: expression too large: `{text}`"))?;
        Ok(Self { regex, size })
    }
}
