//! Tests of signatures and keyrings that `gpg` made.

use super::fixture::*;
use pgp::composed::{Deserializable as _, SignedPublicKey};
use pgp::packet::{Signature, SubpacketData};
use pgp::ser::Serialize as _;
use tidegate_signature::{Reason, Store, Verdict, verify};

fn store(keyring: &str) -> Store {
    Store::read(keyring.as_bytes()).unwrap()
}

fn at(keyring: &str, signature: &str, when: &str) -> Verdict {
    verify(&store(keyring), PAYLOAD, signature, time(when))
}

#[test]
fn signatures_of_every_kind_are_good() {
    for (keyring, signature, name) in [
        (fixture!("pgp_rsa.asc"), fixture!("pgp_rsa.sig"), "Ada rsa <rsa@example.com>"),
        (fixture!("pgp_rsa.asc"), fixture!("pgp_rsa_text.sig"), "Ada rsa <rsa@example.com>"),
        (fixture!("pgp_p256.asc"), fixture!("pgp_p256.sig"), "Ada p256 <p256@example.com>"),
        (fixture!("pgp_p384.asc"), fixture!("pgp_p384.sig"), "Ada p384 <p384@example.com>"),
        (fixture!("pgp_ed25519.asc"), fixture!("pgp_ed25519.sig"), "Ada ed25519 <ed25519@example.com>"),
        (fixture!("pgp_subkey.asc"), fixture!("pgp_subkey.sig"), "Bea <bea@example.com>"),
    ] {
        assert_eq!(signer(judge(&store(keyring), signature)), name);
    }
}

#[test]
fn a_commit_that_git_signed_is_good() {
    let (payload, signature) = commit_parts(fixture!("git_commit_pgp.txt"));
    let verdict = verify(&store(fixture!("pgp_ed25519.asc")), payload.as_bytes(), &signature, time(AT));
    assert_eq!(signer(verdict), "Ada ed25519 <ed25519@example.com>");
    let verdict = verify(&store(fixture!("pgp_ed25519.asc")), b"other", &signature, time(AT));
    assert!(matches!(reason(verdict), Reason::Broken { .. }));
}

#[test]
fn keyrings_are_read_binary_and_in_several_blocks() {
    let binary = Store::read(include_bytes!("fixtures/pgp_two.gpg")).unwrap();
    let text = format!("Ada's keys:\n{}\nand\n{}", fixture!("pgp_rsa.asc"), fixture!("pgp_ed25519.asc"));
    for store in [binary, store(&text)] {
        assert_eq!(signer(judge(&store, fixture!("pgp_rsa.sig"))), "Ada rsa <rsa@example.com>");
        assert_eq!(signer(judge(&store, fixture!("pgp_ed25519.sig"))), "Ada ed25519 <ed25519@example.com>");
    }
}

#[test]
fn one_of_several_signatures_is_enough() {
    for keyring in [fixture!("pgp_p256.asc"), fixture!("pgp_ed25519.asc")] {
        assert!(matches!(judge(&store(keyring), fixture!("pgp_many.sig")), Verdict::Good { .. }));
    }
    let found = reason(judge(&store(fixture!("pgp_rsa.asc")), fixture!("pgp_many.sig")));
    assert!(matches!(found, Reason::UnknownKey { .. }), "{found:?}");
}

#[test]
fn unknown_keys_are_named() {
    let found = reason(judge(&store(fixture!("pgp_rsa.asc")), fixture!("pgp_ed25519.sig")));
    let Reason::UnknownKey { key } = &found else { panic!("{found:?}") };
    let Verdict::Good { key: known, .. } = judge(&store(fixture!("pgp_ed25519.asc")), fixture!("pgp_ed25519.sig"))
    else {
        panic!()
    };
    assert_eq!(*key, known);
    assert_eq!(key.as_str().len(), 40);
}

#[test]
fn a_changed_payload_breaks_every_signature() {
    for (keyring, signature) in [
        (fixture!("pgp_rsa.asc"), fixture!("pgp_rsa.sig")),
        (fixture!("pgp_p256.asc"), fixture!("pgp_p256.sig")),
        (fixture!("pgp_ed25519.asc"), fixture!("pgp_ed25519.sig")),
        (fixture!("pgp_subkey.asc"), fixture!("pgp_subkey.sig")),
    ] {
        let found = reason(verify(&store(keyring), b"other", signature, time(AT)));
        assert!(matches!(found, Reason::Broken { .. }), "{found:?}");
    }
}

