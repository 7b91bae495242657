//! The fixture files, and stores created from them.

use tidegate_model::time::Timestamp;
use tidegate_signature::{Reason, Store, Verdict, verify};

/// The payload that most fixtures sign.
pub(super) const PAYLOAD: &[u8] = include_bytes!("fixtures/payload.txt");

/// The time in the payload.
pub(super) const AT: &str = "2026-01-01T00:00:00Z";

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("fixtures/", $name))
    };
}
pub(super) use fixture;

pub(super) fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Returns a store from one line: principals and options, then a public key.
pub(super) fn trusting(who: &str, key: &str) -> Store {
    Store::read(format!("{who} {key}").as_bytes()).unwrap()
}

/// Verifies a signature over the usual payload at the usual time.
pub(super) fn judge(store: &Store, signature: &str) -> Verdict {
    verify(store, PAYLOAD, signature, time(AT))
}

pub(super) fn reason(verdict: Verdict) -> Reason {
    match verdict {
        Verdict::Bad(reason) => reason,
        other => panic!("a bad signature is expected: {other:?}"),
    }
}

pub(super) fn signer(verdict: Verdict) -> String {
    match verdict {
        Verdict::Good { signer, .. } => signer,
        other => panic!("a good signature is expected: {other:?}"),
    }
}

/// Separates the signature from a commit, as Git does: the header `gpgsig` and its continuation lines.
pub(super) fn commit_parts(commit: &str) -> (String, String) {
    let (mut payload, mut signature, mut inside) = (String::new(), String::new(), false);
    let (head, body) = commit.split_once("\n\n").unwrap();
    for line in head.lines() {
        if let Some(first) = line.strip_prefix("gpgsig ") {
            inside = true;
            signature.push_str(first);
        } else if inside && line.starts_with(' ') {
            signature.push_str(&line[1..]);
        } else {
            inside = false;
            payload.push_str(line);
            payload.push('\n');
            continue;
        }
        signature.push('\n');
    }
    (format!("{payload}\n{body}"), signature)
}
