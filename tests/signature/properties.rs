//! Properties that hold for any input.

use super::fixture::*;
use proptest::prelude::*;
use tidegate_signature::{SigningKey, Store, Verdict, verify};

fn store() -> Store {
    let mut store = trusting("ada@example.com", fixture!("ssh_ed25519.pub"));
    for key in [fixture!("ssh_p256.pub"), fixture!("ssh_rsa.pub")] {
        store.merge(trusting("ada@example.com", key));
    }
    #[cfg(feature = "openpgp")]
    store.merge(Store::read(include_bytes!("fixtures/pgp_two.gpg")).unwrap());
    store
}

const SIGNATURES: &[&str] = &[
    fixture!("ssh_ed25519.sig"),
    fixture!("ssh_p256.sig"),
    fixture!("ssh_rsa.sig"),
    fixture!("pgp_ed25519.sig"),
    fixture!("pgp_rsa.sig"),
    fixture!("pgp_many.sig"),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Store::read(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        let _ = SigningKey::read(&text);
        for label in ["SSH SIGNATURE", "PGP SIGNATURE"] {
            let armoured = format!("-----BEGIN {label}-----\n\n{text}\n-----END {label}-----\n");
            prop_assert!(matches!(verify(&store(), PAYLOAD, &armoured, time(AT)), Verdict::Bad(_)));
        }
        let binary = [&[0x99], bytes.as_slice()].concat();
        let _ = Store::read(&binary);
    }

    #[test]
    fn changed_keyrings_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut keyring = include_bytes!("fixtures/pgp_two.gpg").to_vec();
        for (at, byte) in changes {
            let at = at.index(keyring.len());
            keyring[at] = byte;
        }
        if let Ok(store) = Store::read(&keyring) {
            let _ = judge(&store, fixture!("pgp_rsa.sig"));
            let _ = judge(&store, fixture!("pgp_ed25519.sig"));
        }
    }

    #[test]
    fn random_lines_never_panic(text in "[a-z@,!*\"= #\\\\]{0,30}( (valid-after|namespaces)[=\"0-9Za-z,]{0,20})? ?(ssh-ed25519)? ?[A-Z]{0,20}") {
        let _ = Store::read(text.as_bytes());
    }

    #[test]
    fn a_signature_with_another_character_is_never_good(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), c in "[A-Za-z0-9+/]") {
        let whole = *which.get(SIGNATURES);
        // The armor header and the trailing checksum are not part of the signature.
        let start = whole.find("-----\n").unwrap() + 30;
        let end = whole.find("-----END").unwrap() - 12;
        let at = start + at.index(end - start);
        let mut changed = whole.to_owned();
        if changed.as_bytes()[at] != b'\n' {
            changed.replace_range(at..=at, &c);
        }
        let verdict = verify(&store(), PAYLOAD, &changed, time(AT));
        let original = verify(&store(), PAYLOAD, whole, time(AT));
        // An unsigned key hint or the second signature may change without harm.
        prop_assert!(verdict == original || matches!(verdict, Verdict::Bad(_)), "{verdict:?}");
    }

    #[test]
    fn pattern_matching_is_fast(stars in 1_usize..200, name in "a{0,300}") {
        let pattern = format!("{}b", "*a".repeat(stars));
        let store = trusting(&pattern, fixture!("ssh_ed25519.pub"));
        let Verdict::Good { key, .. } = judge(&store, fixture!("ssh_ed25519.sig")) else { panic!() };
        prop_assert!(!store.speaks_for(&key, &name));
    }
}