#[test]
fn weak_hashes_and_keys_are_refused() {
    for (keyring, signature, told) in [
        (fixture!("pgp_rsa.asc"), fixture!("pgp_rsa_sha1.sig"), "SHA1"),
        (fixture!("pgp_rsa.asc"), fixture!("pgp_rsa_md5.sig"), "MD5"),
        (fixture!("pgp_short.asc"), fixture!("pgp_short.sig"), "1024 bits"),
        (fixture!("pgp_dsa.asc"), fixture!("pgp_dsa.sig"), "DSA"),
    ] {
        let found = reason(judge(&store(keyring), signature));
        assert!(matches!(&found, Reason::Unsupported { what } if what.contains(told)), "{found:?}");
    }
    let faults = Store::read(fixture!("pgp_sha1_cert.asc").as_bytes()).map(|_| ()).unwrap_err();
    assert!(faults[0].message.contains("SHA-1"), "{faults:?}");
}

#[test]
fn expiry_is_checked_at_the_time_of_the_commit() {
    // Created on 2025-01-01 for 500 days.
    for (keyring, signature) in [
        (fixture!("pgp_expiring.asc"), fixture!("pgp_expiring.sig")),
        (fixture!("pgp_subkey.asc"), fixture!("pgp_subkey.sig")),
    ] {
        assert!(matches!(at(keyring, signature, "2026-05-15T23:59:59Z"), Verdict::Good { .. }));
        assert!(matches!(reason(at(keyring, signature, "2026-05-16T00:00:00Z")), Reason::Expired { .. }));
        assert!(matches!(reason(at(keyring, signature, "2024-12-31T23:59:59Z")), Reason::NotYetValid { .. }));
    }
    let renewed = at(fixture!("pgp_subkey_renewed.asc"), fixture!("pgp_subkey.sig"), "2026-05-17T00:00:00Z");
    assert!(matches!(renewed, Verdict::Good { .. }), "{renewed:?}");
}

#[test]
fn a_retired_key_stays_good_for_earlier_signatures() {
    let retired = |when: &str| at(fixture!("pgp_soft.asc"), fixture!("pgp_soft.sig"), when);
    assert!(matches!(retired("2026-05-31T00:00:00Z"), Verdict::Good { .. }));
    assert!(matches!(reason(retired("2026-06-01T00:00:00Z")), Reason::Revoked { since: Some(_), .. }));
}

#[test]
fn a_stolen_key_is_never_good() {
    let stolen = [
        at(fixture!("pgp_hard.asc"), fixture!("pgp_hard.sig"), AT),
        at(fixture!("pgp_subkey_revoked.asc"), fixture!("pgp_subkey.sig"), AT),
    ];
    for verdict in stolen {
        assert!(matches!(&verdict, Verdict::Bad(Reason::Revoked { since: None, .. })), "{verdict:?}");
    }
}

#[test]
fn a_subkey_must_confirm_that_it_belongs_to_the_certificate() {
    let (mut parsed, _) = SignedPublicKey::from_string(fixture!("pgp_subkey.asc")).unwrap();
    for subkey in &mut parsed.public_subkeys {
        for binding in &mut subkey.signatures {
            let places = binding.config().unwrap().unhashed_subpackets();
            let place = places.enumerate().find(|(_, s)| matches!(s.data, SubpacketData::EmbeddedSignature(_)));
            let place = place.map(|(at, _)| at).unwrap();
            binding.unhashed_subpacket_remove(place).unwrap();
        }
    }
    let store = Store::read(&parsed.to_bytes().unwrap()).unwrap();
    let found = reason(judge(&store, fixture!("pgp_subkey.sig")));
    assert!(matches!(found, Reason::NotForSigning { .. }), "{found:?}");
}

#[test]
fn a_binding_not_signed_by_the_primary_key_does_not_count() {
    // The binding ends after 500 days. An attacker extends it in the part that the primary key signed.
    let (mut parsed, _) = SignedPublicKey::from_string(fixture!("pgp_subkey.asc")).unwrap();
    for binding in parsed.public_subkeys.iter_mut().flat_map(|subkey| &mut subkey.signatures) {
        let mut config = binding.config().unwrap().clone();
        for subpacket in &mut config.hashed_subpackets {
            if let SubpacketData::KeyExpirationTime(span) = &mut subpacket.data {
                *span = pgp::types::Duration::from_secs(u32::MAX);
            }
        }
        let (hash, bytes) = (binding.signed_hash_value().unwrap(), binding.signature().unwrap().clone());
        *binding = Signature::from_config(config, hash, bytes).unwrap();
    }
    let store = Store::read(&parsed.to_bytes().unwrap()).unwrap();
    let found = reason(judge(&store, fixture!("pgp_subkey.sig")));
    assert!(matches!(found, Reason::NotForSigning { .. }), "{found:?}");
}

