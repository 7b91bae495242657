//! What people, their tools and agents write: approvals, comments, commit messages, keys, signatures and certificate requests.

use tidegate_consent::{Command, approval, file};
use tidegate_delivery::registration::Request;
use tidegate_import::{Options, import};
use tidegate_journal::headline;
use tidegate_journal::writer::Writer;
use tidegate_kustomize::yaml::{Input, SourceId, manifests};
use tidegate_model::time::Timestamp;
use tidegate_signature::{SigningKey, Store, new_private_key, verify};

use super::{fuzz, fuzz_text};
use crate::certificate_request::Asked;

#[test]
fn approvals_in_files() {
    let path = "approvals/istio/0123456789ab.yaml";
    let samples = [
        "approvals:\n- {by: bob@example.com, at: 2026-01-01T00:00:00Z, digest: 0123456789abcdef, group: rest, reason: ok}\n",
        "approvals: []\n",
    ];
    fuzz_text(&samples, |text| drop(file::read(path, text.as_bytes())));
}

#[test]
fn comments_and_commit_messages() {
    let samples = [
        "/tidegate approve istio 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef --group rest\n",
        "Revert \"x\"\n\nThis reverts commit 0123456789012345678901234567890123456789.\n\nApproved-by: bob\nDaemon: a since 2026-01-01T00:00:00Z term 3\n",
        "a: b\n\nApproved-by: bob\nDaemon: a since 2026-01-01T00:00:00Z\n\nDaemon: a since 2026-01-01T00:00:00Z\n",
        "Merge branch 'x' into 'main'\n\nSee merge request a/b!7\n",
    ];
    fuzz_text(&samples, |text| {
        let _command = Command::read(text);
        let _approvals = approval::read(text);
        for trailer in approval::trailers(text) {
            let _writer = trailer.value.parse::<Writer>();
        }
        let signed = headline::set_trailer(text, "Daemon", "b since 2026-01-01T00:00:00Z");
        assert_eq!(headline::trailer(&signed, "Daemon"), Some("b since 2026-01-01T00:00:00Z"));
    });
}

#[test]
fn keys_and_signatures() {
    let key = new_private_key(&[7; 32], "ada@example.com").unwrap();
    let signer = SigningKey::read(&key).unwrap();
    let signature = signer.sign(b"payload").unwrap();
    let trusted = format!("ada@example.com namespaces=\"git\" {}\n# comment\n", signer.public_key());
    let store = Store::read(trusted.as_bytes()).unwrap();
    let samples = [key, signature, trusted].map(String::into_bytes);
    fuzz(&samples, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let _key = SigningKey::read(&text);
        let _verdict = verify(&store, b"payload", &text, Timestamp::UNIX_EPOCH);
        if let Ok(store) = Store::read(bytes) {
            let _verdict = verify(&store, b"payload", &text, Timestamp::UNIX_EPOCH);
        }
    });
}

#[test]
fn certificate_requests() {
    let pem = Asked::default().pem().into_bytes();
    fuzz(&[pem], |bytes| drop(Request::parse(bytes)));
}

#[test]
fn staged_rollouts_of_other_tools() {
    let samples = [
        include_str!("../core/import/samples/argo.yaml"),
        include_str!("../core/import/samples/fleet.yaml"),
        include_str!("../core/import/samples/kubefleet.yaml"),
        include_str!("../core/import/samples/sveltos.yaml"),
        include_str!("../core/import/samples/talm.yaml"),
    ];
    let approvers = ["sre".to_owned()];
    let options =
        Options { addon: "web", namespace: "fleet", approvers: &approvers, group_label: Some("rollout-group") };
    fuzz_text(&samples, |text| {
        if let Ok(nodes) = manifests(Input::of_file(SourceId::default(), text.as_bytes())) {
            let (imported, report) = import(&nodes, &options);
            assert_eq!(imported.is_none(), report.refused().next().is_some() || nodes.is_empty());
        }
    });
}
