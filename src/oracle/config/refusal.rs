//! Why a pass of the controller writes nothing, in upstream's words.

use std::num::IntErrorKind;

use tidegate_core::placement;
use tidegate_core::rollout;
use tidegate_core::status::NoDesiredConfig;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::NamespacedName;

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
    Strategy(rollout::Error),
    /// Upstream crashes here.
    #[error(transparent)]
    NoDesiredConfig(#[from] NoDesiredConfig),
}

impl Refusal {
    /// Combines refusals into one; `Ok` if there are none.
    pub(super) fn of(mut refused: Vec<Self>) -> Result<(), Self> {
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
