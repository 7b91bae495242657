//! Events outside of rollouts: decisions of people, refused revisions, complaints, rewritten histories, and objects that the hub refused.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::record::Sync;
use tidegate_model::chain::{Content, Link};
use tidegate_model::followed::{RefusedRevision, Revision, Rewrite};
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// Something that a commit of the journal reports for the first time, or that a person decided with a commit to a control file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// When it was reported or decided.
    #[schemars(with = "Rfc3339")]
    pub at: Timestamp,
    /// The commit of the journal that reports it. For a decision, the commit of the followed branch that contains it.
    pub commit: CommitId,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event")]
pub enum What {
    /// A revision was not followed, because it is not trusted.
    Refused {
        /// The revision, and why it was refused.
        refused: RefusedRevision,
    },
    /// The history of the followed branch was rewritten.
    Rewritten {
        /// The old and new commits, and whether the new one was followed.
        rewrite: Rewrite,
    },
    /// A revision had complaints, so everything they affect was held.
    Complaints {
        /// The revision.
        revision: Revision,
        /// The complaints.
        complaints: Vec<String>,
    },
    /// A person paused, resumed, aborted or retried rollouts, or quarantined clusters.
    Decided {
        /// The add-on; absent for all add-ons.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        addon: Option<UnitName>,
        /// What was decided, such as `paused`.
        decision: String,
        /// Why; absent for the end of an earlier decision.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
        /// The author of the commit.
        by: String,
    },
    /// The hub refused objects.
    Failures {
        /// The objects, and why.
        failures: Vec<String>,
    },
}

/// Collects events while walking the commits of a journal.
#[derive(Debug, Default)]
pub struct Events {
    last: Option<Sync>,
    events: Vec<Event>,
}

impl Events {
    /// Processes the next commit. A document that cannot be read adds no events.
    pub fn follow(&mut self, link: &Link) {
        let bytes = link.changes.iter().find_map(|change| match &change.after {
            Content::File(bytes) if change.path == "sync.yaml" => Some(bytes),
            _ => None,
        });
        let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let Some(sync) = text.and_then(|text| serde_saphyr::from_str::<Sync>(text).ok()) else { return };
        let event = |what| Event { at: link.author.time, commit: link.id.clone(), what };
        self.events.extend(told(self.last.as_ref(), &sync).into_iter().map(event));
        self.last = Some(sync);
    }

    /// Returns the events, oldest first.
    pub fn events(self) -> Vec<Event> {
        self.events
    }
}

/// Returns what a document reports that the previous one did not.
fn told(before: Option<&Sync>, sync: &Sync) -> Vec<What> {
    let refused = sync.refused.clone().filter(|refused| before.and_then(|b| b.refused.as_ref()) != Some(refused));
    let rewrite = sync.rewritten.clone().filter(|rewrite| before.and_then(|b| b.rewritten.as_ref()) != Some(rewrite));
    let is_new = |now: &[String], before: Option<&[String]>| !now.is_empty() && before != Some(now);
    let complaints = is_new(&sync.complaints, before.map(|b| b.complaints.as_slice()));
    let failures = is_new(&sync.failures, before.map(|b| b.failures.as_slice()));
    let revision = sync.seen.clone().filter(|_| complaints);
    [
        refused.map(|refused| What::Refused { refused }),
        rewrite.map(|rewrite| What::Rewritten { rewrite }),
        revision.map(|revision| What::Complaints { revision, complaints: sync.complaints.clone() }),
        failures.then(|| What::Failures { failures: sync.failures.clone() }),
    ]
    .into_iter()
    .flatten()
    .collect()
}
