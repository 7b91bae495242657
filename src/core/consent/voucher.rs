//! Facts with those who vouch for them.

use serde::{Deserialize, Serialize};
use std::fmt;

use tidegate_model::revision::CommitId;

/// Who vouches for a fact that a decision uses. It is never the revision that asks.
///
/// The order is that of trust: the operator first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RulesVoucher {
    /// The daemon's own file.
    Operator,
    /// The rules that were in force at a revision before the change, or that were approved by those before them.
    InForce(CommitId),
    /// The revision with which a proposal is compared, which is in force now.
    Base,
    /// The first revision that the daemon followed: there was nothing before it.
    First(CommitId),
    /// No one. Such a fact counts for nothing.
    Nobody,
}

/// A fact with the one who vouches for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vouched<T> {
    /// The fact.
    pub fact: T,
    /// Who vouches for it.
    pub by: RulesVoucher,
}

impl<T> Vouched<T> {
    /// Creates a fact for which someone vouches.
    pub fn new(fact: T, by: RulesVoucher) -> Self {
        Self { fact, by }
    }
}

impl<T: Default> Vouched<T> {
    /// Returns the fact that no one vouches for, which is empty.
    pub fn nothing() -> Self {
        Self { fact: T::default(), by: RulesVoucher::Nobody }
    }
}

impl fmt::Display for RulesVoucher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operator => f.write_str("the daemon's file"),
            Self::InForce(commit) => write!(f, "revision {}, which was in force before", commit.short()),
            Self::Base => f.write_str("the revision in force"),
            Self::First(commit) => write!(f, "revision {}, the first one", commit.short()),
            Self::Nobody => f.write_str("no one"),
        }
    }
}
