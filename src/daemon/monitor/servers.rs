//! The servers of a process, from its start on: also while it stands by, and while it reads the repository for the first time.

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::serve::{Limits, serve};
use super::tls::Socket;

/// The servers of a process. Dropping them ends them at once.
#[derive(Debug, Default)]
pub struct Servers {
    tasks: JoinSet<()>,
    stop: CancellationToken,
}

impl Servers {
    /// Serves the routes on a socket from now on.
    pub fn start(&mut self, socket: impl Into<Socket>, router: axum::Router, limits: Limits) {
        self.tasks.spawn(serve(socket.into(), router, limits, self.stop.clone()));
    }

    /// Serves until stopped; requests that are under way are still answered.
    ///
    /// # Panics
    /// If a server panicked.
    pub async fn run(mut self, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled(), if !self.stop.is_cancelled() => self.stop.cancel(),
                ended = self.tasks.join_next() => match ended {
                    Some(Err(error)) => match error.try_into_panic() {
                        Ok(panic) => std::panic::resume_unwind(panic),
                        Err(_) => return,
                    },
                    Some(Ok(())) => {}
                    None => return stop.cancelled().await,
                },
            }
        }
    }
}
