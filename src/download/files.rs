//! Single files, and the digests of downloads.

use tidegate_model::digest::Digest;

use crate::Error;
use crate::web::{Authorization, Web, is_page};

/// Returns the SHA-256 digest of bytes, as `sha256:` and 64 hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", Digest::of(bytes).as_str())
}

/// Returns `true` if a digest, with or without `sha256:`, is that of bytes.
pub(crate) fn is_digest_of(digest_of_them: &str, bytes: &[u8]) -> bool {
    let expected = digest_of_them.strip_prefix("sha256:").unwrap_or(digest_of_them);
    digest(bytes).strip_prefix("sha256:").is_some_and(|digest| digest.eq_ignore_ascii_case(expected))
}

/// Downloads one file of declarations.
pub(crate) fn file(web: &Web, address: &str) -> Result<Vec<u8>, Error> {
    let target = web.target(address)?;
    let reply = web.get(&target, "*/*", Authorization::OfHost)?;
    let what = target.shown();
    let body = web.success(reply)?;
    if is_page(&body) {
        let why = "it is an HTML page, such as a login page, and not YAML; check the address (on a forge, use the raw file), and \
                   whether it needs credentials (--credentials-file)";
        return Err(Error::Content { what, why: why.to_owned() });
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_sha256() {
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(digest(b""), empty);
        assert!(is_digest_of(empty, b"") && is_digest_of(&empty[7..].to_uppercase(), b""));
        assert!(!is_digest_of(empty, b"x") && !is_digest_of("", b""));
    }
}
