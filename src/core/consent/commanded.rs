//! Judges approvals in comments on a forge.

use super::judging::{Judging, Opinion, Place, Valid};
use super::people::Person;
use super::pull::{Commanded, PullRecord, Standing};
use super::rule::After;
use super::verdict::{ReviewRef, Seat};
use super::why::Why;

impl Judging<'_> {
    /// Returns what an approval in a comment means.
    pub(super) fn of_command(&self, (number, pull): (u64, &PullRecord), command: &Commanded) -> Opinion {
        let by = command.by.as_ref().map(|by| by.login.clone()).unwrap_or_default();
        let (at, commit) = (command.at, Some(pull.head.clone()));
        let place = Place { file: String::new(), by, at, commit, url: Some(command.url.clone()) };
        match self.command_counts((number, pull), command) {
            Ok((person, review)) => {
                let seat = Seat {
                    person: person.name.clone(),
                    commit: pull.head.clone(),
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
        if pull.gate.is_none() && pull.state != Standing::Merged {
            return Err(Why::NotMerged { pull: number });
        }
        let person = self.people.account(account);
        let person = person.ok_or_else(|| Why::AmbiguousAccount { login: account.login.clone() })?;
        self.has_come(command.at)?;
        self.still_counts(command.at)?;
        if self.rule.after == After::Reached {
            let reached = self.subject.reached.ok_or(Why::NotReached)?;
            if command.at < reached || command.seen < reached {
                return Err(Why::BeforeReached { reached });
            }
        }
        self.is_listed(pull, account, &person)?;
        if !self.rule.by_author {
            let tree = pull.trees.get(&pull.head).filter(|_| pull.gate.is_none());
            if tree.is_none() && pull.gate.is_none() {
                return Err(Why::CommitGone { commit: pull.head.clone() });
            }
            self.is_other(pull, tree.map(|tree| &tree.authors), &person, account)?;
        }
        Ok((person, ReviewRef { pull: number, account: account.clone(), url: command.url.clone() }))
    }
}
