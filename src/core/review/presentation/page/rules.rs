//! What the change does to the rules.

use super::block::{Block, Fold, Open};
use super::line::Line;
use crate::proposal::document::Plan;
use tidegate_consent::RULES;

/// Returns what changes and may loosen the rules, and what it needs.
pub(super) fn fold(plan: &Plan) -> Option<Block> {
    let rules = plan.rules.as_ref()?;
    let changes = rules.changes.iter().map(|change| Line::default().sentence(change)).collect();
    let mut blocks = vec![Block::List(changes)];
    let line = if rules.needs.is_empty() {
        Line::of("No policy before the change asks for an approval, so it takes effect at once.")
    } else {
        let needs = Line::of("It takes effect after: ").sentence(&rules.needs.join(", ")).words(". ");
        let command = format!("tidegate approve {RULES}");
        needs
            .words("Until then, the rules before it judge as well. To approve it, review this change, or run ")
            .name(&command)
            .words(".")
    };
    blocks.push(Block::Paragraph(line));
    blocks.push(Block::Paragraph(Line::of("Digest of the rules: ").name(&rules.digest.to_string()).words(".")));
    let title = Line::default().bold(Line::of("The rules change"));
    Some(Block::Fold(Fold { title, section: Some("Rules"), open: Open::Always, blocks }))
}
