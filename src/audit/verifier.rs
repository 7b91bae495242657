//! The walk of the audit: what is known so far, and each commit held against it.

use std::collections::{BTreeMap, BTreeSet};

use super::cluster::{self, Window};
use super::commit::{self, Options, Times};
use super::document;
use super::finding::{Finding, Problem, Rule};
use super::lines::{Changed, Lines};
use super::place::{Place, place};
use super::rollout::{self, Known, Step};
use super::sealed::{self, Detail, Reports};
use super::text::{difference, line_of};
use crate::journal::readme;
use crate::journal::record::{API_VERSION, AddonStatus, Outcome, SealedRollout, Sync};
use crate::model::chain::{Content, FileChange, Link};
use crate::model::name::AddonName;
use crate::model::time::Timestamp;
use crate::plan::report::Phase;

/// What came of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How many commits were looked at.
    pub commits: usize,
    /// How many of them were written by Tidegate, as they say.
    pub ours: usize,
    /// How many rollouts are sealed.
    pub sealed: usize,
    /// Whether the history begins with a commit whose predecessor is not at hand.
    pub is_cut: bool,
    /// What is wrong, in the order of the commits.
    pub findings: Vec<Finding>,
}

/// What is known of an add-on.
#[derive(Debug, Default)]
struct Addon {
    status: Known,
    text: String,
    clusters: Option<Lines>,
    sealed: BTreeSet<u32>,
}

/// Walks along the commits of a journal, from the first to the tip, and finds what is wrong.
pub struct Verifier<'a> {
    options: Options<'a>,
    last: Option<Times>,
    addons: BTreeMap<AddonName, Addon>,
    sync: Option<Sync>,
    /// The texts of the files beside the add-ons.
    texts: BTreeMap<String, String>,
    /// The page that the documents amount to.
    page: Option<String>,
    verdict: Verdict,
}

/// What one commit does to one add-on.
#[derive(Debug, Default)]
struct Touched<'l> {
    status: Option<&'l FileChange>,
    clusters: Option<&'l FileChange>,
    sealed: Vec<(u32, &'l FileChange)>,
}

/// The problems of one commit, each with its file.
type Found = Vec<(Option<String>, Problem)>;

impl<'a> Verifier<'a> {
    /// Begins an audit.
    pub fn new(options: Options<'a>) -> Self {
        Self {
            options,
            last: None,
            addons: BTreeMap::new(),
            sync: None,
            texts: BTreeMap::new(),
            page: None,
            verdict: Verdict::default(),
        }
    }

    /// Returns what came of it.
    pub fn verdict(self) -> Verdict {
        let sealed = self.addons.values().map(|addon| addon.sealed.len()).sum();
        Verdict { sealed, ..self.verdict }
    }

    /// Looks at the next commit.
    pub fn follow(&mut self, link: &Link) {
        self.verdict.commits += 1;
        self.verdict.is_cut |= link.is_cut;
        let is_ours = commit::is_ours(link, &self.options);
        self.verdict.ours += usize::from(is_ours);
        let problems = commit::problems(self.last.as_ref(), link, &self.options);
        let mut found: Found = problems.into_iter().map(|problem| (None, problem)).collect();
        if !is_ours && !link.is_cut {
            found.extend(link.changes.iter().map(|change| (Some(change.path.clone()), self.foreign(link, change))));
        }
        let mut touched: BTreeMap<AddonName, Touched<'_>> = BTreeMap::new();
        let mut page = None;
        for change in &link.changes {
            if let Content::Unread(why) = &change.after {
                found.push((Some(change.path.clone()), Problem::new(Rule::Path, format!("it is not read: {why}"))));
            }
            match place(&change.path) {
                Place::Page => page = Some(change),
                Place::Sync => found.extend(self.sync(change).into_iter().map(|p| (Some(change.path.clone()), p))),
                Place::Status(addon) => touched.entry(addon).or_default().status = Some(change),
                Place::Clusters(addon) => touched.entry(addon).or_default().clusters = Some(change),
                Place::Sealed(addon, number) => touched.entry(addon).or_default().sealed.push((number, change)),
                Place::Stranger => {
                    if change.after != Content::Gone {
                        let problem = Problem::new(Rule::Path, "it is no file of the journal");
                        found.push((Some(change.path.clone()), problem.expected("no such file")));
                    }
                }
            }
        }
        let moment =
            Moment { link, after: self.last.map(|last| last.authored), is_gathered: commit::is_gathered(link) };
        for (name, touched) in &touched {
            let addon = self.addons.entry(name.clone()).or_default();
            found.extend(addon.follow(name, touched, &moment));
        }
        found.extend(self.page(page).map(|problem| (Some("README.md".to_owned()), problem)));
        if is_ours && !link.is_cut {
            found.extend(self.trailers(link, &touched).map(|problem| (None, problem)));
        }
        self.last = Some(Times { authored: link.authored, committed: link.committed });
        self.verdict.findings.extend(found.into_iter().map(|(path, problem)| finding(link, path, problem)));
    }

