//! The text of a notification, without any format.

use reqwest::Url;

use crate::reconciler::notification::notice::Notice;
use crate::reconciler::notification::receiver::Receiver;
use tidegate_journal::file;
use tidegate_model::instance::Instance;
use tidegate_model::line::brief;
use tidegate_model::time::Timestamp;

/// Most characters of a title. Slack refuses a header with more than 150.
const TITLE: usize = 140;
/// Most characters of a sentence.
const SENTENCE: usize = 600;

/// A notification to one receiver.
#[derive(Debug, Clone, Copy)]
pub struct Letter<'a> {
    /// What it is about.
    pub notice: &'a Notice,
    /// Number of notices that are left out because there were too many.
    pub omitted: usize,
    /// The instance that sends it.
    pub instance: &'a Instance,
    /// Its identity, which is the same in each attempt to deliver it.
    pub id: &'a str,
    /// The time of the attempt.
    pub at: Timestamp,
}

/// The text of a notification. Each string is one line, without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// What happened, and to which add-on.
    pub title: String,
    /// The add-on, version, digest, revision, number of clusters and instance.
    pub facts: Vec<(&'static str, String)>,
    /// Why it happened, what to do, and how many more there are.
    pub sentences: Vec<String>,
    /// The page of the add-on in the journal.
    pub link: Option<Url>,
}

impl Text {
    /// Writes the text of a letter.
    pub fn of(letter: &Letter<'_>, receiver: &Receiver) -> Self {
        let Letter { notice, omitted, instance, .. } = letter;
        let title = match &notice.addon {
            Some(addon) => format!("{addon}: {}", notice.kind.title()),
            None => notice.kind.title().to_owned(),
        };
        let facts = [
            ("Add-on", notice.addon.as_ref().map(ToString::to_string)),
            ("Version", Some(notice.version.clone()).filter(|version| !version.is_empty())),
            ("Digest", notice.digest.clone()),
            ("Revision", notice.revision.clone()),
            ("Clusters", notice.clusters.map(|clusters| clusters.to_string())),
            ("Instance", Some(instance.to_string())),
        ];
        let facts = facts.into_iter().filter_map(|(name, value)| Some((name, harmless(&value?, TITLE)))).collect();
        let more = (*omitted > 0).then(|| format!("and {omitted} more, which the log and the journal contain"));
        let sentences = [Some(notice.why.clone()), Some(notice.remedy.clone()), more];
        let sentences = sentences.into_iter().flatten().map(|sentence| harmless(&sentence, SENTENCE));
        Self {
            title: harmless(&title, TITLE),
            facts,
            sentences: sentences.filter(|sentence| !sentence.is_empty()).collect(),
            link: link(receiver.link.as_ref(), notice),
        }
    }

    /// Returns the text as lines, without a format.
    pub fn plain(&self) -> String {
        let facts = self.facts.iter().map(|(name, value)| format!("{name}: {value}"));
        let link = self.link.iter().map(ToString::to_string);
        let lines = [self.title.clone()].into_iter().chain(facts).chain(self.sentences.iter().cloned()).chain(link);
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Returns the page of a notice below the address of the journal's pages.
pub(super) fn link(pages: Option<&Url>, notice: &Notice) -> Option<Url> {
    let mut url = pages?.clone();
    let mut path = url.path_segments_mut().ok()?;
    path.pop_if_empty();
    match &notice.addon {
        Some(unit) => path.extend(file::status(unit).split('/')),
        None => path.push(file::SYNC),
    };
    drop(path);
    Some(url)
}

/// Returns a value as a short line that mentions no one and starts no function of a card.
fn harmless(text: &str, width: usize) -> String {
    let mut harmless = String::new();
    let mut before = ' ';
    for c in brief(text, width).chars() {
        // An invisible character keeps `@room`, `@channel` and `{{DATE(...)}}` from having a meaning.
        if (c == '{' && before == '{') || (before == '@' && !harmless.trim_end_matches('@').ends_with(is_of_name)) {
            harmless.push('\u{200b}');
        }
        harmless.push(c);
        before = c;
    }
    harmless
}

/// Returns `true` for a character before the `@` of an address.
fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric()
}
