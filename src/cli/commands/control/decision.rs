//! A decision, as the user asked for it.

use std::collections::BTreeSet;

use crate::cli::args::{AbortArgs, CommitArgs, PauseArgs, QuarantineArgs, RetryArgs, SubjectArgs};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;
use tidegate_repository::control::edit::Change;
use tidegate_repository::control::{DigestStart, Mode};

/// A decision about one add-on, or about all.
pub(super) struct Decision {
    /// The add-on; `None` for all.
    pub(super) addon: Option<UnitName>,
    pub(super) what: What,
    pub(super) commit: CommitArgs,
}

/// What is decided.
pub(super) enum What {
    Pause,
    Resume,
    Abort { digest: Option<DigestStart> },
    Continue,
    Retry { digest: Option<DigestStart>, clusters: Option<BTreeSet<ClusterName>>, at: Timestamp },
    Quarantine { clusters: BTreeSet<ClusterName>, mode: Mode },
    Release { clusters: Option<BTreeSet<ClusterName>> },
}

impl Decision {
    pub(super) fn pause(args: PauseArgs, what: What) -> Self {
        Self { addon: named(args.subject), what, commit: args.commit }
    }

    pub(super) fn abort(args: AbortArgs) -> Self {
        let what = if args.release { What::Continue } else { What::Abort { digest: args.digest } };
        Self { addon: Some(args.addon), what, commit: args.commit }
    }

    pub(super) fn retry(args: RetryArgs, now: Timestamp) -> Self {
        let clusters = some(args.clusters);
        Self {
            addon: Some(args.addon),
            what: What::Retry { digest: args.digest, clusters, at: now },
            commit: args.commit,
        }
    }

    pub(super) fn quarantine(args: QuarantineArgs) -> Self {
        let clusters = some(args.clusters);
        let what = match args.release {
            true => What::Release { clusters },
            false => What::Quarantine { clusters: clusters.unwrap_or_default(), mode: args.mode.into() },
        };
        Self { addon: named(args.subject), what, commit: args.commit }
    }

    /// Returns the subject of the add-ons, for sentences.
    pub(super) fn subject(&self) -> String {
        self.addon.as_ref().map_or_else(|| "all add-ons".to_owned(), ToString::to_string)
    }

    /// Returns what is decided, as the subject of a commit.
    pub(super) fn title(&self) -> String {
        let subject = self.subject();
        let named = |clusters: &BTreeSet<ClusterName>| {
            let first: Vec<&str> = clusters.iter().take(3).map(ClusterName::as_str).collect();
            let more = clusters.len().saturating_sub(first.len());
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("{}{more}", first.join(", "))
        };
        match &self.what {
            What::Pause => format!("pause {subject}"),
            What::Resume => format!("resume {subject}"),
            What::Abort { .. } => format!("abort the rollout of {subject}"),
            What::Continue => format!("let the rollout of {subject} continue"),
            What::Retry { clusters: None, .. } => format!("retry {subject}"),
            What::Retry { clusters: Some(clusters), .. } => format!("retry {subject} on {}", named(clusters)),
            What::Quarantine { clusters, mode: Mode::Ignore } => {
                format!("quarantine {} for {subject}", named(clusters))
            }
            What::Quarantine { clusters, mode: Mode::Exclude } => format!("exclude {} for {subject}", named(clusters)),
            What::Release { clusters: None } => format!("release all clusters for {subject}"),
            What::Release { clusters: Some(clusters) } => format!("release {} for {subject}", named(clusters)),
        }
    }

    /// Returns the name of the decision, for a branch.
    pub(super) fn branch(&self) -> String {
        let name = match self.what {
            What::Pause => "pause",
            What::Resume => "resume",
            What::Abort { .. } => "abort",
            What::Continue => "continue",
            What::Retry { .. } => "retry",
            What::Quarantine { .. } => "quarantine",
            What::Release { .. } => "release",
        };
        format!("tidegate/{name}-{}", self.addon.as_ref().map_or("all", UnitName::as_str))
    }

    /// Returns `true` if the decision only ends something, which is also useful for an add-on that no longer exists.
    pub(super) fn ends(&self) -> bool {
        matches!(self.what, What::Resume | What::Continue | What::Release { .. })
    }

    /// Returns the digest that the user named; `None` if the decision needs the digest in force, or none.
    pub(super) fn digest(&self) -> Option<&DigestStart> {
        match &self.what {
            What::Abort { digest } | What::Retry { digest, .. } => digest.as_ref(),
            _ => None,
        }
    }

    /// Returns the clusters that the decision names and that must exist for it to have an effect.
    pub(super) fn named(&self) -> Option<&BTreeSet<ClusterName>> {
        match &self.what {
            What::Retry { clusters, .. } => clusters.as_ref(),
            What::Quarantine { clusters, .. } => Some(clusters),
            _ => None,
        }
    }

    /// Returns `true` if the decision is about a digest.
    pub(super) fn needs_digest(&self) -> bool {
        matches!(self.what, What::Abort { .. } | What::Retry { .. })
    }

    /// Returns the change of the control file. `digest` is the digest that an abort or a retry is about.
    pub(super) fn change(&self, digest: Option<DigestStart>) -> Option<Change> {
        let reason = self.commit.reason.clone();
        Some(match &self.what {
            What::Pause => Change::Pause { reason },
            What::Resume => Change::Resume,
            What::Abort { .. } => Change::Abort { digest: digest?, reason },
            What::Continue => Change::Continue,
            What::Retry { clusters, at, .. } => {
                Change::Retry { digest: digest?, clusters: clusters.clone(), at: *at, reason }
            }
            What::Quarantine { clusters, mode } => {
                Change::Quarantine { clusters: clusters.clone(), mode: *mode, reason }
            }
            What::Release { clusters } => Change::Release { clusters: clusters.clone() },
        })
    }
}

fn named(subject: SubjectArgs) -> Option<UnitName> {
    subject.addon.filter(|_| !subject.all)
}

fn some(clusters: Vec<ClusterName>) -> Option<BTreeSet<ClusterName>> {
    (!clusters.is_empty()).then(|| clusters.into_iter().collect())
}
