//! Tests of files of trusted keys: what is read, and which errors are reported where.

use super::fixture::*;
use tidegate_signature::Store;

const CUT: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDes6hYXKYApZVCSm5Ou";

fn key() -> &'static str {
    fixture!("ssh_ed25519.pub").trim_end()
}

fn faults(text: &str) -> Vec<String> {
    Store::read(text.as_bytes()).map(|_| ()).unwrap_err().iter().map(ToString::to_string).collect()
}

#[track_caller]
fn complains(text: &str, place: &str, words: &str) {
    let faults = faults(text);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].starts_with(&format!("{place}: ")) && faults[0].contains(words), "{faults:?}");
}

#[test]
fn comments_blank_lines_quotes_and_options_are_read() {
    let text = format!(
        "# who signs\r\n\r\n  \"ada@example.com,bea@example.com\" {key} a comment\r\ncy@example.com\tNameSpaces=\"git\",\
         valid-after=\"20260101Z\",valid-before=\"202612312359\" {key}",
        key = key()
    );
    let store = Store::read(text.as_bytes()).unwrap();
    assert!(!store.is_empty());
    assert_eq!(signer(judge(&store, fixture!("ssh_ed25519.sig"))), "ada@example.com");
}

#[test]
fn stores_are_merged() {
    let mut store = trusting("ada@example.com", fixture!("ssh_ed25519.pub"));
    assert!(Store::default().is_empty());
    store.merge(trusting("bea@example.com", fixture!("ssh_p256.pub")));
    assert_eq!(signer(judge(&store, fixture!("ssh_ed25519.sig"))), "ada@example.com");
    assert_eq!(signer(judge(&store, fixture!("ssh_p256.sig"))), "bea@example.com");
}

#[test]
fn an_empty_file_trusts_no_one() {
    assert!(Store::read(b"").unwrap().is_empty());
    assert!(Store::read("\u{feff}# nobody yet\n".as_bytes()).unwrap().is_empty());
}

#[test]
fn errors_name_the_place_and_what_is_correct() {
    let key = key();
    complains(&format!("{key}\n"), "1:1", "principals are missing");
    complains("ada@example.com\n", "1:16", "the key is missing");
    complains("ada@example.com namespaces=\"git\"\n", "1:33", "the key is missing");
    complains("\nada@example.com ssh-foo AAAA\n", "2:17", "\"ssh-foo\" is neither");
    complains("ada@example.com ssh-ed25519 AAAA\n", "1:29", "copy the whole line");
    complains("ada@example.com ssh-ed25519\n", "1:28", "copy the whole line");
    complains(&format!("ada@example.com {CUT}\n"), "1:29", "cannot be read");
    complains(&format!("ca@example.com cert-authority {key}\n"), "1:16", "certificates are not");
    complains("ada@example.com ssh-ed25519-cert-v01@openssh.com AAAA\n", "1:17", "certificates are not supported");
    complains(&format!("ada@example.com valid-after=20260101 {key}\n"), "1:29", "valid-after=\"20260131\"");
    complains(&format!("ada@example.com valid-after=\"20261301\" {key}\n"), "1:30", "YYYYMMDD");
    complains(&format!("ada@example.com valid-after=\"2026010\" {key}\n"), "1:30", "YYYYMMDD");
    complains(&format!("ada@example.com valid-after=\"2026010112\" {key}\n"), "1:30", "YYYYMMDD");
    complains(&format!("ada@example.com valid-after=\"202601012460\" {key}\n"), "1:30", "YYYYMMDD");
    complains(&format!("ada@example.com namespaces=\"git {key}\n"), "1:28", "closing quote");
    complains(&format!("\"ada@example.com {key}\n"), "1:1", "closing quote");
    complains(&format!("!eve@example.com {key}\n"), "1:1", "all negated");
    complains(&format!("é namespaces=\"a\",namespaces=\"b\" {key}\n"), "1:18", "second time");
    complains(&format!("a namespaces=\"a\"x {key}\n"), "1:17", "comma is missing");
    complains(&format!("a no-touch-required {key}\n"), "1:3", "nor an option");
    complains(&format!("a valid-after=\"20260101\",valid-before=\"20260101\" {key}\n"), "1:26", "never valid");
}

#[test]
fn every_faulty_line_is_reported() {
    assert_eq!(faults("a\nb\n# c\nd\n").len(), 3);
}

#[test]
fn files_of_the_wrong_kind_are_reported() {
    complains(fixture!("ssh_ed25519.key"), "1:1", "private key");
    complains("\n-----BEGIN PGP PRIVATE KEY BLOCK-----\n", "2:1", "private key");
    complains("-----BEGIN CERTIFICATE-----\n", "1:1", "\"CERTIFICATE\"");
    let faults = Store::read(b"ada\n# caf\xe9\n").map(|_| ()).unwrap_err();
    assert_eq!((faults[0].line, faults[0].column), (2, 6));
    let faults = Store::read(b"\0\0\0\x20\x01\x01\0\x02KBXf\xff\xff").map(|_| ()).unwrap_err();
    assert!(faults[0].message.contains("gpg --export"));
}
