//! kubectl against the hub on a loopback port. Skipped where there is no kubectl.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::support::*;

fn kubectl(address: SocketAddr, home: &std::path::Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("kubectl");
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", home);
    command.arg(format!("--server=http://{address}")).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(mut command: Command, input: &str) -> String {
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const MANIFEST: &str = "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: east\nspec:\n  hubAcceptsClient: true\n";

// kubectl is waited for on this thread; the hub answers on the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn kubectl_gets_applies_and_watches() {
    if Command::new("kubectl").arg("version").arg("--client").output().is_err() {
        eprintln!("skipped: kubectl is not installed");
        return;
    }
    let hub = hub();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, closing) = (listener.local_addr().unwrap(), CancellationToken::new());
    let serving = tokio::spawn({
        let (hub, closing) = (hub.clone(), closing.clone());
        async move { hub.serve(listener, closing).await }
    });
    let home = tempfile::tempdir().unwrap();
    let call = |arguments: &'static [&'static str]| kubectl(address, home.path(), arguments);

    let apply = &["apply", "--server-side", "--validate=false", "-f", "-"];
    assert_eq!(
        run(call(apply), MANIFEST),
        "managedcluster.cluster.open-cluster-management.io/east serverside-applied\n"
    );
    let table = run(call(&["get", "mcl"]), "");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..3], ["NAME", "HUB", "ACCEPTED"]);
    assert_eq!(lines[1][..2], ["east", "true"]);
    let namespaces = run(call(&["get", "ns", "--no-headers"]), "");
    assert!(namespaces.lines().all(|line| line.split_whitespace().nth(1) == Some("Active")), "{namespaces}");

    let mut watching = call(&["get", "mcl", "-w", "-o", "name", "--output-watch-events"]).spawn().unwrap();
    let mut events = BufReader::new(watching.stdout.take().unwrap()).lines();
    let first = events.next().unwrap().unwrap();
    assert!(first.contains("managedcluster.cluster.open-cluster-management.io/east"), "{first}");
    run(call(&["label", "mcl", "east", "tier=gold"]), "");
    let second = events.next().unwrap().unwrap();
    assert!(second.contains("managedcluster.cluster.open-cluster-management.io/east"), "{second}");
    run(call(&["delete", "mcl", "east"]), "");

    // The watch is still open: the hub ends it and does not wait for kubectl to hang up.
    closing.cancel();
    serving.await.unwrap().unwrap();
    watching.kill().unwrap();
    watching.wait().unwrap();
}
