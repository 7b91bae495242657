//! What waits for a person.

mod addon;
mod repository;
mod types;

pub use types::{Need, Urgency};

use crate::facts::Facts;

/// Returns what waits for a person, the most urgent first.
pub(crate) fn needs(facts: &Facts) -> Vec<Need> {
    let mut needs = repository::needs(facts);
    needs.extend(facts.journal.addons.values().flat_map(|status| addon::needs(status, facts)));
    needs.sort_by(|a, b| (a.urgency, a.since, &a.addon).cmp(&(b.urgency, b.since, &b.addon)));
    needs
}
