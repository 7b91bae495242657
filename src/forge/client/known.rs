//! Facts that a token may not see.

use crate::error::{Error, Result};
use crate::values::Known;
use tidegate_model::error_chain::ErrorChain;

/// Treats what does not exist, or what the token may not see, as a part of the answer.
///
/// # Errors
/// All other errors.
pub(crate) fn known<T>(answer: Result<T>) -> Result<Known<T>> {
    match answer {
        Ok(found) => Ok(Ok(found)),
        Err(Error::Denied(why) | Error::NotFound(why)) => Ok(Err(why)),
        Err(error) => Err(error),
    }
}

/// Treats every answer as a part of the answer: an old forge may have another page in that place.
///
/// # Errors
/// The forge cannot answer now.
pub(crate) fn known_if_served<T>(answer: Result<T>) -> Result<Known<T>> {
    match answer {
        Ok(found) => Ok(Ok(found)),
        Err(error) if error.is_transient() => Err(error),
        Err(error) => Ok(Err(ErrorChain(&error).to_string())),
    }
}
