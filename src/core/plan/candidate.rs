//! Applications that are not rolled out: nothing is written for them, and nothing is removed.

use tidegate_model::name::UnitName;
use tidegate_model::progress::Phase;
use tidegate_model::shared::Shared;

use crate::input::Input;
use crate::report::AddonReport;

/// Returns the reports about the candidates. The clusters of one that was rolled out before are reported as they were last known.
pub(crate) fn reports<'a>(input: &Input<'a>) -> impl Iterator<Item = (UnitName, Shared<AddonReport>)> + use<'a> {
    let (repository, past) = (input.repository, &input.past.report);
    repository.candidates.iter().map(move |(name, place)| {
        let mut report = past.addon(name).cloned().unwrap_or_default();
        let error = repository.blocked.get(name).and_then(|complaints| complaints.first());
        let error = error.map(|error| format!("; it has an error: {error}")).unwrap_or_default();
        report.problem = Some(format!(
            "candidate: it is revision-only at {place}, so nothing is rolled out, and clusters keep what they have{error}"
        ));
        report.phase = Phase::Held;
        // Nothing waits for anyone.
        (report.stopped_by, report.removal, report.look_at, report.withdrawn) = (None, None, None, false);
        (report.gates, report.approvals, report.checks) = (Vec::new(), Vec::new(), Vec::new());
        // A comparison of reports then sees by the pointer that nothing has changed.
        let same = past.addons.get(name).filter(|before| ***before == report).cloned();
        (name.clone(), same.unwrap_or_else(|| report.into()))
    })
}