#[test]
fn a_subkey_expires_with_its_primary_key() {
    // The primary key was created on 2025-01-01 for 500 days, and the subkey without an expiry.
    let when = |when: &str| at(fixture!("pgp_primary_expires.asc"), fixture!("pgp_primary_expires.sig"), when);
    assert!(matches!(when("2026-05-15T00:00:00Z"), Verdict::Good { .. }));
    assert!(matches!(reason(when("2026-05-17T00:00:00Z")), Reason::Expired { .. }));
}

#[test]
fn a_signature_may_expire_by_itself() {
    // Created in the last second of 2025 for 30 days.
    let when = |when: &str| at(fixture!("pgp_flo.asc"), fixture!("pgp_brief.sig"), when);
    assert!(matches!(when("2026-01-30T23:59:58Z"), Verdict::Good { .. }));
    assert!(matches!(reason(when("2026-01-30T23:59:59Z")), Reason::Expired { .. }));
}

#[test]
fn unknown_critical_notations_are_not_ignored() {
    assert!(matches!(judge(&store(fixture!("pgp_flo.asc")), fixture!("pgp_notation.sig")), Verdict::Good { .. }));
    let found = reason(judge(&store(fixture!("pgp_flo.asc")), fixture!("pgp_critical.sig")));
    assert!(matches!(&found, Reason::Unsupported { what } if what.contains("critical")), "{found:?}");
}

#[test]
fn an_older_copy_of_a_certificate_does_not_override_its_revocation() {
    for (first, second) in [("pgp_subkey", "revoked"), ("revoked", "pgp_subkey")] {
        let of = |name: &str| {
            if name == "revoked" { fixture!("pgp_subkey_revoked.asc") } else { fixture!("pgp_subkey.asc") }
        };
        let mut store = store(of(first));
        store.merge(Store::read(of(second).as_bytes()).unwrap());
        let found = reason(judge(&store, fixture!("pgp_subkey.sig")));
        assert!(matches!(found, Reason::Revoked { .. }), "{found:?}");
    }
}

#[test]
fn a_subkey_cannot_be_claimed_by_another_certificate() {
    let (mut thief, _) = SignedPublicKey::from_string(fixture!("pgp_rsa.asc")).unwrap();
    let (owner, _) = SignedPublicKey::from_string(fixture!("pgp_subkey.asc")).unwrap();
    thief.public_subkeys = owner.public_subkeys;
    let store = Store::read(&thief.to_bytes().unwrap()).unwrap();
    let found = reason(judge(&store, fixture!("pgp_subkey.sig")));
    assert!(matches!(found, Reason::NotForSigning { .. }), "{found:?}");
}

#[test]
fn the_signer_is_named_by_a_user_id_that_is_not_revoked() {
    let store = store(fixture!("pgp_renamed.asc"));
    let Verdict::Good { signer, key } = judge(&store, fixture!("pgp_renamed.sig")) else { panic!() };
    assert_eq!(signer, "New Name <new@example.com>");
    assert!(store.speaks_for(&key, "new@example.com"));
    assert!(!store.speaks_for(&key, "old@example.com"));
    assert!(!store.speaks_for(&key, "example.com"));
}

#[test]
fn damaged_signatures_and_keyrings_are_reported() {
    let whole = fixture!("pgp_ed25519.sig");
    let lines: Vec<&str> = whole.lines().collect();
    let without_end = lines[..lines.len() - 1].join("\n");
    let without_line = [&lines[..2], &lines[3..]].concat().join("\n");
    for text in [without_end.as_str(), &without_line, "-----BEGIN PGP SIGNATURE-----\n\n-----END PGP SIGNATURE-----\n"]
    {
        let found = reason(judge(&store(fixture!("pgp_ed25519.asc")), text));
        assert!(matches!(found, Reason::Unreadable { .. }), "{found:?}");
    }
    for (text, line, told) in [
        (format!("# keys\n{}", fixture!("pgp_rsa.asc").rsplit_once("-----END").unwrap().0), 2, "end of the block"),
        (fixture!("pgp_rsa.sig").to_owned(), 1, "not a certificate"),
        ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----\n".to_owned(), 1, "export"),
    ] {
        let faults = Store::read(text.as_bytes()).map(|_| ()).unwrap_err();
        assert_eq!(faults[0].line, line, "{faults:?}");
        assert!(faults[0].message.contains(told), "{faults:?}");
    }
}
