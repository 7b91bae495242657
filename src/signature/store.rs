//! The trusted keys.

use super::allowed_signers::{self, AllowedSigner};
use super::openpgp::{self, Certificate};
use super::verdict::Fingerprint;
use super::{armor, ssh};
use crate::parse_error::ParseError;

/// The trusted keys, with their owners and validity periods.
#[derive(Debug, Clone, Default)]
pub struct Store {
    pub(crate) signers: Vec<AllowedSigner>,
    pub(crate) certificates: Vec<Certificate>,
}

impl Store {
    /// Parses a file of trusted keys; its format is detected from the content.
    ///
    /// # Shape
    /// An OpenSSH allowed-signers file (ssh-keygen(1), ALLOWED SIGNERS), or an OpenPGP keyring: binary, as written by `gpg
    /// --export`, or armored, with any number of blocks.
    ///
    /// # Errors
    /// All errors in the file. A file with errors gives no store: if a key were left out silently, good commits would be
    /// rejected.
    pub fn read(bytes: &[u8]) -> Result<Self, Vec<ParseError>> {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}'),
            Err(error) => return Self::read_binary(bytes, error.valid_up_to()),
        };
        let blocks = armor::blocks(text);
        match blocks.first() {
            Some(block) if block.label.ends_with("PRIVATE KEY") || block.label.ends_with("PRIVATE KEY BLOCK") => {
                Err(vec![ParseError::new(block.line, 1, PRIVATE)])
            }
            Some(block) if block.label.starts_with("PGP ") => {
                let certificates = openpgp::read_armored(&blocks)?;
                Ok(Self { signers: Vec::new(), certificates })
            }
            Some(block) => {
                let message = format!("a block {:?} contains no trusted keys: {EXPECTED}", block.label);
                Err(vec![ParseError::new(block.line, 1, message)])
            }
            None => Ok(Self { signers: allowed_signers::read(text)?, certificates: Vec::new() }),
        }
    }

    fn read_binary(bytes: &[u8], valid_up_to: usize) -> Result<Self, Vec<ParseError>> {
        if bytes.get(8..12) == Some(b"KBXf".as_slice()) {
            let message =
                "this is a GnuPG keybox, which no other program can read: export the keys with `gpg --export`";
            return Err(vec![ParseError::new(1, 1, message)]);
        }
        // Every OpenPGP packet starts with a byte whose highest bit is set, and ASCII text never does.
        if bytes.first().is_some_and(|first| *first >= 0x80) {
            return Ok(Self { signers: Vec::new(), certificates: openpgp::read_binary(bytes)? });
        }
        let before = bytes.get(..valid_up_to).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(before.get(start..).unwrap_or_default()).chars().count() + 1;
        Err(vec![ParseError::new(line, column, format!("this is not UTF-8 text: {EXPECTED}"))])
    }

    /// Adds the keys of another store.
    pub fn merge(&mut self, other: Self) {
        self.signers.extend(other.signers);
        self.certificates.extend(other.certificates);
    }

    /// Returns `true` if no key is trusted, so no signature can be good.
    pub fn is_empty(&self) -> bool {
        self.signers.is_empty() && self.certificates.is_empty()
    }

    /// Returns `true` if a key may sign for an identity, such as the committer of the commit that it signed.
    ///
    /// The identity is an e-mail address. It must match the principals of a line, with their patterns and negations, or the
    /// address of a valid user id. Times are not checked here; [`verify()`](super::verify()) does that.
    pub fn speaks_for(&self, key: &Fingerprint, identity: &str) -> bool {
        let is_signer =
            |signer: &AllowedSigner| ssh::fingerprint(&signer.key) == *key && signer.principals.matches(identity);
        self.signers.iter().any(is_signer) || self.certificates.iter().any(|c| c.speaks_for(key, identity))
    }
}

const PRIVATE: &str = "this is a private key, which only its owner should have: list public keys here";

const EXPECTED: &str = "an allowed-signers file (`ada@example.com ssh-ed25519 AAAA...`) or an OpenPGP keyring \
    (`gpg --armor --export`) is expected";