    /// Says what somebody else changed in a file.
    fn foreign(&self, link: &Link, change: &FileChange) -> Problem {
        let who = format!("{} <{}>", link.author.name, link.author.email);
        let before = change.before.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let (Content::File(after), Some(before)) = (&change.after, before) else {
            let what = if change.after == Content::Gone { "removed" } else { "brought" };
            let wanted = if change.after == Content::Gone { "the file as it was" } else { "no such file" };
            return Problem::new(Rule::Author, format!("{what} by {who}, not by Tidegate")).expected(wanted);
        };
        let after = String::from_utf8_lossy(after);
        let problem = |found: &str| Problem::new(Rule::Author, format!("changed by {who}, not by Tidegate: {found:?}"));
        match difference(&after, &before) {
            Some(at) => problem(at.found.trim()).at(Some(at.line)).expected(format!("{:?}", at.wanted.trim())),
            None => problem("the kind of the file"),
        }
    }

    fn sync(&mut self, change: &FileChange) -> Vec<Problem> {
        self.sync = None;
        let Content::File(bytes) = &change.after else { return gone(change) };
        match document::read::<Sync>(&change.path, bytes) {
            Ok((read, problem)) => {
                let version = document::identity(&read.text, "apiVersion", &read.value.api_version, API_VERSION);
                let kind = document::identity(&read.text, "kind", &read.value.kind, "Sync");
                self.sync = Some(read.value);
                problem.into_iter().chain(version).chain(kind).collect()
            }
            Err(problem) => vec![problem],
        }
    }

    /// Holds the page against the documents, if either of them changed.
    fn page(&mut self, change: Option<&FileChange>) -> Option<Problem> {
        if let Some(change) = change {
            let Content::File(bytes) = &change.after else { return gone(change).pop() };
            match document::text(bytes) {
                Ok(text) => self.texts.insert(change.path.clone(), text),
                Err(problem) => return Some(problem),
            };
        }
        let is_lost = self.addons.values().any(|addon| matches!(addon.status, Known::Lost));
        let sync = self.sync.as_ref().filter(|_| !is_lost)?;
        let page = readme::page(sync, self.addons.values().filter_map(|addon| addon.status.status()));
        if change.is_none() && self.page.as_ref() == Some(&page) {
            return None;
        }
        let text = self.texts.get("README.md").map(String::as_str).unwrap_or_default();
        let problem = difference(text, &page).map(|at| {
            let problem = format!("{:?} is not what the documents say", at.found.trim());
            Problem::new(Rule::Page, problem).at(Some(at.line)).expected(format!("{:?}", at.wanted.trim()))
        });
        self.page = Some(page);
        problem
    }

    fn trailers(&self, link: &Link, touched: &BTreeMap<AddonName, Touched<'_>>) -> Option<Problem> {
        let told: Vec<&AddonStatus> =
            touched.keys().filter_map(|name| self.addons.get(name)?.status.status()).collect();
        commit::trailers(link, self.sync.as_ref()?, &told)
    }
}

/// A commit, with what came before it.
struct Moment<'l> {
    link: &'l Link,
    after: Option<Timestamp>,
    is_gathered: bool,
}

