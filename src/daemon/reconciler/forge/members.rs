//! Asks the forge whether people who reviewed belong to the teams of the rules, and have their roles.

use std::collections::{BTreeMap, BTreeSet};

use tidegate_api::rollout_policy::PolicySet;
use tidegate_consent::{Approvals, KnownMembership, PullRecord, ROLES};
use tidegate_forge::{Forge, Result, Role};
use tidegate_model::forge::{Account, Membership};
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_repository::Repository;

/// How long an answer is used.
const FRESH: SignedDuration = SignedDuration::from_mins(10);

/// The last answers about an account and a team or role, and when each was given. All pull requests share them.
pub(super) type Answers = BTreeMap<(u64, String), (Timestamp, Membership)>;

/// Returns the teams and roles that the rules of a repository name, and those of the revisions before its changes.
pub(super) fn named(repository: &Repository, approvals: &Approvals) -> BTreeSet<String> {
    let before =
        approvals.changes.values().flatten().flat_map(|change| &change.rules).map(|rules| &rules.fact.policies);
    before.chain([&repository.policies, &approvals.operator.policies]).flat_map(named_by).collect()
}

/// Returns the teams and roles that the rules of policies name.
pub fn named_by(policies: &PolicySet) -> BTreeSet<String> {
    let rules = policies.values().flat_map(|policy| policy.spec.approvals.iter().chain(&policy.spec.break_glass));
    let names = rules.flat_map(|rule| rule.of.iter());
    names.filter(|name| name.starts_with("team:") || name.starts_with("role:")).cloned().collect()
}

/// Completes the memberships of those who reviewed a pull request. `has_news` is `true` if someone has said something since it was read
/// last: then each membership is asked for again, because a decision may depend on the older approvals, too. An answer that fails keeps the
/// last one, and is asked for again in the next poll.
///
/// # Errors
/// Those of [`Forge`], after everything else was asked.
pub(super) async fn complete(
    forge: &Forge,
    (record, has_news): (&mut PullRecord, bool),
    named: &BTreeSet<String>,
    answers: &mut Answers,
    now: Timestamp,
) -> Result<()> {
    let latest = record.latest();
    let reviewers = latest.iter().filter_map(|seen| seen.opinion.by.as_ref());
    let commanders = record.commands.iter().filter_map(|command| command.by.as_ref());
    let accounts: BTreeSet<Account> = reviewers.chain(commanders).filter(|account| !account.is_bot).cloned().collect();
    let before: BTreeMap<(u64, &String), &Membership> =
        record.memberships.iter().map(|known| ((known.id, &known.of), &known.is)).collect();
    let used_for = if has_news { SignedDuration::ZERO } else { FRESH };
    let mut memberships = Vec::new();
    let mut failed = Ok(());
    for account in &accounts {
        for of in named {
            let key = (account.id, of.clone());
            let fresh = answers.get(&key).filter(|(at, _)| now.duration_since(*at) <= used_for);
            let is = match fresh {
                Some((_, is)) => Some(is.clone()),
                None => match membership(forge, account, of).await {
                    Ok(is) => {
                        answers.insert(key, (now, is.clone()));
                        Some(is)
                    }
                    Err(error) => {
                        failed = Err(error);
                        answers
                            .remove(&key)
                            .map(|(_, is)| is)
                            .or_else(|| before.get(&(account.id, of)).copied().cloned())
                    }
                },
            };
            memberships.extend(is.map(|is| KnownMembership { id: account.id, of: of.clone(), is }));
        }
    }
    record.memberships = memberships;
    failed
}

/// Returns whether an account belongs to a team, such as `team:platform/leads`, or has a role, such as `role:maintain`.
///
/// # Errors
/// Those of [`Forge`].
pub async fn membership(forge: &Forge, account: &Account, of: &str) -> Result<Membership> {
    if let Some(team) = of.strip_prefix("team:") {
        return forge.membership(account, team).await;
    }
    let role = of.strip_prefix("role:").unwrap_or(of);
    let needed = match role {
        "read" => Role::Read,
        "write" => Role::Write,
        "maintain" => Role::Maintain,
        "admin" => Role::Admin,
        _ => {
            let why = format!("{role:?} is not a role; write role:{}", ROLES.join(", role:"));
            return Ok(Membership::Unknown(why));
        }
    };
    let has = forge.role(account).await?;
    Ok(if has.is_some_and(|has| has >= needed) { Membership::Yes } else { Membership::No })
}
