//! Identities: how a name in a file, a signature or a commit is compared with another one.

use super::fact::Signer;

/// An identity that belongs to one person: an address or another principal of a trusted key, or a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    /// An e-mail address, or another name of a trusted key. Without uppercase ASCII letters.
    Principal(String),
    /// The fingerprint of a key.
    Key(String),
}

/// The prefix of a fingerprint in a list of people.
const KEY: &str = "key:";

impl Identity {
    /// Reads an identity from a list: `key:SHA256:...`, or an address.
    pub(super) fn listed(text: &str) -> Self {
        match text.strip_prefix(KEY) {
            Some(fingerprint) => Self::Key(fingerprint.to_owned()),
            None => Self::principal(text),
        }
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
        }
    }
}

/// Returns `true` if a member of an alias is an address or a key, and not another alias.
pub(super) fn is_leaf(member: &str) -> bool {
    member.starts_with(KEY) || member.contains('@')
}

/// Returns the address in `Ada <ada@example.com>`, or the whole string.
pub(super) fn address(text: &str) -> &str {
    let inside = text.trim().strip_suffix('>').and_then(|rest| rest.rsplit_once('<'));
    inside.map_or(text, |(_, address)| address).trim()
}
