//! RSA keys in PEM.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::error::KeyRejected;
use ring::rsa::KeyPair;

/// Why a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnusableKey {
    #[error("it is not a key in PEM: there is no line -----BEGIN RSA PRIVATE KEY-----")]
    NotPem,
    #[error("the line {0} is missing")]
    NoEnd(String),
    #[error("its content is not base64")]
    NotBase64,
    #[error("it contains {0:?}, and not an unencrypted RSA private key")]
    Other(String),
    #[error("it is not an RSA private key of 2048 bits or more ({0})")]
    Rejected(KeyRejected),
    #[error("the key cannot sign")]
    CannotSign,
}

/// Reads an RSA key: PKCS#1, as GitHub creates it, or PKCS#8.
///
/// # Errors
/// [`UnusableKey`]
///
/// # Source
/// RFC 7468 (PEM), RFC 8017, appendix A.1.2 (PKCS#1), and RFC 5958 (PKCS#8).
pub(super) fn rsa_key(text: &str) -> Result<KeyPair, UnusableKey> {
    let (label, der) = first_block(text)?;
    let key = match label {
        "RSA PRIVATE KEY" => KeyPair::from_der(&der),
        "PRIVATE KEY" => KeyPair::from_pkcs8(&der),
        label => return Err(UnusableKey::Other(label.to_owned())),
    };
    key.map_err(UnusableKey::Rejected)
}

/// Returns the label and the content of the first block.
fn first_block(text: &str) -> Result<(&str, Vec<u8>), UnusableKey> {
    let (_, rest) = text.split_once("-----BEGIN ").ok_or(UnusableKey::NotPem)?;
    let (label, rest) = rest.split_once("-----").ok_or(UnusableKey::NotPem)?;
    let end = format!("-----END {label}-----");
    let Some((content, _)) = rest.split_once(&end) else { return Err(UnusableKey::NoEnd(end)) };
    let digits: String = content.chars().filter(|c| !c.is_whitespace()).collect();
    let der = STANDARD.decode(digits).map_err(|_| UnusableKey::NotBase64)?;
    Ok((label, der))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_key_is_refused_with_the_reason() {
        let reason = |text: &str| rsa_key(text).err().unwrap().to_string();
        assert!(reason("").contains("no line"));
        assert!(reason("-----BEGIN RSA PRIVATE KEY-----\nAAAA").contains("END RSA PRIVATE KEY"));
        assert!(reason("-----BEGIN PRIVATE KEY-----\n???\n-----END PRIVATE KEY-----").contains("base64"));
        assert!(reason("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----").contains("2048"));
        assert!(reason("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----").contains("CERTIFICATE"));
    }
}
