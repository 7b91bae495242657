//! Rules: how many people must approve, and who.

use tidegate_api::rollout_policy::{self, Approval};
use tidegate_model::time::{SignedDuration, parse_go_duration};

/// A rule: how many people must approve before clusters start, and who.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The name of the rule.
    pub name: String,
    /// The decision group that waits for the approval; `None` if nothing starts before it.
    pub group: Option<String>,
    /// The number of people who must approve; 0 is treated as 1.
    pub count: u32,
    /// Those whose approval counts: aliases, addresses, and keys as `key:SHA256:...`. If it is empty, no approval counts.
    pub of: Vec<String>,
    /// Whether the authors of the change may approve it.
    pub by_author: bool,
    /// How long an approval counts; `None` if it counts forever.
    pub max_age: Option<SignedDuration>,
    /// When the approval must be given.
    pub after: After,
    /// Whether only approvals count that break the glass, which start clusters in a freeze or outside a window.
    pub break_glass: bool,
}

/// When an approval must be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum After {
    /// At any time.
    #[default]
    Any,
    /// After it was the turn of the group.
    Reached,
}

impl Rule {
    /// Returns the rule of a policy for all groups.
    pub fn of(approval: &Approval) -> Self {
        let max_age = approval.max_age.as_deref();
        Self {
            name: approval.name.clone(),
            group: None,
            count: approval.count,
            of: approval.of.clone(),
            by_author: approval.by_author,
            // An age that cannot be read is a fault of the policy, which closes everything.
            max_age: max_age.and_then(|age| parse_go_duration(age).ok()),
            after: match approval.after {
                rollout_policy::After::Any => After::Any,
                rollout_policy::After::Reached => After::Reached,
            },
            break_glass: false,
        }
    }

    /// Returns the number of people who must approve, which is at least 1.
    pub fn need(&self) -> u32 {
        self.count.max(1)
    }
}
