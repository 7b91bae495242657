//! The clock of these tests, and waiting for a condition.

use std::sync::LazyLock;
use std::time::Duration;

use tidegate_model::time::Timestamp;

/// How long a test waits, on the paused clock. The slowest thing that a test waits for is the regular list of a kind, which comes
/// after five to ten minutes; see `hub::watch`. What has not happened by then never does.
pub(in crate::daemon) const PATIENCE: Duration = Duration::from_secs(20 * 60);

/// Returns the time of day on the clock of the runtime, which is paused in these tests.
pub(crate) fn now() -> Timestamp {
    static ORIGIN: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    let (origin, now) = (*ORIGIN, tokio::time::Instant::now().into_std());
    let noon: Timestamp = "2027-01-01T12:00:00Z".parse().unwrap();
    noon + now.saturating_duration_since(origin) - origin.saturating_duration_since(now)
}

/// The time between two checks of a condition.
const POLL: Duration = Duration::from_millis(50);

/// Waits until a condition holds.
pub(in crate::daemon) async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    let waited = tokio::time::timeout(PATIENCE, async {
        while !is_so().await {
            tokio::time::sleep(POLL).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("timed out waiting until {what}"));
}
