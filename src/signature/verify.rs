//! Verifies signatures of any format.

use tidegate_model::time::Timestamp;

use super::store::Store;
use super::verdict::{Reason, Verdict};
use super::{armor, openpgp, ssh};

/// Verifies the signature of a commit or tag.
///
/// The payload is the object without its signature, as Git signs it; `at` is the time of the committer or tagger. An empty
/// signature is [`Verdict::Unsigned`].
pub fn verify(store: &Store, payload: &[u8], signature: &str, at: Timestamp) -> Verdict {
    if signature.trim().is_empty() {
        return Verdict::Unsigned;
    }
    if signature.len() > armor::MAX_SIGNATURE {
        let why = format!("it has {} bytes, more than the limit of {}", signature.len(), armor::MAX_SIGNATURE);
        return Verdict::Bad(Reason::Unreadable { why });
    }
    match armor::label(signature) {
        Some("SSH SIGNATURE") => ssh::verify(&store.signers, payload, signature, at).into(),
        Some("PGP SIGNATURE" | "PGP MESSAGE") => {
            openpgp::verify(&store.certificates, payload, signature.trim_start(), at).into()
        }
        Some("SIGNED MESSAGE" | "PKCS7" | "CMS") => {
            Verdict::Bad(Reason::Unsupported { what: "an X.509 certificate (S/MIME)".to_owned() })
        }
        _ => {
            let why = "it starts with neither BEGIN SSH SIGNATURE nor BEGIN PGP SIGNATURE".to_owned();
            Verdict::Bad(Reason::Unreadable { why })
        }
    }
}
