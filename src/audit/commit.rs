//! What holds of every commit of the journal, whatever its files say.

use super::cluster::is_before;
use super::finding::{Problem, Rule};
use tidegate_core::journal::headline;
use tidegate_core::journal::record::{AddonStatus, Sync};
use tidegate_model::chain::Link;
use tidegate_model::time::Timestamp;
use tidegate_signature::{Store, Verdict, verify};

/// What a journal is held against.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The e-mail address by which commits of the journal are told from those of people.
    pub writer: &'a str,
    /// Whether people commit to the same branch: then there are merges, and gaps between the commits of the journal.
    pub is_shared: bool,
    /// The keys that may sign; without them, no signature is looked at.
    pub keys: Option<&'a Store>,
    /// Whether every commit has to have a signature, where keys are trusted.
    pub require_signatures: bool,
}

impl Default for Options<'_> {
    /// Returns what Tidegate writes on a branch of its own, signatures aside.
    fn default() -> Self {
        Self { writer: headline::EMAIL, is_shared: false, keys: None, require_signatures: false }
    }
}

/// When a commit was written and made.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// When it was written.
    pub authored: Timestamp,
    /// When it was made.
    pub committed: Timestamp,
}

/// Returns what is wrong with a commit as such.
pub fn problems(last: Option<&Times>, link: &Link, options: &Options<'_>) -> Vec<Problem> {
    let mut found = Vec::new();
    if !options.is_shared && link.parents.len() > 1 {
        let problem = format!("it is a merge of {} commits", link.parents.len());
        found
            .push(Problem::new(Rule::Linear, problem).expected("one parent: the journal's own branch is never merged"));
    }
    if !options.is_shared && link.changes.is_empty() {
        found.push(Problem::new(Rule::Empty, "it changes nothing").expected("no such commit"));
    }
    for parent in &link.dropped {
        let problem = format!("the merge leaves out what {} had brought to the journal", parent.short());
        found.push(Problem::new(Rule::Dropped, problem));
    }
    if let Some(last) = last {
        let times = [("written", link.author.time, last.authored), ("committed", link.committer.time, last.committed)];
        for (what, at, before) in times.into_iter().filter(|(_, at, before)| is_before(Some(*at), Some(*before))) {
            let problem = format!("it was {what} at {at}, before its predecessor");
            found.push(Problem::new(Rule::Time, problem).expected(format!("{before}, or later")));
        }
    }
    found.extend(signature(link, options));
    found
}

fn signature(link: &Link, options: &Options<'_>) -> Option<Problem> {
    let keys = options.keys?;
    let verdict = link
        .signed
        .as_ref()
        .map_or(Verdict::Unsigned, |signed| verify(keys, &signed.payload, &signed.signature, link.committer.time));
    match verdict {
        Verdict::Good { .. } => None,
        // A merge of people that brings nothing to the journal is none of its commits.
        Verdict::Unsigned if options.is_shared && link.changes.is_empty() => None,
        Verdict::Unsigned => options
            .require_signatures
            .then(|| Problem::new(Rule::Signature, "it is not signed").expected("a signature of a trusted key")),
        Verdict::Bad(why) => Some(Problem::new(Rule::Signature, format!("its signature is not good: {why}"))),
    }
}

/// Returns `true` if Tidegate is the author, as the commit tells.
pub fn is_ours(link: &Link, options: &Options<'_>) -> bool {
    link.author.email == options.writer
}

/// Returns `true` if several entries lie in the commit, so that what was between them is not told.
pub fn is_gathered(link: &Link) -> bool {
    link.message.lines().any(|line| line == headline::GATHERED)
}

/// Returns `true` if the trailers agree with the documents.
pub fn trailers(link: &Link, sync: &Sync, told: &[&AddonStatus]) -> Option<Problem> {
    let message = link.message.trim_end();
    let last = message.rsplit("\n\n").next().unwrap_or_default();
    let is_trailer = |line: &&str| line.split_once(": ").is_some_and(|(name, _)| headline::TRAILERS.contains(&name));
    let found: Vec<&str> = last.lines().filter(is_trailer).collect();
    let wanted = headline::trailers(sync, told);
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).filter(|line| is_trailer(line)).collect();
    // Of several entries in one, only the last one's trailers are there.
    let count = if is_gathered(link) { 1 } else { wanted.len().max(found.len()) };
    (found.get(..count.min(found.len())) != wanted.get(..count.min(wanted.len())))
        .then(|| Problem::new(Rule::Trailers, format!("its trailers are {found:?}")).expected(format!("{wanted:?}")))
}
