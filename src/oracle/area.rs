//! The areas of recorded cases, and the entry point to each.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use super::{config, placement, progress, rollout, sequence, spec_hash, template, work};

/// An area of recorded cases, named as its file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// One decision of the rollout engine.
    Rollout,
    /// A whole rollout, tick by tick.
    RolloutSequence,
    /// One scheduling pass of one Placement.
    Placement,
    /// One configuration object and its hash.
    SpecHash,
    /// One AddOnTemplate rendered for one cluster.
    Template,
    /// Rendered manifests packed into ManifestWorks.
    ManifestWork,
    /// Configuration layers, and a whole rollout of an add-on.
    AddonConfig,
    /// Progress and its conditions.
    AddonProgress,
}

impl Area {
    /// All areas.
    pub const ALL: [Self; 8] = [
        Self::Rollout,
        Self::RolloutSequence,
        Self::Placement,
        Self::SpecHash,
        Self::Template,
        Self::ManifestWork,
        Self::AddonConfig,
        Self::AddonProgress,
    ];

    /// Returns the name of the area.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rollout => "rollout",
            Self::RolloutSequence => "rollout-sequence",
            Self::Placement => "placement",
            Self::SpecHash => "spechash",
            Self::Template => "template",
            Self::ManifestWork => "manifestwork",
            Self::AddonConfig => "addon-config",
            Self::AddonProgress => "addon-progress",
        }
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A string that does not name an area.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown area {0:?}; the areas are: {known}", known = Area::ALL.map(Area::name).join(", "))]
pub struct UnknownArea(String);

impl FromStr for Area {
    type Err = UnknownArea;
    fn from_str(name: &str) -> Result<Self, UnknownArea> {
        Self::ALL.into_iter().find(|area| area.name() == name).ok_or_else(|| UnknownArea(name.to_owned()))
    }
}

/// Returns the answer to the `input` of one case.
///
/// # Errors
/// An input that does not have the form of its area. If upstream refuses a case, that is an answer, with a field
/// `error`.
pub fn answer(area: Area, input: &Value) -> Result<Value, serde_json::Error> {
    match area {
        Area::Rollout => rollout::answer(input),
        Area::RolloutSequence => sequence::answer(input),
        Area::Placement => placement::answer(input),
        Area::SpecHash => spec_hash::answer(input),
        Area::Template => template::answer(input),
        Area::ManifestWork => work::answer(input),
        Area::AddonConfig => config::answer(input),
        Area::AddonProgress => progress::answer(input),
    }
}
