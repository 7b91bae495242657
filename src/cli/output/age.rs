//! Shows how old the journal is, and warns if its daemon seems to be dead.
//!
//! Nothing is committed just because time passes, so an old journal may belong to a fleet at rest. But the journal names
//! moments at which something changes by itself. While a daemon runs, such a moment cannot pass without an entry.

use tidegate_journal::Journal;
use tidegate_model::time::{SignedDuration, Timestamp, to_seconds};

/// Time that a daemon needs to observe, gather, commit and push.
const GRACE: SignedDuration = SignedDuration::from_secs(60);

/// Returns the line that shows when the journal was last written.
pub(in crate::cli) fn line(written: Timestamp, now: Timestamp) -> String {
    format!("the last entry was written {} ago, at {}", span(now.duration_since(written)), to_seconds(written))
}

/// Returns a warning if a moment that the journal names passed more than a minute ago, else `None`.
pub(in crate::cli) fn overdue(journal: &Journal, now: Timestamp) -> Option<String> {
    let clusters = journal.addons.keys().flat_map(|addon| journal.clusters(addon).into_values());
    let first = clusters.filter_map(|cluster| cluster.look_at).min()?;
    (now.duration_since(first) > GRACE).then(|| {
        format!(
            "warning: the journal expects a change at {first}, {} ago, but has no entry about it: the daemon is not running or cannot \
             push",
            span(now.duration_since(first))
        )
    })
}

/// Returns a duration in its largest unit, rounded down.
fn span(length: SignedDuration) -> String {
    let seconds = length.as_secs().max(0);
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7_199 => format!("{} min", seconds / 60),
        7_200..=172_799 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn journal(look_at: &str) -> Journal {
        let status = "apiVersion: tidegate.io/v1alpha1\nkind: AddonStatus\naddon: hello\nversion: 0.4.1\nphase: Progressing\n\
                      since: 2026-11-21T10:00:00Z\nclusters: {total: 1, succeeded: 0, progressing: 1, failed: 0, waiting: 0}\n";
        let clusters = format!(
            "apiVersion: tidegate.io/v1alpha1\nkind: ClusterList\naddon: hello\nclusters:\n  \"a\": {{state: Soaking, lookAt: \"{look_at}\"}}\n"
        );
        let files = [("addons/hello/status.yaml", status.to_owned()), ("addons/hello/clusters.yaml", clusters)];
        Journal::read(
            files.into_iter().map(|(path, text)| (path.to_owned(), text.into_bytes())).collect::<BTreeMap<_, _>>(),
        )
    }

    #[test]
    fn a_change_that_is_overdue_by_more_than_a_minute_causes_a_warning() {
        let journal = journal("2026-11-21T10:10:00Z");
        let at = |text: &str| overdue(&journal, text.parse().unwrap());
        assert_eq!(at("2026-11-21T10:11:00Z"), None);
        let warning = at("2026-11-21T10:15:00Z").unwrap();
        assert!(warning.contains("2026-11-21T10:10:00Z, 5 min ago"), "{warning}");
    }

    #[test]
    fn the_age_is_shown_in_its_largest_unit() {
        let now: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let line = |seconds| line(now - SignedDuration::from_secs(seconds), now);
        assert!(line(3).starts_with("the last entry was written 3 s ago, at 2026-11-21T09:59:57Z"));
        for (seconds, words) in [(-5, "0 s"), (300, "5 min"), (9_000, "2 h"), (400_000, "4 days")] {
            assert!(line(seconds).contains(&format!(" {words} ago")), "{}", line(seconds));
        }
    }
}
