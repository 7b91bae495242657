//! Keeps one kind up to date: lists it, then watches from there. Resumes where a watch ended, or lists again if that is not
//! possible.
//!
//! A watch that is resumed at a resource version relies on a continuous history. A restore of the hub's etcd from a backup
//! breaks it: once the counter has passed the old number again, such a watch does not report what differs. Only a list shows
//! that the hub was restored. So a kind is listed again after the hub could not be reached, soon
//! after a watch broke off, and from time to time in any case.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use kube::api::WatchParams;
use kube::core::{Request, Status, WatchEvent};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

use crate::hub::answer::within;
use crate::hub::error::Error;
use crate::hub::kind::discovery::Discovery;
use crate::hub::kind::resource::Resource;
use crate::hub::known::observed::Observed;
use crate::hub::request::list::{list, selector};
use crate::hub::request::retry::{Retries, jitter};
use crate::hub::session::Session;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::object::GroupKind;
use tidegate_model::rewind::Rewind;

/// After this time, the hub ends a watch cleanly. It is short enough to notice a connection that died silently. The client
/// does not allow 295 s or more; the jitter keeps the watches of all kinds from ending together.
const WATCH: Duration = Duration::from_secs(240);
const WATCH_JITTER: Duration = Duration::from_secs(50);
/// How much longer than requested a silent watch may last.
const GRACE: Duration = Duration::from_secs(10);
/// A watch that lasted this long counts as successful, even if nothing happened.
const WORKED: Duration = Duration::from_secs(5);

/// A kind is listed again after one to two times this duration, however well its watch runs. This bounds how long it goes
/// unnoticed that the hub went back in time.
const AGAIN: Duration = Duration::from_secs(300);
/// A watch that broke off may be a sign of a restart of the hub, so its kind is listed again; but at most this often,
/// because a proxy may cut watches all the time.
const AGAIN_IF_BROKEN: Duration = Duration::from_secs(30);
/// Regular lists take at most one percent of the time, and lists after a broken watch at most ten percent. So with ten
/// thousand clusters, they are less frequent.
const SHARE: u32 = 100;
const SHARE_IF_BROKEN: u32 = 10;

/// When a kind is listed again although its watch could continue.
struct Relist {
    regular: Instant,
    if_broken: Instant,
}

impl Relist {
    /// Schedules the next list after a list that took this long.
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
    /// The hub ended it after the requested time; it can be resumed where it ended.
    Clean,
    /// It broke off, and can be resumed where it ended.
    Broken,
    /// It is time to list again, or the hub went back in time.
    Relist,
    /// The resource version to resume from is lost, or may be lost: list again.
    Expired,
    /// It could not be started.
    Refused(Error),
}

/// Keeps a kind up to date forever. If the hub does not serve it yet, waits for that first.
pub(in crate::hub) async fn keep(session: Arc<Session>, kind: GroupKind, resource: Option<Arc<Resource>>) {
    let resource = match resource {
        Some(resource) => resource,
        None => served(&session, &kind).await,
    };
    let mut retries = Retries::of_watch();
    let mut rewinds = session.rewinds();
    loop {
        let began = Instant::now();
        match list(&session, &resource).await {
            Ok((listing, version)) => {
                session.replace(&kind, listing);
                rewinds.mark_unchanged();
                if session.read(|state| state.pending().contains(&kind)) {
                    // It became out of date while it was read, so that the notification was one before its end.
                    continue;
                }
                follow(&session, &resource, (version, Relist::after(began.elapsed())), &mut retries, &mut rewinds)
                    .await;
            }
            Err(error) => {
                session.lost(&kind, &error);
                // Everything is listed again after the pause in any case.
                rewinds.mark_unchanged();
            }
        }
        session.metrics.watch_restarts.inc();
        pause(&mut retries, &mut rewinds).await;
    }
}

/// Waits before the next attempt. Ends early if the hub is found to have gone back in time, since then it answers.
async fn pause(retries: &mut Retries, rewinds: &mut watch::Receiver<Option<Rewind>>) {
    tokio::select! {
        () = sleep(retries.wake_after()) => {}
        Ok(()) = rewinds.changed() => rewinds.mark_changed(),
    }
}

/// Waits until a kind is served.
async fn served(session: &Session, kind: &GroupKind) -> Arc<Resource> {
    let mut retries = Retries::of_watch();
    loop {
        sleep(retries.wake_after()).await;
        match Discovery::new(&session.client).find(kind).await {
            Ok(Some(resource)) => {
                let resource = Arc::new(resource);
                session.serve(Arc::clone(&resource));
                tracing::info!(%kind, "the hub started to serve a declared kind");
                return resource;
            }
            Ok(None) => session.lost(kind, &Error::Unserved { kind: kind.clone() }),
            Err(error) => session.lost(kind, &error),
        }
    }
}

/// Watches from a version, and resumes until the kind has to be listed again.
async fn follow(
    session: &Session,
    resource: &Resource,
    (mut version, mut relist_at): (String, Relist),
    retries: &mut Retries,
    rewinds: &mut watch::Receiver<Option<Rewind>>,
) {
    loop {
        let begun = Instant::now();
        let before = version.clone();
        let end = watch(session, resource, (&mut version, relist_at.regular), rewinds).await;
        if begun.elapsed() >= WORKED || version != before {
            retries.reset();
        }
        match end {
            End::Clean => {}
            End::Broken => relist_at.broken(),
            End::Expired | End::Relist => return,
            // While the hub was unreachable, anything may have happened to it.
            End::Refused(error) => return session.lost(&resource.kind, &error),
        }
        if relist_at.is_now() {
            return;
        }
        session.metrics.watch_restarts.inc();
        // Pause after a clean end, too: a hub that ends every watch immediately must not be asked again immediately.
        pause(retries, rewinds).await;
    }
}

/// Watches until the stream ends or the kind has to be listed again, and advances the version.
async fn watch(
    session: &Session,
    resource: &Resource,
    (version, relist_at): (&mut String, Instant),
    rewinds: &mut watch::Receiver<Option<Rewind>>,
) -> End {
    let what = || format!("watching {}", resource.kind);
    let asked = WATCH + jitter(WATCH_JITTER);
    let params = WatchParams {
        label_selector: selector(session, resource),
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
            next = timeout_at(relist_at.min(Instant::now() + asked + GRACE), events.next()) => next,
            Ok(()) = rewinds.changed() => return End::Relist,
        };
        let error = match next {
            Ok(Some(Ok(event))) => match take(session, resource, event, version) {
                Ok(()) => continue,
                Err(status) => Error::refused(what(), *status),
            },
            Ok(Some(Err(source))) => Error::of(what(), source),
            // A hub that is shut down ends its watches early.
            Ok(None) if begun.elapsed() + GRACE < asked => return End::Broken,
            Ok(None) => return End::Clean,
            Err(_) if Instant::now() >= relist_at => return End::Relist,
            Err(_) => Error::TimedOut { what: what(), within: asked + GRACE },
        };
        tracing::debug!(kind = %resource.kind, error = %ErrorChain(&error), "a watch broke off");
        return if resumable(&error) { End::Broken } else { End::Expired };
    }
}

/// Processes one event and advances the version.
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

/// Returns `true` if a watch can be resumed after this error.
fn resumable(error: &Error) -> bool {
    // A hub that was restored from a backup has not reached the requested version yet, and may never reach it. It answers
    // 504, as for a plain timeout; only a list can distinguish the two.
    error.is_transient() && !matches!(error, Error::Refused { code: 504, .. })
}
