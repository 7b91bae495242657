//! The program as users run it: its output and exit codes.

mod adopt;
mod approve;
mod blame;
mod blame_cluster;
mod clone;
mod control;
mod control_hostile;
mod doctor;
mod doctor_forge;
mod fleet;
mod help;
mod notification;
mod oracle;
mod overlay;
mod pipelines;
mod plan;
mod policy;
mod rollback;
mod sandbox;
mod scenarios;
mod schema;
mod settings_pages;
mod validate;
mod validate_manifests;
mod validate_overlays;
mod vendor;
mod vendored;
mod why_different;

use std::path::Path;
use std::process::{Command, Output};

use crate::redacted::redacted;

pub(crate) use vendor::World as VendorWorld;

/// Runs the program in an empty environment.
pub(crate) fn tidegate(arguments: &[&str]) -> Output {
    tidegate_in(Path::new("."), arguments)
}

/// Runs the program in a directory, in an empty environment.
pub(crate) fn tidegate_in(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.current_dir(directory).args(arguments).output().unwrap()
}

/// Returns what the user sees of a run, for a snapshot: the output, the errors, and the exit code unless it is 0.
fn shown(output: &Output) -> String {
    let mut shown = text(&output.stdout);
    if !output.stderr.is_empty() {
        shown += &format!("--- stderr\n{}", text(&output.stderr));
    }
    if code(output) != 0 {
        shown += &format!("--- exit code {}\n", code(output));
    }
    redacted(&shown)
}

/// Runs commands one after the other, and returns what the user sees, for a snapshot.
pub(crate) fn session<'a>(commands: &[impl AsRef<[&'a str]>]) -> String {
    let run =
        |arguments: &[&str]| redacted(&format!("$ tidegate {}\n", arguments.join(" "))) + &shown(&tidegate(arguments));
    commands.iter().map(|arguments| run(arguments.as_ref())).collect::<Vec<_>>().join("\n")
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_demo_succeeds_and_leaves_a_journal() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path().join("demo");
    let output = tidegate(&[
        "demo",
        "--exit-when-done",
        "--clusters",
        "20",
        "--timeout",
        "100s",
        "--dir",
        dir.to_str().unwrap(),
    ]);
    let said = text(&output.stdout);
    assert_eq!(code(&output), 0, "{said}\n{}", text(&output.stderr));
    let is_progress = |line: &&str| line.starts_with("  hello-template ");
    let rest: Vec<&str> = said.lines().filter(|line| !is_progress(line)).collect();
    insta::assert_snapshot!("demo", redacted(&rest.join("\n")));
    let repository = dir.join("repo.git");
    let status = tidegate(&["status", "--source", repository.to_str().unwrap(), "-o", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(document["addons"][0]["rollout"]["to"], "0.4.1");
    assert_eq!(document["addons"][0]["clusters"]["succeeded"], 20);
    let table = text(&tidegate(&["status", "--source", repository.to_str().unwrap()]).stdout);
    assert!(table.contains("fleet · canary") && table.contains("10/10"), "{table}");
    assert_eq!(code(&tidegate(&["status", "--exit-code", "--source", repository.to_str().unwrap()])), 0);
    let explained = tidegate(&["explain", "--source", repository.to_str().unwrap(), "hello-template"]);
    assert!(text(&explained.stdout).contains("20 Succeeded"), "{}", text(&explained.stdout));
    // The same directory is not used twice.
    insta::assert_snapshot!("demo_again", session(&[["demo", "--dir", dir.to_str().unwrap()]]));
}

#[test]
fn a_demo_that_is_not_done_in_time_reports_what_was_waiting() {
    let output = tidegate(&["demo", "--exit-when-done", "--clusters", "20", "--timeout", "1ms"]);
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("not done in time"), "{}", text(&output.stderr));
}

#[test]
fn findings_wrong_usage_and_an_unreachable_remote_have_their_own_exit_codes() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("x.yaml"), "kind: [\n").unwrap();
    std::fs::write(path("kubeconfig"), "apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}]\nusers: [{name: a, user: {}}]\ncontexts: [{name: a, context: {cluster: a, user: a}}]\ncurrent-context: a\n").unwrap();
    // No one listens on port 1 of this machine.
    let commands: [(i32, &[&str]); 8] = [
        (0, &["validate", "examples-repo"]),
        (1, &["validate", &path("")]),
        (2, &["validate", &path("nowhere")]),
        (2, &["blame"]),
        (2, &["run", "--source", &path("r"), "--kubeconfig", &path("none")]),
        (2, &["run", "--source", &path("r"), "--log-format", "xml"]),
        (3, &["status", "--source", "http://127.0.0.1:1/x.git"]),
        (3, &["run", "--source", &path("r"), "--kubeconfig", &path("kubeconfig")]),
    ];
    for (expected, arguments) in commands {
        assert_eq!(code(&tidegate(arguments)), expected, "{arguments:?}");
    }
    insta::assert_snapshot!("exit_codes", session(&commands.map(|(_, arguments)| arguments)));
}

