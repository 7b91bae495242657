//! The documents of a journal, as last written.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::clusters;
use super::pulls::{self, PullFacts};
use super::record::{AddonStatus, Clusters, Identity, Sync};
use super::yaml::{Unwritable, yaml};
use crate::file::{self, JournalFile};
use crate::format;
use tidegate_consent::Pulls;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::instance::Instance;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::progress::ClusterState;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::{AddonReport, Report};

/// What was journaled last: the documents that the next entry builds on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Journal {
    /// `sync.yaml`.
    pub sync: Option<Sync>,
    /// `status.yaml` of each add-on.
    pub addons: BTreeMap<UnitName, AddonStatus>,
    /// The clusters of each add-on, as in `clusters.yaml`.
    pub lists: BTreeMap<UnitName, Clusters>,
    /// The number of the last sealed rollout of each add-on that ever had one.
    pub sealed: BTreeMap<UnitName, u32>,
    /// The pull requests.
    pub pulls: Pulls,
    /// The bytes of every file that each entry writes again, by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// When `fleet.yaml` was written last, if that is known.
    pub fleet_at: Option<Timestamp>,
    /// The format, if a later build has written the journal and this one must not continue it.
    pub newer: Option<u32>,
    /// Documents that exist but could not be read.
    pub unreadable: Vec<String>,
}

impl Journal {
    /// Returns the last journaled clusters of an add-on; empty if they could not be read.
    pub fn clusters(&self, addon: &UnitName) -> Clusters {
        self.lists.get(addon).cloned().unwrap_or_default()
    }

    /// Returns the instance that owns the journal; `None` if `sync.yaml` does not name it.
    pub fn instance(&self) -> Option<Instance> {
        Some(self.sync.as_ref()?.instance.as_ref()?.instance())
    }

    /// Returns the last term in which a replica led; 0 if there was none.
    pub fn term(&self) -> u64 {
        self.sync.as_ref().map_or(0, |sync| sync.term)
    }

    /// Returns what was journaled of pull requests.
    pub fn pull_facts(&self) -> PullFacts {
        PullFacts { version: 1, records: Arc::new(self.pulls.clone()), plans: Arc::new(pulls::plans(&self.files)) }
    }

    /// Sets the identity of the instance that owns the journal and the term of the replica that writes it, overwriting whatever anyone else
    /// wrote there. A daemon without a term, which is 0, leaves the last one.
    pub fn identify(&mut self, identity: &Identity, term: u64) {
        let sync = self.sync.get_or_insert_with(Sync::empty);
        sync.instance = Some(identity.clone());
        if term > 0 {
            sync.term = term;
        }
    }

    /// Returns the content of the journal as a report, as far as decisions depend on it. A report has no clusters that the add-on has left.
    pub fn report(&self) -> Report {
        let clusters = |name: &UnitName| {
            let clusters = self.clusters(name).into_iter();
            clusters.filter(|(_, cluster)| cluster.state != ClusterState::Removed).collect()
        };
        let addon = |(name, status): (&UnitName, &AddonStatus)| {
            let report = AddonReport {
                version: status.version.clone(),
                digest: status.digest.clone(),
                phase: status.phase,
                problem: status.problem.clone(),
                placements: status.placements.iter().map(Into::into).collect(),
                removal: status.removal.as_ref().map(Into::into),
                gates: status.gates.iter().map(Into::into).collect(),
                approvals: status.approvals.iter().map(Into::into).collect(),
                rejected: status.rejected.clone(),
                last_good: status.last_good.clone(),
                checks: status.checks.clone(),
                clusters: clusters(name),
                ..AddonReport::default()
            };
            (name.clone(), report.into())
        };
        let hold = self.sync.as_ref().and_then(|sync| sync.hold.as_ref()).map(Into::into);
        let notices = self.sync.iter().flat_map(|sync| sync.notices.clone()).collect();
        let overrides = self.sync.iter().flat_map(|sync| sync.overrides.clone()).collect();
        let rules = self.sync.as_ref().and_then(|sync| sync.rules.clone());
        let (unseen, clock) =
            self.sync.as_ref().map(|sync| (sync.unseen.clone(), sync.clock.clone())).unwrap_or_default();
        Report {
            addons: self.addons.iter().map(addon).collect(),
            hold,
            notices,
            overrides,
            rules,
            unseen,
            clock,
            ..Report::default()
        }
    }

