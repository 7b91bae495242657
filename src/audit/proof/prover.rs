//! Goes through what a journal records, oldest first, and collects what is not proven.

use std::collections::BTreeSet;

use super::doubt::Doubt;
use super::evidence::Evidence;
use super::known::Known;
use super::rules::{self};
use super::{seats, start};
use crate::audit::claims::{Claim, Entry, Start, Started, What};
use crate::audit::finding::{Finding, Problem, Rule};
use tidegate_journal::file;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proof {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What could not be checked, and why.
    pub unchecked: BTreeSet<String>,
}

/// Checks what a journal records against the repository.
pub fn prove(claims: &[Claim], evidence: &mut dyn Evidence) -> Proof {
    let mut known = Known::default();
    let mut proof = Proof::default();
    for claim in claims {
        match &claim.what {
            What::Rules => {
                known.before.clone_from(&known.now);
                known.changed_by = Some(claim.entry.commit.clone());
                for doubt in rules::follow(claim, &mut known, evidence) {
                    proof.add(&claim.entry, Rule::Rules, Some("sync.yaml".to_owned()), None, doubt);
                }
            }
            What::Started(started) => proof.follow(claim, started, &known, evidence),
        }
    }
    proof
}

impl Proof {
    fn follow(&mut self, claim: &Claim, start: &Start, known: &Known, evidence: &mut dyn Evidence) {
        let path = |file: &str| Some(format!("{}{file}", file::folder(&start.addon)));
        if start.begins_again {
            let why = format!(
                "the approvals of clusters that started before commit {} of the journal, which combines earlier entries that are lost",
                claim.entry.commit.short()
            );
            self.unchecked.insert(why);
            return;
        }
        if start.clusters.iter().any(|cluster| cluster.is_older) {
            let why = format!(
                "the approvals of clusters of {} that started before commit {}, with which it came back to the journal",
                start.addon,
                claim.entry.commit.short()
            );
            self.unchecked.insert(why);
        }
        for clusters in start::batches(start) {
            let Err(doubt) = start::check(claim, start, &clusters, known, evidence) else { continue };
            let line = clusters.first().map(|cluster| cluster.line);
            let doubt = match doubt {
                Doubt::Wrong(why) => Doubt::Wrong(format!("{} started, but {why}", named(&clusters))),
                unchecked @ Doubt::Unchecked(_) => unchecked,
            };
            self.add(&claim.entry, Rule::Gate, path("clusters.yaml"), line, doubt);
        }
        for doubt in seats::check(claim, start, evidence) {
            self.add(&claim.entry, Rule::Gate, path("status.yaml"), None, doubt);
        }
    }

    fn add(&mut self, entry: &Entry, rule: Rule, path: Option<String>, line: Option<usize>, doubt: Doubt) {
        match doubt {
            Doubt::Unchecked(why) => drop(self.unchecked.insert(why)),
            Doubt::Wrong(problem) => {
                let finding = entry.finding(path, Problem::new(rule, problem).at(line));
                if !self.findings.contains(&finding) {
                    self.findings.push(finding);
                }
            }
        }
    }
}

fn named(clusters: &[&Started]) -> String {
    match clusters {
        [] => "no cluster".to_owned(),
        [one] => format!("cluster {}", one.name),
        [first, others @ ..] => format!("cluster {} (and {} more)", first.name, others.len()),
    }
}
