//! Tests of security keys (FIDO). Their signatures are computed here because no such key is available.

use super::fixture::*;
use super::ssh::encoded;
use ring::digest::{SHA256, SHA512, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use tidegate_signature::Reason;

fn text(bytes: &[u8]) -> Vec<u8> {
    [&u32::try_from(bytes.len()).unwrap().to_be_bytes(), bytes].concat()
}

fn signed_data(payload: &[u8]) -> Vec<u8> {
    [b"SSHSIG".to_vec(), text(b"git"), text(b""), text(b"sha512"), text(digest(&SHA512, payload).as_ref())].concat()
}

fn message(flags: u8) -> Vec<u8> {
    let data = signed_data(PAYLOAD);
    [digest(&SHA256, b"ssh:").as_ref(), &[flags, 0, 0, 0, 7], digest(&SHA256, &data).as_ref()].concat()
}

/// Returns the public key line and the signature.
fn envelope(key: &[u8], kind: &str, signature: &[u8], flags: u8) -> (String, String) {
    let signature = [text(kind.as_bytes()), text(signature), vec![flags, 0, 0, 0, 7]].concat();
    let whole = [
        b"SSHSIG".to_vec(),
        1_u32.to_be_bytes().to_vec(),
        text(key),
        text(b"git"),
        text(b""),
        text(b"sha512"),
        text(&signature),
    ];
    let line = encoded(key).lines().nth(1).unwrap().to_owned();
    (format!("{kind} {line}"), encoded(&whole.concat()))
}

fn ed25519(flags: u8) -> (String, String) {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
    let kind = "sk-ssh-ed25519@openssh.com";
    let key = [text(kind.as_bytes()), text(pair.public_key().as_ref()), text(b"ssh:")].concat();
    envelope(&key, kind, pair.sign(&message(flags)).as_ref(), flags)
}

fn p256(flags: u8) -> (String, String) {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap();
    let kind = "sk-ecdsa-sha2-nistp256@openssh.com";
    let point = text(pair.public_key().as_ref());
    let key = [text(kind.as_bytes()), text(b"nistp256"), point, text(b"ssh:")].concat();
    let fixed = pair.sign(&random, &message(flags)).unwrap();
    // A leading zero keeps a number positive; superfluous zeros do no harm.
    let (r, s) = fixed.as_ref().split_at(32);
    let number = |n: &[u8]| text(&if n[0] >= 0x80 { [&[0], n].concat() } else { n.to_vec() });
    envelope(&key, kind, &[number(r), number(s)].concat(), flags)
}

#[test]
fn touched_security_keys_are_good() {
    for (key, signature) in [ed25519(1), p256(1), ed25519(5)] {
        assert_eq!(signer(judge(&trusting("ada@example.com", &key), &signature)), "ada@example.com");
    }
}

#[test]
fn security_keys_must_be_touched() {
    for (key, signature) in [ed25519(0), p256(4)] {
        let found = reason(judge(&trusting("ada@example.com", &key), &signature));
        assert!(matches!(found, Reason::Untouched { .. }), "{found:?}");
    }
}

#[test]
fn flags_are_covered_by_the_signature() {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
    let kind = "sk-ssh-ed25519@openssh.com";
    let key = [text(kind.as_bytes()), text(pair.public_key().as_ref()), text(b"ssh:")].concat();
    let (line, forged) = envelope(&key, kind, pair.sign(&message(0)).as_ref(), 1);
    let found = reason(judge(&trusting("ada@example.com", &line), &forged));
    assert!(matches!(found, Reason::Broken { .. }), "{found:?}");
}
