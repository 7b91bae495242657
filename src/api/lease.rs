//! Leases of leader election, and which component holds them.

use serde_json::Value;

use tidegate_model::time::{SignedDuration, Timestamp};

/// A leader renews its lease every two minutes; after this time, it is gone.
const FRESH: SignedDuration = SignedDuration::from_mins(5);

/// A lease of leader election.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Its name.
    pub name: String,
    /// Who holds it: the name of a pod, and digits.
    pub holder: String,
    /// When it was renewed last.
    pub renewed: Option<Timestamp>,
}

impl Lease {
    /// Reads a Lease.
    pub fn read(lease: &Value) -> Self {
        let text = |pointer: &str| lease.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        Self {
            name: text("/metadata/name").to_owned(),
            holder: text("/spec/holderIdentity").to_owned(),
            renewed: text("/spec/renewTime").parse().ok(),
        }
    }

    /// Returns `true` if it is the lease of a component: the pod that holds it, or the lease itself, is named after it.
    pub fn is_of(&self, component: &str) -> bool {
        self.holder.contains(component) || self.name.contains(component)
    }

    /// Returns `true` if its holder has renewed it recently.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.renewed.is_some_and(|at| now.duration_since(at) < FRESH)
    }
}
