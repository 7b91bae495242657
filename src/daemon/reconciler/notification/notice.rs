//! The content of a notification: an item of news, with what a person needs to act on it.

use std::collections::BTreeMap;

use super::event::Event;
use crate::reconciler::news::{Facts, Kind, News};
use tidegate_model::line::brief;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_plan::report::{AddonReport, Report};

/// Most characters of a reason.
const LONGEST: usize = 2_000;

/// The content of a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The event that receivers choose.
    pub event: Event,
    /// The kind of the news.
    pub kind: Kind,
    /// The add-on; `None` if it concerns no single one.
    pub addon: Option<UnitName>,
    /// The version that the clusters should have; empty if it is not known.
    pub version: String,
    /// The first twelve digits of the digest that is in force.
    pub digest: Option<String>,
    /// The first twelve digits of the revision that the add-on follows.
    pub revision: Option<String>,
    /// Number of clusters that it is about.
    pub clusters: Option<usize>,
    /// Why it happened.
    pub why: String,
    /// What to do; empty if nothing has to be done.
    pub remedy: String,
    /// Identifies the state: the same state of the same subject is not notified twice.
    pub state: State,
}

/// The state that a notice reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The kind of news, the digest, and the details that make another state of it.
    pub name: String,
    /// How bad it is, for states that may get worse. One that is not worse than the last is not notified.
    pub level: u32,
}

/// Returns the notices about the news between two reports, in the order of the news.
pub fn notices(
    news: &[News],
    (before, after): (&Report, &Report),
    revisions: &BTreeMap<UnitName, CommitId>,
) -> Vec<Notice> {
    news.iter().filter_map(|news| notice(news, (before, after), revisions)).collect()
}

fn notice(
    news: &News,
    (before, after): (&Report, &Report),
    revisions: &BTreeMap<UnitName, CommitId>,
) -> Option<Notice> {
    let (kind, addon) = (news.kind(), news.addon());
    let event = Event::of(kind)?;
    let unknown = AddonReport::default();
    let [was, now] = [before, after].map(|report| addon.and_then(|addon| report.addon(addon)).unwrap_or(&unknown));
    // Of clusters that stop working one after the other, all are counted, and not only the last ones.
    let degraded = degraded(now);
    let is_partial = kind == Kind::ClustersRecovered && (degraded > 0 || self::degraded(was) == 0);
    if is_partial {
        return None;
    }
    let facts = Facts::of(news);
    let clusters = match kind {
        Kind::ClustersDegraded => Some(degraded),
        Kind::RolloutStopped => Some(now.counts().total),
        _ => facts.clusters.and_then(|count| usize::try_from(count).ok()),
    };
    let details = match news {
        News::ApprovalAwaited { gates, .. } => gates.to_string(),
        News::AddonHeld { reason, .. }
        | News::AddonRefused { reason, .. }
        | News::BrakeHeld { reason }
        | News::BrakeReleased { reason } => reason.chars().filter(|c| !c.is_ascii_digit()).collect(),
        News::GatesOverridden { reason } => reason.clone(),
        _ => String::new(),
    };
    let digest = now.digest.as_ref();
    let name = format!("{} {} {details}", kind.reason(), digest.map(ToString::to_string).unwrap_or_default());
    // Ten times as many clusters are another message.
    let level = if kind == Kind::ClustersDegraded { degraded.checked_ilog10().unwrap_or_default() } else { 0 };
    let why = match news {
        News::ApprovalAwaited { gates, .. } => format!("It {gates}"),
        News::RolloutStopped { group: Some(group), .. } => {
            format!("{group}: {}", facts.reason.clone().unwrap_or_default())
        }
        _ => facts.reason.clone().or_else(|| facts.names.clone()).unwrap_or_default(),
    };
    Some(Notice {
        event,
        kind,
        addon: addon.cloned(),
        version: facts.to.unwrap_or_else(|| now.version.clone()),
        digest: digest.map(|digest| digest.short().to_owned()),
        revision: addon.and_then(|addon| revisions.get(addon)).map(|commit| commit.short().to_owned()),
        clusters,
        why: brief(&why, LONGEST),
        remedy: remedy(news),
        state: State { name, level },
    })
}

/// Counts the clusters on which an add-on has stopped working.
fn degraded(report: &AddonReport) -> usize {
    report.clusters.values().filter(|cluster| cluster.degraded.is_some()).count()
}

/// Returns what a person can do.
fn remedy(news: &News) -> String {
    let addon = news.addon().map(ToString::to_string).unwrap_or_default();
    match news {
        News::ApprovalAwaited { reason, commands, .. } => {
            format!("It starts when {reason}. Command: {}", commands.join(", then "))
        }
        News::RolloutStopped { .. } => format!(
            "tidegate explain {addon} shows the clusters that failed. Commit another version, or fix them and use tidegate retry {addon}"
        ),
        News::RolledBack { .. } => format!("Commit another version, or use tidegate retry {addon}"),
        News::ClustersDegraded { .. } => format!("tidegate explain {addon} shows the clusters and their reasons"),
        News::AddonHeld { .. } | News::AddonRefused { .. } => {
            format!("tidegate explain {addon} shows what is in force. Correct the cause with a commit")
        }
        News::BrakeHeld { .. } => "Confirm it, or make the change smaller".to_owned(),
        _ => String::new(),
    }
}

/// Returns the notice of `tidegate doctor --notify`.
pub fn test() -> Notice {
    Notice {
        event: Event::Completed,
        kind: Kind::RolloutCompleted,
        addon: None,
        version: String::new(),
        digest: None,
        revision: None,
        clusters: None,
        why: "This is a test of tidegate doctor --notify; nothing happened".to_owned(),
        remedy: String::new(),
        state: State { name: "test".to_owned(), level: 0 },
    }
}
