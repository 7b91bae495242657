//! The parts of a page.

use super::line::Line;
use super::timeline::Timeline;

/// A plan or a rehearsal as people read it.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) title: Line,
    pub(crate) verdict: Badge,
    /// What the page amounts to, the most important first.
    pub(crate) facts: Vec<Fact>,
    pub(crate) blocks: Vec<Block>,
    /// The last line: the counts, or the number of runs.
    pub(crate) last: Line,
    /// The time of the state of the fleet. It changes without a change of the plan, so a comment does not show it.
    pub(crate) state: Line,
}

/// What a page amounts to, in a few words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Badge {
    pub(crate) words: &'static str,
    pub(crate) tone: Tone,
}

/// Whether readers have to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Neutral,
    Bad,
}

/// A number and what it counts.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) value: Line,
    pub(crate) label: &'static str,
}

/// A part of a page.
#[derive(Debug, Clone)]
pub(crate) enum Block {
    /// The title of a part of the page, for formats with an outline.
    Section(&'static str),
    /// The title of a part of a fold.
    Subtitle(Line),
    Paragraph(Line),
    List(Vec<Line>),
    Table(Table),
    Diff(Diff),
    Timeline(Timeline),
    Fold(Fold),
}

/// A table with a header.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    /// Each row has as many cells as there are columns.
    pub(crate) rows: Vec<Vec<Line>>,
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) title: &'static str,
    pub(crate) is_number: bool,
}

impl Column {
    pub(super) const fn text(title: &'static str) -> Self {
        Self { title, is_number: false }
    }

    pub(super) const fn number(title: &'static str) -> Self {
        Self { title, is_number: true }
    }
}

impl Table {
    /// Returns a table without the columns that are empty in all rows.
    pub(super) fn compact(columns: Vec<Column>, rows: Vec<Vec<Line>>) -> Self {
        let is_used: Vec<bool> = (0..columns.len())
            .map(|at| rows.iter().any(|row| row.get(at).is_some_and(|cell| !cell.is_empty())))
            .collect();
        let kept = |at: usize| is_used.get(at).copied().unwrap_or_default();
        let cells = |row: Vec<Line>| {
            row.into_iter().enumerate().filter_map(|(at, cell)| kept(at).then_some(cell)).collect::<Vec<_>>()
        };
        let columns = columns.into_iter().enumerate().filter_map(|(at, column)| kept(at).then_some(column));
        Self { columns: columns.collect(), rows: rows.into_iter().map(cells).collect() }
    }
}

/// How an object changes.
#[derive(Debug, Clone)]
pub(crate) struct Diff {
    pub(crate) title: Line,
    /// A unified diff; absent if it is not shown.
    pub(crate) text: Option<String>,
}

/// Blocks below a title that can be opened and closed.
#[derive(Debug, Clone)]
pub(crate) struct Fold {
    pub(crate) title: Line,
    /// The title of the section that it is where there is room. A section is always open.
    pub(crate) section: Option<&'static str>,
    pub(crate) open: Open,
    pub(crate) blocks: Vec<Block>,
}

/// Where a fold is open at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    Never,
    /// Where there is room: not in a comment.
    OnPage,
    Always,
}
