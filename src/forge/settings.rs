//! What a client for a forge needs to know.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::Timestamp;

/// The settings of a [`Forge`](crate::Forge).
#[derive(Clone)]
pub struct Settings {
    /// The API of the forge.
    pub kind: ForgeKind,
    /// The base address of the API: `https://api.github.com`, `https://HOST/api/v3` (GitHub Enterprise Server),
    /// `https://HOST/api/v4` (GitLab) or `https://HOST/api/v1` (Gitea and Forgejo). Requests go to its origin only.
    pub url: Url,
    /// The path of the project, such as `platform/fleet`. On GitLab it may be in subgroups.
    pub project: String,
    /// How requests authenticate.
    pub auth: Auth,
    /// Maximum requests per hour. A quarter is reserved for what approvals need.
    pub budget: u32,
    /// The least time between two writes. Use [`WRITE_GAP`], which GitHub asks for.
    pub write_gap: Duration,
    /// Returns the current time.
    pub clock: Clock,
}

/// A function that returns the current time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The time between two writes that GitHub asks for. Its secondary limit is 80 writes in a minute, so a second between two writes
/// stays below it.
pub const WRITE_GAP: Duration = Duration::from_secs(1);

/// How requests authenticate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Auth {
    /// The token is the only line of a file. The file is read for every request, so that a rotated token is used at once.
    TokenFile(PathBuf),
    /// Requests are made by a GitHub App that is installed for the project.
    App {
        /// The client ID of the App, or its ID.
        client_id: String,
        /// The file with its private key, in PEM (PKCS#1 as GitHub creates it, or PKCS#8).
        key_file: PathBuf,
    },
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, url, project, auth, budget, write_gap, clock: _ } = self;
        let mut shown = f.debug_struct("Settings");
        shown.field("kind", kind).field("url", &url.origin().ascii_serialization()).field("project", project);
        shown.field("auth", auth).field("budget", budget).field("write_gap", write_gap).finish_non_exhaustive()
    }
}
