//! Identities: how a name in a file, a signature or a commit is compared with another one.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use super::fact::Signer;
use super::subject::Author;
use tidegate_model::forge::Account;

/// An identity that belongs to one person: an address or another principal of a trusted key, a key, or an account on the forge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Identity {
    /// An e-mail address, or another name of a trusted key. Without uppercase ASCII letters.
    Principal(String),
    /// The fingerprint of a key.
    Key(String),
    /// The number of an account on the forge, which stays the same when the account is renamed.
    Account(u64),
    /// A login on the forge, which another person may have later. Without uppercase ASCII letters.
    Login(String),
}

/// The prefix of a fingerprint in a list of people.
const KEY: &str = "key:";
/// The prefix of an account in a list of people.
const FORGE: &str = "forge:";

impl Identity {
    /// Reads an identity from a list: `key:SHA256:...`, `forge:<login>`, `forge:<login>#<number>`, or an address.
    pub(super) fn listed(text: &str) -> Self {
        if let Some(fingerprint) = text.strip_prefix(KEY) {
            return Self::Key(fingerprint.to_owned());
        }
        match text.strip_prefix(FORGE) {
            // The number decides, because another person may get the login.
            Some(account) => match account.split_once('#').map(|(_, id)| id.parse()) {
                Some(Ok(id)) => Self::Account(id),
                _ => Self::Login(account.to_ascii_lowercase()),
            },
            None => Self::principal(text),
        }
    }

    /// Returns the identities of an account: its number, and its current login.
    pub(super) fn of_account(account: &Account) -> [Self; 2] {
        [Self::Account(account.id), Self::Login(account.login.to_ascii_lowercase())]
    }

    /// Returns the identities of the author of a commit with an address: the address, and the account in an address of the forge that
    /// hides the real one, such as `583231+ada@users.noreply.github.com`.
    pub(super) fn of_email(email: &str) -> Vec<Self> {
        let hidden = email.rsplit_once('@').filter(|(_, host)| host.split('.').any(|label| label == "noreply"));
        let account = hidden.map(|(local, _)| match local.split_once(['+', '-']).map(|(id, _)| id.parse()) {
            Some(Ok(id)) => Self::Account(id),
            _ => Self::Login(local.to_ascii_lowercase()),
        });
        [Self::principal(email)].into_iter().chain(account).collect()
    }

    /// Returns the identity of an address. Letters of other scripts that look like ASCII letters, or become ASCII letters in
    /// lowercase, stay different. Nothing else of an address is changed: `ada+git@example.com` is another address.
    pub(super) fn principal(text: &str) -> Self {
        Self::Principal(text.trim().to_ascii_lowercase())
    }

    /// Returns the identities of a signer: the key, and the owner of the key if it is one person.
    pub(super) fn of_signer(signer: &Signer) -> Vec<Self> {
        let principal = address(&signer.principal);
        // A line of allowed signers may be for `*@example.com`, which is not a person.
        let is_pattern = principal.is_empty() || principal.contains(['*', '?', '!']);
        let principal = (!is_pattern).then(|| Self::principal(principal));
        principal.into_iter().chain([Self::Key(signer.key.clone())]).collect()
    }

    /// Returns the identity as it is written in a list.
    pub(super) fn written(&self) -> String {
        match self {
            Self::Principal(name) => name.clone(),
            Self::Key(fingerprint) => format!("{KEY}{fingerprint}"),
            Self::Account(id) => format!("{FORGE}#{id}"),
            Self::Login(login) => format!("{FORGE}{login}"),
        }
    }
}

/// Returns `true` if a member of an alias is an address, a key or an account, and not another alias.
pub(super) fn is_leaf(member: &str) -> bool {
    member.starts_with(KEY) || member.starts_with(FORGE) || member.contains('@')
}

/// The roles on the forge that a rule may name, from the one that may do least.
pub const ROLES: [&str; 4] = ["read", "write", "maintain", "admin"];

/// Returns what is wrong with the name of a team or role in a rule, and what to write; `None` if nothing is.
pub fn misnamed(name: &str) -> Option<String> {
    if let Some(role) = name.strip_prefix("role:") {
        let is_role = ROLES.contains(&role);
        return (!is_role).then(|| format!("is {name:?}, which is not a role; write role:{}", ROLES.join(", role:")));
    }
    let is_whole = |team: &str| team.split('/').filter(|part| !part.is_empty()).count() > 1;
    let team = name.strip_prefix("team:").filter(|team| !is_whole(team))?;
    Some(format!(
        "is {name:?}, which names no team of an organization; write such as team:platform/{}",
        team.trim_matches('/')
    ))
}

/// Returns `true` if a rule names a team or a role on the forge: `team:<organization>/<team>`, or `role:<role>`.
pub(super) fn is_membership(name: &str) -> bool {
    name.starts_with("team:") || name.starts_with("role:")
}

/// Returns the address in `Ada <ada@example.com>`, or the whole string.
pub(super) fn address(text: &str) -> &str {
    let inside = text.trim().strip_suffix('>').and_then(|rest| rest.rsplit_once('<'));
    inside.map_or(text, |(_, address)| address).trim()
}

/// Returns all identities of authors, also those that commits only claim: a claim can only make more people authors.
pub(super) fn identities(authors: &[Author]) -> BTreeSet<Identity> {
    let of_emails = authors.iter().flat_map(|author| &author.emails).flat_map(|email| Identity::of_email(email));
    let of_signers = authors.iter().filter_map(|author| author.signer.as_ref()).flat_map(Identity::of_signer);
    let of_accounts = authors.iter().filter_map(|author| author.account.as_ref()).flat_map(Identity::of_account);
    of_emails.chain(of_signers).chain(of_accounts).collect()
}
