//! Teams and roles of GitHub.

use serde::Deserialize;
use tidegate_model::forge::{Account, Membership};

use super::objects::User;
use super::project::GitHub;
use crate::error::{Error, Result};
use crate::values::Role;
use crate::wire::{Call, Operation, nullable};

#[derive(Deserialize)]
struct TeamMembership {
    state: String,
}

#[derive(Deserialize)]
struct Permission {
    /// The base role: `maintain` is shown as `write`, and `triage` as `read`.
    permission: String,
    #[serde(default)]
    role_name: String,
    #[serde(deserialize_with = "nullable")]
    user: Option<User>,
}

impl GitHub {
    /// Returns whether an account is in a team of an organization, or in one of its child teams.
    pub(crate) async fn membership(&self, who: &Account, team: &str) -> Result<Membership> {
        let Some((organization, slug)) = team.split_once('/').filter(|(_, slug)| !slug.contains('/')) else {
            return Ok(Membership::Unknown(format!("{team:?} is not a team; write organization/team")));
        };
        let address = self.client.address();
        let url = address.at(&["orgs", organization, "teams", slug, "memberships", &who.login]);
        match self.client.find::<TeamMembership>(&Call::get(Operation::Membership, url)).await {
            // Someone who was invited, and has not accepted.
            Ok(Some(membership)) if membership.state != "active" => return Ok(Membership::No),
            Ok(Some(_)) => {}
            Ok(None) => return Ok(Membership::No),
            Err(Error::Denied(why)) => return Ok(Membership::Unknown(why)),
            Err(error) => return Err(error),
        }
        // The answer names no account, and the login may belong to another one by now.
        let call = Call::get(Operation::Membership, address.at(&["users", &who.login]));
        let found: Option<User> = self.client.find(&call).await?;
        let is_same = found.is_some_and(|user| user.id == who.id);
        Ok(if is_same { Membership::Yes } else { Membership::No })
    }

    /// Returns the role of an account in the project.
    pub(crate) async fn role(&self, who: &Account) -> Result<Option<Role>> {
        let call = Call::get(Operation::Role, self.at(&["collaborators", &who.login, "permission"]));
        let Some(found) = self.client.find::<Permission>(&call).await? else { return Ok(None) };
        if found.user.is_none_or(|user| user.id != who.id) {
            return Ok(None);
        }
        Ok(match (found.permission.as_str(), found.role_name.as_str()) {
            ("admin", _) => Some(Role::Admin),
            ("maintain", _) | ("write", "maintain") => Some(Role::Maintain),
            ("write", _) => Some(Role::Write),
            ("read" | "triage", _) => Some(Role::Read),
            _ => None,
        })
    }
}
