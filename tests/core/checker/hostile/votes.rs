//! Approvals, honest and forged.

use tidegate_consent::{Addition, Author, Fact, RULES, Signature, Signer, Voucher, Written};
use tidegate_model::digest::Digest;
use tidegate_model::instance::InstanceId;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// Someone who commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    /// She writes changes, and is in `sre`.
    Ada,
    Bob,
    Cy,
    /// She may push, and is in no team.
    Mallory,
    /// Mallory without a key.
    Unsigned,
}

impl Person {
    fn name(self) -> &'static str {
        match self {
            Self::Ada => "ada",
            Self::Bob => "bob",
            Self::Cy => "cy",
            Self::Mallory | Self::Unsigned => "mallory",
        }
    }

    fn address(self) -> String {
        format!("{}@example.com", self.name())
    }

    fn signer(self) -> Signer {
        Signer { principal: self.address(), key: format!("SHA256:{}", self.name()) }
    }

    fn signature(self) -> Signature {
        if self == Self::Unsigned { Signature::Missing } else { Signature::Good(self.signer()) }
    }

    /// Returns the name in an approval. Mallory has no alias.
    fn alias(self) -> String {
        if matches!(self, Self::Mallory | Self::Unsigned) { self.address() } else { self.name().to_owned() }
    }

    /// Returns the person as the author of a commit.
    pub(super) fn author(self) -> Author {
        let signer = (self != Self::Unsigned).then(|| self.signer());
        let voucher = if signer.is_some() { Voucher::Signature } else { Voucher::Nobody };
        Author { emails: vec![self.address()], signer, voucher, ..Author::default() }
    }
}

/// What is approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// What the add-on is.
    Addon,
    /// The rules.
    Rules,
}

/// A commit with an approval of the newest revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vote {
    /// Bob or Cy approves what an honest person approves, and nothing else.
    Honest { by: Person, of: Subject },
    /// Mallory approves in the name of another person.
    Forged { signed: bool, of: Subject },
    /// Mallory approves in her own name.
    Mallory { of: Subject },
    /// Ada approves what she wrote.
    Author { of: Subject },
    /// Ada approves, whoever made the newest commit.
    Ada { of: Subject },
    /// Mallory copies an approval of Bob's, for the newest revision.
    Copied { of: Subject },
    /// Bob approves for another instance, where anything may be tried.
    OtherInstance { of: Subject },
    /// Bob approves for the canaries alone, where anything may be tried.
    Canary,
}

/// The entry of an approval, and the commit that adds it.
pub(super) struct Entry<'a> {
    pub(super) addon: &'a str,
    pub(super) digest: &'a Digest,
    pub(super) group: Option<&'a str>,
    pub(super) instance: InstanceId,
    pub(super) by: Person,
    pub(super) signer: Person,
    pub(super) at: Timestamp,
    pub(super) commit: CommitId,
}

impl Entry<'_> {
    pub(super) fn fact(self) -> Fact {
        let Self { addon, digest, group, instance, by, signer, at, commit } = self;
        Fact {
            file: format!("approvals/{addon}/{}.yaml", digest.short()),
            addon: addon.parse().unwrap(),
            digest: digest.as_str().to_owned(),
            group: group.map(str::to_owned),
            instance,
            by: by.alias(),
            at,
            reason: String::new(),
            break_glass: false,
            added: vec![Addition {
                commit,
                committed: at,
                seen: None,
                signature: signer.signature(),
                written: Written { by: signer.address(), is_again: false, has_only_approvals: true },
            }],
            withdrawn: None,
        }
    }
}

/// Returns the name under which a subject is approved.
pub(super) fn name(of: Subject, addon: &'static str) -> &'static str {
    match of {
        Subject::Addon => addon,
        Subject::Rules => RULES,
    }
}
