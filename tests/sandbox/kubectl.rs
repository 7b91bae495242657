//! kubectl against the hub on a loopback port. Ignored by default because it needs kubectl; `.ci/run` includes it if kubectl is
//! installed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::support::*;

use crate::scratch::tempdir;

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
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}: {told}", command.get_args().collect::<Vec<_>>());
    String::from_utf8(output.stdout).unwrap()
}

const CLUSTER: &str = "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: east\nspec:\n  hubAcceptsClient: true\n";
const PLACEMENT: &str = "apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata:\n  name: all\n  namespace: default\nspec: {}\n";
const TEMPLATE: &str = "apiVersion: addon.open-cluster-management.io/v1beta1\nkind: AddOnTemplate\nmetadata:\n  name: hello\nspec:\n  addonName: hello\n  agentSpec:\n    workload:\n      manifests:\n      - {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n";
const DECISION: &str = "apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: PlacementDecision\nmetadata:\n  name: all-decision-1\n  namespace: default\n";
const JOINED: &str = r#"{"status":{"conditions":[{"type":"ManagedClusterJoined","status":"True","reason":"Joined","message":"","lastTransitionTime":"2026-08-11T12:00:00Z"}]}}"#;

/// A hub on a port, and a kubectl that is configured for it.
struct Session {
    address: SocketAddr,
    home: tempfile::TempDir,
    closing: CancellationToken,
    serving: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Session {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, closing) = (listener.local_addr().unwrap(), CancellationToken::new());
        let (hub, stop) = (hub(), closing.clone());
        let serving = tokio::spawn(async move { hub.serve(listener, stop).await });
        Self { address, home: tempdir(), closing, serving }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        kubectl(self.address, self.home.path(), arguments)
    }

    fn run(&self, line: &str, input: &str) -> String {
        run(self.command(&line.split(' ').collect::<Vec<_>>()), input)
    }

    fn refused(&self, line: &str, input: &str) -> String {
        let mut child = self.command(&line.split(' ').collect::<Vec<_>>()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(!output.status.success(), "{line} is not refused");
        String::from_utf8(output.stderr).unwrap()
    }

    async fn end(self) {
        self.closing.cancel();
        self.serving.await.unwrap().unwrap();
    }
}

// This thread blocks on kubectl; the hub answers on the other thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
#[ignore = "needs kubectl"]
async fn kubectl_gets_applies_and_watches() {
    let session = Session::start().await;
    let applied = session.run("apply --server-side -f -", CLUSTER);
    assert_eq!(applied, "managedcluster.cluster.open-cluster-management.io/east serverside-applied\n");
    let table = session.run("get mcl", "");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..3], ["NAME", "HUB", "ACCEPTED"]);
    assert_eq!(lines[1][..2], ["east", "true"]);
    let namespaces = session.run("get ns --no-headers", "");
    assert!(namespaces.lines().all(|line| line.split_whitespace().nth(1) == Some("Active")), "{namespaces}");

    let mut watching = session.command(&["get", "mcl", "-w", "-o", "name"]).spawn().unwrap();
    let mut events = BufReader::new(watching.stdout.take().unwrap()).lines();
    assert_eq!(events.next().unwrap().unwrap(), "managedcluster.cluster.open-cluster-management.io/east");
    session.run("label mcl east tier=gold", "");
    assert_eq!(events.next().unwrap().unwrap(), "managedcluster.cluster.open-cluster-management.io/east");
    session.run("delete mcl east --wait", "");

    // The watch is still open: the hub ends it and does not wait for kubectl to disconnect.
    session.end().await;
    watching.kill().unwrap();
    watching.wait().unwrap();
}

