//! Parses allowed-signers files: who signs with which SSH key, for what purpose, and when.

use ssh_key::PublicKey;
use ssh_key::public::KeyData;

use super::cursor::Cursor;
use super::options::Options;
use super::patterns::Patterns;
use crate::parse_error::ParseError;
use crate::validity::Validity;

/// One line of an allowed-signers file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AllowedSigner {
    /// The signers.
    pub(crate) principals: Patterns,
    /// The namespaces that they may sign for; `None` for all.
    pub(crate) namespaces: Option<Patterns>,
    /// When the key is valid.
    pub(crate) validity: Validity,
    /// The key.
    pub(crate) key: KeyData,
}

impl AllowedSigner {
    /// Returns the name of the signer: the first principal.
    pub(crate) fn name(&self) -> &str {
        self.principals.first().unwrap_or_default()
    }
}

/// Parses an allowed-signers file.
///
/// # Source
/// ssh-keygen(1), ALLOWED SIGNERS.
pub(crate) fn read(text: &str) -> Result<Vec<AllowedSigner>, Vec<ParseError>> {
    let (mut signers, mut errors) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        let mut cursor = Cursor::new(line.trim_end(), at + 1);
        cursor.skip_whitespace();
        if cursor.rest().is_empty() || cursor.rest().starts_with('#') {
            continue;
        }
        match read_line(cursor) {
            Ok(signer) => signers.push(signer),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(signers) } else { Err(errors) }
}

fn read_line(mut cursor: Cursor<'_>) -> Result<AllowedSigner, ParseError> {
    let principals = read_principals(&mut cursor)?;
    cursor.skip_whitespace();
    let next = cursor.clone().token();
    let has_options = !next.is_empty() && !is_key_type(next);
    let options = if has_options { Options::read(&mut cursor)? } else { Options::default() };
    cursor.skip_whitespace();
    let key = read_key(&mut cursor)?;
    Ok(AllowedSigner { principals, namespaces: options.namespaces, validity: options.validity, key })
}

fn read_principals(cursor: &mut Cursor<'_>) -> Result<Patterns, ParseError> {
    let start = cursor.clone();
    let list = if cursor.rest().starts_with('"') {
        cursor.quoted().ok_or_else(|| start.error("the closing quote of the principals is missing"))?
    } else {
        cursor.token().to_owned()
    };
    if is_key_type(&list) {
        return Err(start.error(format!("the principals are missing: write the signers before the key, {EXAMPLE}")));
    }
    let principals = Patterns::read(&list);
    if principals.first().is_none() {
        let message = "the principals are empty or all negated: name a signer, or write `*` for everyone";
        return Err(start.error(message));
    }
    Ok(principals)
}

fn read_key(cursor: &mut Cursor<'_>) -> Result<KeyData, ParseError> {
    let kind_at = cursor.clone();
    let kind = cursor.token();
    if kind.is_empty() {
        return Err(kind_at.error(format!("the key is missing: {EXAMPLE}")));
    }
    if kind.contains("-cert-v01@") {
        return Err(kind_at.error("certificates are not supported: give the signer's own public key"));
    }
    if !is_key_type(kind) {
        return Err(kind_at.error(format!("{kind:?} is not a key type: expected one of {}", TYPES.join(", "))));
    }
    cursor.skip_whitespace();
    let data_at = cursor.clone();
    let data = cursor.token();
    let key = PublicKey::from_openssh(&format!("{kind} {data}")).map_err(|error| {
        data_at.error(format!("the key of type {kind} cannot be read ({error}): copy the whole line of its .pub file"))
    })?;
    Ok(key.key_data().clone())
}

fn is_key_type(token: &str) -> bool {
    TYPES.contains(&token) || token.contains("-cert-v01@")
}

const EXAMPLE: &str = "as in `ada@example.com ssh-ed25519 AAAA...`";

/// The supported key types. They include types that no signature may rely on: a line with such a key must not make the file
/// unusable for all other signers, and the verdict on the signature explains the problem.
const TYPES: [&str; 8] = [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "ssh-rsa",
    "ssh-dss",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
];
