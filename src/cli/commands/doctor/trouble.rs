//! Failures of commands as results of checks.

use crate::cli::failure::Failure;
use crate::doctor::facts::Trouble;

/// Returns a failure as a result of a check, with this advice unless it has its own.
pub(super) fn trouble(failure: &Failure, advice: &str) -> Trouble {
    match failure {
        Failure::Unreachable { message, hint } => Trouble { why: message.clone(), fix: hint.clone() },
        Failure::Unfinished(why) | Failure::Usage(why) | Failure::Internal(why) => {
            // Messages end with what to do about them.
            let (why, fix) = why.rsplit_once("; ").unwrap_or((why, advice));
            Trouble { why: why.to_owned(), fix: fix.to_owned() }
        }
        Failure::Findings | Failure::Changes | Failure::UnderWay => {
            Trouble { why: "there are findings".to_owned(), fix: advice.to_owned() }
        }
    }
}
