//! From a report to the files of one journal commit.

use std::collections::BTreeMap;

use serde::Serialize;

use super::record::{API_VERSION, AddonStatus, Identity, Rollout, SealedRollout, Sync};
use super::revision::{RefusedRevision, Revision, Rewrite};
use super::seal::Gone;
use super::{clusters, headline, hub, readme, seal};
use crate::model::decision::DecisionGroup;
use crate::model::instance::{Instance, InstanceId};
use crate::model::name::{AddonName, ClusterName, NamespacedName};
use crate::model::revision::CommitId;
use crate::model::rewind::Rewind;
use crate::model::time::{Timestamp, to_seconds};
use crate::plan::report::{
    AddonReport, ClusterReport, ConfigReport, ConfigVersion, Counts, Phase, PlacementReport, Report,
};

/// What was journaled last: the documents that the next entry rests on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Journal {
    /// `sync.yaml`.
    pub sync: Option<Sync>,
    /// `status.yaml` of each add-on.
    pub addons: BTreeMap<AddonName, AddonStatus>,
    /// The clusters of each add-on, as `clusters.yaml` has them.
    pub lists: BTreeMap<AddonName, BTreeMap<ClusterName, ClusterReport>>,
    /// The number of the last rollout that was sealed, of each add-on that ever had one.
    pub sealed: BTreeMap<AddonName, u32>,
    /// The bytes of every file that is written anew each time, by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Documents that were there and could not be read.
    pub unreadable: Vec<String>,
}

/// What an entry tells besides the report.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The revision last seen.
    pub seen: Option<Revision>,
    /// The last revision without complaints.
    pub applied: Option<CommitId>,
    /// The revision that each add-on follows.
    pub addons: BTreeMap<AddonName, CommitId>,
    /// The revisions that rollouts start from, if they are older than the last seen.
    pub held: BTreeMap<AddonName, Revision>,
    /// The first complaints of the revision last seen.
    pub complaints: Vec<String>,
    /// How many complaints there are beyond those.
    pub unlisted_complaints: usize,
    /// The last revision whose signatures were found good.
    pub verified: Option<CommitId>,
    /// The newest revision, where it is not trusted.
    pub refused: Option<RefusedRevision>,
    /// The last time that history was rewritten.
    pub rewritten: Option<Rewrite>,
    /// Objects that the hub refused, and those that belong to another instance.
    pub failures: Vec<String>,
    /// The other instances whose objects are taken over.
    pub adopts: Vec<InstanceId>,
    /// The highest resourceVersion seen on the hub.
    pub hub_version: Option<u64>,
    /// The last time that the hub was found to have gone back in time, since the process started.
    pub rewind: Option<Rewind>,
}

/// One commit of the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What to write, by path; `None` removes a file.
    pub files: BTreeMap<String, Option<Vec<u8>>>,
    /// The commit's message.
    pub message: String,
    /// The journal after this entry.
    pub journal: Journal,
}

/// A document that could not be written as YAML; only a mistake in the types makes it happen.
#[derive(Debug, thiserror::Error)]
#[error("{path} cannot be written as YAML: {reason}")]
pub struct Unwritable {
    path: String,
    reason: String,
}

