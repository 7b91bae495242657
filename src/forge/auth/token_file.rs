//! A token in a file.

use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};
use crate::wire::Token;

/// Most bytes of a token file. GitHub's longest tokens contain a signed document of about 1,000 bytes.
const LARGEST: u64 = 64 << 10;

/// Reads a token file. It is small and local, so that it can be read for every request.
///
/// # Errors
/// [`Error::Settings`] if the file cannot be read or contains no token.
pub(super) fn read(path: &Path) -> Result<Token> {
    let text = text(path)?;
    let refused = |why| {
        Error::Settings(format!(
            "the token file {} cannot be used: {why}; write the token as its only line",
            path.display()
        ))
    };
    Token::new(&text).map_err(refused)
}

/// Reads a small file that contains a secret.
pub(super) fn text(path: &Path) -> Result<String> {
    let refused = |error: &dyn std::fmt::Display| {
        Error::Settings(format!("the secret file {} of the forge cannot be read: {error}", path.display()))
    };
    let file = std::fs::File::open(path).map_err(|error| refused(&error))?;
    let mut text = String::new();
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(|error| refused(&error))?;
    if u64::try_from(text.len()).is_ok_and(|length| length > LARGEST) {
        return Err(refused(&"it has more than 64 KiB"));
    }
    Ok(text)
}
