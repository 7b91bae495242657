//! Files that are not a fleet.

use tidegate_journal::snapshot::{Error, Snapshot};
use tidegate_model::error_chain::ErrorChain;

use super::hub::{hub, recorded};

fn error(text: &str) -> String {
    let error: Error = Snapshot::read(text.as_bytes()).unwrap_err();
    ErrorChain(&error).to_string()
}

#[test]
fn an_error_names_the_line_and_the_field() {
    let good = recorded(&hub()).to_yaml();
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}\n{good}");
        error(&good.replacen(from, to, 1))
    };
    let cluster = good.lines().find(|line| line.starts_with("  \"c1\"")).unwrap();
    let errors = [
        changed("tidegate.io/v1alpha1", "tidegate.io/v1"),
        changed("kind: Fleet", "kind: Sync"),
        changed("apiVersion: tidegate.io/v1alpha1\n", ""),
        changed(cluster, &format!("{cluster}\n{cluster}")),
        changed("  \"c1\":", "  \"C 1\":"),
        changed("\"labels\": {\"region\": \"eu\"}", "\"labels\": {\"region\": 3}"),
        changed("\"labels\":", "\"labls\":"),
        changed("\"since\": \"2026-03-01T11:00:05Z\"", "\"since\": \"yesterday\""),
        changed("\"kind\": \"Placement\", ", ""),
        changed("clusterSets:", "clusterSetz:"),
        error("apiVersion: tidegate.io/v1alpha1\nkind: Fleet\nclusters: [\n"),
        error(
            "apiVersion: tidegate.io/v1alpha1\nkind: Fleet\nclusters:\n  \"c1\": {\"addons\": {\"hello\": {\"assigned\": \"0000\"}}}\n",
        ),
    ];
    insta::assert_snapshot!("errors", errors.join("\n"));
}

#[test]
fn no_bytes_panic() {
    let good = recorded(&hub()).to_yaml();
    for end in (0..good.len()).step_by(7).filter(|end| good.is_char_boundary(*end)) {
        let _ = Snapshot::read(good.get(..end).unwrap().as_bytes());
        let _ = Snapshot::read(format!("{}\u{e9}\"{{", good.get(..end).unwrap()).as_bytes());
    }
    assert!(Snapshot::read(&[0xff]).is_err());
}
