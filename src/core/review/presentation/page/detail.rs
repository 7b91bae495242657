//! How much of a plan a page shows. A comment has a limit, so that each level shows less than the one before.

/// How much a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Everything.
    Full,
    /// The diffs of each class are cut to some lines.
    CutDiffs,
    /// Diffs are numbers of lines.
    LineCounts,
    /// Classes do not name their clusters.
    WithoutNames,
    /// Only the first table, with this many rows.
    FirstTable(usize),
}

/// The levels that do not depend on the plan, the largest first.
pub(crate) const LADDER: [Detail; 4] = [Detail::Full, Detail::CutDiffs, Detail::LineCounts, Detail::WithoutNames];

/// The lines of diffs that a class shows if diffs are cut.
const CUT: usize = 60;

impl Detail {
    /// Returns `true` if the page has more than the first table.
    pub(super) fn has_folds(self) -> bool {
        !matches!(self, Self::FirstTable(_))
    }

    pub(super) fn has_diffs(self) -> bool {
        matches!(self, Self::Full | Self::CutDiffs)
    }

    pub(super) fn has_names(self) -> bool {
        matches!(self, Self::Full | Self::CutDiffs | Self::LineCounts)
    }

    /// Returns the number of rows of the first table.
    pub(super) fn rows(self) -> usize {
        match self {
            Self::FirstTable(rows) => rows,
            _ => usize::MAX,
        }
    }

    /// Returns the number of lines of diffs that a class may show.
    pub(super) fn lines(self) -> usize {
        match self {
            Self::Full => usize::MAX,
            Self::CutDiffs => CUT,
            _ => 0,
        }
    }

    /// Returns what is missing on the page, if anything.
    pub(crate) fn omission(self) -> Option<&'static str> {
        match self {
            Self::Full => None,
            Self::CutDiffs => Some("Long diffs are cut to fit into this comment."),
            Self::LineCounts => Some("Diffs are shown as numbers of lines to fit into this comment."),
            Self::WithoutNames => Some("Diffs and the names of clusters are left out to fit into this comment."),
            Self::FirstTable(_) => Some("Only the summary fits into this comment."),
        }
    }
}
