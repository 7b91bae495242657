//! Makes objects from generator entries.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::pairs;
use super::pairs::Pair;
use crate::overlay::input::{Files, Generator, GeneratorOptions, Pairs, Text};
use crate::overlay::model::values::{Cause, is_non_string};
use crate::overlay::model::{Behavior, Resource};
use crate::yaml::{Error, Key, Mapping, Node, Origin, Provenance, Scalar, Style};

/// Length of a Base64 line. Values of this length or more are split into lines.
const LINE: usize = 70;

/// The kind of a generated object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    ConfigMap,
    Secret,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ConfigMap => "ConfigMap",
            Self::Secret => "Secret",
        }
    }

    fn field(self) -> &'static str {
        match self {
            Self::ConfigMap => "configMapGenerator",
            Self::Secret => "secretGenerator",
        }
    }
}

/// The context of a generator entry.
pub(crate) struct Place<'a, 't> {
    pub(crate) directory: &'a str,
    pub(crate) files: &'a mut Files<'t>,
    pub(crate) provenance: &'a mut Provenance,
    /// The `generatorOptions` of the file.
    pub(crate) options: &'a GeneratorOptions,
}

/// Makes the object of a generator entry, which is given with its index.
///
/// # Errors
/// [`Error`] if it has no name, a source cannot be read, or a key occurs twice.
pub(crate) fn make(
    kind: Kind,
    (at, generator): (usize, &Generator),
    place: &mut Place<'_, '_>,
) -> Result<Resource, Error> {
    let Some(name) = &generator.name else {
        return Err(generator.origin.error(format!("an entry of {} needs a name", kind.field())));
    };
    let pairs = pairs::pairs(generator, place.directory, place.files, place.provenance)?;
    let options = merged(&generator.options, place.options);
    let mut cause = Cause::new(format!("{}[{at}]", kind.field()), generator.origin);
    let origin = cause.origin(generator.origin, None, place.provenance);
    let mut maker = Maker { origin, cause, non_string_keys: Vec::new(), provenance: place.provenance };
    let mut object = Mapping::new();
    maker.put(&mut object, "apiVersion", Scalar::string("v1"));
    maker.put(&mut object, "kind", Scalar::string(kind.name()));
    let metadata = maker.metadata(name, generator.namespace.as_ref(), &options);
    object.insert(Key::new("metadata", origin), metadata);
    if kind == Kind::Secret {
        let secret_type = generator.kind.as_ref().map_or_else(|| Arc::from("Opaque"), |kind| Arc::clone(&kind.text));
        maker.put(&mut object, "type", Scalar::string(secret_type));
        object.insert(Key::new("data", origin), Node::mapping(Mapping::new(), origin));
    }
    maker.data(kind, &mut object, pairs, &name.text)?;
    if options.immutable {
        maker.put(&mut object, "immutable", Scalar::boolean(true));
    }
    let mut resource = Resource::new(Node::mapping(object, origin));
    resource.non_string_keys = maker.non_string_keys;
    resource.needs_hash = !options.no_hash;
    resource.behavior = match generator.behavior.as_ref().map(|behavior| &*behavior.text) {
        Some("merge") => Behavior::Merge,
        Some("replace") => Behavior::Replace,
        _ => Behavior::Create,
    };
    Ok(resource)
}

struct Maker<'a> {
    origin: Origin,
    cause: Cause,
    non_string_keys: Vec<Key>,
    provenance: &'a mut Provenance,
}

impl Maker<'_> {
    fn put(&self, object: &mut Mapping, key: &str, value: Scalar) {
        object.insert(Key::new(key, self.origin), Node::scalar(value, self.origin));
    }

    /// Records a key that kustomize does not read as a string in the end.
    fn note(&mut self, key: &Key) {
        if is_non_string(key) {
            self.non_string_keys.push(key.clone());
        }
    }

    fn text(&mut self, text: &Text) -> Node {
        let origin = self.cause.origin(text.origin, None, self.provenance);
        Node::scalar(Scalar::string(Arc::clone(&text.text)), origin)
    }

    fn metadata(&mut self, name: &Text, namespace: Option<&Text>, options: &GeneratorOptions) -> Node {
        let mut metadata = Mapping::new();
        metadata.insert(Key::new("name", name.origin), self.text(name));
        if let Some(namespace) = namespace {
            metadata.insert(Key::new("namespace", namespace.origin), self.text(namespace));
        }
        for (field, pairs) in [("labels", &options.labels), ("annotations", &options.annotations)] {
            let mut mapping = Mapping::new();
            for (key, text) in pairs.values() {
                self.note(key);
                mapping.insert(key.clone(), self.text(text));
            }
            if !mapping.is_empty() {
                metadata.insert(Key::new(field, self.origin), Node::mapping(mapping, self.origin));
            }
        }
        Node::mapping(metadata, self.origin)
    }

    fn data(&mut self, kind: Kind, object: &mut Mapping, pairs: Vec<Pair>, name: &str) -> Result<(), Error> {
        let mut known: BTreeMap<Arc<str>, Pair> = BTreeMap::new();
        for pair in pairs {
            if known.contains_key(&pair.key) {
                let message = format!("{} {name} gets the key {:?} twice; remove one of them", kind.name(), pair.key);
                return Err(pair.entry.error(message));
            }
            known.insert(Arc::clone(&pair.key), pair);
        }
        for (key, pair) in known {
            let origin = self.cause.origin(pair.origin, None, self.provenance);
            let key = Key::new(key, pair.entry);
            self.note(&key);
            let (field, text) = match (kind, String::from_utf8(pair.value)) {
                (Kind::ConfigMap, Ok(text)) => ("data", text),
                (Kind::ConfigMap, Err(bytes)) => ("binaryData", lines(bytes.as_bytes())),
                (Kind::Secret, Ok(text)) => ("data", lines(text.as_bytes())),
                (Kind::Secret, Err(bytes)) => ("data", lines(bytes.as_bytes())),
            };
            let data =
                object.get_or_insert_with(Key::new(field, self.origin), || Node::mapping(Mapping::new(), self.origin));
            data.set(key, Node::scalar(Scalar::string(text).styled(Style::Literal), origin));
        }
        Ok(())
    }
}

/// Encodes bytes as Base64, split into lines if it is long.
fn lines(bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    if text.len() < LINE {
        return text;
    }
    let mut out = String::with_capacity(text.len() + text.len() / LINE + 1);
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at_checked(LINE).unwrap_or((rest, ""));
        out.push_str(line);
        out.push('\n');
        rest = after;
    }
    out
}

/// Returns the options of a generator merged with those of the file. The generator's own entries win.
fn merged(own: &GeneratorOptions, all: &GeneratorOptions) -> GeneratorOptions {
    let below = |own: &Pairs, all: &Pairs| {
        let mut pairs = all.clone();
        pairs.extend(own.clone());
        pairs
    };
    GeneratorOptions {
        labels: below(&own.labels, &all.labels),
        annotations: below(&own.annotations, &all.annotations),
        no_hash: own.no_hash || all.no_hash,
        immutable: own.immutable || all.immutable,
    }
}
