//! Tests of signatures that `ssh-keygen -Y sign` and `git commit -S` made.

use super::fixture::*;
use tidegate_signature::{Reason, Store, Verdict, verify};

#[test]
fn signatures_of_every_kind_are_good() {
    for (key, signature) in [
        (fixture!("ssh_ed25519.pub"), fixture!("ssh_ed25519.sig")),
        (fixture!("ssh_ed25519.pub"), fixture!("ssh_ed25519_sha256.sig")),
        (fixture!("ssh_p256.pub"), fixture!("ssh_p256.sig")),
        (fixture!("ssh_p384.pub"), fixture!("ssh_p384.sig")),
        (fixture!("ssh_rsa.pub"), fixture!("ssh_rsa.sig")),
        (fixture!("ssh_rsa.pub"), fixture!("ssh_rsa_sha256.sig")),
    ] {
        let store = trusting("ada@example.com", key);
        assert_eq!(signer(judge(&store, signature)), "ada@example.com");
    }
}

#[test]
fn the_verdict_names_signer_and_fingerprint() {
    let verdict =
        judge(&trusting("ada@example.com,ada@home", fixture!("ssh_ed25519.pub")), fixture!("ssh_ed25519.sig"));
    let Verdict::Good { signer, key } = &verdict else { panic!("{verdict:?}") };
    assert_eq!(signer, "ada@example.com");
    assert!(key.as_str().starts_with("SHA256:"), "{key}");
    assert_eq!(verdict.to_string(), format!("signed by ada@example.com with the key {key}"));
}

#[test]
fn a_commit_and_a_tag_that_git_signed_are_good() {
    let (payload, signature) = commit_parts(fixture!("git_commit_ssh.txt"));
    let store = trusting("ada@example.com", fixture!("ssh_ed25519.pub"));
    assert_eq!(signer(verify(&store, payload.as_bytes(), &signature, time(AT))), "ada@example.com");

    let tag = fixture!("git_tag_ssh.txt");
    let (payload, signature) = tag.split_at(tag.find("-----BEGIN").unwrap());
    let store = trusting("ada@example.com", fixture!("ssh_p256.pub"));
    assert_eq!(signer(verify(&store, payload.as_bytes(), signature, time(AT))), "ada@example.com");
}

#[test]
fn a_changed_payload_breaks_every_signature() {
    for (key, signature) in [
        (fixture!("ssh_ed25519.pub"), fixture!("ssh_ed25519.sig")),
        (fixture!("ssh_p256.pub"), fixture!("ssh_p256.sig")),
        (fixture!("ssh_p384.pub"), fixture!("ssh_p384.sig")),
        (fixture!("ssh_rsa.pub"), fixture!("ssh_rsa.sig")),
    ] {
        let store = trusting("ada@example.com", key);
        for at in [0, PAYLOAD.len() / 2, PAYLOAD.len() - 1] {
            let mut payload = PAYLOAD.to_vec();
            payload[at] ^= 1;
            let found = reason(verify(&store, &payload, signature, time(AT)));
            assert!(matches!(found, Reason::Broken { .. }), "{found:?}");
        }
    }
}

#[test]
fn a_signature_under_another_key_is_broken() {
    // Both keys have the same length, so the key in the signature can be replaced.
    let honest = decoded(fixture!("ssh_ed25519.sig"));
    let mut forged = honest.clone();
    let other = decoded(fixture!("ssh_stranger.sig"));
    forged[10..65].copy_from_slice(&other[10..65]);
    assert_ne!(honest, forged);
    let store = trusting("eve@example.com", fixture!("ssh_stranger.pub"));
    let found = reason(judge(&store, &encoded(&forged)));
    assert!(matches!(found, Reason::Broken { .. }), "{found:?}");
}

#[test]
fn an_unknown_key_is_named() {
    let found = reason(judge(&trusting("ada@example.com", fixture!("ssh_ed25519.pub")), fixture!("ssh_stranger.sig")));
    let Reason::UnknownKey { key } = &found else { panic!("{found:?}") };
    assert!(found.to_string().contains(key.as_str()));
    let found = reason(judge(&Store::default(), fixture!("ssh_ed25519.sig")));
    assert!(matches!(found, Reason::UnknownKey { .. }), "{found:?}");
}

#[test]
fn signatures_for_other_purposes_do_not_count() {
    let store = trusting("ada@example.com", fixture!("ssh_ed25519.pub"));
    let found = reason(judge(&store, fixture!("ssh_ed25519_file.sig")));
    assert_eq!(found, Reason::Namespace { found: "file".to_owned() });
}

#[test]
fn keys_for_other_purposes_do_not_count() {
    let found = |options: &str| {
        judge(
            &trusting(&format!("ada@example.com {options}"), fixture!("ssh_ed25519.pub")),
            fixture!("ssh_ed25519.sig"),
        )
    };
    assert!(matches!(reason(found("namespaces=\"file,email\"")), Reason::NotForGit { .. }));
    assert!(matches!(reason(found("namespaces=\"*,!git\"")), Reason::NotForGit { .. }));
    assert_eq!(signer(found("namespaces=\"file,g?t\"")), "ada@example.com");
}

