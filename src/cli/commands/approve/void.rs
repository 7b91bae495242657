//! Approvals that do not count, according to the journal.

use tidegate_consent::file::Entry;
use tidegate_consent::{Verdict, Why};
use tidegate_journal::Journal;
use tidegate_model::name::UnitName;

/// Returns why an entry in a file does not count for a rule that waits; `None` if it counts, was not judged yet, or would not count either
/// if it was given again.
pub(super) fn why(journal: &Journal, addon: &UnitName, file: &str, entry: &Entry) -> Option<Why> {
    let of_addon = journal.addons.get(addon).into_iter().flat_map(|status| &status.approvals);
    let rules = journal.sync.iter().filter_map(|sync| sync.rules.as_ref()?.waiting.as_ref());
    let of_rules = rules.flat_map(|rules| &rules.approvals).map(|approval| &approval.verdict);
    let waiting = of_addon.map(|approval| &approval.verdict).chain(of_rules).filter(|verdict| !verdict.is_met());
    let mut void = waiting.flat_map(|verdict: &Verdict| &verdict.void);
    let found = void.find(|void| void.file == file && void.by == entry.by && void.at == entry.at);
    let is_useless = |why: &Why| matches!(why, Why::Duplicate { .. } | Why::NotReached);
    found.map(|void| void.why.clone()).filter(|why| !is_useless(why))
}
