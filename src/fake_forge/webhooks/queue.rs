//! Messages are sent one after another, in the order of the events.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};

use super::delivery::DeliveryRecord;

/// How many messages wait at most. Further ones are lost, as with a forge whose queue is full.
const CAPACITY: usize = 1024;

/// How long an answer may take, as on gitlab.com.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The messages that wait, and those that were sent.
#[derive(Clone)]
pub(crate) struct Queue {
    sender: mpsc::Sender<Job>,
    sent: Arc<Mutex<Vec<DeliveryRecord>>>,
    waiting: Arc<watch::Sender<usize>>,
}

struct Job {
    url: String,
    delivery: DeliveryRecord,
}

/// The end of the queue at which messages are taken out.
pub(crate) struct Outlet(mpsc::Receiver<Job>);

impl Queue {
    /// Returns an empty queue.
    pub(crate) fn new() -> (Self, Outlet) {
        let (sender, receiver) = mpsc::channel(CAPACITY);
        let queue = Self { sender, sent: Arc::default(), waiting: Arc::new(watch::Sender::new(0)) };
        (queue, Outlet(receiver))
    }

    /// Adds a message.
    pub(crate) fn add(&self, url: &str, delivery: DeliveryRecord) {
        // Counted first: the message may be sent at once.
        self.waiting.send_modify(|waiting| *waiting += 1);
        if self.sender.try_send(Job { url: url.to_owned(), delivery }).is_err() {
            self.waiting.send_modify(|waiting| *waiting = waiting.saturating_sub(1));
        }
    }

    /// Returns the messages that were sent, oldest first.
    pub(crate) fn sent(&self) -> Vec<DeliveryRecord> {
        self.sent.lock().clone()
    }

    /// Waits until no message waits.
    pub(crate) async fn settled(&self) {
        // The sender lives as long as the queue.
        self.waiting.subscribe().wait_for(|waiting| *waiting == 0).await.ok();
    }

    /// Sends the messages, until the queue is dropped.
    pub(crate) async fn send_all(self, mut outlet: Outlet) {
        while let Some(Job { url, mut delivery }) = outlet.0.recv().await {
            delivery.status = tokio::time::timeout(TIMEOUT, post(&url, &delivery)).await.ok().flatten();
            self.sent.lock().push(delivery);
            self.waiting.send_modify(|waiting| *waiting = waiting.saturating_sub(1));
        }
    }
}

/// Sends a message, and returns the status of the answer.
async fn post(url: &str, delivery: &DeliveryRecord) -> Option<u16> {
    let rest = url.strip_prefix("http://")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut head = format!("POST /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    for (name, value) in &delivery.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", delivery.body.len()));
    let mut stream = TcpStream::connect(host).await.ok()?;
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(delivery.body.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    String::from_utf8_lossy(&answer).split(' ').nth(1)?.parse().ok()
}
