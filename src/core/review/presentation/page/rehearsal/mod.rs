//! The page of a rehearsal: a fold for each add-on, with its result, its waves and its alternatives.

mod addon;
mod alternative;
mod summary;
mod wave;

use super::block::{Block, Page};
use super::line::Line;
use crate::rehearsal::document::Rehearsal;

/// Returns the page of a rehearsal.
pub(in crate::presentation) fn rehearsed(rehearsal: &Rehearsal) -> Page {
    let mut blocks = Vec::new();
    if rehearsal.addons.is_empty() {
        let nothing = Line::of("This change rolls nothing out, so there is nothing to rehearse.");
        blocks.push(Block::Paragraph(nothing));
    } else {
        blocks.push(Block::Paragraph(Line::of("Scenario: ").sentence(&rehearsal.scenario).words(".")));
        blocks.push(Block::Section("Rollouts"));
        blocks.extend(rehearsal.addons.iter().map(addon::fold));
    }
    let runs = Line::default().counted(rehearsal.runs, ["run", "runs"]);
    Page {
        title: summary::title(rehearsal),
        verdict: summary::verdict(rehearsal),
        facts: summary::facts(rehearsal),
        blocks,
        last: runs.words(" with seed ").name(&rehearsal.seed.to_string()),
        state: Line::default(),
    }
}
