//! The open groups of an expression, with the pieces parsed so far.

use super::flags::Flags;
use super::piece::Piece;

/// Maximum repeat count.
pub(super) const MAX_COUNT: u32 = 1_000;
/// Maximum nesting. Go accepts 1,000; no real expression nests 250 deep.
const MAX_HEIGHT: u32 = 250;
/// Maximum number of instructions.
const MAX_SIZE: u64 = 3_355_443;

/// An open group.
#[derive(Debug, Default)]
struct Group {
    restored: Flags,
    alternatives: Vec<Piece>,
    sequence: Vec<Piece>,
}

impl Group {
    fn alternate(&mut self) {
        let sequence = std::mem::take(&mut self.sequence);
        self.alternatives.push(if sequence.is_empty() { Piece::look("") } else { Piece::sequence(sequence) });
    }

    fn finish(mut self) -> Piece {
        self.alternate();
        Piece::alternatives(self.alternatives)
    }
}

/// The open groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// The groups around the innermost.
    outer: Vec<Group>,
    inner: Group,
    /// Offset of the last repetition, if nothing has been parsed since.
    last_repetition: Option<usize>,
}

impl Groups {
    pub(super) fn push(&mut self, piece: Piece) {
        self.settle();
        self.inner.sequence.push(piece);
    }

    pub(super) fn last_repetition(&self) -> Option<usize> {
        self.last_repetition
    }

    /// Forgets the last repetition, because something followed it.
    pub(super) fn settle(&mut self) {
        self.last_repetition = None;
    }

    pub(super) fn alternate(&mut self) {
        self.settle();
        self.inner.alternate();
    }

    /// Opens a group; `restored` are the flags after it.
    pub(super) fn open(&mut self, restored: Flags) -> Result<(), &'static str> {
        self.settle();
        if self.outer.len() >= MAX_HEIGHT as usize {
            return Err(TOO_DEEP);
        }
        self.outer.push(std::mem::replace(&mut self.inner, Group { restored, ..Group::default() }));
        Ok(())
    }

    /// Closes a group and returns the flags after it; `None` if no group is open.
    pub(super) fn close(&mut self) -> Option<Flags> {
        self.settle();
        let outer = self.outer.pop()?;
        let closed = std::mem::replace(&mut self.inner, outer);
        let restored = closed.restored;
        self.inner.sequence.push(closed.finish().grouped());
        Some(restored)
    }

    /// Repeats the last piece. Returns whether counts stay in bounds, or `None` if there is no piece.
    pub(super) fn repeat(
        &mut self,
        least: u32,
        most: Option<u32>,
        greedy: bool,
        counted: bool,
        at: usize,
    ) -> Option<bool> {
        let piece = self.inner.sequence.pop()?;
        let repeated = piece.repeated(least, most, greedy, counted);
        let repeats = counted && (least >= 2 || most.is_some_and(|most| most >= 2));
        let fits = !repeats || repeated.copies <= u64::from(MAX_COUNT);
        self.inner.sequence.push(repeated);
        self.last_repetition = Some(at);
        Some(fits)
    }

    /// Checks the last piece against the limits.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        match self.inner.sequence.last() {
            Some(piece) if piece.height > MAX_HEIGHT => Err(TOO_DEEP),
            Some(piece) if piece.size > MAX_SIZE => Err("expression too large"),
            _ => Ok(()),
        }
    }

    /// Finishes the expression; `None` if a group is still open.
    pub(super) fn finish(self) -> Option<Piece> {
        self.outer.is_empty().then(|| self.inner.finish())
    }
}

const TOO_DEEP: &str = "expression nests too deeply";
