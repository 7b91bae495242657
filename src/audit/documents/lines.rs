//! Reads `clusters.yaml` line by line; lines that did not change are not parsed again.

use std::collections::BTreeMap;

use super::document;
use crate::audit::finding::{Problem, Rule};
use tidegate_journal::clusters;
use tidegate_journal::record::ClusterReport;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::Counts;
use tidegate_model::time::Timestamp;

/// The configurations that a cluster was last reported to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) struct Had {
    /// Their digest.
    pub hash: String,
    /// When it started on them.
    pub started: Option<Timestamp>,
}

#[derive(Debug, Clone)]
struct Entry {
    name: ClusterName,
    line: String,
    report: ClusterReport,
    had: Option<Had>,
}

/// The clusters of an add-on, as listed in the journal.
#[derive(Debug, Clone, Default)]
pub(in crate::audit) struct Lines {
    entries: Vec<Entry>,
}

/// A cluster whose line changed.
#[derive(Debug, Clone)]
pub(in crate::audit) struct Changed {
    /// The cluster.
    pub name: ClusterName,
    /// The number of its line, from 1.
    pub line: usize,
    /// The previous report; `None` for a cluster that was not listed.
    pub before: Option<ClusterReport>,
    /// The configurations that it was last reported to have.
    pub had: Option<Had>,
    /// The new report.
    pub after: ClusterReport,
}

impl Lines {
    /// Replaces the clusters with those of a document. Returns the clusters whose lines changed, and the problems of
    /// the document.
    pub(in crate::audit) fn take(&mut self, addon: &UnitName, text: &str) -> (Vec<Changed>, Vec<Problem>) {
        let (mut changed, mut problems) = (Vec::new(), Vec::new());
        let empty = clusters::document(addon, &BTreeMap::new());
        let is_empty = text == empty;
        let head = empty.replace("clusters: {}\n", "clusters:\n");
        let Some(body) = text.strip_prefix(&head).filter(|_| !is_empty) else {
            problems.extend(document::bytes_problem(text, &empty));
            self.entries.clear();
            return (changed, problems);
        };
        let first = head.lines().count() + 1;
        let mut old = std::mem::take(&mut self.entries).into_iter().peekable();
        let (body, is_ended) = body.strip_suffix('\n').map_or((body, false), |body| (body, true));
        for (index, line) in body.split('\n').enumerate() {
            let number = first + index;
            let name = line.strip_prefix("  \"").and_then(|rest| Some(rest.split_once("\": {")?.0)).unwrap_or_default();
            while old.next_if(|entry| entry.name.as_str() < name).is_some() {}
            let same = old.next_if(|entry| entry.name.as_str() == name);
            if self.entries.last().is_some_and(|last| last.name.as_str() >= name) {
                let problem = Problem::new(Rule::Bytes, format!("{name:?} is out of order: lines are sorted by name"));
                problems.push(problem.at(Some(number)));
                continue;
            }
            let before = match same {
                Some(entry) if entry.line == line => {
                    self.entries.push(entry);
                    continue;
                }
                before => before,
            };
            match parsed(line) {
                Ok((name, report)) => {
                    let written = clusters::line(&name, &report);
                    problems.extend(document::bytes_problem(line, &written).map(|p| p.at(Some(number))));
                    let (before, had) = before.map_or((None, None), |entry| (Some(entry.report), entry.had));
                    let has = (!report.hash.is_empty() && !report.state.is_unselected())
                        .then(|| Had { hash: report.hash.clone(), started: report.started });
                    let entry = Entry {
                        name: name.clone(),
                        line: line.to_owned(),
                        report: report.clone(),
                        had: has.or_else(|| had.clone()),
                    };
                    self.entries.push(entry);
                    changed.push(Changed { name, line: number, before, had, after: report });
                }
                Err(problem) => problems.push(problem.at(Some(number))),
            }
        }
        if !is_ended {
            problems.push(Problem::new(Rule::Bytes, "its last line has no newline"));
        }
        (changed, problems)
    }

    /// Returns the counts over all clusters.
    pub(in crate::audit) fn counts(&self) -> Counts {
        Counts::of(self.entries.iter().map(|entry| entry.report.counted()))
    }

    /// Returns the counts over the clusters without which the rollout may not end.
    pub(in crate::audit) fn needed(&self) -> Counts {
        let needed = self.entries.iter().filter(|entry| entry.report.left_out.is_none());
        Counts::of(needed.map(|entry| entry.report.counted()))
    }

    /// Returns the report of every cluster.
    pub(in crate::audit) fn reports(&self) -> BTreeMap<ClusterName, ClusterReport> {
        self.entries.iter().map(|entry| (entry.name.clone(), entry.report.clone())).collect()
    }
}

fn parsed(line: &str) -> Result<(ClusterName, ClusterReport), Problem> {
    let read: Result<BTreeMap<ClusterName, ClusterReport>, _> = serde_saphyr::from_str(line);
    let mut clusters = read.map_err(|error| document::unreadable(&error, line))?.into_iter();
    clusters.next().ok_or_else(|| Problem::new(Rule::Document, "the line names no cluster"))
}
