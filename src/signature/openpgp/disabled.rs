//! Stand-ins for OpenPGP if the feature is not built in; they return an error that says so.

use crate::armor::Block;
use crate::parse_error::ParseError;
use crate::verdict::{Fingerprint, Reason};
use tidegate_model::time::Timestamp;

/// A certificate. No value of this type can exist.
#[derive(Debug, Clone)]
pub(crate) enum Certificate {}

impl Certificate {
    pub(crate) fn speaks_for(&self, _key: &Fingerprint, _identity: &str) -> bool {
        match *self {}
    }
}

const MESSAGE: &str = "this is an OpenPGP keyring, but this program was built without the feature `openpgp`: use a build \
    with that feature, or SSH keys";

pub(crate) fn read_armored(blocks: &[Block<'_>]) -> Result<Vec<Certificate>, Vec<ParseError>> {
    let line = blocks.first().map_or(1, |block| block.line);
    Err(vec![ParseError::new(line, 1, MESSAGE)])
}

pub(crate) fn read_binary(_bytes: &[u8]) -> Result<Vec<Certificate>, Vec<ParseError>> {
    Err(vec![ParseError::new(1, 1, MESSAGE)])
}

pub(crate) fn verify(
    _certificates: &[Certificate],
    _payload: &[u8],
    _text: &str,
    _at: Timestamp,
) -> Result<(String, Fingerprint), Reason> {
    Err(Reason::NoOpenPgp)
}
