//! Which credentials are used for which servers, and how much is downloaded at most.

use std::path::PathBuf;
use std::time::Duration;

use crate::Credentials;
use crate::web::Reach;
use tidegate_git::Proxies;

/// How servers are reached.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// User names and passwords. Each is sent to its own host only, and only over TLS or to this machine.
    pub credentials: Credentials,
    /// A PEM file with certificates that are trusted in addition to the public ones.
    pub authority: Option<PathBuf>,
    /// The proxies; `None` for those of the environment.
    pub proxies: Option<Proxies>,
    /// The limits of one download.
    pub limits: Limits,
    /// Which servers may be contacted.
    pub reach: Reach,
}

/// Limits of one download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of an answer.
    pub bytes: u64,
    /// The time for an answer, with all redirects.
    pub time: Duration,
}

impl Default for Limits {
    /// Returns 64 MiB, because the index of a large chart repository has more than 20 MiB, and two minutes.
    fn default() -> Self {
        Self { bytes: 64 << 20, time: Duration::from_secs(120) }
    }
}
