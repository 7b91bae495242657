//! What a revision means for an add-on, and its hash.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::scope::{Marks, Scope};
use crate::application::inherited;
use crate::settings::Settings;
use crate::types::Repository;
use crate::unit::{Turn, Unit};
use tidegate_api::ocm::cluster_management_addon::InstallStrategy;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnSpec;
use tidegate_go::canonical::go_json;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::semantics::{Semantics, SoakDip};

/// Everything in a revision on which the rollout of an add-on depends.
///
/// It leaves out what has no effect on the rollout, such as the display name, and what describes the fleet: the declared
/// ManagedClusters.
///
/// A new field must be skipped if it is absent, so that the digests of add-ons without it do not change.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meaning<'a> {
    settings: Rollouts,
    marks: Marks<'a>,
    default_configs: &'a [ConfigReference],
    install_strategy: Option<&'a InstallStrategy>,
    overrides: BTreeMap<&'a ClusterName, Override<'a>>,
    /// When each placement of an application has its turn.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    order: &'a [Turn],
    /// What its revisions require besides it. What it requires itself is in its annotations.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    requires: BTreeSet<&'a UnitName>,
    /// The hash of each configuration by its reference.
    configurations: BTreeMap<String, &'a str>,
    #[serde(flatten)]
    scope: Scope<'a>,
}

/// The settings that change rollouts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rollouts {
    semantics: Semantics,
    /// Strict only, like `wait_for_installs`.
    soak_dip: Option<SoakDip>,
    wait_for_installs: Option<bool>,
    max_percent: u8,
    max_clusters: usize,
    settle_seconds: u32,
}

/// The declared add-on of one cluster.
#[derive(Serialize)]
struct Override<'a> {
    marks: Marks<'a>,
    spec: &'a ManagedClusterAddOnSpec,
}

/// Returns the digest of an add-on of a repository.
pub(crate) fn digest(repository: &Repository, addon: &Unit) -> Digest {
    let Unit { source: _, configurations, overrides, digest: _, per_cluster: _ } = addon;
    let meaning = Meaning {
        settings: rollouts(&repository.settings),
        marks: Marks::of(addon.metadata()),
        default_configs: addon.defaults(),
        install_strategy: addon.install_strategy(),
        order: addon.order(),
        requires: inherited(addon),
        overrides: overrides
            .iter()
            .map(|(cluster, own)| (cluster, Override { marks: Marks::of(&own.metadata), spec: &own.spec }))
            .collect(),
        configurations: configurations
            .iter()
            .map(|(reference, configuration)| (reference_key(reference), configuration.spec_hash.as_str()))
            .collect(),
        scope: Scope::of(repository, addon),
    };
    let meaning =
        serde_json::to_value(&meaning).expect("it consists of strings, numbers, lists and maps with strings as keys");
    Digest::of(go_json(&meaning).as_bytes())
}

fn rollouts(settings: &Settings) -> Rollouts {
    let (rules, prune) = (settings.rules(), &settings.prune);
    Rollouts {
        semantics: rules.engine,
        soak_dip: rules.soak_dip,
        wait_for_installs: rules.removes_in_order.then_some(prune.wait_for_installs),
        max_percent: prune.max_percent,
        max_clusters: prune.max_clusters,
        settle_seconds: prune.settle_seconds,
    }
}

fn reference_key(reference: &ConfigReference) -> String {
    let ConfigReference { group, resource, namespace, name } = reference;
    format!("{group}/{resource}/{namespace}/{name}")
}
