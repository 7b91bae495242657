//! The status of a ClusterManagementAddOn, summed up over all clusters of the add-on.
//!
//! # Source
//! OCM `pkg/addon/controllers/cmainstallprogression` and `addonconfiguration` (2026-08-11).

use serde_json::Value;

use crate::context::Context;
use tidegate_api::object_key;
use tidegate_api::ocm::cluster_management_addon::{ClusterManagementAddOn, ClusterManagementAddOnStatus};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::precondition::precondition;
use tidegate_delivery::status::hash::{Found, Lookup, fill_addon};
use tidegate_delivery::status::{Desired, Layers, NoDesiredConfig, Tally, default_config, progression};
use tidegate_model::action::{Lane, Stage, Write};
use tidegate_model::name::NamespacedName;

/// The progress of one placement.
#[derive(Debug)]
pub(super) struct PlacementProgress {
    /// The placement.
    pub placement: NamespacedName,
    /// The configurations that its clusters should have.
    pub desired: Vec<Desired>,
    /// Its cluster counts; `None` while the selection of clusters is unreliable.
    pub tally: Option<Tally>,
}

/// Returns the status that a ClusterManagementAddOn should have.
pub(super) fn status(
    context: &Context<'_>,
    before: &ClusterManagementAddOnStatus,
    defaults: &Layers,
    placements: &[PlacementProgress],
) -> ClusterManagementAddOnStatus {
    let strict = || strict(before, defaults, placements);
    let mut status = if context.rules.keeps_history {
        strict()
    } else {
        // Where upstream would crash, the strict status is used.
        compat(context, before, placements).unwrap_or_else(|_| strict())
    };
    for (entry, progress) in status.install_progressions.iter_mut().zip(placements) {
        if let Some(tally) = &progress.tally {
            progression::update(entry, tally, context.input.now);
        }
    }
    status
}

fn strict(
    before: &ClusterManagementAddOnStatus,
    defaults: &Layers,
    placements: &[PlacementProgress],
) -> ClusterManagementAddOnStatus {
    let entry = |c: &PlacementProgress| progression::strict(&before.install_progressions, &c.placement, &c.desired);
    ClusterManagementAddOnStatus {
        default_config_references: default_config::strict(&defaults.to_vec()),
        install_progressions: placements.iter().map(entry).collect(),
    }
}

fn compat(
    context: &Context<'_>,
    before: &ClusterManagementAddOnStatus,
    placements: &[PlacementProgress],
) -> Result<ClusterManagementAddOnStatus, NoDesiredConfig> {
    let declared = context.unit.defaults();
    let entry = |c: &PlacementProgress| progression::compat(&before.install_progressions, &c.placement, &c.desired);
    let mut status = ClusterManagementAddOnStatus {
        default_config_references: default_config::compat(declared, &before.default_config_references)?,
        install_progressions: placements.iter().map(entry).collect::<Result<_, _>>()?,
    };
    let look_up = |reference: &ConfigReference| {
        let known = context.unit.configurations.get(reference);
        known
            .map_or(Lookup::Missing, |known| Lookup::Found(Found { generation: 0, spec_hash: known.spec_hash.clone() }))
    };
    fill_addon(&mut status, look_up);
    Ok(status)
}

/// Returns the write that updates the status on the hub, or `None` if it is up to date.
pub(super) fn write(observed: &ClusterManagementAddOn, status: &ClusterManagementAddOnStatus) -> Option<Lane> {
    if observed.status.as_ref().unwrap_or(&ClusterManagementAddOnStatus::default()) == status {
        return None;
    }
    let Ok(Value::Object(mut members)) = serde_json::to_value(status) else { return None };
    // A merge patch needs null to empty a list.
    for name in ["defaultConfigReferences", "installProgressions"] {
        members.entry(name).or_insert(Value::Null);
    }
    let key = object_key::addon(observed.metadata.name.as_deref()?);
    let precondition = Some(precondition(&observed.metadata)?);
    let status = Value::Object(members).into();
    Some(Lane { stage: Stage::Conclude, writes: vec![Write::PatchStatus { key, precondition, status }] })
}