impl Addon {
    /// Takes over what a commit does to the add-on, and returns what is wrong with it.
    fn follow(&mut self, name: &AddonName, touched: &Touched<'_>, moment: &Moment<'_>) -> Found {
        let path = |file: &str| Some(format!("addons/{name}/{file}"));
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
            let (changed, problems) = self.take_clusters(name, change);
            found.extend(problems.into_iter().map(|p| (path("clusters.yaml"), p)));
            changed
        });
        if matches!(self.status, Known::Absent) != self.clusters.is_none() {
            let problem = Problem::new(Rule::Pair, "status.yaml and clusters.yaml come and go together");
            found.push((path("status.yaml"), problem));
        }
        found.extend(self.counts().map(|p| (path("status.yaml"), p)));
        let added: BTreeSet<u32> =
            touched.sealed.iter().filter(|(_, c)| c.after != Content::Gone).map(|s| s.0).collect();
        if !moment.link.is_cut {
            let (is_gathered, text) = (moment.is_gathered, self.text.as_str());
            let step =
                Step { before: &before, after: &self.status, text, sealed: &self.sealed, added: &added, is_gathered };
            found.extend(rollout::problems(&step).into_iter().map(|p| (path("status.yaml"), p)));
            let window = self.window(&before, moment);
            let problems = changed.iter().flatten().flat_map(|changed: &Changed| cluster::problems(changed, &window));
            found.extend(problems.map(|p| (path("clusters.yaml"), p)));
        }
        if let Some(had) = had {
            found.extend(self.seals(name, &touched.sealed, (&before, &had), moment));
        }
        found
    }

    fn window(&self, before: &Known, moment: &Moment<'_>) -> Window {
        let rollout = self.status.rollout();
        let is_same_rollout = before.rollout().map(|r| r.number) == rollout.map(|r| r.number);
        let open = rollout.filter(|r| !is_same_rollout || r.outcome == Outcome::InProgress);
        Window {
            after: moment.after,
            began: open.map(|r| r.started),
            is_same_rollout: is_same_rollout && matches!(before, Known::Status(_)),
            told: moment.link.authored,
        }
    }

    fn take_status(&mut self, name: &AddonName, change: &FileChange) -> Vec<Problem> {
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

    fn take_clusters(&mut self, name: &AddonName, change: &FileChange) -> (Vec<Changed>, Vec<Problem>) {
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

    /// Holds the numbers of the status against the clusters.
    fn counts(&self) -> Option<Problem> {
        let (status, clusters) = (self.status.status()?, self.clusters.as_ref()?);
        let counts = clusters.counts();
        if status.clusters != counts {
            let problem = format!("its numbers are {:?}", status.clusters);
            let line = line_of(&self.text, "clusters:");
            return Some(
                Problem::new(Rule::Counts, problem).at(line).expected(format!("{counts:?}, as clusters.yaml has them")),
            );
        }
        let is_complete = counts.succeeded == counts.total;
        (status.phase == Phase::Completed && !is_complete).then(|| {
            let problem = format!("the add-on is Completed with {} of {} clusters", counts.succeeded, counts.total);
            Problem::new(Rule::Completed, problem).at(line_of(&self.text, "phase:"))
        })
    }

    /// Looks at the sealed rollouts that a commit touches.
    fn seals(
        &mut self,
        name: &AddonName,
        touched: &[(u32, &FileChange)],
        (before, had): (&Known, &Reports),
        moment: &Moment<'_>,
    ) -> Found {
        let mut found = Found::new();
        let has = self.clusters.as_ref().map(Lines::reports).unwrap_or_default();
        for (number, change) in touched {
            let mut tell = |problem: Problem| found.push((Some(change.path.clone()), problem));
            // A number stays taken, whatever becomes of its file.
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
            sealed::problems((name, *number), &read.text, &read.value, moment.link.authored)
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

/// Says what was done to a sealed file.
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
                        Problem::new(Rule::Sealed, format!("a sealed rollout was changed: {:?}", at.found.trim()));
                    problem.at(Some(at.line)).expected(format!("{:?}", at.wanted.trim()))
                }
                None => problem,
            }
        }
        _ => Problem::new(Rule::Sealed, "a rollout is sealed for a second time")
            .expected("the first file, never removed"),
    }
}

fn gone(change: &FileChange) -> Vec<Problem> {
    let problem = Problem::new(Rule::Pair, "a file that every journal has was removed");
    (change.after == Content::Gone).then_some(problem.expected("the file")).into_iter().collect()
}

fn finding(link: &Link, path: Option<String>, problem: Problem) -> Finding {
    let Problem { rule, line, problem, expected } = problem;
    let author = format!("{} <{}>", link.author.name, link.author.email);
    Finding { commit: link.id.clone(), author, rule, path, line, problem, expected }
}
