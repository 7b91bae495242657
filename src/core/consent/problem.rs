//! What is wrong with lists of people.

use std::collections::{BTreeMap, BTreeSet};

use super::identity::{Identity, is_leaf};
use tidegate_model::near::remedy;

/// What is wrong with the lists of people. Displays as a sentence with what to do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Problem {
    /// An alias lists no one.
    #[error("{alias} lists no one; list addresses, keys or other aliases")]
    Empty {
        /// The alias.
        alias: String,
    },
    /// An alias lists a name that is not known.
    #[error("{alias} lists {member:?}, which is not an address, a key, an account or an alias; {remedy}")]
    Unknown {
        /// The alias.
        alias: String,
        /// The name.
        member: String,
        /// What to do.
        remedy: String,
    },
    /// An alias is a member of itself.
    #[error("{alias} is a member of itself, through {}; remove one of them", path.join(", "))]
    Cycle {
        /// The alias.
        alias: String,
        /// The aliases on the way, in order.
        path: Vec<String>,
    },
    /// An alias lists other aliases, and several addresses or keys.
    #[error(
        "{alias} lists other people, and several addresses or keys, which all count as one more person; give each person an alias, and \
         list the aliases"
    )]
    Mixed {
        /// The alias.
        alias: String,
    },
    /// Two aliases list the same address or key, so they count as one person.
    #[error("{alias} and {other} both list {identity}, so they count as one person; remove it from one of them")]
    Shared {
        /// The alias.
        alias: String,
        /// The alias that lists it, too.
        other: String,
        /// The address or key.
        identity: String,
    },
    /// The name of an alias is the form of an address or a key.
    #[error(
        "{alias} cannot be the name of an alias, because it is an address, a key or an account; choose a name without `@`, `key:` and `forge:`"
    )]
    Name {
        /// The alias.
        alias: String,
    },
}

impl Problem {
    /// Returns the alias that it is about.
    pub fn alias(&self) -> &str {
        match self {
            Self::Empty { alias }
            | Self::Unknown { alias, .. }
            | Self::Cycle { alias, .. }
            | Self::Mixed { alias }
            | Self::Shared { alias, .. }
            | Self::Name { alias } => alias,
        }
    }

    /// Returns the member of the alias that it is about, if it is about one.
    pub fn member(&self) -> Option<&str> {
        match self {
            Self::Unknown { member, .. } => Some(member),
            Self::Shared { identity, .. } => Some(identity),
            Self::Empty { .. } | Self::Cycle { .. } | Self::Mixed { .. } | Self::Name { .. } => None,
        }
    }
}

/// Returns what is wrong with the aliases, sorted.
pub(super) fn of_aliases(aliases: &BTreeMap<String, Vec<String>>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut owners: BTreeMap<Identity, &String> = BTreeMap::new();
    for (alias, members) in aliases {
        if is_leaf(alias) || alias.trim().is_empty() {
            problems.push(Problem::Name { alias: alias.clone() });
        }
        if members.is_empty() {
            problems.push(Problem::Empty { alias: alias.clone() });
        }
        let own: BTreeSet<Identity> = members.iter().filter(|m| is_leaf(m)).map(|m| Identity::listed(m)).collect();
        let others: Vec<&String> = members.iter().filter(|member| !is_leaf(member)).collect();
        if own.len() > 1 && !others.is_empty() {
            problems.push(Problem::Mixed { alias: alias.clone() });
        }
        for member in others.into_iter().filter(|member| !aliases.contains_key(*member)) {
            let remedy = remedy(member, aliases.keys().map(String::as_str));
            problems.push(Problem::Unknown { alias: alias.clone(), member: member.clone(), remedy });
        }
        if let Some(path) = cycle(aliases, alias) {
            problems.push(Problem::Cycle { alias: alias.clone(), path });
        }
        for identity in own {
            let written = identity.written();
            if let Some(other) = owners.insert(identity, alias) {
                let (alias, other) = (other.clone(), alias.clone());
                problems.push(Problem::Shared { alias, other, identity: written });
            }
        }
    }
    problems.sort();
    problems
}

/// Returns a way from an alias back to itself. Each alias is visited once.
fn cycle(aliases: &BTreeMap<String, Vec<String>>, start: &str) -> Option<Vec<String>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut waiting = vec![start];
    while let Some(name) = waiting.pop() {
        for member in aliases.get(name).into_iter().flatten().filter(|member| !is_leaf(member)) {
            if member == start {
                let mut path: Vec<String> =
                    std::iter::successors(Some(name), |name| came_from.get(name).copied()).map(str::to_owned).collect();
                path.reverse();
                return Some(path);
            }
            if !came_from.contains_key(member.as_str()) {
                came_from.insert(member, name);
                waiting.push(member);
            }
        }
    }
    None
}
