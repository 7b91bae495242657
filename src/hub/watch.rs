//! Keeping one kind up to date: list, then watch from there; resume where a watch ends, list again where it cannot.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use kube::api::WatchParams;
use kube::core::{Request, Status, WatchEvent};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};

use super::call::within;
use super::discovery::Discovery;
use super::error::Error;
use super::kind::GroupKind;
use super::list::{list, selector};
use super::observed::Observed;
use super::resource::Resource;
use super::retry::{Backoff, jitter};
use super::session::Session;

/// After this time the hub ends a watch: a clean end, soon enough to notice a connection that died in silence. The client refuses to
/// ask for 295 s and more; the jitter keeps the watches of all kinds from ending together.
const WATCH: Duration = Duration::from_secs(240);
const WATCH_JITTER: Duration = Duration::from_secs(50);
/// How much longer than asked for a silent watch is believed in.
const GRACE: Duration = Duration::from_secs(10);
/// A watch that held for this long has worked, even if nothing happened.
const WORKED: Duration = Duration::from_secs(5);

/// How a watch ended.
enum End {
    /// It can be resumed where it ended.
    Broken,
    /// The place to resume from is lost, or nobody knows whether it is: a list tells.
    Expired,
    /// It could not be had in the first place.
    Refused(Error),
}

/// Keeps a kind up to date for ever; waits for it first if the hub does not serve it.
pub(super) async fn keep(session: Arc<Session>, kind: GroupKind, resource: Option<Arc<Resource>>) {
    let resource = match resource {
        Some(resource) => resource,
        None => served(&session, &kind).await,
    };
    let mut backoff = Backoff::of_watch();
    loop {
        match list(&session, &resource).await {
            Ok((listing, version)) => {
                session.report(|state| state.replace_all(&kind, listing));
                follow(&session, &resource, version, &mut backoff).await;
            }
            Err(error) => session.lost(&kind, &error),
        }
        session.metrics.watch_restarts.inc();
        sleep(backoff.next()).await;
    }
}

/// Waits until a kind is served.
async fn served(session: &Session, kind: &GroupKind) -> Arc<Resource> {
    let mut backoff = Backoff::of_watch();
    loop {
        sleep(backoff.next()).await;
        match Discovery::new(&session.client).find(kind).await {
            Ok(Some(resource)) => {
                let resource = Arc::new(resource);
                session.serve(Arc::clone(&resource));
                tracing::info!(%kind, "the hub serves a declared kind that it did not serve before");
                return resource;
            }
            Ok(None) => session.lost(kind, &Error::Unserved { kind: kind.clone() }),
            Err(error) => session.lost(kind, &error),
        }
    }
}

/// Watches from a version on, and resumes as long as that can be done.
async fn follow(session: &Session, resource: &Resource, mut version: String, backoff: &mut Backoff) {
    loop {
        let begun = Instant::now();
        let before = version.clone();
        let end = watch(session, resource, &mut version).await;
        if begun.elapsed() >= WORKED || version != before {
            backoff.reset();
        }
        match end {
            End::Broken => {}
            End::Expired => return,
            End::Refused(error) => {
                session.lost(&resource.kind, &error);
                if !resumable(&error) {
                    return;
                }
            }
        }
        session.metrics.watch_restarts.inc();
        // After a clean end too: a hub that ends every watch at once must not be asked again at once.
        sleep(backoff.next()).await;
    }
}

/// Watches until the stream ends, and moves the version along.
async fn watch(session: &Session, resource: &Resource, version: &mut String) -> End {
    let what = || format!("watching {}", resource.kind);
    let asked = WATCH + jitter(WATCH_JITTER);
    let params = WatchParams {
        label_selector: selector(resource),
        timeout: u32::try_from(asked.as_secs()).ok(),
        bookmarks: true,
        ..WatchParams::default()
    };
    let request = match Request::new(resource.path()).watch(&params, version) {
        Ok(request) => request,
        Err(source) => return End::Refused(Error::of(what(), kube::Error::BuildRequest(source))),
    };
    let stream = match within(what(), session.client.request_events::<Value>(request)).await {
        Ok(stream) => stream,
        Err(Error::Refused { code: 410, .. }) => return End::Expired,
        Err(error) => return End::Refused(error),
    };
    session.back(&resource.kind);
    let mut events = std::pin::pin!(stream);
    loop {
        let error = match timeout(asked + GRACE, events.next()).await {
            Ok(Some(Ok(event))) => match take(session, resource, event, version) {
                Ok(()) => continue,
                Err(status) => Error::refused(what(), *status),
            },
            Ok(Some(Err(source))) => Error::of(what(), source),
            Ok(None) => return End::Broken,
            Err(_) => Error::TimedOut { what: what(), within: asked + GRACE },
        };
        tracing::debug!(kind = %resource.kind, error = error.chain(), "a watch broke off");
        return if resumable(&error) { End::Broken } else { End::Expired };
    }
}

/// Takes in one event and moves the version along.
fn take(
    session: &Session,
    resource: &Resource,
    event: WatchEvent<Value>,
    version: &mut String,
) -> Result<(), Box<Status>> {
    let (object, deleted) = match event {
        WatchEvent::Added(object) | WatchEvent::Modified(object) => (object, false),
        WatchEvent::Deleted(object) => (object, true),
        WatchEvent::Bookmark(bookmark) => {
            *version = bookmark.metadata.resource_version;
            return Ok(());
        }
        WatchEvent::Error(status) => return Err(status),
    };
    if let Some(reached) = object.pointer("/metadata/resourceVersion").and_then(Value::as_str) {
        reached.clone_into(version);
    }
    if let Some(object) = Observed::read(&resource.kind, object) {
        session.report(|state| match deleted {
            false => state.apply(object),
            true => state.delete(&object.kind, &object.name, object.version),
        });
    }
    Ok(())
}

/// Says whether a watch can go on where it was after an error.
fn resumable(error: &Error) -> bool {
    // A hub that was restored from a backup has not come to the version yet that is asked for, and never may. It says so with 504, as
    // it does for a plain timeout; a list tells.
    error.is_transient() && !matches!(error, Error::Refused { code: 504, .. })
}
