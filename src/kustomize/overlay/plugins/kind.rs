//! Which plugins there are.

use crate::overlay::model::Resource;
use crate::yaml::Error;
use tidegate_model::near::nearest;

/// The `apiVersion` of built-in plugins.
const BUILTIN: &str = "builtin";

const GENERATORS: [&str; 3] = ["ConfigMapGenerator", "SecretGenerator", "IAMPolicyGenerator"];

const TRANSFORMERS: [&str; 14] = [
    "AnnotationsTransformer",
    "HashTransformer",
    "ImageTagTransformer",
    "LabelTransformer",
    "NamespaceTransformer",
    "PatchJson6902Transformer",
    "PatchStrategicMergeTransformer",
    "PatchTransformer",
    "PrefixSuffixTransformer",
    "PrefixTransformer",
    "ReplacementTransformer",
    "ReplicaCountTransformer",
    "SuffixTransformer",
    "ValueAddTransformer",
];

/// What a plugin does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It makes objects.
    Generator,
    /// It changes or checks objects.
    Transformer,
}

impl Role {
    fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Generator => &GENERATORS,
            Self::Transformer => &TRANSFORMERS,
        }
    }
}

/// Returns the kind of the built-in plugin that an object configures.
///
/// # Errors
/// [`Error`] if it is not built in, or has another role.
pub(crate) fn builtin_kind(config: &Resource, role: Role) -> Result<&'static str, Error> {
    let kind = config.kind();
    let refuse = |message: String| Err(config.node.origin.error(message));
    if *config.api_version() != *BUILTIN {
        return refuse(format!(
            "{kind} is not built into kustomize, and plugins are not run; use a plugin with `apiVersion: builtin`, or list the \
             rendered objects in resources"
        ));
    }
    if let Some(known) = role.kinds().iter().find(|known| ***known == *kind) {
        return Ok(known);
    }
    let (role, other, right) = match role {
        Role::Generator => ("generator", Role::Transformer, "transformers"),
        Role::Transformer => ("transformer", Role::Generator, "generators"),
    };
    if &*kind == "HelmChartInflationGenerator" {
        return refuse(
            "charts are not rendered by a plugin; list the chart in helmCharts, and run `tidegate vendor`".to_owned(),
        );
    }
    if other.kinds().contains(&&*kind) {
        return refuse(format!("{kind} is not a {role}; list it in {right}"));
    }
    let known = GENERATORS.iter().chain(&TRANSFORMERS).copied();
    let remedy = nearest(&kind, known).map_or_else(
        || "docs/overlays.md lists the built-in plugins".to_owned(),
        |near| format!("did you mean {near:?}?"),
    );
    refuse(format!("there is no built-in plugin {kind:?}; {remedy}"))
}
