//! A client that lists and watches the objects of a kind, as controllers do.

use std::fmt::Debug;
use std::time::Duration;

use futures::StreamExt as _;
use kube::Resource;
use kube::api::{Api, ListParams, WatchEvent, WatchParams};
use serde::de::DeserializeOwned;
use tokio::sync::mpsc::UnboundedSender;

/// The time before a failed watch is started again.
const RETRY: Duration = Duration::from_secs(1);

/// The annotation of the bookmark after the objects that existed when a watch started.
///
/// # Source
/// KEP-3157, "allow informers for getting a stream of data instead of chunking".
const END_OF_LIST: &str = "k8s.io/initial-events-end";

/// How the objects that exist are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Initial {
    /// By a list, followed by a watch.
    Listed,
    /// By the watch itself.
    #[allow(dead_code, reason = "only the tests of the sandbox stream their lists")]
    Streamed,
}

/// A change that a watch reports.
#[derive(Debug)]
pub(crate) enum Change<K> {
    /// All objects that exist, after a start or a failure.
    Listed(Vec<K>),
    /// A new or changed object.
    Applied(K),
    /// A deleted object, in its last state.
    Deleted(K),
}

/// Sends the changes of all objects until the receiver is dropped. A failed watch is started again.
pub(crate) async fn watch<K>(api: Api<K>, initial: Initial, changes: UnboundedSender<Change<K>>)
where
    K: Resource + Clone + DeserializeOwned + Debug,
{
    let follow = async {
        loop {
            watch_once(&api, initial, &changes).await.ok();
            tokio::time::sleep(RETRY).await;
        }
    };
    tokio::select! {
        () = changes.closed() => {}
        () = follow => {}
    }
}

/// Lists and watches until the first failure.
async fn watch_once<K>(api: &Api<K>, initial: Initial, changes: &UnboundedSender<Change<K>>) -> kube::Result<()>
where
    K: Resource + Clone + DeserializeOwned + Debug,
{
    // Once the receiver is dropped, `watch` ends.
    let send = |change| drop(changes.send(change));
    let (mut parameters, mut version) = (WatchParams::default().initial_events(), "0".to_owned());
    if initial == Initial::Listed {
        let list = api.list(&ListParams::default()).await?;
        (parameters, version) = (WatchParams::default(), list.metadata.resource_version.unwrap_or_default());
        send(Change::Listed(list.items));
    }
    let mut listed = (initial == Initial::Streamed).then(Vec::new);
    loop {
        let mut events = api.watch(&parameters, &version).await?.boxed();
        while let Some(event) = events.next().await {
            let seen = |object: &K| object.meta().resource_version.clone().unwrap_or_default();
            match event? {
                WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                    version = seen(&object);
                    match &mut listed {
                        Some(listed) => listed.push(object),
                        None => send(Change::Applied(object)),
                    }
                }
                WatchEvent::Deleted(object) => {
                    version = seen(&object);
                    send(Change::Deleted(object));
                }
                WatchEvent::Bookmark(bookmark) => {
                    version = bookmark.metadata.resource_version;
                    if bookmark.metadata.annotations.contains_key(END_OF_LIST)
                        && let Some(listed) = listed.take()
                    {
                        send(Change::Listed(listed));
                        parameters = WatchParams::default();
                    }
                }
                WatchEvent::Error(status) => return Err(kube::Error::Api(status)),
            }
        }
    }
}
