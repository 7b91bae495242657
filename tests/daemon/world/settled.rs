//! Worlds in which the example is already installed. The installation runs once, and each test gets a copy of its result.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use tidegate_daemon::reconciler::Config;
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Backup;

use super::clock::now;
use super::setup::{World, empty_hub};
use crate::scratch::tempdir;
use crate::upstream::AddonManager;

/// When each test with a settled world starts: later than any installation ends, so that no clock goes back.
static START: LazyLock<Timestamp> = LazyLock::new(|| "2027-01-01T13:00:00Z".parse().unwrap());

/// What distinguishes one installation from another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::daemon) struct Installation {
    /// The number of clusters.
    pub(in crate::daemon) clusters: usize,
    /// The name of the daemon that installs, which is that of its mirror.
    pub(in crate::daemon) mirror: String,
    /// Whether OCM's add-on manager runs, and delivers.
    pub(in crate::daemon) is_upstream: bool,
}

/// The result of an installation.
struct Settled {
    /// The repository, and the mirror of the daemon.
    directory: tempfile::TempDir,
    hub: Backup,
}

impl World {
    /// Returns a world in which `mirror.git` has installed 0.4.0 on this number of clusters, and has ended.
    pub(in crate::daemon) async fn settled(clusters: usize) -> Self {
        Self::settled_by("mirror.git", clusters).await
    }

    /// Returns such a world, of a daemon with another mirror.
    pub(in crate::daemon) async fn settled_by(mirror: &str, clusters: usize) -> Self {
        Self::installed(Installation { clusters, mirror: mirror.to_owned(), is_upstream: false }).await
    }

    /// Returns such a world in which OCM's add-on manager has delivered. The manager does not run.
    pub(in crate::daemon) async fn settled_upstream(clusters: usize) -> Self {
        Self::installed(Installation { clusters, mirror: "mirror.git".to_owned(), is_upstream: true }).await
    }

    /// Moves the repository into an empty bare one, such as that of a forge, and leaves a link to it.
    pub(in crate::daemon) fn move_repository(&self, to: &Path) {
        let from = self.repository();
        for name in ["objects", "refs"] {
            copy(&from.join(name), &to.join(name));
        }
        if from.join("packed-refs").exists() {
            fs::copy(from.join("packed-refs"), to.join("packed-refs")).unwrap();
        }
        fs::remove_dir_all(&from).unwrap();
        symlink(to, from).unwrap();
    }

    async fn installed(installation: Installation) -> Self {
        static INSTALLED: Mutex<BTreeMap<Installation, Arc<OnceLock<Settled>>>> = Mutex::new(BTreeMap::new());
        let cell = INSTALLED.lock().entry(installation.clone()).or_default().clone();
        let settled = cell.get_or_init(|| install(installation));
        tokio::time::advance(now().duration_until(*START).unsigned_abs()).await;
        let directory = tempdir();
        copy(settled.directory.path(), directory.path());
        let hub = empty_hub();
        hub.restore(&settled.hub);
        Self::around(directory, hub)
    }
}

/// Installs the example. This runs in a thread with a runtime of its own: the clock of the caller's test must not move.
fn install(installation: Installation) -> Settled {
    let run = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let world = World::new(installation.clusters);
            let running = installation.is_upstream.then(|| AddonManager::new(now).start(world.client()));
            let delivery = if installation.is_upstream { DeliveryMode::Auto } else { DeliveryMode::Native };
            let config = Config { delivery, ..world.config(&installation.mirror) };
            let mut daemon = world.daemon_with(world.client(), config).await;
            daemon.until_settled("0.4.0").await;
            world.until_sealed(1).await;
            daemon.end().await;
            if let Some(running) = running {
                running.stop().await;
            }
            assert!(now() + Duration::from_secs(1) < *START, "the installation has ended");
            world.into_settled()
        })
    };
    std::thread::spawn(run).join().expect("the example can be installed")
}

impl World {
    fn into_settled(mut self) -> Settled {
        let directory = std::mem::replace(&mut self.directory, tempdir());
        Settled { directory, hub: self.sandbox.backup() }
    }
}

/// Copies a directory with everything in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
