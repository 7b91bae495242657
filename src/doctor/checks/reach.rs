//! Is the configuration usable, does the hub answer, and do the clocks agree?

use std::fmt;

use crate::doctor::facts::{Server, Trouble};
use crate::doctor::line::{Level, Verdict};

/// The state of something that works or does not.
pub(super) enum Working<'a> {
    Yes(String),
    No(&'a Trouble),
}

/// Judges the configuration file.
pub(super) fn configuration(result: &Result<(), Trouble>) -> Working<'_> {
    match result {
        Ok(()) => Working::Yes("the options and the file of --config are consistent".to_owned()),
        Err(trouble) => Working::No(trouble),
    }
}

/// Judges the hub.
pub(super) fn hub(result: &Result<Server, Trouble>) -> Working<'_> {
    match result {
        Ok(Server { address, version }) => Working::Yes(format!("{address} answers, Kubernetes {version}")),
        Err(trouble) => Working::No(trouble),
    }
}

impl fmt::Display for Working<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes(detail) => detail,
            Self::No(trouble) => &trouble.why,
        })
    }
}

impl Verdict for Working<'_> {
    fn level(&self) -> Level {
        match self {
            Self::Yes(_) => Level::Ok,
            Self::No(_) => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        match self {
            Self::Yes(_) => None,
            Self::No(trouble) => Some(trouble.fix.clone()),
        }
    }
}

/// From this difference in seconds on, soak times and deadlines are noticeably wrong. The header has whole seconds.
const NOTICEABLE: u64 = 5;
/// From this difference in seconds on, a cluster can miss its deadline at once, and certificates can be refused.
const HARMFUL: u64 = 300;

/// The difference between the clocks.
pub(super) struct Clock(i64);

/// Judges the clock of the hub: seconds by which it is ahead of this machine.
pub(super) fn clock(skew: i64) -> Clock {
    Clock(skew)
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.unsigned_abs();
        match self.0 {
            _ if seconds < NOTICEABLE => write!(f, "the hub and this machine agree"),
            1.. => write!(f, "the hub is {seconds} s ahead of this machine"),
            _ => write!(f, "the hub is {seconds} s late, compared with this machine"),
        }
    }
}

impl Verdict for Clock {
    fn level(&self) -> Level {
        match self.0.unsigned_abs() {
            seconds if seconds < NOTICEABLE => Level::Ok,
            seconds if seconds < HARMFUL => Level::Warn,
            _ => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        (self.level() > Level::Ok)
            .then(|| "synchronize both clocks with NTP: deadlines and soak times compare times of both".to_owned())
    }
}
