//! Clients for a server of a test.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tidegate_forge::{Auth, Forge, Settings, Transport};
use tidegate_model::forge::{ForgeKind, Pull, PullState};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use super::server::Server;

/// The token of all clients. No error may contain it.
pub(crate) const TOKEN: &str = "tok_3f0c8d0a6a5c";

/// The start of the clock.
pub(crate) const NOW: i64 = 1_800_000_000;

/// Settings for a server, with a clock that the test sets.
pub(crate) struct Setup {
    pub(crate) settings: Settings,
    transport: Option<Transport>,
    clock: Arc<AtomicI64>,
    pub(crate) directory: Arc<TempDir>,
}

/// Creates settings for a server that has the API of a forge.
pub(crate) fn setup(kind: ForgeKind, server: &Server) -> Setup {
    let directory = Arc::new(tempfile::tempdir().unwrap());
    let token = directory.path().join("token");
    std::fs::write(&token, format!("{TOKEN}\n")).unwrap();
    let clock = Arc::new(AtomicI64::new(NOW));
    // The clock lives as long as a client, and so does the directory with its token.
    let (read, kept) = (Arc::clone(&clock), Arc::clone(&directory));
    let path = match kind {
        ForgeKind::GitHub => "",
        ForgeKind::GitLab => "/api/v4",
        ForgeKind::Gitea => "/api/v1",
    };
    let settings = Settings {
        kind,
        url: format!("{}{path}", server.origin).parse().unwrap(),
        project: "platform/fleet".to_owned(),
        auth: Auth::TokenFile(token),
        budget: 1000,
        write_gap: Duration::ZERO,
        clock: Arc::new(move || {
            let _ = &kept;
            Timestamp::from_second(read.load(Ordering::SeqCst)).unwrap()
        }),
    };
    Setup { settings, transport: server.transport.clone(), clock, directory }
}

impl Setup {
    /// Creates a client.
    pub(crate) fn forge(&self) -> Forge {
        if let Some(transport) = &self.transport {
            return self.over(transport.clone());
        }
        // Only the first installation in the process succeeds.
        rustls::crypto::ring::default_provider().install_default().ok();
        Forge::new(self.settings.clone(), reqwest::Client::builder().no_proxy()).unwrap()
    }

    /// Creates a client with another transport.
    pub(crate) fn over(&self, transport: Transport) -> Forge {
        Forge::over(self.settings.clone(), transport).unwrap()
    }

    /// Sets the clock, in seconds after its start.
    pub(crate) fn at(&self, seconds: i64) {
        self.clock.store(NOW + seconds, Ordering::SeqCst);
    }

    /// Writes another token into the token file.
    pub(crate) fn write_token(&self, token: &str) {
        std::fs::write(self.directory.path().join("token"), token).unwrap();
    }
}

/// Returns a commit ID whose digits are all equal.
pub(crate) fn commit(digit: char) -> CommitId {
    digit.to_string().repeat(40).parse().unwrap()
}

/// Returns an open pull request.
pub(crate) fn pull(number: u64) -> Pull {
    Pull {
        number,
        title: "Upgrade".to_owned(),
        url: format!("https://forge.example.com/platform/fleet/pulls/{number}"),
        author: None,
        head: commit('a'),
        head_branch: "up".to_owned(),
        base_branch: "main".to_owned(),
        is_fork: false,
        is_draft: false,
        state: PullState::Open,
        updated: Timestamp::from_second(NOW).unwrap(),
    }
}
