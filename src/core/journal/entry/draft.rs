//! The files of an entry while it is written.

use std::collections::BTreeMap;

use super::status::addon_status;
use crate::documents::Journal;
use crate::facts::Facts;
use crate::file;
use crate::fleet::FleetFile;
use crate::record::HubRecord;
use crate::record::{AddonStatus, ClusterReport, Clusters, SealedRollout, Sync};
use crate::seal::Gone;
use crate::yaml::{Unwritable, yaml};
use crate::{headline, hub, pulls, readme, seal};
use tidegate_model::name::UnitName;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::time::{SignedDuration, Timestamp, to_seconds};
use tidegate_plan::report::Report;

/// If the last look at the hub is further than this from the time of the entry, the entry has both.
const APART: SignedDuration = SignedDuration::from_secs(30);

/// The journal of an entry while it is written.
pub(super) struct Draft<'b> {
    before: &'b Journal,
    pub(super) journal: Journal,
    /// The files of the rollouts that end with this entry. They are written once, so the journal does not keep them.
    pub(super) sealed: BTreeMap<String, Vec<u8>>,
}

impl<'b> Draft<'b> {
    pub(super) fn new(before: &'b Journal) -> Self {
        let journal = Journal { sealed: before.sealed.clone(), fleet_at: before.fleet_at, ..Journal::default() };
        Self { before, journal, sealed: BTreeMap::new() }
    }

    /// Adds the file of a rollout that has ended.
    fn seal(&mut self, name: &UnitName, rollout: &SealedRollout) -> Result<(), Unwritable> {
        let path = file::sealed(name, rollout.rollout.number);
        self.journal.sealed.insert(name.clone(), rollout.rollout.number);
        self.sealed.insert(path.clone(), yaml(&path, rollout)?);
        Ok(())
    }

    /// Adds the add-ons of a report.
    pub(super) fn follow(
        &mut self,
        report: &Report,
        facts: &Facts,
        hub: Option<&HubRecord>,
        now: Timestamp,
    ) -> Result<(), Unwritable> {
        let went_back = hub.and_then(|hub| hub.went_back.as_ref()).map(|went_back| went_back.at);
        let when = seal::Moment { now, looked: facts.looked.map_or(now, |looked| looked.min(now)), went_back };
        for (name, addon) in &report.addons {
            let previous = self.before.addons.get(name);
            let revision = facts.revision.held.get(name).or(facts.revision.seen.as_ref());
            let progress = seal::followed(name, self.before, addon, revision, when);
            for rollout in &progress.sealed {
                self.seal(name, rollout)?;
            }
            let moment = (revision.map(|r| &r.commit), now);
            let clusters = counts(&progress.clusters);
            let status = AddonStatus { clusters, ..addon_status(name, previous, addon, progress.current, moment) };
            self.journal.put(name, status, progress.clusters)?;
        }
        Ok(())
    }

    /// Adds the add-ons that are no longer in the report.
    pub(super) fn let_go(&mut self, report: &Report, facts: &Facts, now: Timestamp) -> Result<(), Unwritable> {
        let before = self.before;
        for (name, previous) in before.addons.iter().filter(|(name, _)| !report.addons.contains_key(*name)) {
            if report.given_up.contains(name) {
                // It is still on clusters, so it was not removed: keep what was last known.
                let problem = Some("it no longer belongs to this instance, but is still on clusters".to_owned());
                let status = AddonStatus { problem, ..previous.clone() };
                self.journal.put(name, status, before.clusters(name))?;
                continue;
            }
            match seal::gone(name, before, facts.revision.seen.as_ref(), now) {
                Gone::Sealed(rollout) => self.seal(name, &rollout)?,
                Gone::Removed(progress) => {
                    for rollout in &progress.sealed {
                        self.seal(name, rollout)?;
                    }
                    let status = AddonStatus {
                        digest: None,
                        phase: Phase::Completed,
                        since: to_seconds(now),
                        problem: None,
                        rollout: progress.current,
                        removal: None,
                        clusters: counts(&progress.clusters),
                        placements: Vec::new(),
                        ..previous.clone()
                    };
                    self.journal.put(name, status, progress.clusters)?;
                }
                Gone::Nothing => {}
            }
        }
        Ok(())
    }

