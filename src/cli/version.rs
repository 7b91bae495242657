//! Which build of the program this is.

use std::env::consts::{ARCH, OS};
use std::sync::LazyLock;

/// The version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit, if it was in the environment variable `TIDEGATE_COMMIT` when the program was built.
const COMMIT: Option<&str> = option_env!("TIDEGATE_COMMIT");

/// What `tidegate --version` prints after the name: version, commit, and the system that it was built for.
pub(crate) fn long() -> &'static str {
    static LONG: LazyLock<String> =
        LazyLock::new(|| format!("{VERSION}\ncommit: {}\nbuild: {OS}-{ARCH}", COMMIT.unwrap_or("unknown")));
    &LONG
}

/// Returns what identifies the build in a recording: version and commit.
pub(crate) fn build() -> String {
    COMMIT.map_or_else(|| VERSION.to_owned(), |commit| format!("{VERSION} ({commit})"))
}
