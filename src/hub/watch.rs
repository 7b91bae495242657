//! Keeping one kind up to date: list, then watch from there; resume where a watch ends, list again where it cannot.
//!
//! A watch that is resumed at a resource version trusts that the hub still counts as it did. A hub whose etcd was restored from a
//! backup does not: once its counter has passed the old number again, such a watch stays silent about everything that differs. No
//! request tells the two cases apart but a list. So a kind is listed again after the hub could not be reached, soon after a watch
//! broke off, and from time to time in any case.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use kube::api::WatchParams;
use kube::core::{Request, Status, WatchEvent};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

use super::call::within;
use super::discovery::Discovery;
use super::error::Error;
use super::list::{list, selector};
use super::observed::Observed;
use super::resource::Resource;
use super::retry::{Backoff, jitter};
use super::session::Session;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::object::GroupKind;
use tidegate_model::rewind::Rewind;

/// After this time the hub ends a watch: a clean end, soon enough to notice a connection that died in silence. The client refuses to
/// ask for 295 s and more; the jitter keeps the watches of all kinds from ending together.
const WATCH: Duration = Duration::from_secs(240);
const WATCH_JITTER: Duration = Duration::from_secs(50);
/// How much longer than asked for a silent watch is believed in.
const GRACE: Duration = Duration::from_secs(10);
/// A watch that held for this long has worked, even if nothing happened.
const WORKED: Duration = Duration::from_secs(5);

/// A kind is listed again after this time, and up to this much later, however well its watch runs: this bounds how long a hub that
/// went back in time unnoticed is believed.
const AGAIN: Duration = Duration::from_secs(300);
/// A watch that broke off may hide a restart of the hub, so its kind is listed again; but at most this often, because a proxy may cut
/// watches all the time.
const AGAIN_IF_BROKEN: Duration = Duration::from_secs(30);
/// Regular lists take at most one percent of the time, and those after a watch broke off ten percent, so that ten thousand clusters
/// make them rarer.
const SHARE: u32 = 100;
const SHARE_IF_BROKEN: u32 = 10;

/// When a kind is listed again although its watch can go on.
struct Due {
    regular: Instant,
    if_broken: Instant,
}

impl Due {
    /// Returns when to list again after a list that took this long.
    fn after(took: Duration) -> Self {
        let now = Instant::now();
        let regular = (AGAIN + jitter(AGAIN)).max(took.saturating_mul(SHARE));
        Self { regular: now + regular, if_broken: now + AGAIN_IF_BROKEN.max(took.saturating_mul(SHARE_IF_BROKEN)) }
    }

    /// Records that a watch broke off.
    fn broken(&mut self) {
        self.regular = self.regular.min(self.if_broken);
    }

    fn is_now(&self) -> bool {
        Instant::now() >= self.regular
    }
}

/// How a watch ended.
enum End {
    /// The hub ended it in time; it can be resumed where it ended.
    Clean,
    /// It broke off, and can be resumed where it ended.
    Broken,
    /// It is time to list again, or the hub went back in time.
    Due,
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
    let mut rewinds = session.rewinds();
    loop {
        let began = Instant::now();
        match list(&session, &resource).await {
            Ok((listing, version)) => {
                session.replace(&kind, listing);
                rewinds.mark_unchanged();
                follow(&session, &resource, (version, Due::after(began.elapsed())), &mut backoff, &mut rewinds).await;
            }
            Err(error) => session.lost(&kind, &error),
        }
        session.metrics.watch_restarts.inc();
        pause(&mut backoff, &mut rewinds).await;
    }
}

/// Waits before the next try, but no longer than until the hub is found to have gone back in time, and so to be there.
async fn pause(backoff: &mut Backoff, rewinds: &mut watch::Receiver<Option<Rewind>>) {
    tokio::select! {
        () = sleep(backoff.next()) => {}
        Ok(()) = rewinds.changed() => rewinds.mark_changed(),
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

/// Watches from a version on, and resumes until the kind has to be listed again.
async fn follow(
    session: &Session,
    resource: &Resource,
    (mut version, mut due): (String, Due),
    backoff: &mut Backoff,
    rewinds: &mut watch::Receiver<Option<Rewind>>,
) {
    loop {
        let begun = Instant::now();
        let before = version.clone();
        let end = watch(session, resource, (&mut version, due.regular), rewinds).await;
        if begun.elapsed() >= WORKED || version != before {
            backoff.reset();
        }
        match end {
            End::Clean => {}
            End::Broken => due.broken(),
            End::Expired | End::Due => return,
            // While the hub was away, anything may have happened to it.
            End::Refused(error) => return session.lost(&resource.kind, &error),
        }
        if due.is_now() {
            return;
        }
        session.metrics.watch_restarts.inc();
        // After a clean end too: a hub that ends every watch at once must not be asked again at once.
        pause(backoff, rewinds).await;
    }
}

/// Watches until the stream ends or the kind is to be listed again, and moves the version along.
async fn watch(
    session: &Session,
    resource: &Resource,
    (version, due): (&mut String, Instant),
    rewinds: &mut watch::Receiver<Option<Rewind>>,
) -> End {
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
    let begun = Instant::now();
    let mut events = std::pin::pin!(stream);
    loop {
        let next = tokio::select! {
            next = timeout_at(due.min(Instant::now() + asked + GRACE), events.next()) => next,
            Ok(()) = rewinds.changed() => return End::Due,
        };
        let error = match next {
            Ok(Some(Ok(event))) => match take(session, resource, event, version) {
                Ok(()) => continue,
                Err(status) => Error::refused(what(), *status),
            },
            Ok(Some(Err(source))) => Error::of(what(), source),
            // A hub that is shut down ends its watches before their time.
            Ok(None) if begun.elapsed() + GRACE < asked => return End::Broken,
            Ok(None) => return End::Clean,
            Err(_) if Instant::now() >= due => return End::Due,
            Err(_) => Error::TimedOut { what: what(), within: asked + GRACE },
        };
        tracing::debug!(kind = %resource.kind, error = %ErrorChain(&error), "a watch broke off");
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
            session.report(|state| state.reach(&resource.kind, version.parse().ok()));
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

/// Returns `true` if a watch can go on where it was after an error.
fn resumable(error: &Error) -> bool {
    // A hub that was restored from a backup has not come to the version yet that is asked for, and never may. It says so with 504, as
    // it does for a plain timeout; a list tells.
    error.is_transient() && !matches!(error, Error::Refused { code: 504, .. })
}
