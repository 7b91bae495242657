//! Polls the forge: which pull requests are open, which ones brought what is in force, and what people said about them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::authors::{pushers, with_accounts};
use super::config::{ForgeConfig, Publish};
use super::links::{Linked, Links};
use super::members::{self, Answers};
use super::record::{Written, commands, record, take_over};
use super::trees::{Changed, Trees};
use crate::reconciler::source::Followed;
use tidegate_consent::{Author, Authors, GateRequest, PullRecord, Pulls, Reviewed, Standing, Voucher};
use tidegate_forge::{Answer, Error, Forge, Result};
use tidegate_model::followed::DigestChange;
use tidegate_model::forge::Pull;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::report::Report;

/// How long the record of a closed pull request is kept.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// Maximum number of unchanged pull requests whose reviews are read again in one poll.
const ROUND: usize = 10;
/// Maximum number of changed pull requests that are read in one poll. The others follow in the next polls, so that the first poll of
/// hundreds delays no rollout.
const CHANGED: usize = 50;

/// What is known of the pull requests into a branch.
pub(super) struct ForgePoller {
    forge: Forge,
    trees: Arc<Trees>,
    branch: String,
    /// Whether comments may contain approvals.
    reads_commands: bool,
    /// Which pull requests are planned.
    publish: Publish,
    /// The open pull requests as last listed, by number; `None` until they were listed.
    pub(super) open: Option<BTreeMap<u64, Pull>>,
    records: Pulls,
    /// The pull requests that brought what is in force.
    pub(super) linked: Linked,
    links: Links,
    answers: Answers,
    /// The state in which each pull request was read last.
    pub(super) read: BTreeMap<u64, Pull>,
    /// The number of the open pull request that was read last without a change.
    turn: u64,
}

impl ForgePoller {
    /// Creates a poller that continues from what was journaled.
    pub(super) fn new(config: &ForgeConfig, trees: Arc<Trees>, branch: String, records: Pulls) -> Self {
        let (forge, reads_commands, publish) = (config.forge.clone(), config.commands, config.publish.clone());
        let links = Links::default();
        let (answers, read) = (Answers::new(), BTreeMap::new());
        let linked = Linked::new();
        Self {
            forge,
            trees,
            branch,
            reads_commands,
            publish,
            open: None,
            records,
            linked,
            links,
            answers,
            read,
            turn: 0,
        }
    }

    /// Returns the records.
    pub(super) fn records(&self) -> &Pulls {
        &self.records
    }

    /// Adds what was written to the records.
    pub(super) fn take_over(&mut self, written: Vec<Written>, now: Timestamp) {
        take_over(&mut self.records, written, &self.branch, now);
    }

    /// Looks once. What fails leaves the records as they were.
    ///
    /// # Errors
    /// The first error; everything that does not depend on it was still read.
    pub(super) async fn poll(&mut self, followed: &Followed, report: &Report, now: Timestamp) -> Result<()> {
        let Some(tip) = followed.facts.seen.as_ref().map(|seen| seen.commit.clone()) else { return Ok(()) };
        let mut trouble = Trouble::default();
        let linked = self.links.find(&self.forge, &self.trees, &followed.facts.changes).await;
        let linked = trouble.note(linked).unwrap_or_else(|| self.links.known(&followed.facts.changes));
        self.linked.clone_from(&linked);
        let listed = trouble.note(self.forge.open_pulls(&self.branch).await);
        if let Some(Answer::New(pulls)) = listed {
            self.open = Some(pulls.into_iter().map(|pull| (pull.number, pull)).collect());
        }
        let named = members::named(&followed.repository, &followed.approvals);
        let is_settled = |addon: &UnitName| {
            let report = report.addons.get(addon);
            report.is_some_and(|report| report.last_good.as_ref().map(|good| &good.digest) == report.digest.as_ref())
        };
        // What all clusters have needs no approval any more.
        let current: Linked = linked
            .iter()
            .filter(|(number, bases)| !self.read.contains_key(number) || !bases.keys().all(is_settled))
            .map(|(number, bases)| (*number, bases.clone()))
            .collect();
        let addons = &followed.repository.addons;
        let is_waiting = |gate: &GateRequest| {
            addons.get(&gate.addon).is_some_and(|addon| addon.digest == gate.digest) && !is_settled(&gate.addon)
        };
        let (mut read, mut has_news) = (Vec::new(), false);
        for pull in self.due(&current, is_waiting, &mut trouble).await {
            if trouble.is_general() {
                break;
            }
            let bases = linked.get(&pull.number).cloned().unwrap_or_default();
            if let Some(is_new) = trouble.note(self.read(&pull, (followed, &tip, &bases), now).await) {
                has_news |= is_new && self.is_decisive(pull.number);
                read.push(pull);
            }
        }
        // An approval on one of them may complete those on others.
        for pull in read {
            let is_decisive = self.is_decisive(pull.number);
            let Some(record) = self.records.get_mut(&pull.number).filter(|_| !trouble.is_general()) else { continue };
            let asked =
                members::complete(&self.forge, (record, has_news && is_decisive), &named, &mut self.answers, now);
            if trouble.note(asked.await).is_some() {
                self.read.insert(pull.number, pull);
            }
        }
        self.record_links(&followed.facts.changes);
        let is_kept = |record: &PullRecord| record.ended.is_none_or(|ended| now.duration_since(ended) < KEPT);
        let is_in_force = |record: &PullRecord| {
            let gate = record.gate.as_ref();
            gate.is_some_and(|gate| addons.get(&gate.addon).is_some_and(|addon| addon.digest == gate.digest))
        };
        self.records.retain(|number, record| linked.contains_key(number) || is_kept(record) || is_in_force(record));
        self.read.retain(|number, _| self.records.contains_key(number));
        trouble.first.map_or(Ok(()), Err)
    }