#[test]
fn validity_is_checked_at_the_time_of_the_commit() {
    let store = trusting(
        "ada@example.com valid-after=\"20260101\",valid-before=\"20260201120000Z\"",
        fixture!("ssh_ed25519.pub"),
    );
    let at = |text: &str| verify(&store, PAYLOAD, fixture!("ssh_ed25519.sig"), time(text));
    assert!(matches!(reason(at("2025-12-31T23:59:59Z")), Reason::NotYetValid { .. }));
    assert_eq!(signer(at("2026-01-01T00:00:00Z")), "ada@example.com");
    assert_eq!(signer(at("2026-02-01T12:00:00Z")), "ada@example.com");
    let found = reason(at("2026-02-01T12:00:01Z"));
    assert!(matches!(&found, Reason::Expired { until, .. } if *until == time("2026-02-01T12:00:00Z")), "{found:?}");
}

#[test]
fn one_of_several_lines_with_the_key_is_enough() {
    let key = fixture!("ssh_ed25519.pub");
    let text = format!("old@example.com valid-before=\"20200101\" {key}\n# her present line\nada@example.com {key}\n");
    assert_eq!(signer(judge(&Store::read(text.as_bytes()).unwrap(), fixture!("ssh_ed25519.sig"))), "ada@example.com");
}

#[test]
fn weak_and_unsupported_keys_are_reported() {
    for (key, signature, told) in [
        (fixture!("ssh_p521.pub"), fixture!("ssh_p521.sig"), "P-521"),
        (fixture!("ssh_rsa1024.pub"), fixture!("ssh_rsa1024.sig"), "1024 bits"),
    ] {
        let found = reason(judge(&trusting("ada@example.com", key), signature));
        assert!(matches!(&found, Reason::Unsupported { what } if what.contains(told)), "{found:?}");
    }
}

#[test]
fn damaged_signatures_are_unreadable() {
    let store = trusting("ada@example.com", fixture!("ssh_ed25519.pub"));
    let whole = fixture!("ssh_ed25519.sig");
    let lines: Vec<&str> = whole.lines().collect();
    let without_end = lines[..lines.len() - 1].join("\n");
    let without_line = [&lines[..2], &lines[3..]].concat().join("\n");
    for text in
        [without_end.as_str(), &without_line, &whole.replace("BEGIN SSH", "BEGIN"), "gibberish", &"A".repeat(70_000)]
    {
        let found = reason(judge(&store, text));
        assert!(matches!(found, Reason::Unreadable { .. }), "{found:?}");
    }
    assert_eq!(judge(&store, " \n"), Verdict::Unsigned);
}

#[test]
fn lines_of_any_width_are_read() {
    let store = trusting("ada@example.com", fixture!("ssh_ed25519.pub"));
    let body: String = fixture!("ssh_ed25519.sig").lines().filter(|line| !line.starts_with("-----")).collect();
    for width in [20, 64, 76, 1000] {
        let lines: Vec<String> =
            body.as_bytes().chunks(width).map(|line| String::from_utf8(line.to_vec()).unwrap()).collect();
        let text = format!("-----BEGIN SSH SIGNATURE-----\r\n{}\r\n-----END SSH SIGNATURE-----", lines.join("\r\n"));
        assert_eq!(signer(judge(&store, &text)), "ada@example.com", "{width}");
    }
}

#[test]
fn patterns_decide_which_identities_a_key_speaks_for() {
    let store = trusting("*@example.com,!eve@example.com,\u{61}da@home", fixture!("ssh_ed25519.pub"));
    let Verdict::Good { key, .. } = judge(&store, fixture!("ssh_ed25519.sig")) else { panic!() };
    for (identity, expected) in
        [("ada@example.com", true), ("ada@home", true), ("eve@example.com", false), ("ada", false)]
    {
        assert_eq!(store.speaks_for(&key, identity), expected, "{identity}");
    }
}

#[test]
fn x509_certificates_are_unsupported() {
    let found =
        reason(judge(&Store::default(), "-----BEGIN SIGNED MESSAGE-----\nMII=\n-----END SIGNED MESSAGE-----\n"));
    assert!(matches!(&found, Reason::Unsupported { what } if what.contains("X.509")), "{found:?}");
}

fn decoded(armoured: &str) -> Vec<u8> {
    let body: String = armoured.lines().filter(|line| !line.starts_with("-----")).collect();
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values: Vec<u32> = body
        .bytes()
        .filter(|b| *b != b'=')
        .map(|b| u32::try_from(digits.iter().position(|digit| *digit == b).unwrap()).unwrap())
        .collect();
    let bytes = |four: &[u32]| {
        let bits = (0..4).fold(0, |bits, at| bits << 6 | four.get(at).copied().unwrap_or(0));
        let [_, all @ ..] = bits.to_be_bytes();
        all[..four.len() - 1].to_vec()
    };
    values.chunks(4).flat_map(bytes).collect()
}

/// Encodes a signature with ASCII armor.
pub(super) fn encoded(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, at| bits << 8 | usize::from(three.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            text.push(if at <= three.len() { char::from(digits[bits >> (18 - 6 * at) & 63]) } else { '=' });
        }
    }
    format!("-----BEGIN SSH SIGNATURE-----\n{text}\n-----END SSH SIGNATURE-----\n")
}
