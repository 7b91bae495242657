//! `tidegate sandbox` as a separate process.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tidegate_sandbox::agents::Script;

use super::session;
use crate::hub::conformance::{client_of, judge};
use crate::hub::recording::replay;
use crate::scratch::tempdir;

/// The process, which is killed at the end of the test.
pub(super) struct Served(pub(super) Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}

pub(super) fn serve(kubeconfig: &Path) -> Served {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.env_clear().args(["sandbox", "--clusters", "0", "--kubeconfig-out"]).arg(kubeconfig);
    let mut served = Served(command.stdout(Stdio::piped()).spawn().unwrap());
    let said = BufReader::new(served.0.stdout.take().unwrap());
    let is_up = said.lines().any(|line| line.unwrap().starts_with("try: kubectl --kubeconfig "));
    assert!(is_up && kubeconfig.exists(), "the hub does not start");
    served
}

#[tokio::test]
async fn the_sandbox_answers_as_a_real_hub_did() {
    let directory = tempdir();
    let kubeconfig = directory.path().join("kubeconfig");
    let _served = serve(&kubeconfig);
    judge("tidegate sandbox", &replay(&client_of(&kubeconfig).await).await);
}

#[test]
fn the_hub_is_served_to_this_machine_only() {
    insta::assert_snapshot!(session(&[["sandbox", "--clusters", "0", "--listen", "0.0.0.0:0"]]));
}

#[test]
fn an_error_in_a_script_of_agents_has_its_place() {
    let directory = tempdir();
    let script = directory.path().join("agents.toml");
    std::fs::write(&script, "seed = 1\n[[rule]]\nclusters = [\"aws-*\"]\noutcome = \"flaping\"\n").unwrap();
    let path = script.to_str().unwrap();
    // The file contains the delay, too.
    insta::assert_snapshot!(session(&[
        &["sandbox", "--agents", path][..],
        &["sandbox", "--agents", path, "--delay", "1s"]
    ]));
}

#[test]
fn the_script_of_agents_in_the_documentation_is_valid() {
    let page = std::fs::read_to_string("docs/sandbox.md").unwrap();
    let scripts: Vec<&str> = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!scripts.is_empty());
    for script in scripts {
        Script::from_toml(script).unwrap();
    }
}

#[test]
fn a_daemon_starts_on_the_sandbox() {
    let directory = tempdir();
    let kubeconfig = directory.path().join("kubeconfig");
    let _served = serve(&kubeconfig);
    let repository = directory.path().join("fleet.git");
    tidegate_git::init_bare(&repository, "main").unwrap();
    let [repository, kubeconfig] = [&repository, &kubeconfig].map(|path| path.to_str().unwrap());
    // The daemon accepts the hub, and then finds no commit.
    let output = super::tidegate(&["run", "--source", repository, "--ref", "none", "--kubeconfig", kubeconfig]);
    let said = super::text(&output.stderr);
    assert!(super::code(&output) == 2 && said.contains("none") && !said.contains("conversion"), "{said}");
}
