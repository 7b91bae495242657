//! The task that passes notices on to the receivers that want them.

use std::time::Duration;

use futures::stream::{FuturesUnordered, StreamExt as _};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::deliver::{Sender, deliver};
use super::memory::Memory;
use super::metrics::Outcome;
use super::notice::Notice;
use super::receiver::Receiver;

/// Maximum number of notices that wait for the task, and for each receiver; more are dropped and counted. A tick creates a few
/// for each add-on.
pub const QUEUE: usize = 256;
/// How long notifications are still delivered after a stop signal.
const GRACE: Duration = Duration::from_secs(2);

/// Passes notices on until the channel is closed and everything is delivered, or until a grace period after the stop signal is
/// over. Each receiver has a queue of its own, so one that does not answer delays no other.
pub async fn dispatch(
    receivers: Vec<Receiver>,
    notices: mpsc::Receiver<Notice>,
    sender: Sender,
    stop: CancellationToken,
) {
    let mut queues = Vec::new();
    let deliveries = FuturesUnordered::new();
    for receiver in receivers {
        let (queue, waiting) = mpsc::channel(QUEUE);
        deliveries.push(deliver(receiver.clone(), waiting, sender.clone()));
        queues.push((receiver, queue));
    }
    let delivered = async {
        tokio::join!(distribute(queues, notices, &sender), deliveries.collect::<()>());
    };
    let deadline = async {
        stop.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = delivered => {}
        () = deadline => {}
    }
}

async fn distribute(
    queues: Vec<(Receiver, mpsc::Sender<Notice>)>,
    mut notices: mpsc::Receiver<Notice>,
    sender: &Sender,
) {
    let mut memory = Memory::default();
    loop {
        let now = sender.clock.now();
        let wait = memory.look_at().map(|at| Duration::try_from(now.duration_until(at)).unwrap_or_default());
        let quiet = async {
            match wait {
                Some(wait) => tokio::time::sleep(wait).await,
                None => std::future::pending().await,
            }
        };
        let due = tokio::select! {
            notice = notices.recv() => match notice {
                Some(notice) => memory.note(notice, sender.clock.now()).into_iter().collect(),
                None => return,
            },
            () = quiet => memory.due(sender.clock.now()),
        };
        for notice in due {
            for (receiver, queue) in queues.iter().filter(|(receiver, _)| receiver.wants(&notice)) {
                if queue.try_send(notice.clone()).is_err() {
                    sender.metrics.count(Outcome::Dropped, 1);
                    tracing::debug!(%receiver, waiting = QUEUE, "dropped a notification: too many are waiting");
                }
            }
        }
    }
}
