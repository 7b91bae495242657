//! Watches of the kinds that the stand-in reads.

use futures::StreamExt as _;
use kube::api::{Api, DynamicObject};
use kube::runtime::watcher::Event;
use kube::runtime::{WatchStreamExt as _, watcher};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::upstream::hub::kind::Kind;

/// A change that a watch reports.
#[derive(Debug)]
pub(in crate::upstream) enum Change {
    /// All objects of the kind, after a new list.
    Listed(Vec<Value>),
    /// A new or changed object.
    Applied(Value),
    /// A deleted object, as it was last.
    Deleted(Value),
}

/// Starts watches of these kinds. They end when the receiver is dropped.
pub(in crate::upstream) fn start(client: &kube::Client, kinds: &[Kind]) -> mpsc::UnboundedReceiver<(Kind, Change)> {
    let (sender, receiver) = mpsc::unbounded_channel();
    for kind in kinds.iter().copied() {
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &kind.resource());
        tokio::spawn(follow(api, kind, sender.clone()));
    }
    receiver
}

async fn follow(api: Api<DynamicObject>, kind: Kind, sender: mpsc::UnboundedSender<(Kind, Change)>) {
    let events = watcher(api, watcher::Config::default()).default_backoff();
    futures::pin_mut!(events);
    let mut listed = Vec::new();
    loop {
        let event = tokio::select! {
            () = sender.closed() => return,
            event = events.next() => event,
        };
        let change = match event {
            None => return,
            // The watch is restarted after a delay.
            Some(Err(_)) => continue,
            Some(Ok(Event::Init)) => {
                listed.clear();
                continue;
            }
            Some(Ok(Event::InitApply(object))) => {
                listed.push(value(object));
                continue;
            }
            Some(Ok(Event::InitDone)) => Change::Listed(std::mem::take(&mut listed)),
            Some(Ok(Event::Apply(object))) => Change::Applied(value(object)),
            Some(Ok(Event::Delete(object))) => Change::Deleted(value(object)),
        };
        if sender.send((kind, change)).is_err() {
            return;
        }
    }
}

fn value(object: DynamicObject) -> Value {
    serde_json::to_value(object).expect("an object that was read as JSON can be written as JSON")
}
