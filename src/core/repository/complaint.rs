//! Complaints: diagnostics about the declarations, with the rules that they belong to and the add-ons that they block.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// The rule that a complaint belongs to. The names are stable: they appear in reports, and people use them to silence
/// rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A file that is not valid YAML, or exceeds the limits.
    Yaml,
    /// A file that should not exist, or not in this form.
    File,
    /// `tidegate.toml`.
    Settings,
    /// A kustomization, or the result of applying it.
    Overlay,
    /// What is vendored: the lock, and the files that it describes.
    Vendor,
    /// The identity of an object: apiVersion, kind, name and namespace.
    Object,
    /// An object that a repository may not put on the hub.
    Hub,
    /// Labels, annotations and the other metadata.
    Metadata,
    /// A value that the schema of the kind does not allow.
    Schema,
    /// A dangling reference, or an object that is declared twice.
    Reference,
    /// A ClusterManagementAddOn or ManagedClusterSetBinding as a whole.
    Addon,
    /// The strategy of a rollout.
    Strategy,
    /// The manifests of an AddOnTemplate.
    Template,
    /// A Placement.
    Placement,
    /// An Application.
    Application,
    /// A policy: its declaration, or a change that breaks it.
    Policy,
    /// A scalar that YAML parsers read differently.
    Ambiguous,
    /// A control file. Such a complaint blocks no add-on, and keeps nothing from being removed.
    Control,
    /// A file of approvals. Such a complaint blocks no add-on, and keeps nothing from being removed.
    Approval,
}

impl Rule {
    /// Every rule, in the order in which reports list them.
    pub const ALL: [Self; 19] = [
        Self::Yaml,
        Self::File,
        Self::Settings,
        Self::Overlay,
        Self::Vendor,
        Self::Object,
        Self::Hub,
        Self::Metadata,
        Self::Schema,
        Self::Reference,
        Self::Addon,
        Self::Strategy,
        Self::Template,
        Self::Placement,
        Self::Application,
        Self::Policy,
        Self::Ambiguous,
        Self::Control,
        Self::Approval,
    ];

    /// Returns the name of the rule.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::File => "file",
            Self::Settings => "settings",
            Self::Overlay => "overlay",
            Self::Vendor => "vendor",
            Self::Object => "object",
            Self::Hub => "hub",
            Self::Metadata => "metadata",
            Self::Schema => "schema",
            Self::Reference => "reference",
            Self::Addon => "addon",
            Self::Strategy => "strategy",
            Self::Template => "template",
            Self::Placement => "placement",
            Self::Application => "application",
            Self::Policy => "policy",
            Self::Ambiguous => "ambiguous",
            Self::Control => "control",
            Self::Approval => "approval",
        }
    }

    /// Returns the requirement of the rule, as a sentence.
    pub fn demand(self) -> &'static str {
        match self {
            Self::Yaml => "Every file is valid YAML or JSON, and within the limits of size and depth.",
            Self::File => "Every file is a regular file that all machines can check out.",
            Self::Settings => "tidegate.toml contains only known settings with allowed values.",
            Self::Overlay => "Every kustomization can be rendered, and does what it appears to do.",
            Self::Vendor => "Everything that is vendored is as vendor.lock describes it, and is used.",
            Self::Object => "Every object has a known apiVersion and kind, and a valid name and namespace.",
            Self::Hub => "Every object is of OCM's kinds, is used by them, or is allowed by the operator of the hub.",
            Self::Metadata => "Labels, annotations and other metadata are valid in Kubernetes.",
            Self::Schema => "Every value is allowed by the schema of its kind.",
            Self::Reference => "Every referenced object is in the repository, exactly once.",
            Self::Addon => "Tidegate alone drives every add-on, and every binding has the name of its set.",
            Self::Strategy => "Every rollout strategy can be followed.",
            Self::Template => {
                "Every manifest of an AddOnTemplate is an object that API servers accept, and is in it once; its objects stay in their \
                 namespaces, its variables are closed, its custom signers are not those of Kubernetes, and its hub permissions can be \
                 granted."
            }
            Self::Placement => "Every Placement can be scheduled.",
            Self::Application => {
                "Every Application says where it goes, and has components and traits that can be rendered."
            }
            Self::Policy => "Every policy can be evaluated, and the change obeys all of them.",
            Self::Ambiguous => "Every scalar means the same to all YAML parsers.",
            Self::Control => "Every control file can be read, and is about an add-on of the repository.",
            Self::Approval => "Every file of approvals can be read.",
        }
    }
}

/// A diagnostic about the declarations. The author of the repository can fix it.
///
/// # Shape
/// The place always has a line: editors and reports need one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Complaint {
    /// The place, the problem with its remedy, and the severity: an error blocks the add-ons that the complaint touches.
    #[serde(flatten)]
    pub diagnostic: Diagnostic,
    /// The faulty object; `None` if the problem is in the file as a whole, or the object has no usable identity.
    pub object: Option<ObjectKey>,
    /// The add-ons that the complaint touches. Shared, since each of them holds the complaint.
    #[serde(serialize_with = "shared")]
    pub addons: Arc<BTreeSet<UnitName>>,
    /// The rule that is violated.
    pub rule: Rule,
}

/// Serializes a shared set of add-ons.
pub(super) fn shared<S: Serializer>(addons: &Arc<BTreeSet<UnitName>>, into: S) -> Result<S::Ok, S::Error> {
    addons.as_ref().serialize(into)
}

impl Complaint {
    /// Creates a complaint about a file, or about something in it without an identity.
    pub(super) fn new(rule: Rule, mut diagnostic: Diagnostic) -> Self {
        let Place { line, column, .. } = &mut diagnostic.place;
        (*line, *column) = ((*line).max(1), (*column).max(1));
        Self { diagnostic, object: None, addons: Arc::default(), rule }
    }

    /// Returns `true` if the complaint blocks the add-ons that it touches.
    pub fn is_error(&self) -> bool {
        self.diagnostic.is_error()
    }

    /// Returns `true` for an error that leaves in doubt what is declared. An error in a control file, or in a file of approvals, does not.
    pub fn is_about_declarations(&self) -> bool {
        self.is_error() && !matches!(self.rule, Rule::Control | Rule::Approval)
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

/// Sets the rule of all complaints from an index on.
pub(super) fn mark_from(complaints: &mut [Complaint], from: usize, rule: Rule) {
    complaints.iter_mut().skip(from).for_each(|complaint| complaint.rule = rule);
}
