//! What a token may do on GitLab.

use serde::Deserialize;

use super::members::role;
use super::project::GitLab;
use crate::client::{known, known_if_served};
use crate::error::{Error, Result};
use crate::values::{Access, Known, Role};
use crate::wire::{Call, Operation};

#[derive(Deserialize)]
struct Token {
    scopes: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    version: String,
}

#[derive(Deserialize)]
struct Project {
    permissions: Option<Permissions>,
}

/// The levels of the account in the project and in its groups. Each may be null.
#[derive(Deserialize)]
struct Permissions {
    project_access: Option<Level>,
    group_access: Option<Level>,
}

#[derive(Deserialize)]
struct Level {
    access_level: u32,
}

impl GitLab {
    /// Returns what the token may do.
    pub(crate) async fn access(&self) -> Result<Access> {
        let account = known(self.me().await)?;
        let url = self.client.address().at(&["personal_access_tokens", "self"]);
        let token: Known<Token> = known(self.client.json(&Call::get(Operation::Access, url)).await)?;
        let scopes = token.map(|token| token.scopes);
        let (project, may_push) = match self.client.json::<Project>(&Call::get(Operation::Access, self.at(&[]))).await {
            Ok(found) => {
                (Ok(true), found.permissions.map(may_push).ok_or_else(|| "GitLab does not show it".to_owned()))
            }
            Err(Error::NotFound(why)) => (Ok(false), Err(why)),
            Err(Error::Denied(why)) => (Err(why.clone()), Err(why)),
            Err(error) => return Err(error),
        };
        let call = Call::get(Operation::Access, self.client.address().at(&["metadata"]));
        let version = known_if_served(self.client.json::<Metadata>(&call).await)?.map(|found| Some(found.version));
        Ok(Access { account, scopes, project, may_push, version })
    }
}

fn may_push(permissions: Permissions) -> bool {
    let levels = [permissions.project_access, permissions.group_access];
    let best = levels.into_iter().flatten().filter_map(|level| role(level.access_level)).max();
    best.is_some_and(|role| role >= Role::Write)
}
