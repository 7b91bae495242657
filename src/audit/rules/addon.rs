//! Follows one add-on through the commits of a journal: its known state, and what each commit changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::cluster;
use super::cluster::Window;
use super::commit;
use super::rollout;
use super::rollout::{Known, Step};
use super::sealed;
use super::sealed::{Detail, Reports};
use crate::audit::claims::gate;
use crate::audit::claims::{self, Start};
use crate::audit::documents::document;
use crate::audit::documents::lines::{Changed, Lines};
use crate::audit::documents::text::{difference, line_of, quoted};
use crate::audit::finding::{Problem, Rule};
use tidegate_journal::file;
use tidegate_journal::record::{API_VERSION, AddonStatus, Outcome, Rollout, SealedRollout};
use tidegate_model::chain::{Content, FileChange, Link};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::time::Timestamp;

/// The known state of an add-on.
#[derive(Debug, Clone, Default)]
pub(in crate::audit) struct Addon {
    /// Its status.
    pub(in crate::audit) status: Known,
    text: String,
    clusters: Option<Lines>,
    /// The numbers of its rollouts that are or ever were sealed.
    pub(in crate::audit) sealed: BTreeSet<u32>,
    /// The clusters that started with the last commit.
    pub(in crate::audit) start: Option<Start>,
    /// The last digest that all clusters completed.
    good: Option<Digest>,
    /// Whether an earlier commit had its status.
    was_known: bool,
    /// What its rollouts completed, as digests of all configurations.
    completed: BTreeSet<String>,
}

/// The changes that one commit makes to one add-on.
#[derive(Debug, Default)]
pub(in crate::audit) struct Touched<'l> {
    /// The change to its status.
    pub(in crate::audit) status: Option<&'l FileChange>,
    /// The change to its clusters.
    pub(in crate::audit) clusters: Option<&'l FileChange>,
    /// The changes to its sealed rollouts, by number.
    pub(in crate::audit) sealed: Vec<(u32, &'l FileChange)>,
}

/// The problems found in one commit, each with its file.
pub(in crate::audit) type Found = Vec<(Option<String>, Problem)>;

/// A commit, with facts about the commits before it.
pub(in crate::audit) struct Moment<'l> {
    /// The commit.
    pub(in crate::audit) link: &'l Link,
    /// When the previous commit was written.
    pub(in crate::audit) after: Option<Timestamp>,
    /// Whether it combines several entries.
    pub(in crate::audit) is_gathered: bool,
    /// Whether the first commit of the journal combines earlier entries, which are lost.
    pub(in crate::audit) begins_again: bool,
    /// The record of the fleet, before or after the commit.
    pub(in crate::audit) fleet: Option<Arc<Vec<u8>>>,
}

impl Addon {
    /// Applies what a commit changes in the add-on, and returns the problems.
    pub(in crate::audit) fn follow(&mut self, name: &UnitName, touched: &Touched<'_>, moment: &Moment<'_>) -> Found {
        let path = |file: &str| Some(format!("{}{file}", file::folder(name)));
        let mut found = Found::new();
        let had = (!touched.sealed.is_empty()).then(|| self.clusters.as_ref().map(Lines::reports).unwrap_or_default());
        let before = match touched.status {
            Some(change) => {
                let before = std::mem::take(&mut self.status);
                found.extend(self.take_status(name, change).into_iter().map(|p| (path("status.yaml"), p)));
                before
            }
            None => self.status.clone(),
        };
        let changed = touched.clusters.map(|change| {
            let listed = self.clusters.as_ref().map(Lines::reports).unwrap_or_default();
            let (changed, problems) = self.take_clusters(name, change);
            found.extend(problems.into_iter().map(|p| (path("clusters.yaml"), p)));
            let has = self.clusters.as_ref().map(Lines::reports).unwrap_or_default();
            found.extend(cluster::dropped(&listed, &has).map(|p| (path("clusters.yaml"), p)));
            changed
        });
        if matches!(self.status, Known::Absent) != self.clusters.is_none() {
            let problem = Problem::new(Rule::Pair, "status.yaml and clusters.yaml must be added and removed together");
            found.push((path("status.yaml"), problem));
        }
        found.extend(self.counts().map(|p| (path("status.yaml"), p)));
        let added: BTreeSet<u32> =
            touched.sealed.iter().filter(|(_, c)| c.after != Content::Gone).map(|s| s.0).collect();
        if !moment.link.is_cut {
            let (is_gathered, text) = (moment.is_gathered, self.text.as_str());
            let behind = commit::behind(moment.link, moment.after);
            let (after, sealed) = (&self.status, &self.sealed);
            let step = Step { before: &before, after, text, sealed, added: &added, is_gathered, behind };
            found.extend(rollout::problems(&step).into_iter().map(|p| (path("status.yaml"), p)));
            let window = self.window(&before, moment);
            let problems = changed.iter().flatten().flat_map(|changed: &Changed| cluster::problems(changed, &window));
            found.extend(problems.map(|p| (path("clusters.yaml"), p)));
            if let Some(after) = self.status.status().filter(|_| !moment.is_gathered) {
                let returns_after = self.returns_after(&before, moment);
                let judged = changed.iter().flatten().filter(|changed| !gate::is_older(changed, returns_after));
                let problems = judged.filter_map(|changed| gate::problem(changed, before.status(), after));
                found.extend(problems.map(|p| (path("clusters.yaml"), p)));
            }
        }
        let mut ended = Vec::new();
        if let Some(had) = had {
            found.extend(self.seals(name, &touched.sealed, (&before, &had), moment, &mut ended));
        }
        if !moment.link.is_cut {
            self.start = self.started(name, &before, &ended, changed.as_deref().unwrap_or_default(), moment);
        }
        self.keep_good(&before, &ended, moment);
        self.was_known |= matches!(self.status, Known::Status(_));
        let is_completed = |rollout: &&Rollout| rollout.outcome == Outcome::Completed;
        self.completed.extend(ended.iter().filter(is_completed).map(|rollout| rollout.target.clone()));
        found
    }

