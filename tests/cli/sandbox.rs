//! `tidegate sandbox` as a process of its own.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{code, text, tidegate};
use crate::hub::conformance::{client_of, judge};
use crate::hub::recording::replay;

/// The process, which ends with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}

fn serve(kubeconfig: &Path) -> Served {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.env_clear().args(["sandbox", "--clusters", "0", "--kubeconfig-out"]).arg(kubeconfig);
    let mut served = Served(command.stdout(Stdio::piped()).spawn().unwrap());
    let said = BufReader::new(served.0.stdout.take().unwrap());
    let is_up = said.lines().any(|line| line.unwrap().starts_with("try: kubectl --kubeconfig "));
    assert!(is_up && kubeconfig.exists(), "the hub does not come up");
    served
}

#[tokio::test]
async fn the_hub_alone_answers_as_a_real_one_did() {
    let directory = tempfile::tempdir().unwrap();
    let kubeconfig = directory.path().join("kubeconfig");
    let _served = serve(&kubeconfig);
    judge("tidegate sandbox", &replay(&client_of(&kubeconfig).await).await);
}

#[test]
fn the_hub_is_served_to_this_machine_only() {
    let output = tidegate(&["sandbox", "--clusters", "0", "--listen", "0.0.0.0:0"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("loopback addresses only"), "{}", text(&output.stderr));
}
