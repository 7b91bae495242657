//! The signed token with which a GitHub App authenticates as itself.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::rsa::KeyPair;
use ring::signature::RSA_PKCS1_SHA256;
use serde_json::json;
use tidegate_model::time::Timestamp;

use super::pem::UnusableKey;

/// How long before the present the token is issued, because clocks differ.
const BEFORE: i64 = 60;

/// How long the token is valid. GitHub allows 600 s; a minute less remains valid if its clock is behind.
const VALID: i64 = 540;

/// Returns a JSON Web Token for an App.
///
/// # Errors
/// [`UnusableKey::CannotSign`]
///
/// # Source
/// GitHub, "Generating a JSON Web Token (JWT) for a GitHub App"; RFC 7515 and RFC 7518 (RS256).
pub(super) fn jwt(client_id: &str, key: &KeyPair, now: Timestamp) -> Result<String, UnusableKey> {
    let now = now.as_second();
    let claims = json!({ "iat": now - BEFORE, "exp": now + VALID, "iss": client_id });
    let part = |value: &str| URL_SAFE_NO_PAD.encode(value);
    let signed = format!("{}.{}", part(r#"{"alg":"RS256","typ":"JWT"}"#), part(&claims.to_string()));
    let mut signature = vec![0; key.public().modulus_len()];
    let done = key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature);
    done.map_err(|_| UnusableKey::CannotSign)?;
    Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
}
