//! What a change does to the rules.

use std::sync::Arc;

use super::document::RulesPlan;
use super::request::Request;
use tidegate_consent::{Approvals, Authors, RulesApproval, RulesProposal, RulesVoucher, Vouched};
use tidegate_model::name::ClusterName;
use tidegate_repository::basis;

/// Returns the change of the rules that may loosen them, with the approvals that it needs.
pub(super) fn changed(request: &Request<'_>) -> Option<RulesPlan> {
    let before = Vouched::new(Arc::new(basis(request.base.repository)), RulesVoucher::Base);
    let after = basis(request.head.repository);
    let authors = Authors::Unknown("the authors of a plan are not known".to_owned());
    let proposal = RulesProposal { before: &before, digest: &after.rules, after: &after, authors, commit: None };
    let on_hub = |name: &ClusterName| request.fleet.clusters.get(name).map(|cluster| &**cluster);
    let judged = proposal.judged((Approvals::none(), &request.instance.id, request.now), on_hub);
    let needs = |approval: &RulesApproval| {
        let (rule, need) = (&approval.verdict.rule, approval.verdict.need);
        format!("approval {rule:?} by {need} ({})", approval.policy)
    };
    (!judged.changes.is_empty()).then(|| RulesPlan {
        digest: after.rules.clone(),
        changes: judged.changes,
        needs: judged.approvals.iter().map(needs).collect(),
    })
}
