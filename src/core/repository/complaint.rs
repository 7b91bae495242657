//! Complaints: what is wrong in the files, where, and what would be right.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::node::Mark;
use super::object::Object;
use tidegate_model::name::AddonName;
use tidegate_model::object::ObjectKey;

/// A place in a file of the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Path of the file, relative to the root of the repository.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Place {
    pub(super) fn new(file: &str, mark: Mark) -> Self {
        Self { file: file.to_owned(), line: mark.line, column: mark.column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// How much a complaint matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// It blocks what it touches.
    Error,
    /// It blocks nothing.
    Warning,
}

/// What a complaint is about. The names are stable: reports name their rules by them, and people silence them by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A file that cannot be read as YAML, within the limits.
    Yaml,
    /// A file that should not be there, or not in this form.
    File,
    /// `tidegate.toml`.
    Settings,
    /// A kustomization, and what it makes of its resources.
    Overlay,
    /// What an object is: apiVersion, kind, name and namespace.
    Object,
    /// Labels, annotations and the other metadata.
    Metadata,
    /// A value that the schema of the kind does not allow.
    Schema,
    /// A reference into nothing, or a name that is given twice.
    Reference,
    /// A ClusterManagementAddOn or ManagedClusterSetBinding as a whole.
    Addon,
    /// The strategy of a rollout.
    Strategy,
    /// The manifests of an AddOnTemplate.
    Template,
    /// A Placement.
    Placement,
    /// A scalar that not all readers of YAML take for the same.
    Ambiguous,
}

impl Rule {
    /// Every rule, in the order in which reports list them.
    pub const ALL: [Self; 13] = [
        Self::Yaml,
        Self::File,
        Self::Settings,
        Self::Overlay,
        Self::Object,
        Self::Metadata,
        Self::Schema,
        Self::Reference,
        Self::Addon,
        Self::Strategy,
        Self::Template,
        Self::Placement,
        Self::Ambiguous,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::File => "file",
            Self::Settings => "settings",
            Self::Overlay => "overlay",
            Self::Object => "object",
            Self::Metadata => "metadata",
            Self::Schema => "schema",
            Self::Reference => "reference",
            Self::Addon => "addon",
            Self::Strategy => "strategy",
            Self::Template => "template",
            Self::Placement => "placement",
            Self::Ambiguous => "ambiguous",
        }
    }

    /// Returns what it demands, in a sentence.
    pub fn demand(self) -> &'static str {
        match self {
            Self::Yaml => "Every file is YAML or JSON, and within the limits of size and depth.",
            Self::File => "Every file is a regular one that all machines can check out.",
            Self::Settings => "tidegate.toml holds settings that are known, with values that are allowed.",
            Self::Overlay => "What a kustomization says can be rendered, and means what it seems to.",
            Self::Object => "Every object has an apiVersion and kind that are known, and a valid name and namespace.",
            Self::Metadata => "Labels, annotations and other metadata are as Kubernetes wants them.",
            Self::Schema => "Every value is allowed by the schema of its kind.",
            Self::Reference => "What an object refers to is in the repository, once.",
            Self::Addon => "Tidegate alone drives an add-on, and a binding bears the name of its set.",
            Self::Strategy => "The strategy of a rollout can be followed.",
            Self::Template => "Every manifest of an AddOnTemplate is an object, and its variables are closed.",
            Self::Placement => "A Placement can be scheduled.",
            Self::Ambiguous => "All readers of YAML take a scalar for the same.",
        }
    }
}

/// Something wrong in the files, with its remedy. Whoever writes the repository can fix it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Complaint {
    /// Where.
    pub place: Place,
    /// What is wrong, and what would be right.
    pub message: String,
    /// The object that is wrong; `None` if the file as a whole is, or if the object has no usable identity.
    pub object: Option<ObjectKey>,
    /// The add-ons that it touches, and blocks if it is an error. Shared, since each of them holds the complaint.
    #[serde(serialize_with = "shared")]
    pub addons: Arc<BTreeSet<AddonName>>,
    /// How much it matters.
    pub severity: Severity,
    /// What it is about.
    pub rule: Rule,
}

fn shared<S: Serializer>(addons: &Arc<BTreeSet<AddonName>>, into: S) -> Result<S::Ok, S::Error> {
    addons.as_ref().serialize(into)
}

impl Complaint {
    /// Makes an error about a file, or about something in it that has no identity.
    pub(super) fn of_file(file: &str, mark: Mark, message: impl Into<String>) -> Self {
        Self {
            place: Place::new(file, mark),
            message: message.into(),
            object: None,
            addons: Arc::default(),
            severity: Severity::Error,
            rule: Rule::File,
        }
    }

    /// Returns it as one about something else.
    pub(super) fn about(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// Returns `true` if it blocks what it touches.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// More complaints about one object help nobody, and would let a hostile file fill the memory.
const MAX_PER_OBJECT: usize = 50;

/// Collects the complaints about one object.
pub(super) struct Notes<'a> {
    pub(super) object: &'a Object,
    pub(super) complaints: &'a mut Vec<Complaint>,
}

impl Notes<'_> {
    /// Returns `true` if there are so many complaints that no more are taken.
    pub(super) fn is_full(&self) -> bool {
        self.complaints.len() > MAX_PER_OBJECT
    }

    pub(super) fn error(&mut self, mark: Mark, message: impl Into<String>) {
        self.add(mark, message.into(), Severity::Error);
    }

    pub(super) fn warning(&mut self, mark: Mark, message: impl Into<String>) {
        self.add(mark, message.into(), Severity::Warning);
    }

    fn add(&mut self, mark: Mark, message: String, severity: Severity) {
        let (message, severity) = match self.complaints.len() {
            MAX_PER_OBJECT => {
                ("there are more complaints about this object; fix the others first".to_owned(), Severity::Error)
            }
            _ if self.is_full() => return,
            _ => (message, severity),
        };
        self.complaints.push(Complaint {
            object: Some(self.object.key.clone()),
            severity,
            place: self.object.place_of(mark),
            rule: Rule::Schema,
            ..Complaint::of_file("", mark, message)
        });
    }
}

/// Returns what the complaints from an index on are about.
pub(super) fn mark_from(complaints: &mut [Complaint], from: usize, rule: Rule) {
    complaints.iter_mut().skip(from).for_each(|complaint| complaint.rule = rule);
}
