//! Why a pass of the controller writes nothing, in upstream's words.

use std::collections::BTreeSet;
use std::num::IntErrorKind;

use super::case::Case;
use super::declared::Listed;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::placement::Placement;
use tidegate_delivery::status::{Layers, NoDesiredConfig, layer, merge, state};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::{ClusterName, InvalidName, NamespacedName};
use tidegate_model::semantics::{Rules, Semantics};
use tidegate_rollout::placement::{self, read_decisions};

/// Why a pass of the controller writes nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// A placement of the add-on does not exist.
    #[error("placement.cluster.open-cluster-management.io {:?} not found", .0.name)]
    NoPlacement(NamespacedName),
    /// The decisions of a placement cannot be read.
    #[error("{}", decisions(.0))]
    Decisions(placement::Error),
    /// Several placements cannot be read.
    #[error("{}", joined(.0))]
    Several(Vec<Self>),
    /// A rollout strategy cannot be read.
    #[error("{}", ErrorChain(.0))]
    Strategy(tidegate_rollout::Error),
    /// Upstream crashes here.
    #[error(transparent)]
    NoDesiredConfig(#[from] NoDesiredConfig),
    /// The add-on has a name that Kubernetes does not accept.
    #[error(transparent)]
    Name(InvalidName),
    /// The plan wrote a status that cannot be read.
    #[error("the plan wrote a status that cannot be read")]
    Written(#[source] serde_json::Error),
}

/// Returns the clusters that each placement of an add-on selects.
///
/// # Errors
/// The refusal of upstream's controller, which then writes nothing. A plan leaves alone only what is affected.
pub(super) fn selected(case: &Case, listed: &[Listed<'_>]) -> Result<Vec<BTreeSet<ClusterName>>, Refusal> {
    let (mut read, mut refused) = (Vec::new(), Vec::new());
    for Listed { name, strategy, .. } in listed {
        match groups(case, name) {
            Ok((placement, groups)) => read.push((strategy, placement, groups)),
            Err(refusal) => refused.push(refusal),
        }
    }
    Refusal::of(refused)?;
    for (strategy, placement, groups) in &read {
        let strategy =
            &tidegate_rollout::with_default_concurrency(&strategy.rollout_strategy, Some(placement), &Rules::COMPAT);
        let input =
            tidegate_rollout::Input { strategy, groups, existing: &[], tolerates_failures: false, now: case.now };
        tidegate_rollout::decide(&input, Semantics::Compat).map_err(Refusal::Strategy)?;
    }
    let selected = |groups: &Vec<_>| tidegate_rollout::tracked(groups).into_iter().cloned().collect();
    Ok(read.iter().map(|(_, _, groups)| selected(groups)).collect())
}

/// Checks the add-on of a cluster as upstream does, with the configurations of each placement that selects it in turn. `starts`
/// is `true` if it is assigned those of the last one.
///
/// # Errors
/// [`Refusal::NoDesiredConfig`] where upstream crashes. A plan assigns the configurations again.
pub(super) fn crash<'a>(
    child: &ManagedClusterAddOn,
    layers: impl Iterator<Item = &'a Layers>,
    starts: bool,
) -> Result<(), Refusal> {
    let mut desired = Vec::new();
    for layers in layers {
        desired = layers.overlaid(layer::assigned_own(child)).to_vec();
        state::compat(child, &desired)?;
    }
    if let (true, Some(status)) = (starts, &child.status) {
        merge::compat(&status.config_references, &desired)?;
    }
    Ok(())
}

fn groups<'a>(case: &'a Case, name: &NamespacedName) -> Result<(&'a Placement, Vec<DecisionGroup>), Refusal> {
    let is_it = |placement: &&Placement| {
        placement.metadata.namespace.as_deref().unwrap_or_default() == name.namespace
            && placement.metadata.name.as_deref() == Some(name.name.as_str())
    };
    let placement = case.placements.iter().find(is_it).ok_or_else(|| Refusal::NoPlacement(name.clone()))?;
    let groups = read_decisions(case.placement_decisions.iter(), name).map_err(Refusal::Decisions)?;
    Ok((placement, groups))
}

impl Refusal {
    /// Combines refusals into one; `Ok` if there are none.
    fn of(mut refused: Vec<Self>) -> Result<(), Self> {
        match refused.len() {
            0 | 1 => refused.pop().map_or(Ok(()), Err),
            _ => Err(Self::Several(refused)),
        }
    }
}

fn decisions(error: &placement::Error) -> String {
    match error {
        placement::Error::GroupIndex { text, source, .. } => {
            let why = match source.kind() {
                IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "value out of range",
                _ => "invalid syntax",
            };
            format!("incorrect group index: strconv.Atoi: parsing {text:?}: {why}")
        }
        other @ placement::Error::ClusterName { .. } => other.to_string(),
    }
}

/// Joins errors as Kubernetes does: each message once.
fn joined(refused: &[Refusal]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for text in refused.iter().map(ToString::to_string) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    if texts.len() == 1 { texts.concat() } else { format!("[{}]", texts.join(", ")) }
}
