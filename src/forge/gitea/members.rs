//! Teams and roles of Gitea.

use serde::Deserialize;
use tidegate_model::forge::{Account, Membership};

use super::objects::User;
use super::project::Gitea;
use crate::error::{Error, Result};
use crate::values::Role;
use crate::wire::{Call, Operation};

#[derive(Deserialize)]
struct Team {
    id: u64,
    name: String,
}

/// The answer to a search is an object, and not a list as elsewhere.
#[derive(Deserialize)]
struct Teams {
    data: Vec<Team>,
}

#[derive(Deserialize)]
struct Permission {
    permission: String,
    user: User,
}

impl Gitea {
    /// Returns whether an account is in a team of an organization.
    pub(crate) async fn membership(&self, who: &Account, team: &str) -> Result<Membership> {
        let Some((organization, name)) = team.split_once('/') else {
            return Ok(Membership::Unknown(format!("{team:?} is not a team; write organization/team")));
        };
        let id = match self.team(organization, name).await {
            Ok(Some(id)) => id,
            Ok(None) => return Ok(Membership::Unknown(format!("the organization {organization} has no team {name}"))),
            Err(Error::NotFound(_)) => {
                let why = format!("the organization {organization} does not exist, or the token may not see it");
                return Ok(Membership::Unknown(why));
            }
            Err(Error::Denied(why)) => return Ok(Membership::Unknown(why)),
            Err(error) => return Err(error),
        };
        let url = self.client.address().at(&["teams", &id.to_string(), "members", &who.login]);
        match self.client.find::<User>(&Call::get(Operation::Membership, url)).await {
            Ok(found) => {
                // The login may belong to another account by now.
                let is_same = found.and_then(User::account).is_some_and(|found| found.id == who.id);
                Ok(if is_same { Membership::Yes } else { Membership::No })
            }
            Err(Error::Denied(why)) => Ok(Membership::Unknown(why)),
            Err(error) => Err(error),
        }
    }

    /// Returns the ID of a team. A search also finds teams whose names contain the name.
    async fn team(&self, organization: &str, name: &str) -> Result<Option<u64>> {
        let parts = ["orgs", organization, "teams", "search"];
        for page in 1..=100_u32 {
            let query = [("q", name), ("include_desc", "false"), ("limit", "50"), ("page", &page.to_string())];
            let call = Call::get(Operation::Membership, self.client.address().with(&parts, &query));
            let found: Teams = self.client.json(&call).await?;
            // Names of teams do not depend on upper and lower case.
            let is_it = |team: &&Team| team.name.to_lowercase() == name.to_lowercase();
            if let Some(team) = found.data.iter().find(is_it) {
                return Ok(Some(team.id));
            }
            if found.data.is_empty() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Returns the role of an account in the project.
    pub(crate) async fn role(&self, who: &Account) -> Result<Option<Role>> {
        let call = Call::get(Operation::Role, self.at(&["collaborators", &who.login, "permission"]));
        let Some(found) = self.client.find::<Permission>(&call).await? else { return Ok(None) };
        if found.user.account().is_none_or(|account| account.id != who.id) {
            return Ok(None);
        }
        Ok(match found.permission.as_str() {
            "owner" | "admin" => Some(Role::Admin),
            "write" => Some(Role::Write),
            "read" => Some(Role::Read),
            _ => None,
        })
    }
}