/// Returns the entry that brings the journal up to a report, or `None` if it tells nothing that is not there already.
///
/// # Errors
/// [`Unwritable`] if a document has no form in YAML.
pub fn entry(before: &Journal, report: &Report, facts: &Facts, now: Timestamp) -> Result<Option<Entry>, Unwritable> {
    let mut journal = Journal { sealed: before.sealed.clone(), ..Journal::default() };
    let mut sealed: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut seal = |journal: &mut Journal, name: &AddonName, rollout: SealedRollout| -> Result<(), Unwritable> {
        let path = format!("addons/{name}/rollouts/{}.yaml", rollout.rollout.number);
        journal.sealed.insert(name.clone(), rollout.rollout.number);
        sealed.insert(path.clone(), yaml(&path, &rollout)?);
        Ok(())
    };
    let hub = hub::record(before.sync.as_ref(), facts);
    let went_back = hub.as_ref().and_then(|hub| hub.went_back.as_ref()).map(|went_back| went_back.at);
    for (name, addon) in &report.addons {
        let previous = before.addons.get(name);
        let revision = facts.held.get(name).or(facts.seen.as_ref());
        let progress = seal::followed(name, before, addon, revision, (now, went_back));
        for rollout in progress.sealed {
            seal(&mut journal, name, rollout)?;
        }
        let moment = (revision.map(|r| &r.commit), now);
        let counts = counts(&progress.clusters);
        let status = AddonStatus { clusters: counts, ..addon_status(name, previous, addon, progress.current, moment) };
        journal.put(name, status, progress.clusters)?;
    }
    for (name, previous) in before.addons.iter().filter(|(name, _)| !report.addons.contains_key(*name)) {
        if report.given_up.contains(name) {
            // It is still on clusters, so it was not removed: what was known last stays.
            let problem = Some("it is no longer this instance's, and is still on clusters".to_owned());
            let status = AddonStatus { problem, ..previous.clone() };
            journal.put(name, status, before.clusters(name))?;
            continue;
        }
        match seal::gone(name, before, facts.seen.as_ref(), now) {
            Gone::Sealed(rollout) => seal(&mut journal, name, *rollout)?,
            Gone::Removed(progress) => {
                for rollout in progress.sealed {
                    seal(&mut journal, name, rollout)?;
                }
                let status = AddonStatus {
                    phase: Phase::Completed,
                    since: to_seconds(now),
                    problem: None,
                    rollout: progress.current,
                    removal: None,
                    clusters: counts(&progress.clusters),
                    placements: Vec::new(),
                    ..previous.clone()
                };
                journal.put(name, status, progress.clusters)?;
            }
            Gone::Nothing => {}
        }
    }
    let mut sync = Sync { hub, ..sync(before.sync.as_ref(), report, facts) };
    sync.notices.extend(hub::notice(sync.hub.as_ref(), journal.addons.values()));
    journal.files.insert("sync.yaml".to_owned(), yaml("sync.yaml", &sync)?);
    journal.files.insert("README.md".to_owned(), readme::page(&sync, journal.addons.values()).into_bytes());

    let mut changed: BTreeMap<String, Option<Vec<u8>>> = journal
        .files
        .iter()
        .filter(|(path, bytes)| before.files.get(*path) != Some(*bytes))
        .map(|(path, bytes)| (path.clone(), Some(bytes.clone())))
        .chain(before.files.keys().filter(|path| !journal.files.contains_key(*path)).map(|path| (path.clone(), None)))
        .chain(sealed.into_iter().map(|(path, bytes)| (path, Some(bytes))))
        .collect();
    if changed.is_empty() {
        return Ok(None);
    }
    let has_changed = |name: &AddonName| {
        let own = format!("addons/{name}/");
        changed.keys().any(|path| path.starts_with(&own))
    };
    let told: Vec<&AddonStatus> = journal.addons.values().filter(|addon| has_changed(&addon.addon)).collect();
    let message = headline::message(&sync, &told, changed.contains_key("sync.yaml"));
    sync.hub = hub::counted(sync.hub, facts);
    let counted = yaml("sync.yaml", &sync)?;
    if before.files.get("sync.yaml") != Some(&counted) {
        changed.insert("sync.yaml".to_owned(), Some(counted.clone()));
    }
    journal.files.insert("sync.yaml".to_owned(), counted);
    journal.sync = Some(sync);
    Ok(Some(Entry { files: changed, message, journal }))
}

fn counts(clusters: &BTreeMap<ClusterName, ClusterReport>) -> Counts {
    Counts::of(clusters.values())
}

fn sync(before: Option<&Sync>, report: &Report, facts: &Facts) -> Sync {
    // What the hub refuses is not applied, however sound the revision is.
    let applied = if facts.failures.is_empty() { &facts.applied } else { &before.and_then(|b| b.applied.clone()) };
    Sync {
        api_version: API_VERSION.to_owned(),
        kind: "Sync".to_owned(),
        instance: before.and_then(|before| before.instance.clone()),
        adopts: facts.adopts.clone(),
        seen: facts.seen.clone(),
        applied: applied.clone(),
        verified: facts.verified.clone(),
        refused: facts.refused.clone(),
        rewritten: facts.rewritten.clone(),
        addons: facts.addons.clone(),
        complaints: facts.complaints.clone(),
        unlisted_complaints: facts.unlisted_complaints,
        failures: facts.failures.clone(),
        notices: report.notices.clone(),
        hold: report.hold.clone(),
        hub: None,
    }
}

