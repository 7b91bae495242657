//! An error with its chain of sources, on one line.

use std::error::Error;
use std::fmt;

/// Prints an error and its sources, separated by `: `.
pub struct ErrorChain<'a>(pub &'a dyn Error);

impl fmt::Display for ErrorChain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = self.0.to_string();
        f.write_str(&said)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            let text = error.to_string();
            // Transparent wrappers repeat the message of the error they wrap, and some errors quote their source.
            if !said.contains(&text) {
                write!(f, ": {text}")?;
                said.push_str(&text);
            }
            source = error.source();
        }
        Ok(())
    }
}
