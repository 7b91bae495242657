//! Whether enough people approved. Only the verdict on one rule is shared with the engine; which rules there are is read here.

use super::bar::Bar;
use super::case::Case;
use super::policies::Policy;
use tidegate_api::rollout_policy::Approval;
use tidegate_consent::{After, Rule, Subject, Verdict, judge};
use tidegate_model::time::parse_go_duration;

/// Returns the bar if an approval that a cluster needs was missing.
pub(super) fn missing(case: &Case<'_>, policy: &Policy) -> Option<Bar> {
    let own = case.group.written();
    policy.spec().approvals.iter().find_map(|approval| {
        let is_for_group = !approval.before.is_empty() && !policy.is_about_all_groups();
        let group = is_for_group.then(|| own.clone());
        if group.as_ref().is_some_and(|group| !approval.before.contains(group)) {
            return None;
        }
        let verdict = verdict(case, approval, group.clone(), false).filter(|verdict| !verdict.is_met())?;
        let (have, need) = (verdict.have.len(), verdict.need);
        Some(Bar::Approval { policy: policy.title.clone(), rule: approval.name.clone(), group, have, need })
    })
}

/// Returns `true` if people overrode the windows and freezes of a policy.
pub(super) fn breaks_glass(case: &Case<'_>, policy: &Policy) -> bool {
    let verdict = policy.spec().break_glass.as_ref().and_then(|approval| verdict(case, approval, None, true));
    verdict.is_some_and(|verdict| verdict.is_met())
}

/// Returns the verdict on a rule, the better one of those before and after; `None` if nothing is known about the change.
fn verdict(case: &Case<'_>, approval: &Approval, group: Option<String>, break_glass: bool) -> Option<Verdict> {
    let span = case.scenario.span();
    let declaring = case.scenario.declaring;
    let judges = declaring.judges.get(span.addon)?;
    let rule = Rule {
        name: approval.name.clone(),
        group: group.clone(),
        count: approval.count,
        of: approval.of.clone(),
        by_author: approval.by_author,
        max_age: approval.max_age.as_deref().and_then(|age| parse_go_duration(age).ok()),
        // Only the journal knows when it was the turn of a group.
        after: After::Any,
        break_glass,
    };
    let subject = Subject {
        addon: span.addon.clone(),
        digest: case.scenario.declared.digest.clone(),
        group,
        instance: declaring.instance.id.clone(),
        authors: judges.authors().clone(),
        earlier: judges.earlier().clone(),
        change: judges.change().cloned(),
        replaced: declaring.approvals.replaced(span.addon, &case.scenario.declared.digest),
        reached: None,
    };
    let at = |now| judge(&rule, &judges.people().fact, &declaring.approvals, &subject, now);
    [span.before.now, span.until].map(at).into_iter().max_by_key(Verdict::is_met)
}