#[test]
fn a_daemon_without_a_hub_asks_for_a_kubeconfig() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    // Otherwise the kubeconfig of the person who runs the tests would be used.
    command.env_clear().env("KUBECONFIG", "/does/not/exist").args(["run", "--source", "repo"]);
    let output = command.output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(code(&output), 3, "{said}");
    assert!(said.contains("error: no hub is named: ") && !said.contains("infer"), "{said}");
    assert!(said.contains("hint: name a kubeconfig with --kubeconfig"), "{said}");
}

#[test]
fn a_signing_key_that_others_may_read_is_refused_at_the_start() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("key"), include_str!("../signature/fixtures/ssh_ed25519.key")).unwrap();
    std::fs::write(path("tidegate.toml"), "[journal]\nsigning_key_file = \"key\"\n").unwrap();
    let run = |mode| {
        std::fs::set_permissions(path("key"), std::fs::Permissions::from_mode(mode)).unwrap();
        let (source, config, none) = (path("r"), path("tidegate.toml"), path("none"));
        session(&[["run", "--source", &source, "--config", &config, "--kubeconfig", &none]])
    };
    insta::assert_snapshot!("key_that_others_may_read", run(0o644));
    // The next problem is the kubeconfig, which does not exist.
    insta::assert_snapshot!("key_of_the_user_alone", run(0o600));
}

#[test]
fn rendering_for_a_cluster_follows_the_placements() {
    let rendered = |labels: &str| tidegate(&["render", "examples-repo", "--cluster", "gcp-001", "--labels", labels]);
    let render = |labels: &str| text(&rendered(labels).stdout);
    let (gcp, aws, none) = (render("fleet=demo,cloud=gcp"), render("fleet=demo,cloud=aws"), render("fleet=other"));
    let codes = ["fleet=demo,cloud=gcp", "fleet=other"].map(|labels| rendered(labels).status.code());
    assert_eq!(codes, [Some(0), Some(1)], "a cluster that no placement selects is a finding");
    assert!(gcp.contains("europe-docker.pkg.dev") && gcp.contains("--cluster-name=gcp-001"));
    assert!(!aws.contains("europe-docker.pkg.dev") && aws.contains("--cluster-name=gcp-001"));
    assert_eq!(none, "");
}

#[test]
fn the_declared_policy_protects_objects_with_the_ownership_label() {
    let text = std::fs::read_to_string(Path::new("policies/owned-objects.yaml")).unwrap();
    let documents: Vec<serde_json::Value> = serde_saphyr::from_multiple(&text).unwrap();
    let policy: k8s_openapi::api::admissionregistration::v1::ValidatingAdmissionPolicy =
        serde_json::from_value(documents[0].clone()).unwrap();
    let conditions = policy.spec.unwrap().match_conditions.unwrap();
    assert!(conditions[0].expression.contains(tidegate_api::key::OWNED_LABEL));
}
