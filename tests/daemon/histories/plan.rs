//! Plans of the next version, asked before it: of a fresh clone, of a stale one, and with the hub.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tidegate_model::time::Timestamp;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::super::world::{World, now};
use super::play::Stage;
use super::unit::Unit;
use crate::cli::adopt::kubeconfig;
use crate::git_command::git;

/// Returns how many clusters a version of each unit changes. All plans say the same, or from when what they know is.
pub(super) async fn plans(stage: &Stage, version: &str) -> BTreeMap<Unit, u64> {
    commit(&stage.world, &Unit::ALL, version);
    let planned = clusters(&of_clone(&stage.world));
    assert_eq!(with_hub(stage).await, planned, "the plan with the hub says the same");
    let stale = of_stale_clone(stage);
    let as_of: Timestamp = stale["fleet"]["asOf"].as_str().unwrap().parse().unwrap();
    assert!(as_of < now(), "{stale:#}");
    assert!(clusters(&stale) == planned || as_of.duration_until(now()).as_secs() > 60, "{stale:#}");
    planned
}

/// Asks a fresh clone for the plan of a version of a unit, which must always be possible.
pub(super) fn ask(world: &World, unit: Unit, version: &str) {
    commit(world, &[unit], version);
    let plan = of_clone(world);
    assert!(plan["addons"].is_array(), "{plan:#}");
}

fn of_clone(world: &World) -> Value {
    plan(&world.repository(), "last", None)
}

/// Commits the upgrade of units to a version to a branch.
fn commit(world: &World, units: &[Unit], version: &str) {
    let files = units.iter().map(|unit| (unit.file().to_owned(), Some(unit.with(world, version).into_bytes())));
    world.git(&["branch", "--force", "last", "main"]);
    world.commit_to("last", "last", files.collect());
}

fn plan(source: &Path, head: &str, kubeconfig: Option<&Path>) -> Value {
    let mut arguments = vec!["plan", "--source", source.to_str().unwrap(), "--head", head, "-o", "json"];
    arguments.extend(kubeconfig.into_iter().flat_map(|path| ["--kubeconfig", path.to_str().unwrap()]));
    let output = crate::cli::tidegate(&arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// Returns how many clusters of each unit a plan changes.
fn clusters(plan: &Value) -> BTreeMap<Unit, u64> {
    let of = |unit: Unit| {
        let planned = plan["addons"].as_array().unwrap().iter().find(|planned| planned["name"] == unit.name());
        let planned = planned.unwrap_or_else(|| panic!("the plan has {unit:?}: {plan:#}"));
        planned["waves"].as_array().unwrap().iter().map(|wave| wave["clusters"].as_u64().unwrap()).sum()
    };
    Unit::ALL.into_iter().map(|unit| (unit, of(unit))).collect()
}

/// Returns how many clusters the version changes on the hub as it is.
async fn with_hub(stage: &Stage) -> BTreeMap<Unit, u64> {
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
