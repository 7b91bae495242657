//! All definitions of a repository, or those of one revision of an application.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use super::cluster::ClusterReads;
use super::component::{self, ComponentType};
use super::kind::{COMPONENT, TRAIT, schema_of};
use super::mistake::{Mistake, Reader};
use super::modifier::{self, TraitType};
use super::work::Work;
use crate::read::object::Object;
use crate::settings::{Applications, Executor, Images};
use tidegate_api::key;
use tidegate_api::schema::check::violations;
use tidegate_api::schema::path::Path;
use tidegate_model::diagnostic::Place;
use tidegate_model::object::ObjectKey;

/// The namespace of the definitions that all applications can use.
pub(crate) const SHARED: &str = "vela-system";

/// Definitions by namespace and name.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    components: Types<ComponentType>,
    traits: Types<TraitType>,
    /// What they have rendered.
    pub(crate) work: Work,
    /// Who carries out the batches of the trait `rollout`.
    pub(crate) rollout: Executor,
    /// Which images applications may use.
    pub(crate) images: Images,
    /// Clusters for which definitions that read the cluster are checked before the clusters of the hub are known.
    pub(crate) samples: Vec<Sample>,
    /// The facts about the cluster that is rendered for; `None` for what is the same on all clusters.
    cluster: RefCell<Option<Rc<Value>>>,
}

/// A cluster as an example.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// What it is, as a part of a sentence.
    pub(crate) what: String,
    /// The facts about it.
    pub(crate) facts: Value,
}

type Types<T> = BTreeMap<(String, String), Known<T>>;

/// A definition, with what is wrong with it.
#[derive(Debug)]
pub(crate) struct Known<T> {
    /// The object that it is in.
    pub(crate) key: ObjectKey,
    /// The place where it starts.
    pub(crate) place: Place,
    /// What it defines; `None` if it has mistakes.
    pub(crate) type_: Option<T>,
    mistakes: Vec<Mistake>,
}

impl<T> Known<T> {
    /// Returns what it defines, or the place of a definition with mistakes.
    pub(crate) fn as_ref(&self) -> Result<&T, &Place> {
        self.type_.as_ref().ok_or(&self.place)
    }

    fn new(key: ObjectKey, reader: Reader<'_>, at: &Path, type_: Option<T>) -> Self {
        let (place, mistakes) = (reader.place(at), reader.mistakes);
        Self { key, place, type_: type_.filter(|_| mistakes.is_empty()), mistakes }
    }
}

impl Definitions {
    /// Reads the definitions among the objects of a repository.
    pub(crate) fn of(objects: &[Object]) -> Self {
        let mut found = Self::default();
        for object in objects.iter().filter(|object| is_definition(object)) {
            let name = (object.key.namespace.clone(), object.key.name.clone());
            found.add(object, &Path::default(), name, &object.value);
        }
        found
    }

    /// Returns the definitions with what the settings say about rendering.
    pub(crate) fn with(self, settings: &Applications) -> Self {
        Self { rollout: settings.rollout, images: settings.images, ..self }
    }

    /// Returns no definitions, for those of an ApplicationRevision.
    pub(crate) fn of_published() -> Self {
        Self { work: Work::of_published(), ..Self::default() }
    }

    /// Adds the definition at a path of an object. Of two with the same name, the first one counts; both have an error, since an object is
    /// declared once.
    pub(crate) fn add(&mut self, object: &Object, at: &Path, name: (String, String), value: &Value) {
        let kind = value.get("kind").and_then(Value::as_str).unwrap_or_default();
        let mut reader = Reader::new(object);
        let is_valid = schema_of(kind).is_some_and(|schema| violations(value, schema).is_empty());
        let key = object.key.clone();
        if kind == TRAIT {
            let type_ = if is_valid { modifier::read(&mut reader, at, value, &self.work) } else { None };
            self.traits.entry(name).or_insert(Known::new(key, reader, at, type_));
        } else {
            let type_ = if is_valid { component::read(&mut reader, at, value, &self.work) } else { None };
            self.components.entry(name).or_insert(Known::new(key, reader, at, type_));
        }
    }

    /// Returns the facts about the cluster that is rendered for.
    pub(crate) fn cluster(&self) -> Option<Rc<Value>> {
        self.cluster.borrow().clone()
    }

    /// Runs something with what is rendered for a cluster, given the facts about it.
    pub(crate) fn on_cluster<T>(&self, facts: &Value, run: impl FnOnce() -> T) -> T {
        self.work.renew();
        self.cluster.replace(Some(Rc::new(facts.clone())));
        let found = run();
        self.cluster.replace(None);
        found
    }

    /// Returns what all of them read of the cluster.
    pub(crate) fn reads(&self) -> ClusterReads {
        let components = self.components.values().filter_map(|known| known.type_.as_ref()).map(|type_| &type_.reads);
        let traits = self.traits.values().filter_map(|known| known.type_.as_ref()).map(|type_| &type_.reads);
        let mut all = ClusterReads::default();
        components.chain(traits).for_each(|reads| all.extend(reads));
        all
    }

    /// Returns what is wrong with a definition of the repository besides its schema.
    pub(crate) fn mistakes(&self, key: &ObjectKey) -> &[Mistake] {
        let name = (key.namespace.clone(), key.name.clone());
        let mistakes = match key.kind.as_str() {
            TRAIT => self.traits.get(&name).map(|known| &known.mistakes),
            _ => self.components.get(&name).map(|known| &known.mistakes),
        };
        mistakes.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the type of components with a name: that of the namespace of an application, or else the shared one.
    pub(crate) fn component(&self, namespace: &str, name: &str) -> Option<&Known<ComponentType>> {
        found(&self.components, namespace, name)
    }

    /// Returns the type of traits with a name: that of the namespace of an application, or else the shared one.
    pub(crate) fn of_trait(&self, namespace: &str, name: &str) -> Option<&Known<TraitType>> {
        found(&self.traits, namespace, name)
    }

    /// Returns the names of the types that an application in a namespace can use.
    pub(crate) fn names(&self, namespace: &str, of_traits: bool) -> Vec<&str> {
        let names: Vec<&(String, String)> =
            if of_traits { self.traits.keys().collect() } else { self.components.keys().collect() };
        let is_near = |of: &&&(String, String)| of.0 == namespace || of.0 == SHARED;
        names.iter().filter(is_near).map(|(_, name)| name.as_str()).collect()
    }
}

fn found<'d, T>(types: &'d Types<T>, namespace: &str, name: &str) -> Option<&'d Known<T>> {
    let of = |namespace: &str| types.get(&(namespace.to_owned(), name.to_owned()));
    of(namespace).or_else(|| of(SHARED))
}

/// Returns `true` if an object is a definition that is read as such.
pub(crate) fn is_definition(object: &Object) -> bool {
    object.key.group == key::APPLICATION_GROUP
        && [COMPONENT, TRAIT].contains(&object.key.kind.as_str())
        && object.schema.is_some()
}
