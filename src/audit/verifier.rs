//! Walks the commits of a journal and checks each against what is known so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::claims::{Claim, Entry, What};
use super::documents::document;
use super::documents::text::{difference, quoted};
use super::finding::{Finding, Problem, Rule};
use super::rules::addon::{Addon, Found, Moment, Touched};
use super::rules::commit;
use super::rules::commit::{Options, Times};
use super::rules::daemons::Daemons;
use super::rules::review;
use super::rules::rollout::Known;
use tidegate_consent::Pulls;
use tidegate_journal::file::{self, JournalFile};
use tidegate_journal::format::FORMAT;
use tidegate_journal::pulls::{PullDocument, PullFile};
use tidegate_journal::readme;
use tidegate_journal::record::{API_VERSION, AddonStatus, Sync};
use tidegate_journal::snapshot::Snapshot;
use tidegate_model::chain::{Content, FileChange, Link};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::UnitName;

/// The result of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Number of commits that were checked.
    pub commits: usize,
    /// Number of commits that name Tidegate as their author.
    pub ours: usize,
    /// Number of commits with a signature. A bad one is a finding if keys were given.
    pub signed: usize,
    /// Number of commits before the first one with a signature.
    pub unsigned: usize,
    /// Number of sealed rollouts.
    pub sealed: usize,
    /// Whether the history starts with a commit whose parent is not available.
    pub is_cut: bool,
    /// The findings, in the order of the commits.
    pub findings: Vec<Finding>,
}

/// Walks the commits of a journal, from the first to the tip, and collects the findings.
#[derive(Clone)]
pub struct Verifier<'a> {
    options: Options<'a>,
    last: Option<Times>,
    /// Whether the first commit combines earlier entries, which are lost.
    begins_again: bool,
    daemons: Daemons,
    addons: BTreeMap<UnitName, Addon>,
    sync: Option<Arc<Sync>>,
    pulls: Arc<Pulls>,
    fleet: Option<Arc<Vec<u8>>>,
    claims: Vec<Claim>,
    /// The last commit.
    tip: Option<Entry>,
    /// The contents of files outside the add-on directories.
    texts: BTreeMap<String, String>,
    /// The `README.md` that the documents imply.
    page: Option<String>,
    verdict: Verdict,
}

impl<'a> Verifier<'a> {
    /// Starts an audit.
    pub fn new(options: Options<'a>) -> Self {
        Self {
            options,
            last: None,
            begins_again: false,
            daemons: Daemons::default(),
            addons: BTreeMap::new(),
            sync: None,
            pulls: Arc::default(),
            fleet: None,
            claims: Vec::new(),
            tip: None,
            texts: BTreeMap::new(),
            page: None,
            verdict: Verdict::default(),
        }
    }

    /// Returns `true` if something was found so far.
    pub fn has_findings(&self) -> bool {
        !self.verdict.findings.is_empty()
    }

    /// Returns the result.
    pub fn verdict(self) -> Verdict {
        let sealed = self.addons.values().map(|addon| addon.sealed.len()).sum();
        let mut findings = self.verdict.findings;
        if let Some(tip) = self.tip.filter(|_| self.options.keys.is_some() && self.verdict.signed == 0) {
            let problem = Problem::new(Rule::Signature, "no commit of the journal is signed");
            findings.push(tip.finding(None, problem.expected("commits that are signed with a key of the journal")));
        }
        Verdict { sealed, findings, ..self.verdict }
    }

    /// Returns the result, and what needs evidence from the repository.
    pub fn finish(mut self) -> (Verdict, Vec<Claim>) {
        let claims = std::mem::take(&mut self.claims);
        (self.verdict(), claims)
    }

