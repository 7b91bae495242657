//! The flags of expressions.

/// The flags for the rest of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags {
    /// Whether matching ignores case.
    pub(super) fold: bool,
    /// Whether `^` and `$` match at the start and end of lines.
    pub(super) lines: bool,
    /// Whether `.` matches a line break.
    pub(super) dot_all: bool,
    /// Whether repetitions match as little as possible.
    pub(super) ungreedy: bool,
}

impl Flags {
    /// Sets the flag of a letter. Returns `false` if no flag has the letter.
    pub(super) fn set(&mut self, letter: char, on: bool) -> bool {
        match letter {
            'i' => self.fold = on,
            'm' => self.lines = on,
            's' => self.dot_all = on,
            'U' => self.ungreedy = on,
            _ => return false,
        }
        true
    }
}