    fn started(
        &self,
        addon: &UnitName,
        before: &Known,
        ended: &[Rollout],
        changed: &[Changed],
        moment: &Moment<'_>,
    ) -> Option<Start> {
        let after = self.status.status()?;
        let was_completed = after.rollout.as_ref().is_some_and(|rollout| self.completed.contains(&rollout.target));
        let returns_after = self.returns_after(before, moment);
        let (before, good, fleet) = (before.status(), self.good.as_ref(), moment.fleet.as_ref());
        let begins_again = moment.begins_again && moment.after.is_none();
        let at = moment.link.author.time;
        claims::start(&claims::Step {
            addon,
            before,
            after,
            ended,
            good,
            was_completed,
            begins_again,
            returns_after,
            changed,
            fleet,
            at,
        })
    }

    /// Returns when the previous commit was written, if the unit comes back: the journal had nothing of it then, but had it before, or may
    /// have had it in entries that are lost.
    fn returns_after(&self, before: &Known, moment: &Moment<'_>) -> Option<Timestamp> {
        let may_return = matches!(before, Known::Absent) && (self.was_known || moment.begins_again);
        moment.after.filter(|_| may_return)
    }

    /// Keeps the last digest that all clusters completed, as far as a commit shows that they did.
    fn keep_good(&mut self, before: &Known, ended: &[Rollout], moment: &Moment<'_>) {
        let Some(after) = self.status.status() else { return };
        let known = before.status().and_then(|before| before.last_good.as_ref());
        let Some(good) = after.last_good.as_ref().filter(|good| known != Some(*good)) else { return };
        let is_now = after.phase == Phase::Completed && after.digest.as_ref() == Some(&good.digest);
        let is_completed = is_now || ended.iter().any(|rollout| rollout.outcome == Outcome::Completed);
        if is_completed || moment.is_gathered || moment.link.is_cut {
            self.good = Some(good.digest.clone());
        }
    }

    fn window(&self, before: &Known, moment: &Moment<'_>) -> Window {
        let rollout = self.status.rollout();
        let is_same_rollout = before.rollout().map(|r| r.number) == rollout.map(|r| r.number);
        let open = rollout.filter(|r| !is_same_rollout || r.outcome == Outcome::InProgress);
        Window {
            after: moment.after,
            began: open.map(|r| r.started),
            rollout: rollout.map(|r| r.started),
            is_same_rollout: is_same_rollout && matches!(before, Known::Status(_)),
            told: moment.link.author.time,
            behind: commit::behind(moment.link, moment.after),
        }
    }

    fn take_status(&mut self, name: &UnitName, change: &FileChange) -> Vec<Problem> {
        self.text.clear();
        let bytes = match &change.after {
            Content::File(bytes) => bytes,
            Content::Gone => return Vec::new(),
            Content::Unread(_) => {
                self.status = Known::Lost;
                return Vec::new();
            }
        };
        match document::read::<AddonStatus>(&change.path, bytes) {
            Ok((read, problem)) => {
                let AddonStatus { api_version, kind, addon, .. } = &read.value;
                let identity = [
                    document::identity(&read.text, "apiVersion", api_version, API_VERSION),
                    document::identity(&read.text, "kind", kind, "AddonStatus"),
                    document::identity(&read.text, "addon", addon.as_str(), name.as_str()),
                ];
                self.text = read.text;
                self.status = Known::Status(Box::new(read.value));
                problem.into_iter().chain(identity.into_iter().flatten()).collect()
            }
            Err(problem) => {
                self.status = Known::Lost;
                vec![problem]
            }
        }
    }