/// Returns the entry that gives a journal its identity, or its instance another name; `None` if it has both.
///
/// It is made before anything is written to the hub: an object that bears an identity which no journal knows belongs to nobody.
///
/// # Errors
/// [`Unwritable`] if a document has no form in YAML.
pub fn identified(before: &Journal, candidate: &Instance, now: Timestamp) -> Result<Option<Entry>, Unwritable> {
    let known = before.sync.as_ref().and_then(|sync| sync.instance.clone());
    let name = if candidate.name.is_empty() {
        known.as_ref().map(|k| k.name.clone()).unwrap_or_default()
    } else {
        candidate.name.clone()
    };
    let identity = match known.clone() {
        Some(known) => Identity { name, ..known },
        None => {
            let had_journal = before.sync.is_some();
            Identity { id: candidate.id.clone(), name, since: to_seconds(now), had_journal }
        }
    };
    if known.as_ref() == Some(&identity) {
        return Ok(None);
    }
    let empty = || sync(None, &Report::default(), &Facts::default());
    let sync = Sync { instance: Some(identity.clone()), ..before.sync.clone().unwrap_or_else(empty) };
    let mut journal = before.clone();
    let page = readme::page(&sync, journal.addons.values()).into_bytes();
    let files = [("sync.yaml".to_owned(), yaml("sync.yaml", &sync)?), ("README.md".to_owned(), page)];
    journal.files.extend(files.iter().cloned());
    let trailers = headline::trailers(&sync, &[]).join("\n");
    let message = format!("instance {}\n\n{trailers}", identity.instance());
    journal.sync = Some(sync);
    let files = files.into_iter().map(|(path, bytes)| (path, Some(bytes))).collect();
    Ok(Some(Entry { files, message: format!("{}\n", message.trim_end()), journal }))
}

fn addon_status(
    name: &AddonName,
    before: Option<&AddonStatus>,
    report: &AddonReport,
    rollout: Option<Rollout>,
    moment: (Option<&CommitId>, Timestamp),
) -> AddonStatus {
    let (commit, now) = moment;
    let is_same = |b: &&AddonStatus| b.phase == report.phase && b.version == report.version;
    AddonStatus {
        api_version: API_VERSION.to_owned(),
        kind: "AddonStatus".to_owned(),
        addon: name.clone(),
        version: report.version.clone(),
        phase: report.phase,
        since: before.filter(is_same).map_or_else(|| to_seconds(now), |b| b.since),
        problem: report.problem.clone(),
        rollout,
        clusters: Counts::default(),
        removal: report.removal.clone(),
        placements: dated(&report.placements, before, commit),
    }
}

/// Notes with each configuration the revision that brought it: what the journal said before, or else the present one.
fn dated(
    placements: &[PlacementReport],
    before: Option<&AddonStatus>,
    commit: Option<&CommitId>,
) -> Vec<PlacementReport> {
    let versions = |config: &ConfigReport| {
        [Some(config.desired.clone()), config.last_applied.clone(), config.last_known_good.clone()]
            .into_iter()
            .flatten()
    };
    let known: BTreeMap<(String, String), CommitId> = before
        .into_iter()
        .flat_map(|status| &status.placements)
        .flat_map(|placement| placement.configs.iter().flat_map(versions))
        .filter_map(|version| Some(((version.name, version.hash), version.commit?)))
        .collect();
    let date = |version: &mut ConfigVersion| {
        let key = (version.name.clone(), version.hash.clone());
        version.commit = known.get(&key).or(commit).cloned();
    };
    let mut placements = placements.to_vec();
    for config in placements.iter_mut().flat_map(|placement| &mut placement.configs) {
        let ConfigReport { desired, last_applied, last_known_good, .. } = config;
        [Some(desired), last_applied.as_mut(), last_known_good.as_mut()].into_iter().flatten().for_each(date);
    }
    placements
}

/// Returns a document as it stands in the journal.
///
/// # Errors
/// [`Unwritable`] if it has no form in YAML.
pub fn yaml(path: &str, document: &impl Serialize) -> Result<Vec<u8>, Unwritable> {
    serde_saphyr::to_string(document)
        .map(String::into_bytes)
        .map_err(|error| Unwritable { path: path.to_owned(), reason: error.to_string() })
}

impl Journal {
    /// Returns how the clusters of an add-on stood; none if that could not be read.
    pub fn clusters(&self, addon: &AddonName) -> BTreeMap<ClusterName, ClusterReport> {
        self.lists.get(addon).cloned().unwrap_or_default()
    }

