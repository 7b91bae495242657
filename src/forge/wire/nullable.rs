//! Fields that must be present, but may be null.

use serde::{Deserialize, Deserializer};

/// Reads a field that may be null. Unlike a plain `Option`, a missing field is an error: absence must not look like an answer.
pub(crate) fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}
