//! A block of text that is redrawn in place on a terminal.

use crate::cli::failure::Failure;
use crate::cli::process::Process;

/// A block of text on standard output.
#[derive(Debug)]
pub(crate) struct Screen {
    process: Process,
    is_terminal: bool,
    drawn: usize,
}

impl Screen {
    /// Creates a screen on standard output.
    pub(crate) fn new(process: &Process) -> Self {
        Self { process: process.clone(), is_terminal: process.is_terminal(), drawn: 0 }
    }

    /// Returns `true` if a block can be redrawn in place.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Draws a block in place of the previous one.
    pub(crate) fn draw(&mut self, block: &str) -> Result<(), Failure> {
        let height = terminal_size::terminal_size().map(|(_, height)| usize::from(height.0));
        let block = fitted(block, height);
        self.process.say(&format!("{}{}", self.erased(), clipped(&block)))?;
        self.drawn = if self.is_terminal { block.lines().count() } else { 0 };
        Ok(())
    }

    /// Erases the block.
    pub(crate) fn clear(&mut self) -> Result<(), Failure> {
        let erased = self.erased();
        self.drawn = 0;
        self.process.say(&erased)
    }

    /// Keeps the block that is drawn now, so that the next one is drawn below it.
    pub(crate) fn settle(&mut self) {
        self.drawn = 0;
    }

    /// Returns the code that moves up to the start of the block and erases from there to the end of the screen.
    fn erased(&self) -> String {
        if self.drawn > 0 { format!("\x1b[{}A\x1b[0J", self.drawn) } else { String::new() }
    }
}

/// Returns a block that fits on a screen with a number of lines: the cursor cannot move up to lines that have left the screen.
fn fitted(block: &str, height: Option<usize>) -> String {
    let lines: Vec<&str> = block.lines().collect();
    // One line is for the cursor, and one states what is missing.
    match height.and_then(|height| height.checked_sub(2)) {
        Some(room) if lines.len() > room + 1 => {
            let shown = lines.iter().take(room).map(|line| format!("{line}\n")).collect::<String>();
            format!("{shown}... and {} more lines\n", lines.len() - room)
        }
        _ => block.to_owned(),
    }
}

/// Returns a string whose lines a terminal cuts at its right edge instead of wrapping them: a wrapped line would be counted
/// as one but take up two.
fn clipped(text: &str) -> String {
    format!("\x1b[?7l{text}\x1b[?7h")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_is_too_high_for_the_terminal_is_shortened() {
        let block = "1\n2\n3\n4\n5\n";
        assert_eq!(fitted(block, None), block);
        assert_eq!(fitted(block, Some(6)), block);
        assert_eq!(fitted(block, Some(5)), "1\n2\n3\n... and 2 more lines\n");
        assert!(fitted(block, Some(5)).lines().count() < 5, "the cursor is on the line below");
        assert_eq!(fitted(block, Some(1)), block, "too small for anything");
    }

    #[test]
    fn a_block_replaces_all_lines_of_the_previous_one() {
        let mut screen = Screen { process: Process::system(), is_terminal: true, drawn: 3 };
        assert_eq!(screen.erased(), "\x1b[3A\x1b[0J");
        screen.settle();
        assert_eq!(screen.erased(), "");
    }
}
