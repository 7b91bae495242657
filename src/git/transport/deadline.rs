//! The time limit of one conversation with a remote, and its interruption from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the watcher thread checks the mirror's stop flag; short enough for a shutdown to feel immediate.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A flag that is set when the time limit has passed or the mirror is interrupted. A thread sets it, and ends when this
/// is dropped.
///
/// The flag is checked between reads, so it cannot end a read that waits for a silent peer. That wait is bounded
/// elsewhere: by the request timeout over HTTP, and by keep-alive probes over ssh.
pub(super) struct Deadline {
    expired: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    done: Option<Sender<()>>,
    watcher: Option<JoinHandle<()>>,
}

impl Deadline {
    /// Starts the clock.
    pub(crate) fn start(limit: Duration, stop: &Arc<AtomicBool>) -> Self {
        let expired = Arc::new(AtomicBool::new(false));
        let (done, finished) = mpsc::channel::<()>();
        let (flag, stopped, started) = (expired.clone(), stop.clone(), Instant::now());
        let watcher = std::thread::spawn(move || {
            while finished.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if stopped.load(Ordering::Relaxed) || started.elapsed() >= limit {
                    flag.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        Self { expired, stop: stop.clone(), done: Some(done), watcher: Some(watcher) }
    }

    /// Returns the flag that ends the operation.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.expired
    }

    /// Returns `true` if the time limit has passed, as opposed to an interruption or another failure.
    pub(super) fn has_expired(&self) -> bool {
        self.expired.load(Ordering::Relaxed) && !self.is_interrupted()
    }

    /// Returns `true` if the mirror was interrupted.
    pub(super) fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(watcher) = self.watcher.take() {
            // The thread cannot fail, and there is no one to report an error to.
            watcher.join().ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait_for_flag(deadline: &Deadline) {
        while !deadline.flag().load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn flag_is_set_when_the_time_is_over() {
        let deadline = Deadline::start(Duration::ZERO, &Arc::default());
        wait_for_flag(&deadline);
        assert!(deadline.has_expired() && !deadline.is_interrupted());
    }

    #[test]
    fn flag_is_set_when_the_mirror_is_interrupted() {
        let stop = Arc::new(AtomicBool::new(false));
        let deadline = Deadline::start(Duration::MAX, &stop);
        assert!(!deadline.flag().load(Ordering::Relaxed));
        stop.store(true, Ordering::Relaxed);
        wait_for_flag(&deadline);
        assert!(deadline.is_interrupted() && !deadline.has_expired());
    }
}
