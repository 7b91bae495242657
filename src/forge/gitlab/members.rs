//! Members of groups and projects of GitLab, also inherited ones.

use serde::Deserialize;
use tidegate_model::forge::{Account, Membership};

use super::project::{GitLab, PAGE};
use crate::error::{Error, Result};
use crate::values::Role;
use crate::wire::{Call, Operation};

#[derive(Deserialize)]
struct Member {
    id: u64,
    state: String,
    access_level: u32,
    /// A member whose invitation waits for a decision is `awaiting`.
    membership_state: Option<String>,
}

impl Member {
    fn is_active(&self) -> bool {
        self.state == "active" && self.membership_state.as_deref().is_none_or(|state| state == "active")
    }
}

impl GitLab {
    /// Returns whether an account is a member of a group, or of one above it.
    pub(crate) async fn membership(&self, who: &Account, team: &str) -> Result<Membership> {
        let id = who.id.to_string();
        let query = [("user_ids[]", id.as_str()), PAGE];
        let url = self.client.address().with(&["groups", team, "members", "all"], &query);
        match self.client.linked::<Member>(&Call::get(Operation::Membership, url)).await {
            Ok(members) => {
                let is_member = members.iter().any(|member| member.id == who.id && member.is_active());
                Ok(if is_member { Membership::Yes } else { Membership::No })
            }
            Err(Error::Denied(why) | Error::NotFound(why)) => Ok(Membership::Unknown(why)),
            Err(error) => Err(error),
        }
    }

    /// Returns the role of an account in the project.
    pub(crate) async fn role(&self, who: &Account) -> Result<Option<Role>> {
        let call = Call::get(Operation::Role, self.at(&["members", "all", &who.id.to_string()]));
        let found: Option<Member> = self.client.find(&call).await?;
        let member = found.filter(|member| member.id == who.id && member.is_active());
        Ok(member.and_then(|member| role(member.access_level)))
    }
}

/// Returns the role with an access level.
///
/// # Source
/// GitLab, "Members API": 5 minimal access, 10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner.
pub(super) fn role(level: u32) -> Option<Role> {
    match level {
        0..=9 => None,
        10..=29 => Some(Role::Read),
        30..=39 => Some(Role::Write),
        40..=49 => Some(Role::Maintain),
        _ => Some(Role::Admin),
    }
}