    fn take_clusters(&mut self, name: &UnitName, change: &FileChange) -> (Vec<Changed>, Vec<Problem>) {
        let Content::File(bytes) = &change.after else {
            self.clusters = None;
            return (Vec::new(), Vec::new());
        };
        let lines = self.clusters.get_or_insert_default();
        match document::text(bytes) {
            Ok(text) => lines.take(name, &text),
            Err(problem) => (Vec::new(), vec![problem]),
        }
    }

    /// Compares the counts of the status with the clusters.
    fn counts(&self) -> Option<Problem> {
        let (status, clusters) = (self.status.status()?, self.clusters.as_ref()?);
        let counts = clusters.counts();
        if status.clusters != counts {
            let problem = format!("its counts are {}", numbers(&status.clusters));
            let line = line_of(&self.text, "clusters:");
            return Some(
                Problem::new(Rule::Counts, problem)
                    .at(line)
                    .expected(format!("{}, as in clusters.yaml", numbers(&counts))),
            );
        }
        let needed = clusters.needed();
        let is_complete = needed.succeeded == needed.total;
        (status.phase == Phase::Completed && !is_complete).then(|| {
            let problem = format!("the add-on is Completed with {} of {} clusters", counts.succeeded, counts.total);
            Problem::new(Rule::Completed, problem).at(line_of(&self.text, "phase:"))
        })
    }

    /// Checks the sealed rollouts that a commit touches.
    fn seals(
        &mut self,
        name: &UnitName,
        touched: &[(u32, &FileChange)],
        (before, had): (&Known, &Reports),
        moment: &Moment<'_>,
        ended: &mut Vec<Rollout>,
    ) -> Found {
        let mut found = Found::new();
        let has = self.clusters.as_ref().map(Lines::reports).unwrap_or_default();
        for (number, change) in touched {
            let mut tell = |problem: Problem| found.push((Some(change.path.clone()), problem));
            // A number stays in use, even if its file is removed.
            if !self.sealed.insert(*number) {
                tell(unsealed(change));
                continue;
            }
            let Content::File(bytes) = &change.after else { continue };
            let (read, problem) = match document::read::<SealedRollout>(&change.path, bytes) {
                Ok(read) => read,
                Err(problem) => {
                    tell(problem);
                    continue;
                }
            };
            problem.into_iter().for_each(&mut tell);
            ended.push(read.value.rollout.clone());
            sealed::problems((name, *number), &read.text, &read.value, moment.link.author.time)
                .into_iter()
                .for_each(&mut tell);
            if !moment.link.is_cut && !moment.is_gathered {
                let detail = Detail { before, had, after: &self.status, has: &has };
                sealed::contradiction(name, &read.text, &read.value, &detail).into_iter().for_each(&mut tell);
            }
        }
        found
    }
}

fn numbers(counts: &Counts) -> String {
    let Counts { total, succeeded, progressing, failed, waiting, leaving, degraded } = counts;
    let also = |count: usize, what: &str| if count > 0 { format!(", {count} {what}") } else { String::new() };
    let also = [also(*leaving, "leaving"), also(*degraded, "degraded")].concat();
    format!("{total} in all, {succeeded} succeeded, {progressing} under way, {failed} failed, {waiting} waiting{also}")
}

/// Describes what was done to a sealed file.
fn unsealed(change: &FileChange) -> Problem {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match (&change.before, &change.after) {
        (_, Content::Gone) => {
            Problem::new(Rule::Sealed, "a sealed rollout was removed").expected("the file as it was sealed")
        }
        (Some(before), Content::File(after)) => {
            let (before, after) = (text(before), text(after));
            let problem = Problem::new(Rule::Sealed, "a sealed rollout was changed");
            match difference(&after, &before) {
                Some(at) => {
                    let problem =
                        Problem::new(Rule::Sealed, format!("a sealed rollout was changed: {}", quoted(at.found)));
                    problem.at(Some(at.line)).expected(quoted(at.wanted))
                }
                None => problem,
            }
        }
        _ => Problem::new(Rule::Sealed, "a rollout is sealed for a second time")
            .expected("the first file, which must never be removed"),
    }
}
