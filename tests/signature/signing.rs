//! Tests of signing with Tidegate's own key.

use super::fixture::*;
use super::git_command::git;
use tidegate_signature::{Reason, SigningError, SigningKey, new_private_key, verify};

const KEYS: [&str; 4] =
    [fixture!("ssh_ed25519.key"), fixture!("ssh_p256.key"), fixture!("ssh_p384.key"), fixture!("ssh_rsa.key")];

#[test]
fn own_signatures_are_good() {
    for text in KEYS {
        let key = SigningKey::read(text).unwrap();
        let store = trusting("tidegate@example.com namespaces=\"git\"", &key.public_key());
        for payload in [PAYLOAD, b"", &[0xff; 1000]] {
            // Numbers of a signature sometimes start with zeros.
            for _ in 0..if payload.is_empty() { 40 } else { 1 } {
                let signature = key.sign(payload).unwrap();
                assert_eq!(signer(verify(&store, payload, &signature, time(AT))), "tidegate@example.com");
                let found = reason(verify(&store, b"other", &signature, time(AT)));
                assert!(matches!(found, Reason::Broken { .. }), "{found:?}");
            }
        }
    }
}

#[test]
fn a_new_key_signs() {
    let [one, other] = [1, 2].map(|seed| new_private_key(&[seed; 32], "ada@example.com").unwrap());
    assert_ne!(one, other);
    let key = SigningKey::read(&one).unwrap();
    assert!(key.public_key().ends_with(" ada@example.com"), "{}", key.public_key());
    let store = trusting("ada@example.com", &key.public_key());
    let signature = key.sign(PAYLOAD).unwrap();
    assert_eq!(signer(verify(&store, PAYLOAD, &signature, time(AT))), "ada@example.com");
}

#[test]
fn ed25519_signs_as_openssh_does() {
    let key = SigningKey::read(fixture!("ssh_ed25519.key")).unwrap();
    assert_eq!(key.sign(PAYLOAD).unwrap(), fixture!("ssh_ed25519.sig"));
}

#[test]
fn the_public_key_matches_the_pub_file() {
    for (private, public) in [
        (fixture!("ssh_ed25519.key"), fixture!("ssh_ed25519.pub")),
        (fixture!("ssh_p256.key"), fixture!("ssh_p256.pub")),
        (fixture!("ssh_rsa.key"), fixture!("ssh_rsa.pub")),
    ] {
        assert_eq!(SigningKey::read(private).unwrap().public_key(), public.trim_end());
    }
}

#[test]
fn a_key_is_never_printed() {
    for text in KEYS {
        let key = SigningKey::read(text).unwrap();
        assert_eq!(format!("{key:?}"), format!("SigningKey {{ key: {:?}, .. }}", key.fingerprint().as_str()));
    }
}

#[test]
fn keys_that_cannot_sign_are_reported() {
    let refusal = |text: &str| SigningKey::read(text).map(|_| ()).unwrap_err();
    assert_eq!(refusal(fixture!("ssh_locked.key")), SigningError::Encrypted);
    assert!(refusal(fixture!("ssh_locked.key")).to_string().contains("ssh-keygen -p -N ''"));
    assert!(matches!(refusal(fixture!("ssh_pem.key")), SigningError::Format { .. }));
    assert!(matches!(refusal(fixture!("ssh_ed25519.pub")), SigningError::Format { .. }));
    assert!(matches!(refusal(""), SigningError::Format { .. }));
    assert!(matches!(refusal(fixture!("ssh_p521.key")), SigningError::Unsupported { .. }));
    let damaged = fixture!("ssh_ed25519.key").replacen("AAAA", "AAAB", 1);
    assert!(matches!(refusal(&damaged), SigningError::Unreadable { .. }), "{:?}", refusal(&damaged));
    let cut = fixture!("ssh_ed25519.key").rsplit_once("-----END").unwrap().0;
    assert!(matches!(refusal(cut), SigningError::Unreadable { .. }));
}

#[test]
#[ignore = "needs ssh-keygen, with which Git verifies signatures"]
fn git_accepts_own_signatures() {
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "--quiet"]);
    git(dir.path(), &["config", "gpg.ssh.allowedSignersFile", "allowed"]);
    git(dir.path(), &["hash-object", "-t", "tree", "-w", "/dev/null"]);
    for text in KEYS {
        let key = SigningKey::read(text).unwrap();
        let payload = String::from_utf8(PAYLOAD.to_vec()).unwrap();
        let signature = key.sign(PAYLOAD).unwrap();
        let (head, body) = payload.split_once("\n\n").unwrap();
        let header = signature.trim_end().replace('\n', "\n ");
        std::fs::write(dir.path().join("commit"), format!("{head}\ngpgsig {header}\n\n{body}")).unwrap();
        std::fs::write(dir.path().join("allowed"), format!("tidegate@example.com {}\n", key.public_key())).unwrap();
        let id = git(dir.path(), &["hash-object", "-t", "commit", "-w", "commit"]);
        git(dir.path(), &["verify-commit", &id]);
        assert_eq!(git(dir.path(), &["log", "-1", "--format=%G? %GS", &id]), "G tidegate@example.com");
    }
}