    /// Checks the next commit.
    pub fn follow(&mut self, link: &Link) {
        self.verdict.commits += 1;
        self.verdict.is_cut |= link.is_cut;
        let is_ours = commit::is_ours(link, &self.options);
        self.verdict.ours += usize::from(is_ours);
        let problems = commit::problems(self.last.as_ref(), link, &self.options, self.verdict.signed > 0);
        self.verdict.signed += usize::from(link.signed.is_some());
        self.verdict.unsigned += usize::from(self.verdict.signed == 0);
        let entry = Entry::of(link);
        let mut found: Found = problems.into_iter().map(|problem| (None, problem)).collect();
        if is_ours {
            found.extend(self.daemons.follow(&link.message).map(|problem| (None, problem)));
        }
        if !is_ours && !link.is_cut {
            found.extend(link.changes.iter().map(|change| (Some(change.path.clone()), self.foreign(link, change))));
        }
        let (before, pulls_before) = (self.sync.clone(), self.pulls.clone());
        let (touched, page) = self.sort(link, &mut found);
        let after = self.last.map(|last| last.authored);
        let fleet = self.fleet.clone();
        let is_gathered = commit::is_gathered(link);
        self.begins_again |= is_gathered && after.is_none();
        let moment = Moment { link, after, is_gathered, begins_again: self.begins_again, fleet };
        for (name, touched) in &touched {
            let addon = self.addons.entry(name.clone()).or_default();
            found.extend(addon.follow(name, touched, &moment));
        }
        self.claim(&entry, (before.as_ref(), &pulls_before), touched.keys());
        for name in touched.keys() {
            let status = self.addons.get(name).and_then(|addon| addon.status.status());
            let problem = status.and_then(|status| review::problem(status, &self.pulls));
            found.extend(problem.map(|problem| (Some(file::status(name)), problem)));
        }
        found.extend(self.page(page).map(|problem| (Some("README.md".to_owned()), problem)));
        if is_ours && !link.is_cut {
            found.extend(self.trailers(link, &touched).map(|problem| (None, problem)));
        }
        // Dates of commits by others are not compared with Tidegate's.
        if is_ours {
            self.last = Some(Times { authored: link.author.time, committed: link.committer.time });
        }
        self.verdict.findings.extend(found.into_iter().map(|(path, problem)| entry.finding(path, problem)));
        self.tip = Some(entry);
    }

