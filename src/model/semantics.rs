//! The two semantics, and the rules in which they differ.

use serde::{Deserialize, Serialize};

/// The engine that decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Semantics {
    /// Tidegate's own safe semantics.
    #[default]
    Strict,
    /// Upstream OCM's engine, quirks included.
    Compat,
}

/// What happens to a cluster that becomes unhealthy during its soak time. Strict only: upstream does not check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SoakDip {
    /// In progress again: it must become healthy before its deadline, and its soak time starts over.
    #[default]
    Restart,
    /// Failed until it gets a different configuration: it counts against the failure budget.
    Fail,
}

/// The rules in which strict and compat differ, resolved once from the settings.
///
/// Each field has rows of the same name in `docs/semantics.md`, which describe both behaviors. A flag is `true` where Tidegate differs
/// from upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The engine that decides which clusters may start. Upstream's quirks depend on one another, so they are one procedure and
    /// not a flag each.
    pub engine: Semantics,
    /// A `clustersPerDecisionGroup` of 0 is an error.
    pub refuses_empty_groups: bool,
    /// A `maxConcurrency` of 0 is an error, and never means the group size.
    pub refuses_zero_concurrency: bool,
    /// A cluster is done only once its add-on is known to be healthy.
    pub checks_health: bool,
    /// What happens to a cluster that becomes unhealthy during its soak time; `None` if that is not checked.
    pub soak_dip: Option<SoakDip>,
    /// Start times and deadlines count from the start on a configuration.
    pub counts_from_start: bool,
    /// A missed deadline is recorded, even if the cluster is done later.
    pub records_overdue: bool,
    /// Clusters lose an add-on in the order of the strategy.
    pub removes_in_order: bool,
    /// A template whose variables have no value is not delivered.
    pub refuses_unset_variables: bool,
    /// No work is empty.
    pub avoids_empty_works: bool,
    /// A new work gets a name that no existing work has.
    pub uses_free_names: bool,
    /// Works are deleted if there is nothing left to deploy.
    pub deletes_leftover_works: bool,
    /// Works of others with the label of the add-on are left alone.
    pub leaves_works_of_others: bool,
    /// A work with something that is not an object is written again.
    pub replaces_broken_works: bool,
    /// Condition rules and scrape types of a template are kept.
    pub keeps_template_options: bool,
    /// Works of a cluster that waits are restored if someone changes them.
    pub repairs_waiting_clusters: bool,
    /// Of several placements that select a cluster, only the one that owns it counts it and decides when it starts.
    pub only_owner_decides: bool,
    /// Condition `Configured` is restored on every cluster that has been assigned its configurations.
    pub restores_configured: bool,
    /// A change is assigned when it is the cluster's turn to start, and each object is listed once.
    pub assigns_in_turn: bool,
    /// The status of an add-on keeps the history of each kind, and drops malformed entries.
    pub keeps_history: bool,
    /// Annotations that ask for hosting have no effect.
    pub ignores_hosting: bool,
}

impl Rules {
    /// Upstream's behavior.
    pub const COMPAT: Self = Self {
        engine: Semantics::Compat,
        soak_dip: None,
        refuses_empty_groups: false,
        refuses_zero_concurrency: false,
        checks_health: false,
        counts_from_start: false,
        records_overdue: false,
        removes_in_order: false,
        refuses_unset_variables: false,
        avoids_empty_works: false,
        uses_free_names: false,
        deletes_leftover_works: false,
        leaves_works_of_others: false,
        replaces_broken_works: false,
        keeps_template_options: false,
        repairs_waiting_clusters: false,
        only_owner_decides: false,
        restores_configured: false,
        assigns_in_turn: false,
        keeps_history: false,
        ignores_hosting: false,
    };

    /// Returns the rules of a semantics. `soak_dip` applies to strict only.
    pub fn of(semantics: Semantics, soak_dip: SoakDip) -> Self {
        match semantics {
            Semantics::Compat => Self::COMPAT,
            Semantics::Strict => Self {
                engine: Semantics::Strict,
                soak_dip: Some(soak_dip),
                refuses_empty_groups: true,
                refuses_zero_concurrency: true,
                checks_health: true,
                counts_from_start: true,
                records_overdue: true,
                removes_in_order: true,
                refuses_unset_variables: true,
                avoids_empty_works: true,
                uses_free_names: true,
                deletes_leftover_works: true,
                leaves_works_of_others: true,
                replaces_broken_works: true,
                keeps_template_options: true,
                repairs_waiting_clusters: true,
                only_owner_decides: true,
                restores_configured: true,
                assigns_in_turn: true,
                keeps_history: true,
                ignores_hosting: true,
            },
        }
    }
}
