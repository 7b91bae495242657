//! How far the rollouts of a merged change are.

use super::block::{Block, Column, Table};
use super::line::{Line, joined};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::progress::{Counts, Phase};

/// How far the rollout of an add-on is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RolloutState {
    /// The add-on.
    pub addon: UnitName,
    /// The digest that is rolled out.
    pub digest: Digest,
    /// Its state.
    pub phase: Phase,
    /// Its clusters.
    pub counts: Counts,
    /// Why it is held, stopped or refused, and what it waits for.
    pub reasons: Vec<String>,
}

/// Returns the title and the table of rollouts.
pub(crate) fn rollouts(states: &[RolloutState]) -> Vec<Block> {
    let columns = vec![
        Column::text("add-on"),
        Column::text("digest"),
        Column::text("state"),
        Column::text("clusters"),
        Column::text("why"),
    ];
    vec![Block::Table(Table::compact(columns, states.iter().map(row).collect()))]
}

fn row(state: &RolloutState) -> Vec<Line> {
    let Counts { total, succeeded, failed, .. } = state.counts;
    let clusters = Line::default().number(succeeded).words(" of ").number(total).words(" done");
    let clusters = if failed > 0 { clusters.words(", ").number(failed).words(" failed") } else { clusters };
    let phase = match state.phase {
        Phase::Completed => Line::of("completed"),
        Phase::Progressing => Line::of("in progress"),
        Phase::Stopped => Line::default().bold(Line::of("stopped")),
        Phase::Refused => Line::default().bold(Line::of("refused")),
        Phase::Removing => Line::of("being removed"),
        Phase::Held => Line::default().bold(Line::of("held")),
    };
    vec![
        Line::default().name(state.addon.as_str()),
        Line::default().name(state.digest.short()),
        phase,
        clusters,
        joined(state.reasons.iter().map(|reason| Line::default().sentence(reason)), "; "),
    ]
}