    /// Sorts the changes of a commit by add-on, and checks the other files. Returns the changes of add-ons and of the page.
    fn sort<'l>(
        &mut self,
        link: &'l Link,
        found: &mut Found,
    ) -> (BTreeMap<UnitName, Touched<'l>>, Option<&'l FileChange>) {
        let mut touched: BTreeMap<UnitName, Touched<'_>> = BTreeMap::new();
        let mut page = None;
        for change in &link.changes {
            if let Content::Unread(why) = &change.after {
                found.push((Some(change.path.clone()), Problem::new(Rule::Path, format!("it is not read: {why}"))));
            }
            match JournalFile::of(&change.path) {
                Some(JournalFile::Page) => page = Some(change),
                Some(JournalFile::Sync) => {
                    found.extend(self.sync(change).into_iter().map(|p| (Some(change.path.clone()), p)))
                }
                Some(JournalFile::Fleet) => {
                    found.extend(self.recorded(change).map(|problem| (Some(change.path.clone()), problem)));
                }
                Some(JournalFile::Status(addon)) => touched.entry(addon).or_default().status = Some(change),
                Some(JournalFile::Clusters(addon)) => touched.entry(addon).or_default().clusters = Some(change),
                Some(JournalFile::Sealed(addon, number)) => {
                    touched.entry(addon).or_default().sealed.push((number, change));
                }
                Some(JournalFile::Pull(file)) => {
                    found.extend(self.pull(file, change).map(|problem| (Some(change.path.clone()), problem)));
                }
                None => {
                    if change.after != Content::Gone {
                        let problem = Problem::new(Rule::Path, "it is not a file of the journal");
                        found.push((Some(change.path.clone()), problem.expected("no such file")));
                    }
                }
            }
        }
        (touched, page)
    }

    /// Describes what someone other than Tidegate changed in a file.
    fn foreign(&self, link: &Link, change: &FileChange) -> Problem {
        let who = format!("{} <{}>", link.author.name, link.author.email);
        let before = change.before.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let (Content::File(after), Some(before)) = (&change.after, before) else {
            let what = if change.after == Content::Gone { "removed" } else { "added" };
            let wanted = if change.after == Content::Gone { "the file as it was" } else { "no such file" };
            return Problem::new(Rule::Author, format!("{what} by {who}, not by Tidegate")).expected(wanted);
        };
        let after = String::from_utf8_lossy(after);
        let problem = |found: &str| Problem::new(Rule::Author, format!("changed by {who}, not by Tidegate: {found}"));
        match difference(&after, &before) {
            Some(at) => problem(&quoted(at.found)).at(Some(at.line)).expected(quoted(at.wanted)),
            None => problem("the file mode"),
        }
    }

    fn sync(&mut self, change: &FileChange) -> Vec<Problem> {
        let before = self.sync.take();
        let Content::File(bytes) = &change.after else { return gone(change) };
        match document::read::<Sync>(&change.path, bytes) {
            Ok((read, problem)) => {
                let version = document::identity(&read.text, "apiVersion", &read.value.api_version, API_VERSION);
                let kind = document::identity(&read.text, "kind", &read.value.kind, "Sync");
                let format = (read.value.format > FORMAT).then(|| {
                    let found =
                        format!("the format is {}, which this version of Tidegate does not know", read.value.format);
                    Problem::new(Rule::Document, found).expected(format!("a format up to {FORMAT}"))
                });
                let instance = before.and_then(|before| instance(&before, &read.value, &read.text));
                self.sync = Some(Arc::new(read.value));
                problem.into_iter().chain(version).chain(kind).chain(format).chain(instance).collect()
            }
            Err(problem) => vec![problem],
        }
    }

    /// Reads the record of a pull request. Records may come and go: closed pull requests are forgotten after a while.
    fn pull(&mut self, file: PullFile, change: &FileChange) -> Option<Problem> {
        let PullFile::Record(number) = file else { return None };
        let pulls = Arc::make_mut(&mut self.pulls);
        pulls.remove(&number);
        let Content::File(bytes) = &change.after else { return None };
        match document::read::<PullDocument>(&change.path, bytes) {
            Ok((read, problem)) => {
                let found = read.value.number.to_string();
                let identity = document::identity(&read.text, "number", &found, &number.to_string());
                pulls.insert(number, read.value.record);
                problem.or(identity)
            }
            Err(problem) => Some(problem),
        }
    }

    /// Compares the page with the documents, if either changed.
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
            let problem = format!("{} does not match the documents", quoted(at.found));
            Problem::new(Rule::Page, problem).at(Some(at.line)).expected(quoted(at.wanted))
        });
        self.page = Some(page);
        problem
    }

    fn trailers(&self, link: &Link, touched: &BTreeMap<UnitName, Touched<'_>>) -> Option<Problem> {
        let addons: Vec<&Addon> = touched.keys().filter_map(|name| self.addons.get(name)).collect();
        if addons.iter().any(|addon| matches!(addon.status, Known::Lost)) {
            return None;
        }
        let told: Vec<&AddonStatus> = addons.iter().filter_map(|addon| addon.status.status()).collect();
        commit::trailers(link, self.sync.as_ref()?, &told)
    }

    /// Adds what a commit records that needs evidence from the repository.
    fn claim<'n>(
        &mut self,
        entry: &Entry,
        (before, pulls_before): (Option<&Arc<Sync>>, &Arc<Pulls>),
        touched: impl Iterator<Item = &'n UnitName>,
    ) {
        let Some(sync) = self.sync.clone() else { return };
        let pulls = self.pulls.clone();
        let claim = |what| Claim {
            entry: entry.clone(),
            before: before.cloned(),
            sync: sync.clone(),
            pulls_before: pulls_before.clone(),
            pulls: pulls.clone(),
            what,
        };
        if before.is_none_or(|before| (&before.rules, &before.changes) != (&sync.rules, &sync.changes)) {
            self.claims.push(claim(What::Rules));
        }
        for name in touched {
            let start = self.addons.get_mut(name).and_then(|addon| addon.start.take());
            self.claims.extend(start.map(|start| claim(What::Started(Box::new(start)))));
        }
    }

    /// Checks the record of the fleet. It may come and go, as the settings of the repository want it.
    fn recorded(&mut self, change: &FileChange) -> Option<Problem> {
        self.fleet = None;
        let Content::File(bytes) = &change.after else { return None };
        match Snapshot::read(bytes) {
            Ok(snapshot) => {
                self.fleet = Some(Arc::new(bytes.clone()));
                document::bytes_problem(&String::from_utf8_lossy(bytes), &snapshot.to_yaml())
            }
            Err(error) => {
                let problem = Problem::new(Rule::Document, format!("it cannot be read: {}", ErrorChain(&error)));
                Some(problem.at(error.line()))
            }
        }
    }
}

/// Returns a problem if the identity of the instance changed or was removed.
fn instance(before: &Sync, after: &Sync, text: &str) -> Option<Problem> {
    let before = before.instance.as_ref()?;
    let after = after.instance.as_ref();
    let is_same = after.is_some_and(|after| (&after.id, after.since) == (&before.id, before.since));
    (!is_same).then(|| {
        let found = after
            .map_or_else(|| "no instance".to_owned(), |after| format!("instance {} since {}", after.id, after.since));
        Problem::new(Rule::Instance, format!("the journal belongs to {found}"))
            .at(super::documents::text::line_of(text, "instance:"))
            .expected(format!("instance {} since {}", before.id, before.since))
    })
}

fn gone(change: &FileChange) -> Vec<Problem> {
    let problem = Problem::new(Rule::Pair, "a file that every journal must have was removed");
    (change.after == Content::Gone).then_some(problem.expected("the file")).into_iter().collect()
}
