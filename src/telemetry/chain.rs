//! An error with everything that led to it, on one line.

use std::error::Error;
use std::fmt;

/// Prints an error and its sources, separated by `: `.
pub struct Chain<'a>(pub &'a dyn Error);

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = self.0.to_string();
        f.write_str(&last)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            let text = error.to_string();
            // Transparent wrappers say the same as what they wrap.
            if text != last {
                write!(f, ": {text}")?;
            }
            last = text;
            source = error.source();
        }
        Ok(())
    }
}