    /// Records in each pull request which of the newest changes it brought.
    fn record_links(&mut self, changes: &BTreeMap<UnitName, Vec<DigestChange>>) {
        let newest = |addon: &UnitName| changes.get(addon).and_then(|changes| changes.first());
        for (number, record) in &mut self.records {
            let linked = self.linked.get(number).into_iter().flat_map(BTreeMap::keys);
            record.brought.retain(|addon, commit| newest(addon).is_some_and(|change| change.commit == *commit));
            record.brought.extend(linked.filter_map(|addon| Some((addon.clone(), newest(addon)?.commit.clone()))));
        }
    }

    /// Returns `true` if it is known which pull requests brought the digest of an add-on.
    pub(super) fn has_links(&self, followed: &Followed, addon: &UnitName) -> bool {
        self.links.are_known(followed.facts.changes.get(addon).map(Vec::as_slice).unwrap_or_default())
    }

    /// Returns the pull requests to read: first those on which decisions depend, then those that changed, then a few others in turn.
    /// `is_waiting` returns `true` for a request for what clusters still wait for.
    async fn due(
        &mut self,
        linked: &Linked,
        is_waiting: impl Fn(&GateRequest) -> bool,
        trouble: &mut Trouble,
    ) -> Vec<Pull> {
        let open = self.open.clone();
        let is_open = |number: &u64| open.as_ref().is_none_or(|open| open.contains_key(number));
        let is_asked = |gate: &GateRequest| !gate.is_withdrawn && is_waiting(gate);
        let gates = self.records.iter().filter(|(_, record)| record.gate.as_ref().is_some_and(is_asked));
        let gone = self.records.iter().filter(|(number, record)| record.state == Standing::Open && !is_open(number));
        let single: BTreeSet<u64> =
            linked.keys().chain(gates.map(|(number, _)| number)).chain(gone.map(|(n, _)| n)).copied().collect();
        let mut due = Vec::new();
        for number in &single {
            if let Some(pull) = open.as_ref().and_then(|open| open.get(number)) {
                due.push(pull.clone());
            } else if let Some(pull) = trouble.note(self.forge.pull(*number).await) {
                due.push(pull);
            }
            if trouble.is_general() {
                return due;
            }
        }
        let others = open.into_iter().flatten().filter(|(number, _)| !single.contains(number));
        let is_changed = |pull: &Pull| self.read.get(&pull.number) != Some(pull);
        let (mut changed, unchanged): (Vec<Pull>, Vec<Pull>) = others.map(|(_, pull)| pull).partition(is_changed);
        changed.sort_by_key(|pull| std::cmp::Reverse(pull.updated));
        due.extend(changed.into_iter().take(CHANGED));
        // GitLab does not show an approval by a newer time of the merge request.
        let start = unchanged.iter().position(|pull| pull.number > self.turn).unwrap_or(0);
        let round: Vec<_> = unchanged.iter().cycle().skip(start).take(ROUND.min(unchanged.len())).cloned().collect();
        self.turn = round.last().map_or(0, |pull| pull.number);
        due.extend(round);
        due
    }

    /// Returns `true` if clusters start because of what people say on a pull request: it is a request, or brought what is in force.
    fn is_decisive(&self, number: u64) -> bool {
        self.linked.contains_key(&number) || self.records.get(&number).is_some_and(|record| record.gate.is_some())
    }

    /// Reads the reviews of a pull request, and the trees that were reviewed. Returns `true` if someone has said something since it was
    /// read last.
    async fn read(
        &mut self,
        pull: &Pull,
        (followed, tip, bases): (&Followed, &CommitId, &BTreeMap<UnitName, CommitId>),
        now: Timestamp,
    ) -> Result<bool> {
        let opinions = self.forge.opinions(pull).await?;
        let mut record = record(self.records.get(&pull.number), pull, &self.branch, opinions, now);
        record.linked.extend(self.links.commits_of(pull.number));
        // Comments are read before the merge, too: what is pushed after a comment was not approved. A comment changes the time of an update.
        let is_new = record.state == Standing::Open && self.read.get(&pull.number) != Some(pull);
        if self.reads_commands && (record.gate.is_some() || record.state == Standing::Merged || is_new) {
            record.commands = commands(&record.commands, self.forge.comments(pull).await?, &pull.head, now);
        }
        match record.gate.clone() {
            Some(gate) => self.complete_request(&mut record, gate, followed, now),
            None => self.complete_trees(pull, &mut record, (followed, tip, bases), now).await?,
        }
        let before = self.records.get(&pull.number);
        let is_new = before.is_none_or(|before| {
            let said = |record: &PullRecord| (record.state, record.opinions.clone(), record.commands.clone());
            said(before) != said(&record)
        });
        self.records.insert(pull.number, record);
        Ok(is_new)
    }

