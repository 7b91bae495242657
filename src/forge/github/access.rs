//! What a token may do on GitHub.

use serde::Deserialize;

use super::project::GitHub;
use crate::client::{known, known_if_served, parsed};
use crate::error::{Error, Result};
use crate::values::{Access, Known};
use crate::wire::{Call, Operation};

#[derive(Deserialize)]
struct Repository {
    permissions: Option<Permissions>,
}

/// Only GitHub Enterprise Server names its version.
#[derive(Deserialize)]
struct Meta {
    installed_version: Option<String>,
}

#[derive(Deserialize)]
struct Permissions {
    push: bool,
}

impl GitHub {
    /// Returns what the token may do.
    pub(crate) async fn access(&self) -> Result<Access> {
        let account = known(self.me().await)?;
        let call = Call::get(Operation::Access, self.at(&[]));
        let (project, may_push, scopes) = match self.client.ask(&call).await {
            Ok(reply) => {
                let repository: Repository = parsed(&call, &reply.body)?;
                let unknown = || "GitHub does not show what this token may do".to_owned();
                let may_push = repository.permissions.map(|permissions| permissions.push).ok_or_else(unknown);
                (Ok(true), may_push, self.scopes(reply.header("x-oauth-scopes")))
            }
            Err(Error::NotFound(why)) => (Ok(false), Err(why.clone()), Err(why)),
            Err(Error::Denied(why)) => (Err(why.clone()), Err(why.clone()), Err(why)),
            Err(error) => return Err(error),
        };
        let call = Call::get(Operation::Access, self.client.address().at(&["meta"]));
        let version = known_if_served(self.client.json::<Meta>(&call).await)?.map(|found| found.installed_version);
        Ok(Access { account, scopes, project, may_push, version })
    }

    /// Returns the permissions of an App, or the scopes of a classic token.
    fn scopes(&self, header: Option<&str>) -> Known<Vec<String>> {
        if let Some(permissions) = self.client.permissions() {
            return Ok(permissions);
        }
        let scopes = header.ok_or_else(|| "GitHub does not show the permissions of a fine-grained token".to_owned())?;
        Ok(scopes.split(',').map(str::trim).filter(|scope| !scope.is_empty()).map(str::to_owned).collect())
    }
}
