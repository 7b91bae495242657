//! Plans of the next version, asked before it: of a fresh clone, of a stale one, and with the hub.

use std::path::Path;

use serde_json::Value;
use tidegate_model::time::Timestamp;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::super::world::{World, now};
use super::play::{ADDON, NAME, Stage, declared};
use crate::cli::adopt::kubeconfig;
use crate::git_command::git;

/// Returns how many clusters a version changes. All plans say the same, or from when what they know is.
pub(super) async fn plans(stage: &Stage, version: &str) -> u64 {
    let planned = planned(&stage.world, version);
    assert_eq!(with_hub(stage, version).await, planned, "the plan with the hub says the same");
    let stale = of_stale_clone(stage);
    let as_of: Timestamp = stale["fleet"]["asOf"].as_str().unwrap().parse().unwrap();
    assert!(as_of < now(), "{stale:#}");
    assert!(clusters(&stale) == planned || as_of.duration_until(now()).as_secs() > 60, "{stale:#}");
    planned
}

/// Returns how many clusters a version changes, by the plan of a fresh clone.
pub(super) fn planned(world: &World, version: &str) -> u64 {
    commit(world, version);
    clusters(&plan(&world.repository(), "last", None))
}

/// Commits the upgrade to a version to a branch.
fn commit(world: &World, version: &str) {
    let (from, to) = (format!("hello-template-{}", declared(world)), format!("hello-template-{version}"));
    let text = world.read("main", ADDON).replace(&from, &to);
    world.git(&["branch", "--force", "last", "main"]);
    world.commit_to("last", "last", [(ADDON.to_owned(), Some(text.into_bytes()))].into());
}

fn plan(source: &Path, head: &str, kubeconfig: Option<&Path>) -> Value {
    let mut arguments = vec!["plan", "--source", source.to_str().unwrap(), "--head", head, "-o", "json"];
    arguments.extend(kubeconfig.into_iter().flat_map(|path| ["--kubeconfig", path.to_str().unwrap()]));
    let output = crate::cli::tidegate(&arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn clusters(plan: &Value) -> u64 {
    let addon = plan["addons"].as_array().unwrap().iter().find(|addon| addon["name"] == NAME);
    let addon = addon.unwrap_or_else(|| panic!("the plan has the add-on: {plan:#}"));
    addon["waves"].as_array().unwrap().iter().map(|wave| wave["clusters"].as_u64().unwrap()).sum()
}

/// Returns how many clusters the version changes on the hub as it is.
async fn with_hub(stage: &Stage, version: &str) -> u64 {
    commit(&stage.world, version);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
    let served = tokio::spawn({
        let (hub, stop) = (stage.world.sandbox.clone(), stop.clone());
        async move { hub.serve(listener, stop).await }
    });
    let file = stage.world.path("kubeconfig");
    std::fs::write(&file, kubeconfig(&address.to_string())).unwrap();
    let source = stage.world.repository();
    let planned = tokio::task::spawn_blocking(move || clusters(&plan(&source, "last", Some(&file)))).await.unwrap();
    stop.cancel();
    served.await.unwrap().unwrap();
    planned
}

/// Returns the plan of a clone that has the new commits and the journal from the start of the history.
fn of_stale_clone(stage: &Stage) -> Value {
    git(
        &stage.stale,
        &["fetch", "-q", "--force", "origin", "main:refs/remotes/origin/main", "last:refs/remotes/origin/last"],
    );
    plan(&stage.stale, "origin/last", None)
}