    /// Adds the files that describe the whole journal.
    pub(super) fn describe(&mut self, sync: &Sync, facts: &Facts, fleet: &FleetFile) -> Result<(), Unwritable> {
        let page = readme::page(sync, self.journal.addons.values()).into_bytes();
        let files = &mut self.journal.files;
        files.insert("sync.yaml".to_owned(), yaml("sync.yaml", sync)?);
        files.insert("README.md".to_owned(), page);
        files.extend(pulls::files(&facts.pulls)?);
        files.extend(self.before.files.get_key_value(file::FLEET).filter(|_| *fleet != FleetFile::Remove).map(owned));
        self.journal.pulls = facts.pulls.records.as_ref().clone();
        Ok(())
    }

    /// Returns the files that differ from the ones before; `None` for those that are gone.
    fn changed(&self) -> BTreeMap<String, Option<Vec<u8>>> {
        let (before, files) = (&self.before.files, &self.journal.files);
        let written = files.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes));
        let written = written.map(|(path, bytes)| (path.clone(), Some(bytes.clone())));
        let gone = before.keys().filter(|path| !files.contains_key(*path)).map(|path| (path.clone(), None));
        let sealed = self.sealed.iter().map(|(path, bytes)| (path.clone(), Some(bytes.clone())));
        written.chain(gone).chain(sealed).collect()
    }

    /// Returns the commit, or `None` if nothing has changed.
    pub(super) fn entry(
        mut self,
        mut sync: Sync,
        facts: &Facts,
        fleet: FleetFile,
        now: Timestamp,
    ) -> Result<Option<Entry>, Unwritable> {
        let mut changed = self.changed();
        let mut subject = String::new();
        if let FleetFile::Write { text, subject: own } = fleet
            && !(changed.is_empty() && own.is_none())
        {
            changed.insert(file::FLEET.to_owned(), Some(text.clone()));
            self.journal.files.insert(file::FLEET.to_owned(), text);
            self.journal.fleet_at = Some(now);
            subject = own.unwrap_or_default();
        }
        if changed.is_empty() {
            return Ok(None);
        }
        let message = self.message(&sync, &changed, subject);
        let is_apart = |looked: &Timestamp| looked.duration_until(now).abs() > APART;
        (sync.hub, sync.looked) = (hub::counted(sync.hub, facts), facts.looked.map(to_seconds).filter(is_apart));
        let counted = yaml("sync.yaml", &sync)?;
        if self.before.files.get("sync.yaml") != Some(&counted) {
            changed.insert("sync.yaml".to_owned(), Some(counted.clone()));
        }
        self.journal.files.insert("sync.yaml".to_owned(), counted);
        self.journal.sync = Some(sync);
        Ok(Some(Entry { files: changed, message, journal: self.journal }))
    }

    /// Returns the message of the commit. `of_fleet` is the subject of a change of the fleet alone.
    fn message(&self, sync: &Sync, changed: &BTreeMap<String, Option<Vec<u8>>>, of_fleet: String) -> String {
        let subject = pulls::subject(changed.keys().map(String::as_str)).unwrap_or(of_fleet);
        let has_changed = |name: &UnitName| {
            let own = file::folder(name);
            changed.keys().any(|path| path.starts_with(&own))
        };
        let addons = self.journal.addons.values();
        let reported: Vec<&AddonStatus> = addons.filter(|addon| has_changed(&addon.addon)).collect();
        let sync_changed = changed.contains_key("sync.yaml");
        if subject.is_empty() || sync_changed || !reported.is_empty() {
            headline::message(sync, &reported, sync_changed)
        } else {
            headline::of_others(sync, &subject)
        }
    }
}

fn owned((path, bytes): (&String, &Vec<u8>)) -> (String, Vec<u8>) {
    (path.clone(), bytes.clone())
}

fn counts(clusters: &Clusters) -> Counts {
    Counts::of(clusters.values().map(ClusterReport::counted))
}

/// One commit of the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The files to write, by path; `None` removes a file.
    pub files: BTreeMap<String, Option<Vec<u8>>>,
    /// The commit's message.
    pub message: String,
    /// The journal after this entry.
    pub journal: Journal,
}
