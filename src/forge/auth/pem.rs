//! RSA keys in PEM.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rsa::KeyPair;

/// Reads an RSA key: PKCS#1, as GitHub creates it, or PKCS#8.
///
/// # Errors
/// What is wrong with it.
///
/// # Source
/// RFC 7468 (PEM), RFC 8017, appendix A.1.2 (PKCS#1), and RFC 5958 (PKCS#8).
pub(super) fn rsa_key(text: &str) -> Result<KeyPair, String> {
    let (label, der) = first_block(text)?;
    let key = match label {
        "RSA PRIVATE KEY" => KeyPair::from_der(&der),
        "PRIVATE KEY" => KeyPair::from_pkcs8(&der),
        label => return Err(format!("it contains {label:?}, and not an unencrypted RSA private key")),
    };
    key.map_err(|why| format!("it is not an RSA private key of 2048 bits or more ({why})"))
}

/// Returns the label and the content of the first block.
fn first_block(text: &str) -> Result<(&str, Vec<u8>), String> {
    let none = || "it is not a key in PEM: there is no line -----BEGIN RSA PRIVATE KEY-----".to_owned();
    let (_, rest) = text.split_once("-----BEGIN ").ok_or_else(none)?;
    let (label, rest) = rest.split_once("-----").ok_or_else(none)?;
    let end = format!("-----END {label}-----");
    let (content, _) = rest.split_once(&end).ok_or_else(|| format!("the line {end} is missing"))?;
    let digits: String = content.chars().filter(|c| !c.is_whitespace()).collect();
    let der = STANDARD.decode(digits).map_err(|_| "its content is not base64".to_owned())?;
    Ok((label, der))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_key_is_refused_with_the_reason() {
        let reason = |text: &str| rsa_key(text).err().unwrap();
        assert!(reason("").contains("no line"));
        assert!(reason("-----BEGIN RSA PRIVATE KEY-----\nAAAA").contains("END RSA PRIVATE KEY"));
        assert!(reason("-----BEGIN PRIVATE KEY-----\n???\n-----END PRIVATE KEY-----").contains("base64"));
        assert!(reason("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----").contains("2048"));
        assert!(reason("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----").contains("CERTIFICATE"));
    }
}
