//! A published revision in types, and the application in it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::digest::{DEFINITIONS, digest};
use crate::application::candidate::REVISION_ONLY;
use crate::application::component;
use crate::application::kind::{KIND, REVISION};
use crate::application::order::{self, Depends};
use crate::application::ownership;
use crate::application::parsed::{Parsed, set};
use crate::application::rendered::Rendered;
use crate::application::required;
use crate::application::rollout;
use crate::application::setting::Setting;
use crate::definition::Definitions;
use crate::read::object::{Object, path};
use tidegate_api::key;
use tidegate_api::schema::path::Step;
use tidegate_kustomize::yaml::Node;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ApplicationName, InvalidName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;

/// The label of the objects of a revision with its name.
const REVISION_LABEL: &str = "app.oam.dev/appRevision";

/// A published revision.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Revision {
    pub(crate) name: String,
    /// The application that was published.
    pub(crate) application: ApplicationName,
    pub(crate) digest: Digest,
    /// The units that a cluster must have before it gets the revision.
    pub(crate) requires: BTreeSet<UnitName>,
    /// Whether the application selects clusters, or changes components for some of them.
    has_policies: bool,
    /// The number of its components.
    components: usize,
    /// What its components depend on.
    depends: Depends,
    /// The names of the components with a size of their own, by the trait `rollout`.
    sized: Vec<String>,
    /// What its components render to, with the definitions that were published with them.
    objects: Vec<Rendered>,
}

/// Why a revision without errors cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error(transparent)]
    Name(#[from] InvalidName),
    #[error(transparent)]
    Content(#[from] serde_json::Error),
}

impl Revision {
    /// Reads a revision that has passed its checks.
    ///
    /// # Errors
    /// A name or a value that the schema allows and the types do not.
    pub(crate) fn read(object: &Object) -> Result<Self, Unreadable> {
        let revision = &object.value;
        let application = revision.pointer("/spec/application").unwrap_or(&Value::Null);
        let requires = required::units(application);
        let text = |object: &Value, member: &str| {
            let text = object.get("metadata").and_then(|metadata| metadata.get(member)?.as_str());
            text.unwrap_or_default().to_owned()
        };
        let name = NamespacedName::new(text(application, "namespace"), text(application, "name"));
        let (name, application) =
            (text(revision, "name"), (ApplicationName::try_from(&name)?, Parsed::read(application)?));
        let (application, parsed) = application;
        Ok(Self {
            digest: digest(revision),
            requires,
            has_policies: parsed.policies.iter().any(|policy| !policy.kind.is_about_objects()),
            components: parsed.components.len(),
            depends: order::depends(&parsed.components),
            sized: rollout::sized(&parsed.components),
            objects: objects(&application, &parsed, &definitions(object)),
            name,
            application,
        })
    }

    /// Returns the objects that clusters get of the revision, with a label with its name.
    pub(crate) fn objects(&self) -> Vec<Rendered> {
        let mut objects = self.content();
        for rendered in &mut objects {
            set(&mut rendered.object, &["metadata", "labels", REVISION_LABEL], json!(self.name));
        }
        objects
    }

    /// Returns the objects without that label. They are in the namespace of the application unless they have their own.
    pub(crate) fn content(&self) -> Vec<Rendered> {
        self.objects.clone()
    }

    /// Returns the number of its components.
    pub(crate) fn components(&self) -> usize {
        self.components
    }

    /// Returns what its components depend on.
    pub(crate) fn depends(&self) -> &Depends {
        &self.depends
    }

    /// Returns the names of the components with a size of their own.
    pub(crate) fn sized(&self) -> &[String] {
        &self.sized
    }

    /// Returns `true` if the application that was published selects clusters itself, or changes components for some of them.
    pub(crate) fn has_policies(&self) -> bool {
        self.has_policies
    }
}

fn objects(application: &ApplicationName, parsed: &Parsed, definitions: &Definitions) -> Vec<Rendered> {
    let setting = Setting { application, namespace: application.namespace(), definitions };
    let objects = parsed.components.iter().enumerate().flat_map(|(index, component)| {
        let at = path(&["spec", "application", "spec", "components"]).item(index);
        let objects = component::objects(setting, component);
        objects.into_iter().map(move |made| Rendered::of(at.clone(), component, made))
    });
    let mut objects: Vec<Rendered> = objects.collect();
    ownership::decide(&parsed.policies, &mut objects);
    objects
}

/// Returns the definitions in a revision. It is rendered with these alone.
pub(crate) fn definitions(revision: &Object) -> Definitions {
    let mut found = Definitions::of_published();
    for member in DEFINITIONS {
        let given = revision.value.pointer("/spec").and_then(|spec| spec.get(member)?.as_object());
        for (name, definition) in given.into_iter().flatten() {
            let at = path(&["spec", member]).member(name);
            found.add(revision, &at, (revision.key.namespace.clone(), name.clone()), definition);
        }
    }
    found
}

/// Returns the key of a revision.
pub(crate) fn key(namespace: &str, name: &str) -> ObjectKey {
    ObjectKey::new(key::APPLICATION_GROUP, REVISION, namespace, name)
}

/// Returns the application in a revision, as if it was declared with revision-only: a revision selects no clusters.
pub(crate) fn embedded(revision: &Object) -> Option<Object> {
    let mut value = revision.value.pointer("/spec/application")?.clone();
    set(&mut value, &["metadata", "annotations", REVISION_ONLY], json!("true"));
    let text = |member: &str| value.pointer("/metadata")?.get(member)?.as_str();
    let key = ObjectKey::new(key::APPLICATION_GROUP, KIND, text("namespace")?, text("name")?);
    let schema = revision.schema?.properties.get("spec")?.properties.get("application")?;
    Some(Object {
        key,
        node: node(&revision.node)?.clone(),
        provenance: revision.provenance.clone(),
        is_rendered: revision.is_rendered,
        value,
        schema: Some(schema),
    })
}

fn node(revision: &Node) -> Option<&Node> {
    let steps = path(&["spec", "application"]).0;
    steps.iter().try_fold(revision, |node, step| match step {
        Step::Member(name) => node.as_mapping()?.entry(name).map(|entry| &entry.value),
        Step::Item(_) => None,
    })
}
