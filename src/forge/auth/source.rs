//! Which token a request carries, and what happens if the forge does not accept it.

use parking_lot::Mutex;

use super::app::{Granted, grant, own_token};
use super::token_file;
use crate::error::Result;
use crate::settings::Auth;
use crate::wire::{Token, Wire};

/// The source of tokens for the requests to one project.
pub(crate) struct TokenSource {
    auth: Auth,
    /// The owner and the name of the project.
    owner: String,
    name: String,
    granted: Mutex<Option<Granted>>,
}

impl TokenSource {
    pub(crate) fn new(auth: Auth, project: &str) -> Self {
        let (owner, name) = project.rsplit_once('/').unwrap_or(("", project));
        Self { auth, owner: owner.to_owned(), name: name.to_owned(), granted: Mutex::new(None) }
    }

    /// Returns `true` if requests are made by a GitHub App.
    pub(crate) fn is_app(&self) -> bool {
        matches!(self.auth, Auth::App { .. })
    }

    /// Returns the permissions of the last token of an installation.
    pub(crate) fn permissions(&self) -> Option<Vec<String>> {
        let granted = self.granted.lock();
        let permission = |(name, level): (&String, &String)| format!("{name}:{level}");
        granted.as_ref().map(|granted| granted.permissions.iter().map(permission).collect())
    }

    /// Returns the token of the App itself, if requests are made by one.
    pub(crate) fn own(&self, wire: &Wire) -> Result<Option<Token>> {
        match &self.auth {
            Auth::TokenFile(_) => Ok(None),
            Auth::App { client_id, key_file } => own_token(client_id, key_file, wire.now()).map(Some),
        }
    }

    /// Returns the token for a request. It may have to be requested first.
    pub(crate) async fn token(&self, wire: &Wire) -> Result<Token> {
        let path = match &self.auth {
            Auth::TokenFile(path) => path,
            Auth::App { client_id, key_file } => {
                let fresh = self.granted.lock().clone().filter(|granted| granted.is_fresh(wire.now()));
                if let Some(granted) = fresh {
                    return Ok(granted.token);
                }
                let own = own_token(client_id, key_file, wire.now())?;
                let granted = grant(wire, &own, &self.owner, &self.name).await?;
                let token = granted.token.clone();
                *self.granted.lock() = Some(granted);
                return Ok(token);
            }
        };
        token_file::read(path)
    }

    /// Returns another token after the forge did not accept one, or `None` if there is no other.
    pub(crate) async fn renewed(&self, wire: &Wire, refused: &Token) -> Result<Option<Token>> {
        *self.granted.lock() = None;
        let token = self.token(wire).await?;
        Ok((token != *refused).then_some(token))
    }
}
