//! The handle through which callers use the hub.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use parking_lot::RwLock;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::api_error::ApiError;
use super::kind::Catalog;
use super::object;
use super::request::{Subresource, Target, WriteOptions};
use super::service;
use super::store::Store;
use super::verbs::Transaction;
use tidegate_api::key;
use tidegate_model::object::group_version;
use tidegate_model::time::Timestamp;

/// The field manager of the hub's own writes.
const MANAGER: &str = "sandbox";

/// The namespaces that every cluster has.
const NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// The embedded hub. Cloning is cheap; all clones share one hub.
#[derive(Clone)]
pub struct Sandbox {
    pub(super) hub: Arc<Hub>,
}

pub(super) struct Hub {
    pub(super) catalog: RwLock<Arc<Catalog>>,
    pub(super) store: RwLock<Store>,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    has_controllers: bool,
    pub(super) revision: watch::Sender<u64>,
    /// How many times a backup was restored.
    pub(super) restores: AtomicU64,
}

impl Sandbox {
    /// Creates a hub that serves the core kinds and those of the CRDs, with the namespaces that every cluster has.
    ///
    /// `clock` provides the timestamps in metadata; each write reads it once.
    pub fn new(crds: &[CustomResourceDefinition], clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self::build(crds, Box::new(clock), true)
    }

    /// Creates a hub like [`Self::new`], but without controllers: the dependents of a deleted object and the contents of a
    /// deleted namespace stay, as on an API server without a controller manager.
    pub fn without_controllers(
        crds: &[CustomResourceDefinition],
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> Self {
        Self::build(crds, Box::new(clock), false)
    }

    fn build(
        crds: &[CustomResourceDefinition],
        clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
        has_controllers: bool,
    ) -> Self {
        let catalog = Catalog::new(crds);
        let store = Store::new(catalog.kinds().len());
        let revision = watch::Sender::new(store.revision());
        let catalog = RwLock::new(Arc::new(catalog));
        let hub =
            Hub { catalog, store: RwLock::new(store), clock, has_controllers, revision, restores: AtomicU64::new(0) };
        let sandbox = Self { hub: Arc::new(hub) };
        sandbox.begin(crds);
        sandbox
    }

    /// Returns the hub as an HTTP service.
    pub fn router(&self) -> axum::Router {
        service::router(self.clone(), CancellationToken::new())
    }

    /// Returns a client of the hub that does not use a socket.
    pub fn client(&self) -> kube::Client {
        kube::Client::new(self.router(), "default")
    }

    /// Serves the hub on a socket until `shutdown` is cancelled, which also ends open watches.
    ///
    /// # Errors
    /// If the socket fails.
    pub async fn serve(&self, listener: TcpListener, shutdown: CancellationToken) -> std::io::Result<()> {
        let router = service::router(self.clone(), shutdown.clone());
        axum::serve(listener, router).with_graceful_shutdown(shutdown.cancelled_owned()).await
    }

    /// Creates objects, each with its status, and the namespaces that they need.
    ///
    /// For a ManagedCluster, the cluster namespace is created too, with the label that OCM sets.
    ///
    /// # Errors
    /// The error of the first object that the hub refuses; the objects before it are created.
    pub fn seed(&self, objects: impl IntoIterator<Item = Value>) -> Result<(), ApiError> {
        let options = WriteOptions::own(MANAGER);
        for object in objects {
            self.transact(|hub| {
                let cluster = object.get("kind") == Some(&json!("ManagedCluster"));
                let namespace = object::text(&object, if cluster { "name" } else { "namespace" });
                let labels = if cluster { json!({ key::CLUSTER_NAME: namespace }) } else { json!({}) };
                ensure_namespace(hub, namespace, &labels)?;
                put_in(hub, object, &options)
            })?;
        }
        Ok(())
    }

    /// Runs a write and its consequences under the lock, then notifies the watchers.
    pub(crate) fn transact<T>(&self, act: impl FnOnce(&mut Transaction<'_>) -> T) -> T {
        let now = self.now();
        let (result, before, after) = {
            let mut store = self.hub.store.write();
            let before = store.revision();
            let catalog = self.catalog();
            let mut transaction = Transaction::new(&catalog, &mut store, now);
            let result = act(&mut transaction);
            if self.hub.has_controllers {
                transaction.run_tasks();
            }
            if let Some(catalog) = transaction.redefined() {
                store.grow(catalog.kinds().len());
                *self.hub.catalog.write() = Arc::new(catalog);
            }
            (result, before, store.revision())
        };
        if after != before {
            self.notify(after);
        }
        result
    }

    /// Notifies the watchers of a new revision.
    pub(super) fn notify(&self, revision: u64) {
        // Two writers may get here out of order; watchers only need to know that the revision has moved.
        self.hub.revision.send_if_modified(|known| {
            let newer = revision > *known;
            *known = revision.max(*known);
            newer
        });
    }

    /// Reads from the store.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Store) -> T) -> T {
        look(&self.hub.store.read())
    }

    /// Returns the catalog of served kinds.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.hub.catalog.read())
    }

    /// Returns the current time of the hub.
    pub(crate) fn now(&self) -> Timestamp {
        (self.hub.clock)()
    }

    /// Returns a receiver that is notified when the hub's revision moves.
    pub(crate) fn revisions(&self) -> watch::Receiver<u64> {
        self.hub.revision.subscribe()
    }

    fn begin(&self, crds: &[CustomResourceDefinition]) {
        self.transact(|hub| {
            for name in NAMESPACES {
                ensure_namespace(hub, name, &json!({})).expect("the initial namespaces have valid names");
            }
            hub.define(crds);
            hub.store.begin_history();
        });
    }
}

/// Creates a namespace unless it exists or the name is empty.
fn ensure_namespace(hub: &mut Transaction<'_>, name: &str, labels: &Value) -> Result<(), ApiError> {
    let kind = hub.catalog.named("", "Namespace").expect("namespaces are among the core kinds");
    let target = Target {
        kind: Arc::clone(kind),
        version: kind.storage.clone(),
        namespace: String::new(),
        name: None,
        subresource: None,
    };
    if name.is_empty() || hub.store.contains(&target.place(name)) {
        return Ok(());
    }
    let namespace = json!({ "metadata": { "name": name, "labels": labels } });
    hub.create(&target, namespace, &WriteOptions::own(MANAGER)).map(|_| ())
}

/// Creates an object, then writes its status if the kind has a status subresource.
fn put_in(hub: &mut Transaction<'_>, object: Value, options: &WriteOptions) -> Result<(), ApiError> {
    let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default();
    let unknown = || ApiError::bad_request(format!("kind {kind:?} is not served in this version"));
    let (group, version) = group_version(&object).ok_or_else(unknown)?;
    let served = hub.catalog.named(group, kind).filter(|kind| kind.version(version).is_some()).ok_or_else(unknown)?;
    let namespace = if served.namespaced { object::text(&object, "namespace") } else { "" };
    let mut target = Target {
        kind: Arc::clone(served),
        version: version.to_owned(),
        namespace: namespace.to_owned(),
        name: None,
        subresource: None,
    };
    let status = object.get("status").cloned();
    let created = hub.create(&target, object, options)?;
    if let Some(status) = status.filter(|_| target.requested_version().has_status) {
        let mut with_status = Value::clone(&created);
        with_status["status"] = status;
        target.subresource = Some(Subresource::Status);
        hub.replace(&target, object::text(&created, "name"), with_status, options)?;
    }
    Ok(())
}
