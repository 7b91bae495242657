//! Can the config repository be read, the journal be pushed, and the keys be used?

use std::fmt;

use crate::doctor::facts::{Journal, Keys, Source, TestMessage, Trouble};
use crate::doctor::line::{Level, Verdict};

/// What is known of the config repository.
pub(super) enum Followed<'a> {
    At(&'a Source, &'a str),
    Nothing(&'a Source),
    Unusable(&'a Trouble),
}

/// Judges the config repository.
pub(super) fn source(result: &Result<Source, Trouble>) -> Followed<'_> {
    match result {
        Ok(source) => source.commit.as_deref().map_or(Followed::Nothing(source), |commit| Followed::At(source, commit)),
        Err(trouble) => Followed::Unusable(trouble),
    }
}

impl fmt::Display for Followed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(source, commit) => write!(f, "{} of {} is at {commit}", source.reference, source.address),
            Self::Nothing(source) => write!(f, "{} has no {}", source.address, source.reference),
            Self::Unusable(trouble) => write!(f, "{}", trouble.why),
        }
    }
}

impl Verdict for Followed<'_> {
    fn level(&self) -> Level {
        match self {
            Self::At(..) => Level::Ok,
            Self::Nothing(_) | Self::Unusable(_) => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        match self {
            Self::At(..) => None,
            Self::Nothing(_) => Some("push it, or follow another one with --ref".to_owned()),
            Self::Unusable(trouble) => Some(trouble.fix.clone()),
        }
    }
}

/// What is known of the journal.
pub(super) enum Pushable<'a> {
    Yes(&'a Journal),
    /// It will be created at the first start.
    New(&'a Journal),
    No(&'a Journal, &'a Trouble),
}

/// Judges whether the journal can be pushed.
pub(super) fn journal(journal: &Journal) -> Pushable<'_> {
    match &journal.push {
        Ok(()) if journal.exists => Pushable::Yes(journal),
        Ok(()) => Pushable::New(journal),
        Err(trouble) => Pushable::No(journal, trouble),
    }
}

impl fmt::Display for Pushable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rules of the forge for a branch only apply to a push that changes it.
        let scope = "the credentials may push; rules for the branch cannot be checked without writing";
        match self {
            Self::Yes(journal) => write!(f, "{} exists, and {scope}", journal.branch),
            Self::New(journal) => write!(f, "{} will be created at the first start, and {scope}", journal.branch),
            Self::No(journal, trouble) => write!(f, "{} cannot be pushed: {}", journal.branch, trouble.why),
        }
    }
}

impl Verdict for Pushable<'_> {
    fn level(&self) -> Level {
        match self {
            Self::Yes(_) | Self::New(_) => Level::Ok,
            Self::No(..) => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        match self {
            Self::Yes(_) | Self::New(_) => None,
            Self::No(_, trouble) => Some(trouble.fix.clone()),
        }
    }
}

/// Keys, with what follows if no keys are configured.
pub(super) struct Configured<'a>(&'a Keys, &'static str);

/// Judges keys that the configuration names.
pub(super) fn keys<'a>(keys: &'a Keys, none: &'static str) -> Configured<'a> {
    Configured(keys, none)
}

impl fmt::Display for Configured<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Keys::None => write!(f, "none are configured: {}", self.1),
            Keys::Usable => write!(f, "readable and valid"),
            Keys::Unusable(trouble) => write!(f, "{}", trouble.why),
        }
    }
}

impl Verdict for Configured<'_> {
    fn level(&self) -> Level {
        match self.0 {
            Keys::None | Keys::Usable => Level::Ok,
            Keys::Unusable(_) => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        match self.0 {
            Keys::None | Keys::Usable => None,
            Keys::Unusable(trouble) => Some(trouble.fix.clone()),
        }
    }
}

/// What came of a test message.
pub(super) enum Tested<'a> {
    /// A receiver answered.
    Sent(&'a TestMessage),
    /// No receiver can be used.
    Nothing,
}

impl fmt::Display for Tested<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sent(TestMessage { receiver, answer: Ok(()) }) => write!(f, "{receiver} accepted the message"),
            Self::Sent(TestMessage { receiver, answer: Err(why) }) => {
                write!(f, "{receiver} did not accept the message: {why}")
            }
            Self::Nothing => f.write_str("none was sent: there is no receiver that can be used"),
        }
    }
}

impl Verdict for Tested<'_> {
    fn level(&self) -> Level {
        match self {
            Self::Sent(TestMessage { answer: Ok(()), .. }) => Level::Ok,
            Self::Sent(_) | Self::Nothing => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        let fix = || "write or correct [[notify]] in the file of --config (docs/notifications.md)".to_owned();
        (self.level() == Level::Fail).then(fix)
    }
}
