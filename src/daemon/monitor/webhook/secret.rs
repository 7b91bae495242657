//! A file with a secret for webhooks.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::reconciler::standard_webhook;

/// An unusable secret is logged at most this often: anyone may send webhooks.
const REMIND: Duration = Duration::from_secs(60);

/// A file with a secret. It is read again for each webhook, so it may be rotated. Cheap to clone.
#[derive(Clone)]
pub(super) struct SecretFile {
    path: PathBuf,
    complained: Arc<Mutex<Option<Instant>>>,
}

impl SecretFile {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), complained: Arc::default() }
    }

    /// Reads the secret; `None` if it cannot be used.
    pub(super) async fn read(&self) -> Option<String> {
        match tokio::fs::read_to_string(&self.path).await {
            Ok(secret) if secret.trim().is_empty() => self.complain("is empty"),
            Ok(secret) => return Some(secret.trim().to_owned()),
            Err(error) => self.complain(&format!("cannot be read: {error}")),
        };
        None
    }

    /// Reads the key of a secret of Standard Webhooks; `None` if it cannot be used.
    pub(super) async fn read_key(&self) -> Option<Vec<u8>> {
        match standard_webhook::key(&self.read().await?) {
            Some(Ok(key)) => return Some(key),
            Some(Err(why)) => self.complain(why),
            None => self.complain("does not start with whsec_"),
        };
        None
    }

    /// Logs why the secret cannot be used, unless that was logged recently. Returns `true` if it was logged now.
    fn complain(&self, why: &str) -> bool {
        let mut complained = self.complained.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = complained.is_some_and(|at| at.elapsed() < REMIND);
        if !is_fresh {
            *complained = Some(Instant::now());
            let file = self.path.display();
            tracing::warn!(%file, "the secret for webhooks {why}; refusing all webhooks that need it");
        }
        !is_fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unusable_secret_is_logged_once_for_many_webhooks() {
        let secret = SecretFile::new(Path::new("nowhere"));
        assert!(secret.complain("is empty"));
        assert!(!secret.clone().complain("is empty"));
    }
}
