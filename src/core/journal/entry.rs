//! Turns a report into the files of one journal commit.

use std::collections::BTreeMap;

use super::documents::{Journal, Unwritable, yaml};
use super::facts::Facts;
use super::fleet::FleetFile;
use super::record::{
    API_VERSION, AddonStatus, ClusterRecord, Clusters, ConfigRecord, Identity, PlacementRecord, Rollout, SealedRollout,
    Sync, VersionRecord,
};
use super::seal::Gone;
use super::{fleet, headline, hub, pulls, readme, seal};
use tidegate_model::instance::Instance;
use tidegate_model::name::AddonName;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_plan::report::{AddonReport, PlacementReport, Report};

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

/// Returns the entry that brings the journal up to date with a report, or `None` if nothing has changed.
///
/// # Errors
/// [`Unwritable`] if a document cannot be written as YAML.
pub fn entry(before: &Journal, report: &Report, facts: &Facts, now: Timestamp) -> Result<Option<Entry>, Unwritable> {
    let mut journal = Journal { sealed: before.sealed.clone(), fleet_at: before.fleet_at, ..Journal::default() };
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
        let revision = facts.revision.held.get(name).or(facts.revision.seen.as_ref());
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
            // It is still on clusters, so it was not removed: keep what was last known.
            let problem = Some("it no longer belongs to this instance, but is still on clusters".to_owned());
            let status = AddonStatus { problem, ..previous.clone() };
            journal.put(name, status, before.clusters(name))?;
            continue;
        }
        match seal::gone(name, before, facts.revision.seen.as_ref(), now) {
            Gone::Sealed(rollout) => seal(&mut journal, name, *rollout)?,
            Gone::Removed(progress) => {
                for rollout in progress.sealed {
                    seal(&mut journal, name, rollout)?;
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
                journal.put(name, status, progress.clusters)?;
            }
            Gone::Nothing => {}
        }
    }
    let (file, notice) = fleet::file(before, &facts.fleet, (now, !sealed.is_empty()));
    let mut sync = Sync { hub, ..sync(before.sync.as_ref(), report, facts) };
    sync.notices.extend(notice);
    sync.notices.extend(hub::notice(sync.hub.as_ref(), journal.addons.values()));
    journal.files.insert("sync.yaml".to_owned(), yaml("sync.yaml", &sync)?);
    journal.files.insert("README.md".to_owned(), readme::page(&sync, journal.addons.values()).into_bytes());
    journal.files.extend(pulls::files(&facts.pulls)?);
    journal.pulls = facts.pulls.records.as_ref().clone();
    journal.files.extend(before.files.get_key_value(fleet::PATH).filter(|_| file != FleetFile::Remove).map(owned));

    let mut changed: BTreeMap<String, Option<Vec<u8>>> = journal
        .files
        .iter()
        .filter(|(path, bytes)| before.files.get(*path) != Some(*bytes))
        .map(|(path, bytes)| (path.clone(), Some(bytes.clone())))
        .chain(before.files.keys().filter(|path| !journal.files.contains_key(*path)).map(|path| (path.clone(), None)))
        .chain(sealed.into_iter().map(|(path, bytes)| (path, Some(bytes))))
        .collect();
    let mut subject = String::new();
    if let FleetFile::Write { text, subject: own } = file
        && !(changed.is_empty() && own.is_none())
    {
        changed.insert(fleet::PATH.to_owned(), Some(text.clone()));
        journal.files.insert(fleet::PATH.to_owned(), text);
        journal.fleet_at = Some(now);
        subject = own.unwrap_or_default();
    }
    if changed.is_empty() {
        return Ok(None);
    }
    let subject = pulls::subject(changed.keys().map(String::as_str)).unwrap_or(subject);
    let has_changed = |name: &AddonName| {
        let own = format!("addons/{name}/");
        changed.keys().any(|path| path.starts_with(&own))
    };
    let reported: Vec<&AddonStatus> = journal.addons.values().filter(|addon| has_changed(&addon.addon)).collect();
    let other = (!changed.contains_key("sync.yaml")).then_some(subject).filter(|subject| !subject.is_empty());
    let message = match other.filter(|_| reported.is_empty()) {
        Some(subject) => headline::of_others(&sync, &subject),
        None => headline::message(&sync, &reported, changed.contains_key("sync.yaml")),
    };
    sync.hub = hub::counted(sync.hub, facts);
    let counted = yaml("sync.yaml", &sync)?;
    if before.files.get("sync.yaml") != Some(&counted) {
        changed.insert("sync.yaml".to_owned(), Some(counted.clone()));
    }
    journal.files.insert("sync.yaml".to_owned(), counted);
    journal.sync = Some(sync);
    Ok(Some(Entry { files: changed, message, journal }))
}

