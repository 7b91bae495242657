//! Watches of the kinds that the stand-in reads.

use kube::api::{Api, DynamicObject};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::upstream::hub::kind::Kind;
use crate::watcher::{self, Initial};

/// A change of an object as JSON.
pub(in crate::upstream) type Change = watcher::Change<Value>;

/// Starts watches of these kinds. They end when the receiver is dropped.
pub(in crate::upstream) fn start(client: &kube::Client, kinds: &[Kind]) -> mpsc::UnboundedReceiver<(Kind, Change)> {
    let (sender, receiver) = mpsc::unbounded_channel();
    for kind in kinds.iter().copied() {
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &kind.resource());
        tokio::spawn(follow(api, kind, sender.clone()));
    }
    receiver
}

/// Sends the changes of one kind as JSON.
async fn follow(api: Api<DynamicObject>, kind: Kind, sender: mpsc::UnboundedSender<(Kind, Change)>) {
    let (changes, mut changed) = mpsc::unbounded_channel();
    tokio::spawn(watcher::watch(api, Initial::Listed, changes));
    loop {
        let change = tokio::select! {
            () = sender.closed() => return,
            change = changed.recv() => change,
        };
        let change = match change {
            None => return,
            Some(watcher::Change::Listed(objects)) => Change::Listed(objects.into_iter().map(value).collect()),
            Some(watcher::Change::Applied(object)) => Change::Applied(value(object)),
            Some(watcher::Change::Deleted(object)) => Change::Deleted(value(object)),
        };
        if sender.send((kind, change)).is_err() {
            return;
        }
    }
}

fn value(object: DynamicObject) -> Value {
    serde_json::to_value(object).expect("an object that was read as JSON can be written as JSON")
}
