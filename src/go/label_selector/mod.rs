//! Label selectors as strings: `app=web,tier in (a, b),!old`.
//!
//! One parser serves every user. [`ParseError`] says what is wrong as data; its `Display` is the message of apimachinery.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/labels`: the lexer, the parser and `Requirement.Matches`.

mod error;
mod parser;
mod requirement;

pub use self::error::{Expected, ParseError, ValueProblem};
use self::requirement::Requirement;

/// A label selector. All of its requirements must be met; an empty selector matches everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelSelector {
    requirements: Vec<Requirement>,
}

impl LabelSelector {
    /// Parses a selector.
    ///
    /// # Errors
    /// [`ParseError`] if the selector is malformed, or a key or value of it is invalid.
    pub fn parse(selector: &str) -> Result<Self, ParseError> {
        Ok(Self { requirements: parser::parse(selector)? })
    }

    /// Returns `true` if the selector matches everything.
    pub fn is_everything(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Returns `true` if the selector matches an object. `label` returns the value of a label of the object.
    pub fn matches<'a>(&self, label: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.requirements.iter().all(|requirement| requirement.is_met(label(&requirement.key)))
    }
}
