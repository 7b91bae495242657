//! The walk of the audit: what is known so far, and each commit held against it.

use std::collections::BTreeMap;

use super::addon::{Addon, Found, Moment, Touched};
use super::commit::{self, Options, Times};
use super::daemons::Daemons;
use super::document;
use super::finding::{Finding, Problem, Rule};
use super::place::{Place, place};
use super::rollout::Known;
use super::text::{difference, quoted};
use tidegate_core::journal::readme;
use tidegate_core::journal::record::{API_VERSION, AddonStatus, Sync};
use tidegate_model::chain::{Content, FileChange, Link};
use tidegate_model::name::AddonName;

/// What came of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How many commits were looked at.
    pub commits: usize,
    /// How many of them were written by Tidegate, as they say.
    pub ours: usize,
    /// How many of them bear a signature; one that is not good is a finding where keys are trusted.
    pub signed: usize,
    /// How many rollouts are sealed.
    pub sealed: usize,
    /// Whether the history begins with a commit whose predecessor is not at hand.
    pub is_cut: bool,
    /// What is wrong, in the order of the commits.
    pub findings: Vec<Finding>,
}

/// Walks along the commits of a journal, from the first to the tip, and finds what is wrong.
pub struct Verifier<'a> {
    options: Options<'a>,
    last: Option<Times>,
    daemons: Daemons,
    addons: BTreeMap<AddonName, Addon>,
    sync: Option<Sync>,
    /// The texts of the files beside the add-ons.
    texts: BTreeMap<String, String>,
    /// The page that the documents amount to.
    page: Option<String>,
    verdict: Verdict,
}

impl<'a> Verifier<'a> {
    /// Begins an audit.
    pub fn new(options: Options<'a>) -> Self {
        Self {
            options,
            last: None,
            daemons: Daemons::default(),
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
        self.verdict.signed += usize::from(link.signed.is_some());
        let problems = commit::problems(self.last.as_ref(), link, &self.options);
        let mut found: Found = problems.into_iter().map(|problem| (None, problem)).collect();
        if is_ours {
            found.extend(self.daemons.follow(&link.message).map(|problem| (None, problem)));
        }
        if !is_ours && !link.is_cut {
            found.extend(link.changes.iter().map(|change| (Some(change.path.clone()), self.foreign(link, change))));
        }
        let has_identity = self.sync.as_ref().is_some_and(|sync| sync.instance.is_some());
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
        let after = self.last.map(|last| last.authored);
        let moment = Moment { link, after, is_gathered: commit::is_gathered(link), has_identity };
        for (name, touched) in &touched {
            let addon = self.addons.entry(name.clone()).or_default();
            found.extend(addon.follow(name, touched, &moment));
        }
        found.extend(self.page(page).map(|problem| (Some("README.md".to_owned()), problem)));
        if is_ours && !link.is_cut {
            found.extend(self.trailers(link, &touched).map(|problem| (None, problem)));
        }
        // Whatever date somebody else wrote, Tidegate is not held against it.
        if is_ours {
            self.last = Some(Times { authored: link.author.time, committed: link.committer.time });
        }
        self.verdict.findings.extend(found.into_iter().map(|(path, problem)| finding(link, path, problem)));
    }

    /// Returns what somebody else changed in a file.
    fn foreign(&self, link: &Link, change: &FileChange) -> Problem {
        let who = format!("{} <{}>", link.author.name, link.author.email);
        let before = change.before.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let (Content::File(after), Some(before)) = (&change.after, before) else {
            let what = if change.after == Content::Gone { "removed" } else { "brought" };
            let wanted = if change.after == Content::Gone { "the file as it was" } else { "no such file" };
            return Problem::new(Rule::Author, format!("{what} by {who}, not by Tidegate")).expected(wanted);
        };
        let after = String::from_utf8_lossy(after);
        let problem = |found: &str| Problem::new(Rule::Author, format!("changed by {who}, not by Tidegate: {found}"));
        match difference(&after, &before) {
            Some(at) => problem(&quoted(at.found)).at(Some(at.line)).expected(quoted(at.wanted)),
            None => problem("the kind of the file"),
        }
    }

    fn sync(&mut self, change: &FileChange) -> Vec<Problem> {
        let before = self.sync.take();
        let Content::File(bytes) = &change.after else { return gone(change) };
        match document::read::<Sync>(&change.path, bytes) {
            Ok((read, problem)) => {
                let version = document::identity(&read.text, "apiVersion", &read.value.api_version, API_VERSION);
                let kind = document::identity(&read.text, "kind", &read.value.kind, "Sync");
                let instance = before.and_then(|before| instance(&before, &read.value, &read.text));
                self.sync = Some(read.value);
                problem.into_iter().chain(version).chain(kind).chain(instance).collect()
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
            let problem = format!("{} is not what the documents say", quoted(at.found));
            Problem::new(Rule::Page, problem).at(Some(at.line)).expected(quoted(at.wanted))
        });
        self.page = Some(page);
        problem
    }

    fn trailers(&self, link: &Link, touched: &BTreeMap<AddonName, Touched<'_>>) -> Option<Problem> {
        let addons: Vec<&Addon> = touched.keys().filter_map(|name| self.addons.get(name)).collect();
        if addons.iter().any(|addon| matches!(addon.status, Known::Lost)) {
            return None;
        }
        let told: Vec<&AddonStatus> = addons.iter().filter_map(|addon| addon.status.status()).collect();
        commit::trailers(link, self.sync.as_ref()?, &told)
    }
}

/// Says that the identity of the instance is another one than before, or gone.
fn instance(before: &Sync, after: &Sync, text: &str) -> Option<Problem> {
    let before = before.instance.as_ref()?;
    let after = after.instance.as_ref();
    let is_same = after.is_some_and(|after| (&after.id, after.since) == (&before.id, before.since));
    (!is_same).then(|| {
        let found = after
            .map_or_else(|| "no identity".to_owned(), |after| format!("instance {} since {}", after.id, after.since));
        Problem::new(Rule::Instance, format!("the journal is that of {found}"))
            .at(super::text::line_of(text, "instance:"))
            .expected(format!("instance {} since {}", before.id, before.since))
    })
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
