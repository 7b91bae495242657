//! The groups of an expression that are open, with what has been read in each.

use super::flags::Flags;
use super::pieces::Piece;
use super::read::MAX_COUNT;

/// How deep parts may lie in one another. Go takes 1,000; nobody writes 250.
const MAX_HEIGHT: u32 = 250;
/// The most instructions.
const MAX_SIZE: u64 = 3_355_443;

/// A group that is open.
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

/// The groups that are open.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Those around the innermost.
    outer: Vec<Group>,
    inner: Group,
    /// Where the repetition is that was read last, if nothing was read since.
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

    /// Forgets the last repetition, since something came behind it.
    pub(super) fn settle(&mut self) {
        self.last_repetition = None;
    }

    pub(super) fn alternate(&mut self) {
        self.settle();
        self.inner.alternate();
    }

    /// Opens a group, behind which flags are as they were.
    pub(super) fn open(&mut self, restored: Flags) -> Result<(), &'static str> {
        self.settle();
        if self.outer.len() >= MAX_HEIGHT as usize {
            return Err(TOO_DEEP);
        }
        self.outer.push(std::mem::replace(&mut self.inner, Group { restored, ..Group::default() }));
        Ok(())
    }

    /// Closes a group and returns the flags behind it; `None` if none is open.
    pub(super) fn close(&mut self) -> Option<Flags> {
        self.settle();
        let outer = self.outer.pop()?;
        let closed = std::mem::replace(&mut self.inner, outer);
        let restored = closed.restored;
        self.inner.sequence.push(closed.finish().grouped());
        Some(restored)
    }

    /// Repeats the last piece. Returns `None` if there is none, and whether counts stay in bounds.
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

    /// Checks what was put together last.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        match self.inner.sequence.last() {
            Some(piece) if piece.height > MAX_HEIGHT => Err(TOO_DEEP),
            Some(piece) if piece.size > MAX_SIZE => Err("expression too large"),
            _ => Ok(()),
        }
    }

    /// Closes everything; `None` if a group is open.
    pub(super) fn finish(self) -> Option<Piece> {
        self.outer.is_empty().then(|| self.inner.finish())
    }
}

const TOO_DEEP: &str = "expression nests too deeply";
