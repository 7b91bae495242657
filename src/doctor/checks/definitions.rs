//! Does the hub serve the kinds of OCM, and are their versions converted?

use std::collections::BTreeSet;
use std::fmt;

use crate::doctor::facts::{Definition, REQUIRED, Required};
use crate::doctor::line::{Level, Verdict, few};
use tidegate_api::key::ADDON_GROUP;

/// Which of the required kinds are served.
pub(super) enum Kinds {
    /// These are not: the name of the CRD, with the missing version if only that is missing.
    Missing(Vec<String>),
    Served {
        /// The versions in which the hub stores and serves the add-on group.
        stored: BTreeSet<String>,
        served: BTreeSet<String>,
    },
}

/// Judges whether the required kinds are served.
pub(super) fn kinds(all: &[Definition]) -> Kinds {
    let lacks = |required: &Required| {
        let name = required.name();
        let Some(found) = all.iter().find(|definition| definition.name == name) else { return Some(name) };
        let served = found.served();
        match required.version {
            Some(version) if !served.contains(&version) => Some(format!("{name} in version {version}")),
            None if served.is_empty() => Some(name),
            _ => None,
        }
    };
    let missing: Vec<String> = REQUIRED.iter().filter_map(lacks).collect();
    if !missing.is_empty() {
        return Kinds::Missing(missing);
    }
    let addons = || all.iter().filter(|definition| definition.name.ends_with(ADDON_GROUP));
    let versions = || addons().flat_map(|definition| &definition.versions);
    Kinds::Served {
        stored: versions().filter(|version| version.is_stored).map(|version| version.name.clone()).collect(),
        served: addons().flat_map(Definition::served).map(str::to_owned).collect(),
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &BTreeSet<String>| names.iter().map(String::as_str).collect::<Vec<_>>().join(" and ");
        match self {
            Self::Missing(names) => write!(f, "not served: {}", few(names.iter().map(String::as_str))),
            Self::Served { stored, served } => {
                let count = REQUIRED.len();
                write!(f, "all {count} are served; add-ons are stored as {}, served as {}", list(stored), list(served))
            }
        }
    }
}

impl Verdict for Kinds {
    fn level(&self) -> Level {
        match self {
            Self::Missing(_) => Level::Fail,
            Self::Served { .. } => Level::Ok,
        }
    }

    fn fix(&self) -> Option<String> {
        match self {
            Self::Missing(_) => Some(
                "install Open Cluster Management (`clusteradm init`), or its CRDs alone (`tidegate crds | kubectl apply \
                 --server-side -f -`)"
                    .to_owned(),
            ),
            Self::Served { .. } => None,
        }
    }
}

/// Whether clients of all versions get complete objects.
pub(super) enum Conversion {
    /// One version of each kind, or versions with the same schema.
    NotNeeded,
    Webhook,
    /// The embedded API server converts.
    Embedded,
    /// The kinds whose objects lose fields, each with the command that stops serving the other versions.
    Lost(Vec<(String, String)>),
}

/// Judges whether the served versions of each kind are converted. Without conversion, the API server changes only the
/// `apiVersion`, and drops the fields that the other version does not have.
pub(super) fn conversion(all: &[Definition]) -> Conversion {
    let lost = all.iter().filter(|definition| definition.loses_fields());
    let lost: Vec<(String, String)> =
        lost.map(|definition| (definition.name.clone(), only_stored(definition))).collect();
    let any = |is_so: fn(&Definition) -> bool| all.iter().any(is_so);
    match (any(|definition| definition.has_webhook), any(|definition| definition.is_embedded)) {
        _ if !lost.is_empty() => Conversion::Lost(lost),
        (true, _) => Conversion::Webhook,
        (false, true) => Conversion::Embedded,
        (false, false) => Conversion::NotNeeded,
    }
}

/// Returns the command after which a kind is served only in the version in which its objects are stored.
fn only_stored(definition: &Definition) -> String {
    let others = definition.versions.iter().enumerate().filter(|(_, version)| version.is_served && !version.is_stored);
    let patch: Vec<String> = others
        .map(|(index, _)| format!(r#"{{"op":"replace","path":"/spec/versions/{index}/served","value":false}}"#))
        .collect();
    format!("kubectl patch crd {} --type=json -p '[{}]'", definition.name, patch.join(","))
}

impl fmt::Display for Conversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotNeeded => write!(f, "no conversion is needed"),
            Self::Webhook => write!(f, "versions are converted by a webhook"),
            Self::Embedded => write!(f, "versions are converted by the embedded API server"),
            Self::Lost(names) => {
                let names = few(names.iter().map(|(name, _)| name.as_str()));
                write!(f, "several versions are served without conversion, so agents lose fields: {names}")
            }
        }
    }
}

impl Verdict for Conversion {
    fn level(&self) -> Level {
        match self {
            Self::NotNeeded | Self::Webhook | Self::Embedded => Level::Ok,
            Self::Lost(_) => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        match self {
            Self::NotNeeded | Self::Webhook | Self::Embedded => None,
            Self::Lost(lost) => {
                let commands: Vec<&str> = lost.iter().map(|(_, command)| command.as_str()).collect();
                Some(format!(
                    "install OCM's conversion webhook (`clusteradm init`), or, if no agent uses the other version, serve only the one that is \
                     stored: {}",
                    commands.join(" && ")
                ))
            }
        }
    }
}