    /// Adds the accounts of those who made the change that a request of the daemon is about. Git knows only their addresses. Nothing is
    /// added until it is known which pull requests brought the change.
    fn complete_request(&self, record: &mut PullRecord, gate: GateRequest, followed: &Followed, now: Timestamp) {
        if !self.has_links(followed, &gate.addon) {
            return;
        }
        let brought = self.linked.iter().filter(|(_, addons)| addons.contains_key(&gate.addon));
        let Some(brought) = brought.map(|(number, _)| self.records.get(number)).collect::<Option<Vec<_>>>() else {
            return;
        };
        let merged = || brought.iter().filter(|record| record.state == Standing::Merged);
        let people = merged().flat_map(|record| record.author.iter().chain(&record.pushers).cloned());
        let trees = || merged().flat_map(|record| record.trees.values()).map(|tree| &tree.authors);
        let known = trees().filter_map(|authors| match authors {
            Authors::Known(authors) => Some(authors),
            Authors::Unknown(_) => None,
        });
        let accounts = people.chain(known.flatten().filter_map(|author| author.account.clone()));
        let author = |account| Author { account: Some(account), voucher: Voucher::Forge, ..Author::default() };
        let unknown = trees().find(|authors| matches!(authors, Authors::Unknown(_)));
        let authors = unknown.cloned().unwrap_or_else(|| Authors::known(accounts.map(author).collect()));
        if record.trees.get(&gate.commit).is_none_or(|tree| tree.authors != authors) {
            let digests = [(gate.addon, gate.digest)].into();
            record.trees = [(gate.commit, Reviewed { digests, authors, seen: now })].into();
        }
    }

    /// Reads the trees that are not known yet.
    async fn complete_trees(
        &self,
        pull: &Pull,
        record: &mut PullRecord,
        (followed, tip, bases): (&Followed, &CommitId, &BTreeMap<UnitName, CommitId>),
        now: Timestamp,
    ) -> Result<()> {
        let reviewed = record.opinions.iter().filter_map(|seen| seen.opinion.commit.clone());
        let commented = record.commands.iter().map(|command| command.head.clone());
        let commits: BTreeSet<CommitId> = reviewed.chain(commented).chain([pull.head.clone()]).collect();
        let missing: Vec<CommitId> =
            commits.iter().filter(|commit| !record.trees.contains_key(*commit)).cloned().collect();
        // Trees that no one reviewed are of heads that were replaced.
        record.trees.retain(|commit, _| commits.contains(commit));
        let is_read = match record.state {
            Standing::Open => self.publish.plans(pull),
            Standing::Closed | Standing::Merged => !bases.is_empty(),
        };
        if missing.is_empty() || !is_read {
            return Ok(());
        }
        let listed = self.forge.commits(pull).await?;
        record.pushers = pushers(&record.pushers, self.forge.pushers(pull).await)?;
        for commit in missing {
            let found = self.reviewed(commit.clone(), record.state, (followed, tip, bases)).await?;
            if let Some(Changed { digests, authors }) = found {
                let authors = with_accounts(authors, &listed);
                record.trees.insert(commit, Reviewed { digests, authors, seen: now });
            }
        }
        Ok(())
    }

    /// Returns what a commit changes: compared with the followed branch if it is open, or with what was followed before it was merged.
    async fn reviewed(
        &self,
        commit: CommitId,
        state: Standing,
        (followed, tip, bases): (&Followed, &CommitId, &BTreeMap<UnitName, CommitId>),
    ) -> Result<Option<Changed>> {
        let (facts, tip, bases) = (followed.facts.clone(), tip.clone(), bases.clone());
        let read = self.trees.read(move |trees| match state {
            Standing::Open => trees.changed_since(&commit, &tip, &facts),
            Standing::Closed | Standing::Merged => trees.changed_in(&commit, &bases),
        });
        read.await
    }
}

/// The first error of a poll.
#[derive(Default)]
struct Trouble {
    first: Option<Error>,
}

impl Trouble {
    /// Keeps an error, and returns the value otherwise.
    fn note<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                // One that stops all requests is more important.
                if !self.is_general() {
                    self.first = Some(error);
                }
                None
            }
        }
    }

    /// Returns `true` if no other request would succeed now.
    fn is_general(&self) -> bool {
        self.first.as_ref().is_some_and(Error::is_general)
    }
}
