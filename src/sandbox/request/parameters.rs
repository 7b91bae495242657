//! Query parameters, parsed as in Go.

use crate::api_error::ApiError;
use tidegate_go::quote::go_quoted;

/// The decoded query parameters, in the order of the URL.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parameters(pub(crate) Vec<(String, String)>);

impl Parameters {
    /// Returns the first value of a parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the first value of a parameter; empty if it is absent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// Returns all values of a parameter.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Returns `true` if a parameter is present and is not `false` or `0`.
    ///
    /// # Source
    /// `Convert_Slice_string_To_bool` of `k8s.io/apimachinery/pkg/runtime`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.choice(name).unwrap_or(false)
    }

    /// Like [`Self::flag`], but `None` if the parameter is absent.
    pub(crate) fn choice(&self, name: &str) -> Option<bool> {
        self.get(name).map(|value| value != "0" && !value.eq_ignore_ascii_case("false"))
    }

    /// Returns an integer parameter; 0 if it is absent.
    ///
    /// # Errors
    /// Bad request with Go's message, if it is not an integer.
    pub(crate) fn number(&self, name: &str) -> Result<i64, ApiError> {
        let Some(text) = self.get(name) else { return Ok(0) };
        text.parse().map_err(|error: std::num::ParseIntError| {
            use std::num::IntErrorKind::{NegOverflow, PosOverflow};
            let why = match error.kind() {
                PosOverflow | NegOverflow => "value out of range",
                _ => "invalid syntax",
            };
            ApiError::bad_request(format!("strconv.ParseInt: parsing {}: {why}", go_quoted(text)))
        })
    }
}