    /// Returns the instance that keeps the journal; `None` in a journal of a version up to 0.1.0.
    pub fn instance(&self) -> Option<Instance> {
        Some(self.sync.as_ref()?.instance.as_ref()?.instance())
    }

    /// Sets the identity of the instance that keeps the journal, whatever somebody else has written there.
    pub fn identify(&mut self, identity: &Identity) {
        let empty = || sync(None, &Report::default(), &Facts::default());
        self.sync.get_or_insert_with(empty).instance = Some(identity.clone());
    }

    /// Returns what the journal says as a report, as far as decisions depend on it.
    pub fn report(&self) -> Report {
        let addon = |(name, status): (&AddonName, &AddonStatus)| {
            let report = AddonReport {
                version: status.version.clone(),
                phase: status.phase,
                problem: status.problem.clone(),
                placements: status.placements.clone(),
                removal: status.removal.clone(),
                clusters: self.clusters(name),
                ..AddonReport::default()
            };
            (name.clone(), report)
        };
        let hold = self.sync.as_ref().and_then(|sync| sync.hold.clone());
        Report { addons: self.addons.iter().map(addon).collect(), hold, ..Report::default() }
    }

    /// Returns the decision groups of each placement, as the clusters were last reported: what is known of its decisions after a restart.
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

    fn put(
        &mut self,
        name: &AddonName,
        status: AddonStatus,
        clusters: BTreeMap<ClusterName, ClusterReport>,
    ) -> Result<(), Unwritable> {
        let path = format!("addons/{name}/status.yaml");
        self.files.insert(path.clone(), yaml(&path, &status)?);
        let list = clusters::document(name, &clusters);
        self.files.insert(format!("addons/{name}/clusters.yaml"), list.into_bytes());
        self.addons.insert(name.clone(), status);
        self.lists.insert(name.clone(), clusters);
        Ok(())
    }

    /// Reads back what was journaled, from the files of the journal branch.
    ///
    /// A document that cannot be read is taken for absent: it is laid anew, and its history stays in the branch.
    pub fn read(files: BTreeMap<String, Vec<u8>>) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let sync: Option<Sync> = files.get("sync.yaml").and_then(|bytes| serde_saphyr::from_str(&text(bytes)?).ok());
        let status = |(path, bytes): (&String, &Vec<u8>)| -> Option<(AddonName, AddonStatus)> {
            let name = path.strip_prefix("addons/")?.strip_suffix("/status.yaml")?;
            Some((name.parse().ok()?, serde_saphyr::from_str(&text(bytes)?).ok()?))
        };
        let addons: BTreeMap<_, _> = files.iter().filter_map(status).collect();
        let is_lost =
            |path: &&String| match path.strip_prefix("addons/").and_then(|path| path.strip_suffix("/status.yaml")) {
                Some(name) => !addons.contains_key(name),
                None => *path == "sync.yaml" && sync.is_none(),
            };
        let unreadable = files.keys().filter(is_lost).cloned().collect();
        let mut sealed = BTreeMap::new();
        for (addon, number) in files.keys().filter_map(|path| sealed_path(path)) {
            let last = sealed.entry(addon).or_insert(number);
            *last = number.max(*last);
        }
        let list = |name: &AddonName| {
            let bytes = files.get(&format!("addons/{name}/clusters.yaml"))?;
            Some((name.clone(), clusters::read(bytes).ok()?))
        };
        let lists = addons.keys().filter_map(list).collect();
        let files = files.into_iter().filter(|(path, _)| is_own(path)).collect();
        Self { sync, unreadable, addons, lists, sealed, files }
    }
}

/// Says whether a file is one that each entry writes anew, or removes. What else lies on the branch is somebody else's.
fn is_own(path: &str) -> bool {
    let of_addon = || path.strip_prefix("addons/").and_then(|rest| rest.split_once('/'));
    matches!(path, "README.md" | "sync.yaml")
        || of_addon().is_some_and(|(_, file)| matches!(file, "status.yaml" | "clusters.yaml"))
}

/// Returns whose rollout a path seals, and its number; `None` for a path that seals none.
pub fn sealed_path(path: &str) -> Option<(AddonName, u32)> {
    let (addon, number) = path.strip_prefix("addons/")?.strip_suffix(".yaml")?.split_once("/rollouts/")?;
    Some((addon.parse().ok()?, number.parse().ok()?))
}
