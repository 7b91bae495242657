//! Checks what must hold for every commit of the journal, regardless of its files.

use super::tolerance::is_before;
use crate::audit::finding::{Problem, Rule};
use tidegate_journal::headline;
use tidegate_journal::record::{AddonStatus, Sync};
use tidegate_model::chain::Link;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_signature::{Store, Verdict, verify};

/// Options of an audit.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The author e-mail address that distinguishes Tidegate's commits from those of people.
    pub writer: &'a str,
    /// Whether people commit to the same branch. It then has merges, and other commits between those of the journal.
    pub is_shared: bool,
    /// The keys that may sign the journal; signatures are checked only if this is set. From the first commit with a signature on, every
    /// commit must be signed.
    pub keys: Option<&'a Store>,
}

impl Default for Options<'_> {
    /// Returns the options for a branch of the journal's own; signatures are not checked.
    fn default() -> Self {
        Self { writer: headline::EMAIL, is_shared: false, keys: None }
    }
}

/// The author date and the committer date of a commit.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// The author date.
    pub authored: Timestamp,
    /// The committer date.
    pub committed: Timestamp,
}

/// Returns the problems with a commit itself. `is_signed` is `true` if an earlier commit has a signature.
pub fn problems(last: Option<&Times>, link: &Link, options: &Options<'_>, is_signed: bool) -> Vec<Problem> {
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
        let problem = format!("the merge drops changes that {} made to the journal", parent.short());
        found.push(Problem::new(Rule::Dropped, problem));
    }
    if let Some(last) = last {
        let times = [("written", link.author.time, last.authored), ("committed", link.committer.time, last.committed)];
        for (what, at, before) in times.into_iter().filter(|(_, at, before)| is_before(Some(*at), Some(*before))) {
            let problem = format!("it was {what} at {at}, before its predecessor");
            found.push(Problem::new(Rule::Time, problem).expected(format!("{before}, or later")));
        }
    }
    found.extend(signature(link, options, is_signed));
    found
}

fn signature(link: &Link, options: &Options<'_>, is_signed: bool) -> Option<Problem> {
    let keys = options.keys?;
    let verdict = link
        .signed
        .as_ref()
        .map_or(Verdict::Unsigned, |signed| verify(keys, &signed.payload, &signed.signature, link.committer.time));
    match verdict {
        Verdict::Good { .. } => None,
        // A merge by people that changes nothing in the journal is not a commit of the journal.
        Verdict::Unsigned if options.is_shared && link.changes.is_empty() => None,
        Verdict::Unsigned => is_signed.then(|| {
            let problem = "it is not signed, and an earlier commit is";
            Problem::new(Rule::Signature, problem).expected("a signature by a key of the journal")
        }),
        Verdict::Bad(why) => Some(Problem::new(Rule::Signature, format!("its signature is not good: {why}"))),
    }
}

/// Returns `true` if the commit names Tidegate as its author.
pub fn is_ours(link: &Link, options: &Options<'_>) -> bool {
    link.author.email == options.writer
}

/// Returns `true` if the commit combines several entries, so that the states in between are not recorded.
pub fn is_gathered(link: &Link) -> bool {
    link.message.lines().any(|line| line == headline::GATHERED)
}

/// Returns by how much the clock of the daemon was behind the date of the commit. That date is the one of the previous commit then, `after`; any
/// other commit does not need to name its clock, and is not believed.
pub fn behind(link: &Link, after: Option<Timestamp>) -> SignedDuration {
    let clock = headline::trailer(&link.message, headline::CLOCK).filter(|_| after == Some(link.author.time));
    let clock = clock.and_then(|clock| clock.parse().ok());
    let behind = clock.map(|clock: Timestamp| clock.duration_until(link.author.time));
    behind.unwrap_or_default().max(SignedDuration::ZERO)
}

/// Returns a problem if the trailers do not agree with the documents.
pub fn trailers(link: &Link, sync: &Sync, told: &[&AddonStatus]) -> Option<Problem> {
    let message = link.message.trim_end();
    let last = message.rsplit("\n\n").next().unwrap_or_default();
    let is_trailer = |line: &&str| line.split_once(": ").is_some_and(|(name, _)| headline::TRAILERS.contains(&name));
    let found: Vec<&str> = last.lines().filter(is_trailer).collect();
    let wanted = headline::trailers(sync, told);
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).filter(|line| is_trailer(line)).collect();
    // A commit that combines several entries has the trailers of the last one only.
    let count = if is_gathered(link) { 1 } else { wanted.len().max(found.len()) };
    (found.get(..count.min(found.len())) != wanted.get(..count.min(wanted.len())))
        .then(|| Problem::new(Rule::Trailers, format!("its trailers are {found:?}")).expected(format!("{wanted:?}")))
}