fn owned((path, bytes): (&String, &Vec<u8>)) -> (String, Vec<u8>) {
    (path.clone(), bytes.clone())
}

fn counts(clusters: &Clusters) -> Counts {
    Counts::of(clusters.values().map(ClusterRecord::counted))
}

fn sync(before: Option<&Sync>, report: &Report, facts: &Facts) -> Sync {
    // If the hub refuses an object, the revision is not applied, even if it is valid.
    let applied =
        if facts.failures.is_empty() { &facts.revision.applied } else { &before.and_then(|b| b.applied.clone()) };
    Sync {
        instance: before.and_then(|before| before.instance.clone()),
        adopts: facts.revision.adopts.clone(),
        seen: facts.revision.seen.clone(),
        applied: applied.clone(),
        verified: facts.revision.verified.clone(),
        refused: facts.revision.refused.clone(),
        rewritten: facts.revision.rewritten.clone(),
        changes: facts.revision.changes.clone(),
        replaced: facts.revision.replaced.clone(),
        addons: facts.revision.addons.clone(),
        policies: facts.revision.policies.clone(),
        rules: report.rules.clone(),
        complaints: facts.revision.complaints.clone(),
        unlisted_complaints: facts.revision.unlisted_complaints,
        failures: facts.failures.clone(),
        notices: report.notices.iter().chain(&facts.notices).cloned().collect(),
        overrides: report.overrides.clone(),
        hold: report.hold.as_ref().map(Into::into),
        unseen: report.unseen.clone(),
        clock: report.clock.clone(),
        ..Sync::empty()
    }
}

/// Returns the entry that gives a journal its identity or renames its instance; `None` if both are up to date.
///
/// This entry is committed before anything is written to the hub: an object with an identity that no journal knows has no
/// owner.
///
/// # Errors
/// [`Unwritable`] if a document cannot be written as YAML.
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
    let sync = Sync { instance: Some(identity.clone()), ..before.sync.clone().unwrap_or_else(Sync::empty) };
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
        digest: report.digest.clone(),
        phase: report.phase,
        since: before.filter(is_same).map_or_else(|| to_seconds(now), |b| b.since),
        problem: report.problem.clone(),
        rollout,
        clusters: Counts::default(),
        removal: report.removal.as_ref().map(Into::into),
        gates: report.gates.iter().map(Into::into).collect(),
        approvals: report.approvals.iter().map(Into::into).collect(),
        rejected: report.rejected.clone(),
        last_good: report.last_good.clone(),
        checks: report.checks.clone(),
        placements: dated(&report.placements, before, commit),
    }
}

/// Sets the revision that introduced each configuration: the one already journaled, or else the current one.
fn dated(
    placements: &[PlacementReport],
    before: Option<&AddonStatus>,
    commit: Option<&CommitId>,
) -> Vec<PlacementRecord> {
    let versions = |config: &ConfigRecord| {
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
    let date = |version: &mut VersionRecord| {
        let key = (version.name.clone(), version.hash.clone());
        version.commit = known.get(&key).or(commit).cloned();
    };
    let mut placements: Vec<PlacementRecord> = placements.iter().map(Into::into).collect();
    for config in placements.iter_mut().flat_map(|placement| &mut placement.configs) {
        let ConfigRecord { desired, last_applied, last_known_good, .. } = config;
        [Some(desired), last_applied.as_mut(), last_known_good.as_mut()].into_iter().flatten().for_each(date);
    }
    placements
}
