//! The result of a check as a line of a report.

use std::fmt;

use serde::Serialize;

use super::facts::{Known, Unknown};

/// How serious a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// Nothing is wrong.
    Ok,
    /// A rollout works, but someone should look at it; or the check could not be carried out.
    Warn,
    /// It would stop a rollout.
    Fail,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ok => "OK",
            Self::Warn => "WARN",
            Self::Fail => "FAIL",
        })
    }
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The name of the check.
    pub check: &'static str,
    /// How serious the result is.
    pub level: Level,
    /// What was found.
    pub detail: String,
    /// How to fix it; `None` if nothing is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

/// The result of one check as a value. It displays what was found.
pub(super) trait Verdict: fmt::Display {
    /// Returns how serious it is.
    fn level(&self) -> Level;

    /// Returns how to fix it; `None` if nothing is wrong.
    fn fix(&self) -> Option<String>;
}

/// Returns the line of a result.
pub(super) fn line(check: &'static str, verdict: &impl Verdict) -> Line {
    Line { check, level: verdict.level(), detail: verdict.to_string(), fix: verdict.fix() }
}

/// Returns the line of a check of something that may not be known.
pub(super) fn judged<'a, T, V: Verdict>(
    check: &'static str,
    known: &'a Known<T>,
    judge: impl FnOnce(&'a T) -> V,
) -> Line {
    match known {
        Ok(value) => line(check, &judge(value)),
        Err(unknown) => line(check, unknown),
    }
}

impl Verdict for Unknown {
    fn level(&self) -> Level {
        Level::Warn
    }

    fn fix(&self) -> Option<String> {
        Some(match self {
            Self::NoHub => "fix the check `hub` first".to_owned(),
            Self::NoConfiguration => "fix the check `configuration` first".to_owned(),
            Self::NoSource => "fix the check `source` first".to_owned(),
            Self::NotListed { .. } => "check the access to the hub, then run the command again".to_owned(),
            Self::Forbidden { verb, resource } => {
                format!("grant `{verb}` on {resource} to the user of the kubeconfig, or run the command as another one")
            }
            Self::Unreadable { .. } => "check that the file exists and is readable".to_owned(),
            Self::NotServed { .. } => "fix the check `kinds` first".to_owned(),
            Self::NoDate => "compare the clocks by hand: a proxy may have removed the header".to_owned(),
        })
    }
}

/// Returns the first five of some names, and the number of the others.
pub(super) fn few<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let shown = names.iter().take(5).copied().collect::<Vec<_>>().join(", ");
    if names.len() > 5 { format!("{shown} and {} more", names.len() - 5) } else { shown }
}
