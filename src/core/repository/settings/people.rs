//! The section `[people]` while it is read: aliases with their members, each with its place.

use std::collections::BTreeMap;

use tidegate_consent::{People, Problem};
use tidegate_model::diagnostic::Place;

/// The aliases as written.
#[derive(Debug, Default)]
pub(super) struct Written {
    aliases: BTreeMap<String, Alias>,
}

#[derive(Debug)]
struct Alias {
    place: Place,
    members: Vec<(Place, String)>,
}

impl Written {
    /// Adds a key of the section.
    pub(super) fn add(&mut self, key: &str, place: Place, members: Vec<(Place, String)>) {
        self.aliases.insert(key.to_owned(), Alias { place, members });
    }

    /// Returns the people, and what is wrong with them.
    pub(super) fn people(&self) -> (People, Vec<(Place, String)>) {
        let names = |members: &[(Place, String)]| members.iter().map(|(_, member)| member.clone()).collect();
        let aliases = self.aliases.iter().map(|(alias, written)| (alias.clone(), names(&written.members))).collect();
        let people = People::new(aliases);
        let complaints: Vec<(Place, String)> = people.problems().iter().filter_map(|p| self.complaint(p)).collect();
        (people, complaints)
    }

    fn complaint(&self, problem: &Problem) -> Option<(Place, String)> {
        let alias = self.aliases.get(problem.alias())?;
        let of_member = |name: &str| alias.members.iter().find(|(_, member)| member == name).map(|(place, _)| place);
        let place = problem.member().and_then(of_member).unwrap_or(&alias.place);
        Some((place.clone(), format!("people.{problem}")))
    }
}
