//! Parses keyrings.

use pgp::composed::{Deserializable as _, SignedPublicKey};
use pgp::errors::Error;

use super::certificate::Certificate;
use crate::armor::Block;
use crate::parse_error::ParseError;

/// Parses all armored blocks.
pub(crate) fn read_armored(blocks: &[Block<'_>]) -> Result<Vec<Certificate>, Vec<ParseError>> {
    let (mut certificates, mut errors) = (Vec::new(), Vec::new());
    for block in blocks {
        match read_block(block) {
            Ok(found) => certificates.extend(found),
            Err(found) => errors.extend(found.into_iter().map(|message| ParseError::new(block.line, 1, message))),
        }
    }
    if errors.is_empty() { Ok(certificates) } else { Err(errors) }
}

/// Parses a binary keyring.
pub(crate) fn read_binary(bytes: &[u8]) -> Result<Vec<Certificate>, Vec<ParseError>> {
    let errors = |messages: Vec<String>| messages.into_iter().map(|message| ParseError::new(1, 1, message)).collect();
    SignedPublicKey::from_bytes_many(bytes).map_err(unreadable).and_then(certificates).map_err(errors)
}

fn read_block(block: &Block<'_>) -> Result<Vec<Certificate>, Vec<String>> {
    if block.label != "PGP PUBLIC KEY BLOCK" {
        let message = format!("a block {:?} is not a certificate: export it with `gpg --armor --export`", block.label);
        return Err(vec![message]);
    }
    let Some(text) = block.text else {
        return Err(vec![
            "the end of the block is missing: copy all of it, including the line that starts with -----END".to_owned(),
        ]);
    };
    let (found, _) = SignedPublicKey::from_string_many(text).map_err(unreadable)?;
    certificates(found)
}

fn certificates<'a>(
    found: Box<dyn Iterator<Item = Result<SignedPublicKey, Error>> + 'a>,
) -> Result<Vec<Certificate>, Vec<String>> {
    let (mut certificates, mut errors) = (Vec::new(), Vec::new());
    for parsed in found {
        match parsed.map_err(|error| format!("the certificate cannot be read ({error}): export it again")) {
            Ok(parsed) => match Certificate::new(parsed) {
                Ok(certificate) => certificates.push(certificate),
                Err(unusable) => errors.push(unusable.to_string()),
            },
            Err(error) => {
                errors.push(error);
                break;
            }
        }
    }
    if certificates.is_empty() && errors.is_empty() {
        errors.push("it contains no readable certificate: export it again with `gpg --armor --export`".to_owned());
    }
    if errors.is_empty() { Ok(certificates) } else { Err(errors) }
}

fn unreadable(error: Error) -> Vec<String> {
    vec![format!("the keyring cannot be read ({error}): export it again with `gpg --armor --export`")]
}
