//! What a token may do on Gitea.

use serde::Deserialize;

use super::project::Gitea;
use crate::client::{known, known_if_served};
use crate::error::{Error, Result};
use crate::values::Access;
use crate::wire::{Call, Operation};

#[derive(Deserialize)]
struct Repository {
    permissions: Permissions,
}

/// Of Forgejo, it is `7.0.0+gitea-1.22.0`.
#[derive(Deserialize)]
struct Version {
    version: String,
}

#[derive(Deserialize)]
struct Permissions {
    push: bool,
}

impl Gitea {
    /// Returns what the token may do. Gitea does not show the scopes of a token, so that only requests show them.
    pub(crate) async fn access(&self) -> Result<Access> {
        let account = known(self.me().await)?;
        let scopes = Err("Gitea does not show the scopes of a token".to_owned());
        let call = Call::get(Operation::Access, self.at(&[]));
        let (project, may_push) = match self.client.json::<Repository>(&call).await {
            Ok(repository) => (Ok(true), Ok(repository.permissions.push)),
            Err(Error::NotFound(why)) => (Ok(false), Err(why)),
            Err(Error::Denied(why)) => (Err(why.clone()), Err(why)),
            Err(error) => return Err(error),
        };
        let call = Call::get(Operation::Access, self.client.address().at(&["version"]));
        let version = known_if_served(self.client.json::<Version>(&call).await)?.map(|found| Some(found.version));
        Ok(Access { account, scopes, project, may_push, version })
    }
}