/// Creates a cluster, applies a placement, watches its decisions, edits a template and waits for a condition.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
#[ignore = "needs kubectl"]
async fn a_person_works_with_kubectl_as_on_a_real_hub() {
    let session = Session::start().await;
    assert!(session.run("apply -f -", CLUSTER).ends_with("/east created\n"));
    assert!(session.run("apply -f -", CLUSTER).ends_with("/east unchanged\n"));
    assert!(session.run("apply -f -", PLACEMENT).ends_with("/all created\n"));

    let watched = [
        "get",
        "placementdecisions",
        "-w",
        "-o",
        "jsonpath={.metadata.name} {.status.decisions[*].clusterName}{'\\n'}",
    ];
    let mut watching = session.command(&watched).spawn().unwrap();
    let mut events = BufReader::new(watching.stdout.take().unwrap()).lines();
    session.run("create -f -", DECISION);
    let chosen = r#"{"status":{"decisions":[{"clusterName":"east","reason":""}]}}"#;
    session.run(&format!("patch placementdecision all-decision-1 --subresource=status --type=merge -p {chosen}"), "");
    let seen: Vec<String> = events.by_ref().map(Result::unwrap).take_while(|line| !line.ends_with(" east")).collect();
    assert!(seen.len() <= 1, "{seen:?}");
    watching.kill().unwrap();
    watching.wait().unwrap();

    session.run("apply --server-side -f -", TEMPLATE);
    let mut edit = session.command(&["edit", "addontemplate", "hello"]);
    edit.env("KUBE_EDITOR", "sed -i s/name:.x/name:\\ changed/");
    assert!(run(edit, "").ends_with("/hello edited\n"));
    assert!(session.run("get addontemplate hello -o yaml", "").contains("name: changed"));
    assert!(session.refused("wait --for=condition=ManagedClusterJoined mcl/east --timeout=0", "").contains("not met"));
    session.run(&format!("patch mcl east --subresource=status --type=merge -p {JOINED}"), "");
    let met = session.run("wait --for=condition=ManagedClusterJoined mcl/east --timeout=20s", "");
    assert!(met.ends_with("/east condition met\n"), "{met}");
    let described = session.run("describe mcl east", "");
    assert!(described.contains("Hub Accepts Client:      true"), "{described}");
    session.run("delete mcl east --wait", "");
    session.run("wait --for=delete mcl/east --timeout=20s", "");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
#[ignore = "needs kubectl"]
async fn kubectl_works_without_special_flags() {
    let session = Session::start().await;
    let resources = session.run("api-resources --no-headers", "");
    assert!(resources.contains("mcl,mcls"), "{resources}");
    let explained = session.run("explain mcl.spec.taints --recursive", "");
    assert!(explained.contains("effect\t<string> -required-"), "{explained}");
    assert!(session.run("explain configmap", "").contains("binaryData"));
    assert!(
        session.run("explain cma --api-version=addon.open-cluster-management.io/v1alpha1", "").contains("v1alpha1")
    );
    let unknown = session.refused("apply -f -", &CLUSTER.replace("hubAccepts", "hubAccept"));
    assert!(unknown.contains("unknown field \"spec.hubAcceptClient\""), "{unknown}");
    let nothing = session.refused("create -f -", "apiVersion: v1\nkind: Nothing\nmetadata:\n  name: x\n");
    assert!(nothing.contains("no matches for kind \"Nothing\""), "{nothing}");

    // kubectl sends the core kinds as protobuf.
    session.run("create ns team", "");
    session.run("create configmap settings -n team --from-literal=a=b", "");
    assert!(session.run("get configmap settings -n team -o jsonpath={.data.a}", "") == "b");
    session.run("create secret generic key -n team --from-literal=a=b", "");
    assert!(session.run("get secret key -n team -o jsonpath={.data.a}", "") == "Yg==");
    session.run("create serviceaccount agent -n team", "");
    session.run("create role reader -n team --verb=get --resource=configmaps", "");
    session.run("create rolebinding readers -n team --role=reader --user=joe", "");
    assert!(session.run("get rolebinding readers -n team -o jsonpath={.subjects[0].name}", "") == "joe");
    assert!(session.run("auth can-i get mcl", "").contains("yes"));
    session.run("delete ns team --wait", "");
    assert!(session.refused("get ns team", "").contains("not found"));

    session.run("create -f -", CLUSTER);
    session.run("annotate mcl east a=b", "");
    session.run("patch mcl east --type=merge -p {\"spec\":{\"leaseDurationSeconds\":30}}", "");
    session.run("replace -f -", CLUSTER);
    assert!(session.run("get mcl east -o jsonpath={.spec.leaseDurationSeconds}", "") == "60");
    session.run("apply -f -", CLUSTER);
    assert!(session.run("diff -f -", CLUSTER).is_empty());
    session.run("get events -A", "");
    session.end().await;
}
