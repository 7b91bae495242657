//! Facts that a token may not see.

use crate::error::{Error, Result};
use crate::values::Known;

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
