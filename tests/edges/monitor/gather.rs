//! How often webhooks make the daemon poll.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio_util::sync::CancellationToken;

use tidegate_daemon::monitor::{GAP, Looks};

/// Lets the task run until it waits.
async fn settled() {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_webhook_polls_at_once_and_later_ones_are_gathered_into_one_poll() {
    let (looks, polls, stop) = (Looks::default(), Arc::new(AtomicUsize::new(0)), CancellationToken::new());
    let counted = polls.clone();
    let look = move || {
        counted.fetch_add(1, Ordering::SeqCst);
    };
    let task = tokio::spawn(looks.clone().pass(look, stop.clone()));
    let polls = || polls.load(Ordering::SeqCst);
    looks.request();
    settled().await;
    assert_eq!(polls(), 1);
    for _ in 0..1_000 {
        looks.request();
    }
    settled().await;
    assert_eq!(polls(), 1, "a flood waits for the end of the gap");
    tokio::time::advance(GAP).await;
    settled().await;
    assert_eq!(polls(), 2);
    tokio::time::advance(GAP * 10).await;
    settled().await;
    assert_eq!(polls(), 2, "nothing was requested since");
    looks.request();
    settled().await;
    assert_eq!(polls(), 3, "after a pause, the next one is passed on at once");
    stop.cancel();
    task.await.unwrap();
}
