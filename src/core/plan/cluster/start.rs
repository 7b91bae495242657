//! The start of a cluster on the configurations that it should have.

use super::status::restart;
use crate::context::{Context, Subject};
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_delivery::status::{Progress, merge};

/// Assigns a cluster the configurations that it should have.
pub(crate) fn start(context: &Context<'_>, subject: &Subject<'_>, status: &mut ManagedClusterAddOnStatus) {
    let (now, rules) = (context.input.now, &context.rules);
    let strict = || merge::strict(&status.config_references, subject.desired);
    let references = if rules.assigns_in_turn {
        strict()
    } else {
        // Entries that would crash upstream are dropped.
        merge::compat(&status.config_references, subject.desired).unwrap_or_else(|_| strict())
    };
    // If an object is listed twice, upstream updates only one of the entries, and never finishes.
    if !rules.assigns_in_turn && references == status.config_references {
        return;
    }
    status.config_references = references;
    // The progress of the previous configuration no longer applies.
    condition::set(&mut status.conditions, Progress::NotReady.claim(), now);
    if rules.records_overdue {
        status.conditions.retain(|condition| condition.type_ != key::OVERDUE);
    }
    if rules.counts_from_start {
        // This configuration starts now, and its deadline counts from here.
        restart(&mut status.conditions, key::CONFIGURED, now);
        restart(&mut status.conditions, key::PROGRESSING, now);
    }
}
