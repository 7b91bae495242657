//! The program as users run it: its output and exit codes. Most commands run in the process of the test: [`tidegate`].

pub(crate) mod adopt;
mod app;
mod approve;
mod blame;
mod blame_cluster;
mod clone;
mod control;
mod control_hostile;
mod definitions;
pub(crate) mod doctor;
mod doctor_forge;
mod fleet;
mod fmt;
mod help;
mod import;
mod manual;
mod mcp;
mod newer;
mod newer_open;
mod notification;
mod oracle;
mod overlay;
mod pipelines;
mod plan;
mod plan_hub;
mod platform;
mod policy;
mod reference;
mod rollback;
mod sandbox;
mod scaffold;
mod scenarios;
mod schema;
mod settings_pages;
mod simulate;
mod trust;
mod ui;
mod upgrade;
mod validate;
mod validate_manifests;
mod validate_overlays;
mod vendor;
mod vendored;
mod why_different;

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Output};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio::runtime::Runtime;

use crate::redacted::redacted;
use crate::scratch::tempdir;
use tidegate::cli::{Captured, Process};
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_model::time::Timestamp;

pub(crate) use vendor::World as VendorWorld;

/// The stack of a thread that runs a command, in bytes: that of a main thread.
const STACK: usize = 8 << 20;

/// Writes a file of the daemon that allows the plain kinds of these tests, and returns its path.
pub(crate) fn plain_kinds(directory: &Path) -> String {
    let kinds = ["ConfigMap", "Service", "ServiceAccount"].map(|kind| format!("{{ kind = {kind:?} }}")).join(", ");
    let path = directory.join("daemon.toml");
    std::fs::write(&path, format!("[hub]\nkinds = [{kinds}]\n")).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Runs a command in this process, without environment variables.
pub(crate) fn tidegate(arguments: &[&str]) -> Output {
    run(&Process::captured(Clock::system(), Runtime::new), arguments)
}

/// Runs a command in this process at a time of day, without environment variables.
pub(crate) fn tidegate_at(at: Timestamp, arguments: &[&str]) -> Output {
    run(&Process::captured(Clock::new(move || at), Runtime::new), arguments)
}

/// Runs a command in a process of a test, and returns what a process of its own would.
pub(super) fn run(process: &Process, arguments: &[&str]) -> Output {
    measured(process, arguments).0
}

/// Runs a command in this process, and returns the CPU time of its thread, too. It depends little on what else the machine does.
pub(super) fn timed(arguments: &[&str]) -> (Output, Duration) {
    measured(&Process::captured(Clock::system(), Runtime::new), arguments)
}

fn measured(process: &Process, arguments: &[&str]) -> (Output, Duration) {
    let line = ["tidegate"].iter().chain(arguments).map(Into::into).collect();
    // A thread of its own, because a command starts a runtime, which the thread of a test may have already.
    let thread = std::thread::Builder::new().stack_size(STACK);
    let run = || {
        let code = tidegate::cli::run(line, process);
        (code, Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap())
    };
    let (code, spent) = std::thread::scope(|scope| thread.spawn_scoped(scope, run).unwrap().join().unwrap());
    let Captured { output, errors } = process.printed();
    let status = ExitStatus::from_raw(i32::from(code) << 8);
    (Output { status, stdout: output.into_bytes(), stderr: errors.into_bytes() }, spent)
}

/// Runs the program in a directory, in an empty environment.
pub(crate) fn tidegate_in(directory: &Path, arguments: &[&str]) -> Output {
    program().current_dir(directory).args(arguments).output().unwrap()
}

/// Returns the program, in an empty environment.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    // Otherwise git mentions the mount point of a temporary directory that is in no repository.
    command.env("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1");
    command
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
fn a_demo_that_is_not_done_in_time_reports_what_was_waiting() {
    let output = tidegate(&["demo", "--exit-when-done", "--clusters", "20", "--timeout", "1ms"]);
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("not done in time"), "{}", text(&output.stderr));
}

#[test]
fn findings_wrong_usage_and_an_unreachable_remote_have_their_own_exit_codes() {
    let directory = tempdir();
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
        let process = program().args(arguments).output().unwrap();
        assert_eq!(process.status.code(), Some(expected), "{arguments:?}");
        // What the other tests of commands rely on.
        assert_eq!(shown(&tidegate(arguments)), shown(&process), "{arguments:?}");
    }
    insta::assert_snapshot!("exit_codes", session(&commands.map(|(_, arguments)| arguments)));
}

#[test]
fn a_daemon_without_a_hub_asks_for_a_kubeconfig() {
    // Otherwise the kubeconfig of the person who runs the tests would be used.
    let output = program().env("KUBECONFIG", "/does/not/exist").args(["run", "--source", "repo"]).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(code(&output), 3, "{said}");
    assert!(said.contains("error: no hub is named: ") && !said.contains("infer"), "{said}");
    assert!(said.contains("hint: name a kubeconfig with --kubeconfig"), "{said}");
}

#[test]
fn a_file_that_is_no_recording_stays_as_it_is_and_the_daemon_continues() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("notes.txt");
    std::fs::write(&file, "notes").unwrap();
    let mut command = program();
    let command = command.env("KUBECONFIG", "/does/not/exist").args(["run", "--source", "repo", "--record"]).arg(&file);
    let output = command.output().unwrap();
    let said = text(&[&output.stdout[..], &output.stderr[..]].concat());
    assert!(said.contains("it is not a recording of tidegate; nothing is recorded"), "{said}");
    assert!(said.contains("error: no hub is named: "), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "notes");
}

#[test]
fn a_signing_key_that_others_may_read_is_refused_at_the_start() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempdir();
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
