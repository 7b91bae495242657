//! What the daemon asks people to approve.

use super::block::Block;
use super::line::Line;
use tidegate_consent::approve_command;
use tidegate_model::digest::Digest;
use tidegate_model::line::cut;
use tidegate_model::name::UnitName;

/// The most characters of a title.
const TITLE: usize = 120;

/// What the daemon asks people to approve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The add-on.
    pub addon: UnitName,
    /// The digest that is rolled out.
    pub digest: Digest,
    /// The decision group; `None` for the start of the rollout.
    pub group: Option<String>,
    /// The comment that approves it; `None` if comments do not count.
    pub comment: Option<String>,
    /// The rules that ask for approvals, with what is missing.
    pub rules: Vec<(String, String)>,
}

impl Asked {
    /// Returns the title of the pull request, which a forge shows without interpreting it.
    pub(crate) fn title(&self) -> String {
        let Self { addon, digest, .. } = self;
        let title = match &self.group {
            Some(group) => format!("Approve {addon} {} for group {group}", digest.short()),
            None => format!("Approve {addon} {}", digest.short()),
        };
        cut(&title, TITLE)
    }

    pub(crate) fn heading(&self) -> Line {
        let line = Line::of("Approval of ").name(self.addon.as_str()).words(" ").name(self.digest.short());
        match &self.group {
            Some(group) => line.words(" for group ").name(group),
            None => line,
        }
    }
}

/// Returns what people can do.
pub(crate) fn asked(asked: &Asked) -> Vec<Block> {
    let rule = |(rule, missing): &(String, String)| Line::default().name(rule).words(": ").sentence(missing);
    let command = approve_command(&asked.addon, asked.group.as_deref());
    let comment = asked.comment.as_ref().map(|comment| Block::Paragraph(Line::of("Or comment: ").name(comment)));
    let mut blocks = vec![
        Block::Paragraph(Line::of(
            "The rollout waits for this approval. Approve this request, or merge it, to let the rollout continue. Close it to \
             refuse; the rollout then stays where it is.",
        )),
        Block::Paragraph(Line::of("Digest: ").name(asked.digest.as_str())),
        Block::List(asked.rules.iter().map(rule).collect()),
    ];
    blocks.extend(comment);
    blocks.push(Block::Paragraph(Line::of("Without the forge: ").name(&command)));
    blocks
}
