//! Parameters of a query, read as Go reads them.

use crate::refusal::Refusal;
use tidegate_go::quote::go_quoted;

/// The parameters of a query, as they came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parameters(pub(crate) Vec<(String, String)>);

impl Parameters {
    /// Returns a parameter if it is there.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns a parameter; empty if it is not there.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// Returns every value of a parameter.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Returns `true` if a parameter is set: to anything but `false` or `0`.
    ///
    /// # Source
    /// `Convert_Slice_string_To_bool` of `k8s.io/apimachinery/pkg/runtime`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.choice(name).unwrap_or(false)
    }

    /// Like [`Self::flag`], but tells a parameter that is not there from one that is off.
    pub(crate) fn choice(&self, name: &str) -> Option<bool> {
        self.get(name).map(|value| value != "0" && !value.eq_ignore_ascii_case("false"))
    }

    /// Returns a number; 0 if it is not there.
    ///
    /// # Errors
    /// Bad request, with Go's words, for anything else.
    pub(crate) fn number(&self, name: &str) -> Result<i64, Refusal> {
        let Some(text) = self.get(name) else { return Ok(0) };
        text.parse().map_err(|error: std::num::ParseIntError| {
            use std::num::IntErrorKind::{NegOverflow, PosOverflow};
            let why = match error.kind() {
                PosOverflow | NegOverflow => "value out of range",
                _ => "invalid syntax",
            };
            Refusal::bad_request(format!("strconv.ParseInt: parsing {}: {why}", go_quoted(text)))
        })
    }
}
