//! Judges reviews on a forge.

use super::identity::{Identity, is_membership};
use super::judging::{Judging, Opinion, Place, Valid};
use super::people::Person;
use super::pull::{GateRequest, PullRecord, SeenOpinion, Standing};
use super::subject::Authors;
use super::verdict::{Refusal, ReviewRef, Seat};
use super::vouched;
use super::why::Why;
use tidegate_model::forge::{Account, Membership, Says};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

impl Judging<'_> {
    /// Returns what people said about the subject on a pull request.
    pub(super) fn of_pull(&self, number: u64, pull: &PullRecord) -> Vec<Opinion> {
        if self.rule.break_glass {
            return Vec::new();
        }
        if !self.concerns(pull) {
            return Vec::new();
        }
        let commands = pull.commands.iter().filter(|command| command.addon == self.subject.addon);
        let commands: Vec<Opinion> = commands.map(|command| self.of_command((number, pull), command)).collect();
        let mut found: Vec<Opinion> =
            pull.latest().into_iter().filter_map(|seen| self.of_opinion(number, pull, seen)).collect();
        let replaced = self.subject.replaced;
        let is_asked = pull.gate.as_ref().is_some_and(|gate| gate.asks(replaced));
        if is_asked && pull.state == Standing::Closed {
            found.push(Opinion::Refused(None, Refusal { person: None, url: pull.url.clone() }));
        }
        found.extend(commands);
        found
    }

    /// Returns the addresses of the pull requests on which a review counts: the requests for this approval, or else the merged ones
    /// that brought the change.
    pub(super) fn reviewable(&self) -> Vec<String> {
        if self.rule.break_glass {
            return Vec::new();
        }
        let pulls = self.pulls.values().filter(|pull| pull.state != Standing::Closed && self.concerns(pull));
        let (requests, brought): (Vec<_>, Vec<_>) = pulls.partition(|pull| pull.gate.is_some());
        let asks = |pull: &&PullRecord| pull.gate.as_ref().is_some_and(|gate| gate.asks(self.subject.replaced));
        let has_brought =
            |pull: &&PullRecord| pull.state == Standing::Merged && pull.brought.contains_key(&self.subject.addon);
        let requests: Vec<String> = requests.into_iter().filter(asks).map(|pull| pull.url.clone()).collect();
        if !requests.is_empty() {
            return requests;
        }
        brought.into_iter().filter(has_brought).map(|pull| pull.url.clone()).collect()
    }

    /// Returns `true` if a pull request asks for this approval, or brought the digest.
    fn concerns(&self, pull: &PullRecord) -> bool {
        let subject = self.subject;
        match &pull.gate {
            Some(gate) => {
                let GateRequest { addon, digest, group, instance, .. } = gate;
                let is_same = *addon == subject.addon && *digest == subject.digest && *group == subject.group;
                is_same && *instance == subject.instance && *group == self.rule.group
            }
            None => pull.trees.values().any(|tree| tree.digests.get(&subject.addon) == Some(&subject.digest)),
        }
    }

    fn of_opinion(&self, number: u64, pull: &PullRecord, seen: &SeenOpinion) -> Option<Opinion> {
        let opinion = &seen.opinion;
        // The forge's own clock is good enough for the age; without a time, the approval is not older than the daemon's knowledge of it.
        let at = opinion.at.unwrap_or(seen.seen);
        if opinion.says == Says::Refused {
            let account = opinion.by.as_ref().filter(|_| !opinion.is_dismissed)?;
            let person = self.people.account(account)?;
            // If it is not known whether the rule lists the person, the refusal counts.
            if let Err(Why::NotListed { .. }) = self.is_listed(pull, account, &person) {
                return None;
            }
            let refusal = Refusal { person: Some(person.name.clone()), url: opinion.url.clone() };
            return Some(Opinion::Refused(Some((person, at)), refusal));
        }
        let by = opinion.by.as_ref().map(|by| by.login.clone()).unwrap_or_default();
        let (commit, url) = (opinion.commit.clone(), Some(opinion.url.clone()));
        let place = Place { file: String::new(), by, at, commit, url };
        Some(match self.counts((number, pull), seen, at) {
            Ok((person, review, commit)) => {
                let (signer, key, reason) = (String::new(), String::new(), String::new());
                let name = person.name.clone();
                let review = Some(review);
                let seat = Seat { person: name, commit, signer, key, review, at, reason, break_glass: false };
                Opinion::Approved(Valid { person, seat, place })
            }
            Err(why) => Opinion::Void(place.void(why)),
        })
    }

    fn counts(
        &self,
        (number, pull): (u64, &PullRecord),
        seen: &SeenOpinion,
        at: Timestamp,
    ) -> Result<(Person, ReviewRef, CommitId), Why> {
        let opinion = &seen.opinion;
        let account = opinion.by.as_ref().ok_or(Why::NoAccount)?;
        if account.is_bot {
            return Err(Why::Bot { login: account.login.clone() });
        }
        if opinion.is_dismissed {
            return Err(Why::Dismissed);
        }
        let person = self.people.account(account);
        let person = person.ok_or_else(|| Why::AmbiguousAccount { login: account.login.clone() })?;
        let commit = opinion.commit.clone().ok_or(Why::NoCommit)?;
        let authors = self.reviewed((number, pull), &commit)?;
        self.has_come(at)?;
        self.still_counts(at)?;
        self.is_current(at.min(seen.seen))?;
        self.is_at_its_turn(at.min(seen.seen))?;
        self.is_listed(pull, account, &person)?;
        if !self.rule.by_author {
            self.is_other(pull, authors, &person, account)?;
        }
        let review = ReviewRef { pull: number, account: account.clone(), url: opinion.url.clone() };
        Ok((person, review, commit))
    }

    /// Checks that a commit has the subject, and that its pull request brought it or asks for it now. Returns who made it; `None` for a
    /// request of the daemon.
    pub(super) fn reviewed<'p>(
        &self,
        (number, pull): (u64, &'p PullRecord),
        commit: &CommitId,
    ) -> Result<Option<&'p Authors>, Why> {
        if let Some(gate) = &pull.gate {
            if gate.is_over(self.subject.replaced) {
                return Err(Why::EarlierRequest { pull: number });
            }
            let is_request = gate.commit == *commit;
            return if is_request { Ok(None) } else { Err(Why::OtherCommit { commit: commit.clone() }) };
        }
        if pull.state != Standing::Merged {
            return Err(Why::NotMerged { pull: number });
        }
        let brought = pull.brought.get(&self.subject.addon);
        if brought.is_none() || brought != self.subject.change.as_ref() {
            return Err(Why::NotLinked { pull: number });
        }
        let tree = pull.trees.get(commit).ok_or_else(|| Why::CommitGone { commit: commit.clone() })?;
        match tree.digests.get(&self.subject.addon) {
            Some(digest) if *digest == self.subject.digest => Ok(Some(&tree.authors)),
            other => Err(Why::OtherDigest { digest: other.map(ToString::to_string).unwrap_or_default() }),
        }
    }

    /// Checks that the rule lists the account: as a person, or through a team or role.
    pub(super) fn is_listed(&self, pull: &PullRecord, account: &Account, person: &Person) -> Result<(), Why> {
        // A rule may list an account that no alias has.
        let own = Identity::of_account(account);
        if self.listed.people.iter().any(|listed| listed == person || own.contains(&listed.id)) {
            return Ok(());
        }
        let mut unknown = None;
        for of in self.rule.of.iter().filter(|name| is_membership(name)) {
            match pull.membership(account.id, of) {
                Some(Membership::Yes) => return Ok(()),
                Some(Membership::No) => {}
                known => {
                    let why = match known {
                        Some(Membership::Unknown(why)) => why.clone(),
                        _ => "the forge was not asked yet".to_owned(),
                    };
                    unknown = Some(Why::MembershipUnknown { login: account.login.clone(), of: of.clone(), why });
                }
            }
        }
        Err(unknown.unwrap_or_else(|| Why::NotListed { person: person.name.clone() }))
    }

    /// Checks that a person had no part in the change: in what was reviewed, in the changes before it, or as someone who opened the pull
    /// request or pushed to its branch.
    ///
    /// The person who merged it had no part in it: the digest proves that the merge brought what was reviewed.
    pub(super) fn is_other(
        &self,
        pull: &PullRecord,
        authors: Option<&Authors>,
        person: &Person,
        account: &Account,
    ) -> Result<(), Why> {
        let own = Identity::of_account(account);
        let is_among = |authors: &Authors| self.is_among(authors, person, &own);
        let is_author = match authors {
            // The daemon opened the request; the authors of the change itself may not approve it. Git knows
            // their addresses, and the forge their accounts.
            None => {
                let request = pull.gate.as_ref().and_then(|gate| pull.trees.get(&gate.commit));
                let unknown = || Why::AuthorsUnknown {
                    why: "it is not known yet which pull request brought the change".to_owned(),
                };
                let is_known = matches!(is_among(&self.subject.authors), Ok(true));
                is_known || is_among(&self.subject.authors.and(&request.ok_or_else(unknown)?.authors))?
            }
            Some(authors) => {
                let gone =
                    || Why::AuthorsUnknown { why: "the account that opened the pull request is gone".to_owned() };
                let participants = pull.participants().ok_or_else(gone)?;
                // All are judged together, because one of them may tell whose address or account another one has.
                is_among(&vouched::of_pull(authors, self.pulls).with(&participants))?
                    || is_among(&self.subject.earlier)?
            }
        };
        if is_author { Err(Why::Author { person: person.name.clone() }) } else { Ok(()) }
    }
}
