//! The accounts, tokens and teams of a forge, by its handle.

use super::super::git::Repository;
use super::super::instance::Instance;
use super::super::state::{Account, App, Role, Scope, Team, Token};
use super::error::ForgeError;
use super::sandbox::ForgeSandbox;
use tidegate_model::time::Timestamp;

impl ForgeSandbox {
    /// Adds an account with a token for everything, and returns its number.
    pub fn add_account(&self, login: &str, role: Role) -> u64 {
        self.shared.act(|forge| add_account(forge, login, role, false))
    }

    /// Adds the account of a program.
    pub fn add_bot(&self, login: &str, role: Role) -> u64 {
        self.shared.act(|forge| add_account(forge, login, role, true))
    }

    /// Changes the role of an account.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn set_role(&self, login: &str, role: Role) -> Result<(), ForgeError> {
        self.shared.act(|forge| change(forge, login, |account| account.role = role))
    }

    /// Gives an account another login; its number stays.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn rename_account(&self, login: &str, new: &str) -> Result<(), ForgeError> {
        self.shared.act(|forge| change(forge, login, |account| new.clone_into(&mut account.login)))
    }

    /// Removes an account. What it wrote stays.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn remove_account(&self, login: &str) -> Result<(), ForgeError> {
        self.shared.act(|forge| change(forge, login, |account| account.is_gone = true))
    }

    /// Returns the token of an account; empty if it does not exist.
    pub fn token_of(&self, login: &str) -> String {
        self.shared.act(|forge| {
            let id = forge.store.account_named(login).map(|account| account.id);
            let token = forge.store.tokens.iter().find(|token| Some(token.account) == id);
            token.map(|token| token.value.clone()).unwrap_or_default()
        })
    }

    /// Adds a token of an account, and returns it.
    ///
    /// # Errors
    /// If the account does not exist.
    pub fn add_token(&self, login: &str, scope: Scope, expires: Option<Timestamp>) -> Result<String, ForgeError> {
        self.shared.act(|forge| {
            let account = find(forge, login)?;
            Ok(add_token(forge, account, scope, expires))
        })
    }

    /// Makes a token invalid.
    pub fn revoke_token(&self, token: &str) {
        self.shared.act(|forge| forge.store.tokens.retain(|known| known.value != token));
    }

    /// Adds a GitHub App that is installed in the project, with the role of a maintainer, and returns its number. Its account is
    /// `<slug>[bot]`. The public key has the DER form of PKCS#1.
    pub fn add_app(&self, slug: &str, client_id: &str, public_key: &[u8]) -> u64 {
        self.shared.act(|forge| {
            let account = add_account(forge, &format!("{slug}[bot]"), Role::Maintain, true);
            let (id, installation) = (forge.store.next_id(), forge.store.next_id());
            let (client_id, slug, public_key) = (client_id.to_owned(), slug.to_owned(), public_key.to_vec());
            forge.store.apps.push(App { id, client_id, slug, public_key, installation, account });
            id
        })
    }

    /// Adds a team of these accounts, and returns its number. Unknown accounts are left out.
    pub fn add_team(&self, name: &str, members: &[&str]) -> u64 {
        self.shared.act(|forge| {
            let members = members.iter().filter_map(|login| forge.store.account_named(login)).map(|account| account.id);
            let members = members.collect();
            let id = forge.store.next_id();
            forge.store.teams.push(Team { id, name: name.to_owned(), members });
            id
        })
    }

    /// Replaces the members of a team. Unknown accounts are left out.
    pub fn set_team(&self, name: &str, members: &[&str]) {
        self.shared.act(|forge| {
            let members = members.iter().filter_map(|login| forge.store.account_named(login)).map(|account| account.id);
            let members: Vec<u64> = members.collect();
            for team in forge.store.teams.iter_mut().filter(|team| team.name == name) {
                team.members.clone_from(&members);
            }
        });
    }

    /// Copies the project for an account, which may push to the copy.
    ///
    /// # Errors
    /// If git fails.
    pub fn add_fork(&self, login: &str) -> Result<String, ForgeError> {
        self.shared.act(|forge| {
            let directory = forge.fork_directory(login);
            let fork: Repository = forge.main.fork(&directory, &forge.options.default_branch)?;
            forge.forks.insert(login.to_owned(), Some(fork));
            Ok(format!("{}/{login}/{}.git", forge.origin, forge.name()))
        })
    }

    /// Removes the fork of an account. Its pull requests stay.
    pub fn remove_fork(&self, login: &str) {
        self.shared.act(|forge| forge.forks.insert(login.to_owned(), None));
    }
}

/// Returns the number of an account.
///
/// # Errors
/// If it does not exist.
pub(crate) fn find(forge: &Instance, login: &str) -> Result<u64, ForgeError> {
    let account = forge.store.account_named(login).map(|account| account.id);
    account.ok_or_else(|| ForgeError::Missing(format!("account {login}")))
}

/// Adds an account with a token for everything.
pub(crate) fn add_account(forge: &mut Instance, login: &str, role: Role, is_bot: bool) -> u64 {
    let id = forge.store.next_id();
    forge.store.accounts.push(Account { id, login: login.to_owned(), role, is_bot, is_gone: false });
    add_token(forge, id, Scope::Full, None);
    id
}

/// Adds a token, and returns its value.
pub(crate) fn add_token(forge: &mut Instance, account: u64, scope: Scope, expires: Option<Timestamp>) -> String {
    let value = format!("token-{account}-{}", forge.store.next_id());
    let token = Token { value: value.clone(), account, scope, expires, is_installation: false };
    forge.store.tokens.push(token);
    value
}

fn change(forge: &mut Instance, login: &str, change: impl FnOnce(&mut Account)) -> Result<(), ForgeError> {
    let id = find(forge, login)?;
    if let Some(account) = forge.store.accounts.iter_mut().find(|account| account.id == id) {
        change(account);
    }
    Ok(())
}