    /// Returns the decision groups of each placement, as the clusters were last reported. After a restart, this is all that is
    /// known of its decisions.
    pub fn readings(&self) -> BTreeMap<NamespacedName, Vec<DecisionGroup>> {
        let mut readings: BTreeMap<NamespacedName, BTreeMap<i32, Vec<ClusterName>>> = BTreeMap::new();
        for (name, status) in &self.addons {
            let first = status.placements.first().map_or("", |placement| placement.placement.as_str());
            for (cluster, report) in self.clusters(name).into_iter().filter(|(_, report)| !report.state.is_unselected())
            {
                let placement = if report.placement.is_empty() { first } else { &report.placement };
                let (Some((namespace, name)), Some(group)) = (placement.split_once('/'), report.group) else {
                    continue;
                };
                let groups = readings.entry(NamespacedName::new(namespace, name)).or_default();
                let clusters = groups.entry(group).or_default();
                if !clusters.contains(&cluster) {
                    clusters.push(cluster);
                }
            }
        }
        let groups = |groups: BTreeMap<i32, Vec<ClusterName>>| {
            let group = |(index, mut clusters): (i32, Vec<ClusterName>)| {
                clusters.sort_unstable();
                DecisionGroup { index, name: self.group_name(index), clusters }
            };
            groups.into_iter().map(group).collect()
        };
        readings.into_iter().map(|(name, found)| (name, groups(found))).collect()
    }

    fn group_name(&self, index: i32) -> String {
        let groups = self.addons.values().flat_map(|addon| &addon.placements).flat_map(|placement| &placement.groups);
        groups.into_iter().find(|group| group.index == index).map(|group| group.name.clone()).unwrap_or_default()
    }

    pub(super) fn put(&mut self, name: &UnitName, status: AddonStatus, clusters: Clusters) -> Result<(), Unwritable> {
        let path = file::status(name);
        self.files.insert(path.clone(), yaml(&path, &status)?);
        let list = clusters::document(name, &clusters);
        self.files.insert(file::clusters(name), list.into_bytes());
        self.addons.insert(name.clone(), status);
        self.lists.insert(name.clone(), clusters);
        Ok(())
    }

    /// Reads what was journaled from the files of the journal branch.
    ///
    /// A document that cannot be read is treated as absent: it is written again, and its history stays in the branch.
    pub fn read(files: BTreeMap<String, Vec<u8>>) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let newer = files.get(file::SYNC).and_then(|sync| format::newer(sync));
        let sync: Option<Sync> = files.get(file::SYNC).and_then(|bytes| serde_saphyr::from_str(&text(bytes)?).ok());
        let status = |(path, bytes): (&String, &Vec<u8>)| -> Option<(UnitName, AddonStatus)> {
            let JournalFile::Status(name) = JournalFile::of(path)? else { return None };
            Some((name, serde_saphyr::from_str(&text(bytes)?).ok()?))
        };
        let addons: BTreeMap<_, _> = files.iter().filter_map(status).collect();
        let is_lost = |path: &&String| match JournalFile::of(path) {
            Some(JournalFile::Status(name)) => !addons.contains_key(&name),
            Some(JournalFile::Sync) => sync.is_none(),
            Some(_) => false,
            None => file::is_stray(path) && path.ends_with("/status.yaml"),
        };
        let unreadable = files.keys().filter(is_lost).cloned().collect();
        let mut sealed = BTreeMap::new();
        for path in files.keys() {
            let Some(JournalFile::Sealed(addon, number)) = JournalFile::of(path) else { continue };
            let last = sealed.entry(addon).or_insert(number);
            *last = number.max(*last);
        }
        let list = |name: &UnitName| {
            let bytes = files.get(&file::clusters(name))?;
            Some((name.clone(), clusters::read(bytes).ok()?))
        };
        let lists = addons.keys().filter_map(list).collect();
        let pulls = pulls::read(&files);
        let files = files.into_iter().filter(|(path, _)| is_own(path)).collect();
        Self { sync, newer, unreadable, addons, lists, sealed, pulls, files, fleet_at: None }
    }
}

/// Returns `true` for the files that each entry rewrites or removes. Other files on the branch are not touched.
fn is_own(path: &str) -> bool {
    JournalFile::of(path).map_or_else(|| file::is_stray(path), |file| !matches!(file, JournalFile::Sealed(..)))
}
