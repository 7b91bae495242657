//! GitLab's approvals, which have a person but no commit.

use serde_json::{Value, json};

use super::super::act::Refusal;
use super::super::instance::Instance;
use super::super::request::{Answer, Exchange, Outcome};
use super::super::state::{PullRecord, ReviewRecord, Role, Verdict};
use super::{answers, json as render};

/// Answers `GET .../merge_requests/{iid}/approvals`.
pub(crate) fn approvals(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let forge = &*exchange.forge;
    let me = exchange.caller.account;
    let given: Vec<&ReviewRecord> = given(pull).collect();
    let has_approved = given.iter().any(|review| Some(review.by) == me);
    let mut body = json!({
        "user_has_approved": has_approved,
        "user_can_approve": !has_approved && exchange.role() >= Role::Write,
        "approved": !given.is_empty(),
        "approved_by": given.iter().map(|review| approval(forge, review)).collect::<Vec<_>>(),
    });
    if forge.options.behavior.is_paid {
        let required = forge.options.protection.required_approvals;
        let left = required.saturating_sub(u64::try_from(given.len()).unwrap_or(u64::MAX));
        let merge_request = render::pull(forge, pull);
        for field in ["id", "iid", "project_id", "title", "state", "merge_status", "created_at", "updated_at"] {
            body[field] = merge_request[field].clone();
        }
        body["approvals_required"] = json!(required);
        body["approvals_left"] = json!(left);
        body["approved"] = json!(left == 0);
    }
    Ok(Answer::json(200, &body))
}

/// Answers `GET .../merge_requests/{iid}/approval_state`, which only paid editions have.
pub(crate) fn state(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let forge = paid(exchange)?;
    let pull = exchange.pull_at(number)?;
    let by: Vec<Value> = given(pull).map(|review| render::user(forge, review.by)).collect();
    let eligible = forge.store.accounts.iter().filter(|account| account.role >= Role::Write && !account.is_gone);
    let required = forge.options.protection.required_approvals;
    let rule = json!({
        "id": 1, "name": "All Members", "rule_type": "any_approver", "approvals_required": required,
        "eligible_approvers": eligible.map(|account| render::account(forge, account)).collect::<Vec<_>>(),
        "approved": u64::try_from(by.len()).unwrap_or(u64::MAX) >= required, "approved_by": by, "overridden": false,
    });
    Ok(Answer::json(200, &json!({ "approval_rules_overwritten": false, "rules": [rule] })))
}

/// Answers `GET /projects/{id}/approvals`, which only paid editions have.
pub(crate) fn settings(exchange: &Exchange<'_>) -> Outcome {
    let protection = &paid(exchange)?.options.protection;
    Ok(Answer::json(
        200,
        &json!({
            "approvals_before_merge": protection.required_approvals, "reset_approvals_on_push": protection.dismisses_stale,
            "selective_code_owner_removals": false, "disable_overriding_approvers_per_merge_request": true,
            "merge_requests_author_approval": protection.author_may_approve,
            "merge_requests_disable_committers_approval": false, "require_password_to_approve": false,
        }),
    ))
}

/// Answers `POST .../merge_requests/{iid}/approve`.
pub(crate) fn approve(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::None)?;
    let pull = exchange.pull_at(number)?;
    let (id, expected) = (pull.number, exchange.call.text("sha"));
    if !expected.is_empty() && expected != pull.head {
        return Err(Refusal::HeadMoved.into());
    }
    if exchange.role() < Role::Write || given(pull).any(|review| review.by == by) {
        return Ok(answers::error(401, "401 Unauthorized"));
    }
    exchange.forge.review(by, id, Verdict::Approve, None, "")?;
    approvals(exchange, number).map(|answer| Answer { status: 201, ..answer })
}

/// Answers `POST .../merge_requests/{iid}/unapprove`.
pub(crate) fn unapprove(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    let id = exchange.pull_at(number)?.number;
    if exchange.forge.remove_approvals(id, Some(by))? == 0 {
        return Err(Refusal::Missing("approval").into());
    }
    approvals(exchange, number).map(|answer| Answer { status: 201, ..answer })
}

/// Answers `PUT .../merge_requests/{iid}/reset_approvals`, which only bots may use.
pub(crate) fn reset(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    if !exchange.forge.store.account(by).is_some_and(|account| account.is_bot) {
        return Ok(answers::error(401, "401 Unauthorized"));
    }
    let id = exchange.pull_at(number)?.number;
    exchange.forge.remove_approvals(id, None)?;
    Ok(Answer::empty(202))
}

fn given(pull: &PullRecord) -> impl Iterator<Item = &ReviewRecord> {
    pull.reviews.iter().filter(|review| review.verdict == Verdict::Approve && !review.is_dismissed)
}

fn approval(forge: &Instance, review: &ReviewRecord) -> Value {
    let mut approval = json!({ "user": render::user(forge, review.by) });
    if forge.options.behavior.has_approval_times {
        approval["approved_at"] = json!(render::time(review.at));
    }
    approval
}

fn paid<'a>(exchange: &'a Exchange<'_>) -> Result<&'a Instance, Refusal> {
    let forge = &*exchange.forge;
    if forge.options.behavior.is_paid { Ok(forge) } else { Err(Refusal::Missing("feature")) }
}
