//! The people of a repository: their names, addresses and keys, and the teams that they form.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use super::fact::Signer;
use super::identity::{Identity, is_leaf, is_membership};
use super::problem::{self, Problem};
use tidegate_model::forge::Account;

/// The people of a repository, by alias.
///
/// The addresses and keys that one alias lists belong to one person. An alias that lists other aliases is a team.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct People {
    /// The members of each alias: addresses, keys as `key:SHA256:...`, or other aliases.
    pub(super) aliases: BTreeMap<String, Vec<String>>,
    /// The person of each listed identity.
    persons: BTreeMap<Identity, Person>,
}

/// A person. Two persons are the same if their first identities are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Person {
    /// The first of all identities of the person.
    pub(super) id: Identity,
    /// The first alias that lists an identity of the person, or else the identity.
    pub(super) name: String,
}

impl Person {
    /// Returns a person who is in no list.
    fn alone(id: Identity) -> Self {
        let name = id.written();
        Self { id, name }
    }
}

impl People {
    /// Creates the people from aliases.
    pub fn new(aliases: BTreeMap<String, Vec<String>>) -> Self {
        let persons = persons(&aliases);
        Self { aliases, persons }
    }

    /// Returns the members of each alias.
    pub fn members_by_alias(&self) -> &BTreeMap<String, Vec<String>> {
        &self.aliases
    }

    /// Returns `true` if no one is listed.
    pub fn is_empty(&self) -> bool {
        self.aliases.is_empty()
    }

    /// Returns the alias of the person with an address or a key; the address or key itself if no alias lists it.
    pub fn name_of(&self, address: &str) -> String {
        self.with(&Identity::listed(address)).name
    }

    /// Returns the people with those of the operator, who win: an alias that the operator defines is the operator's, and an address, key or
    /// account that the operator lists is in no other alias.
    #[must_use]
    pub fn under(&self, operator: &BTreeMap<String, Vec<String>>) -> Self {
        let leaves = operator.values().flatten().filter(|member| is_leaf(member));
        let taken: BTreeSet<Identity> = leaves.map(|member| Identity::listed(member)).collect();
        let is_free = |member: &&String| !is_leaf(member) || !taken.contains(&Identity::listed(member));
        let own = self.aliases.iter().filter(|(alias, _)| !operator.contains_key(*alias));
        let own = own.map(|(alias, members)| (alias.clone(), members.iter().filter(is_free).cloned().collect()));
        Self::new(own.chain(operator.iter().map(|(alias, members)| (alias.clone(), members.clone()))).collect())
    }

    /// Returns what is wrong with the aliases, sorted.
    pub fn problems(&self) -> Vec<Problem> {
        problem::of_aliases(&self.aliases)
    }

    /// Returns `true` if an identity is listed.
    pub(super) fn lists(&self, identity: &Identity) -> bool {
        self.persons.contains_key(identity)
    }

    /// Returns the listed identities of a person.
    pub(super) fn identities(&self, person: &Person) -> impl Iterator<Item = &Identity> {
        self.persons.iter().filter(move |(_, other)| other.id == person.id).map(|(identity, _)| identity)
    }

    /// Returns the person with an identity, if it is listed.
    fn listed(&self, identity: &Identity) -> Option<&Person> {
        self.persons.get(identity)
    }

    /// Returns the person with an identity, who may be in no list.
    pub(super) fn with(&self, identity: &Identity) -> Person {
        self.listed(identity).cloned().unwrap_or_else(|| Person::alone(identity.clone()))
    }

    /// Returns who signed; `None` if the key and its owner are listed for different people, or if the key has no owner.
    pub(super) fn signer(&self, signer: &Signer) -> Option<Person> {
        let identities = Identity::of_signer(signer);
        let found: BTreeSet<&Person> = identities.iter().filter_map(|identity| self.listed(identity)).collect();
        let mut found = found.into_iter();
        match (found.next(), found.next(), identities.as_slice()) {
            (Some(person), None, _) => Some(person.clone()),
            (None, _, [principal, _key]) => Some(Person::alone(principal.clone())),
            _ => None,
        }
    }

    /// Returns who has an account; `None` if its number and its login are listed for different people.
    pub(super) fn account(&self, account: &Account) -> Option<Person> {
        let identities = Identity::of_account(account);
        let found: BTreeSet<&Person> = identities.iter().filter_map(|identity| self.listed(identity)).collect();
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(person), None) => Some(person.clone()),
            (None, _) => Some(Person { id: Identity::Account(account.id), name: account.login.clone() }),
            _ => None,
        }
    }

    /// Returns the one person whom an entry names: an alias of one person, an address or a key.
    pub(super) fn named(&self, name: &str) -> Option<Person> {
        let members = self.members(name);
        let mut persons = members.into_iter();
        persons.next().filter(|_| persons.next().is_none())
    }

    /// Returns `true` if a name is that of one person: an alias of one person, an address, a key or an account.
    pub fn is_person(&self, name: &str) -> bool {
        self.knows(name) && self.named(name).is_some()
    }

    /// Returns the aliases.
    pub fn aliases(&self) -> impl Iterator<Item = &str> + Clone {
        self.aliases.keys().map(String::as_str)
    }

    /// Returns the people whom a name represents: those of an alias, or the one with an address or a key.
    pub(super) fn members(&self, name: &str) -> BTreeSet<Person> {
        let mut found = BTreeSet::new();
        let mut visited = BTreeSet::new();
        let mut waiting = vec![name];
        while let Some(name) = waiting.pop() {
            if !visited.insert(name) {
                continue;
            }
            match self.aliases.get(name) {
                Some(members) if !is_leaf(name) => waiting.extend(members.iter().map(String::as_str)),
                _ if name.trim().is_empty() || is_membership(name) => {}
                _ => {
                    found.insert(self.with(&Identity::listed(name)));
                }
            }
        }
        found
    }

    /// Returns `true` if a name is an alias, an address, a key, an account, or a team or role on the forge.
    pub fn knows(&self, name: &str) -> bool {
        is_leaf(name) || is_membership(name) || self.aliases.contains_key(name)
    }
}

/// Finds the person of each identity: identities that one alias lists belong together, also across several aliases.
fn persons(aliases: &BTreeMap<String, Vec<String>>) -> BTreeMap<Identity, Person> {
    let mut persons: BTreeMap<Identity, Person> = BTreeMap::new();
    for (alias, members) in aliases {
        let own: BTreeSet<Identity> = members.iter().filter(|m| is_leaf(m)).map(|m| Identity::listed(m)).collect();
        let Some(first) = own.first().cloned() else { continue };
        let joined: BTreeSet<Person> = own.iter().filter_map(|identity| persons.get(identity).cloned()).collect();
        let id = joined.first().map_or(first, |person| person.id.clone());
        let name = joined.iter().map(|person| person.name.clone()).chain([alias.clone()]).min().unwrap_or_default();
        let person = Person { id, name };
        for known in persons.values_mut().filter(|known| joined.contains(known)) {
            *known = person.clone();
        }
        persons.extend(own.into_iter().map(|identity| (identity, person.clone())));
    }
    persons
}
