//! Tests of the facts about pull requests.

use tidegate_journal::Journal;
use tidegate_journal::pulls::PullFacts;

/// Before the first tick, the report is empty: judged by it, every open request for an approval would be closed.
#[test]
fn a_daemon_that_has_not_ticked_has_not_judged_the_pull_requests_of_the_journal() {
    assert_ne!(Journal::default().pull_facts().version, PullFacts::default().version);
}
