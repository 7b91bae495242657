//! Judges approvals in comments on a forge.

use super::judging::{Judging, Opinion, Place, Valid};
use super::people::Person;
use super::pull::{Commanded, PullRecord};
use super::verdict::{ReviewRef, Seat};
use super::why::Why;

impl Judging<'_> {
    /// Returns what an approval in a comment means.
    pub(super) fn of_command(&self, (number, pull): (u64, &PullRecord), command: &Commanded) -> Opinion {
        let by = command.by.as_ref().map(|by| by.login.clone()).unwrap_or_default();
        let (at, commit) = (command.at, Some(command.head.clone()));
        let place = Place { file: String::new(), by, at, commit, url: Some(command.url.clone()) };
        match self.command_counts((number, pull), command) {
            Ok((person, review)) => {
                let seat = Seat {
                    person: person.name.clone(),
                    commit: command.head.clone(),
                    signer: String::new(),
                    key: String::new(),
                    review: Some(review),
                    at,
                    reason: String::new(),
                    break_glass: false,
                };
                Opinion::Approved(Valid { person, seat, place })
            }
            Err(why) => Opinion::Void(place.void(why)),
        }
    }

    fn command_counts(
        &self,
        (number, pull): (u64, &PullRecord),
        command: &Commanded,
    ) -> Result<(Person, ReviewRef), Why> {
        self.names_this(&command.digest, command.group.as_ref())?;
        let account = command.by.as_ref().ok_or(Why::NoAccount)?;
        if account.is_bot {
            return Err(Why::Bot { login: account.login.clone() });
        }
        if command.is_edited {
            return Err(Why::Edited);
        }
        let person = self.people.account(account);
        let person = person.ok_or_else(|| Why::AmbiguousAccount { login: account.login.clone() })?;
        let authors = self.reviewed((number, pull), &command.head)?;
        self.has_come(command.at)?;
        self.still_counts(command.at)?;
        self.is_current(command.at.min(command.seen))?;
        self.is_at_its_turn(command.at.min(command.seen))?;
        self.is_listed(pull, account, &person)?;
        if !self.rule.by_author {
            self.is_other(pull, authors, &person, account)?;
        }
        Ok((person, ReviewRef { pull: number, account: account.clone(), url: command.url.clone() }))
    }
}
