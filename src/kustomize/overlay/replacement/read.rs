//! Reads replacements.

use std::sync::Arc;

use super::path::Path;
use crate::overlay::patch::Head;
use crate::overlay::select::Selector;
use crate::overlay::select::field_reader::{FieldReader, text};
use crate::yaml::{Error, Node, Origin};

/// The field path if none is given.
const DEFAULT_PATH: &str = "metadata.name";

/// A replacement.
#[derive(Debug, Clone)]
pub struct Replacement {
    pub(super) head: Head,
    pub(super) source: Source,
    pub(super) targets: Vec<Target>,
}

/// Where the value comes from.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// The replacement contains it.
    Value(Arc<str>, Origin),
    /// It is a field of an object.
    Object(Box<SourceObject>),
}

/// The object of a source. Empty fields match everything.
#[derive(Debug, Clone)]
pub(super) struct SourceObject {
    pub(super) origin: Origin,
    pub(super) group: Arc<str>,
    pub(super) version: Arc<str>,
    pub(super) kind: Arc<str>,
    pub(super) name: Arc<str>,
    pub(super) namespace: Arc<str>,
    pub(super) path: Path,
    pub(super) options: Options,
}

/// Where the value is copied to.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) select: Selector,
    pub(super) reject: Vec<Selector>,
    pub(super) paths: Vec<Path>,
    pub(super) options: Options,
}

/// The `options` of a source or target.
#[derive(Debug, Clone, Default)]
pub(super) struct Options {
    /// Separator of the parts. If empty, the whole field counts.
    pub(super) delimiter: Arc<str>,
    /// Index of the part.
    pub(super) index: i64,
    /// Whether missing fields are created.
    pub(super) create: bool,
    /// Where the options are.
    pub(super) origin: Origin,
}

/// Reads a file of replacements: a single one, or a list.
///
/// In such a file, the list of targets may be empty, as in kustomize.
///
/// # Errors
/// As [`Replacement::read`].
pub fn replacements(field: &Arc<str>, node: &Node) -> Result<Vec<Replacement>, Error> {
    let items = node.as_sequence().unwrap_or(std::slice::from_ref(node));
    let read = |item: &Node| Replacement::read_any(Head { field: Arc::clone(field), origin: item.origin }, item);
    items.iter().map(read).collect()
}

impl Replacement {
    /// Reads an entry of `replacements` in the kustomization file itself.
    ///
    /// # Errors
    /// [`Error`] at a malformed or missing field.
    pub fn read(head: Head, node: &Node) -> Result<Self, Error> {
        let replacement = Self::read_any(head, node)?;
        if replacement.targets.is_empty() {
            let message = "the replacement has no targets, so it sets nothing; list them, or remove the replacement";
            return Err(node.origin.error(message));
        }
        Ok(replacement)
    }

    /// Reads a replacement, whose list of targets may be empty.
    fn read_any(head: Head, node: &Node) -> Result<Self, Error> {
        let fields = FieldReader::read(node, "a replacement", &["source", "sourceValue", "targets"])?;
        let source = match (fields.get("source"), fields.text("sourceValue")?) {
            (Some(source), Some(_)) => {
                return Err(source
                    .origin
                    .error("a replacement cannot have both source and sourceValue; remove one of them"));
            }
            (Some(source), None) => Source::Object(Box::new(source_object(source)?)),
            (None, Some(value)) => {
                Source::Value(value, fields.get("sourceValue").map_or(node.origin, |value| value.origin))
            }
            (None, None) => {
                return Err(node.origin.error("a replacement needs a source or a sourceValue; add one"));
            }
        };
        let targets = fields
            .items("targets")?
            .ok_or_else(|| node.origin.error("a replacement needs targets; give a list of them"))?;
        let targets = targets.iter().map(target).collect::<Result<_, _>>()?;
        Ok(Self { head, source, targets })
    }
}

fn source_object(node: &Node) -> Result<SourceObject, Error> {
    let known = ["group", "version", "kind", "name", "namespace", "fieldPath", "options"];
    let fields = FieldReader::read(node, "a source", &known)?;
    let word = |field| fields.text(field).map(Option::unwrap_or_default);
    let path = word("fieldPath")?;
    let origin = fields.get("fieldPath").map_or(node.origin, |path| path.origin);
    Ok(SourceObject {
        origin: node.origin,
        group: word("group")?,
        version: word("version")?,
        kind: word("kind")?,
        name: word("name")?,
        namespace: word("namespace")?,
        path: Path::read(if path.is_empty() { DEFAULT_PATH } else { &path }, origin)?,
        options: options(fields.get("options"))?,
    })
}

fn target(node: &Node) -> Result<Target, Error> {
    let fields = FieldReader::read(node, "a target", &["select", "reject", "fieldPaths", "options"])?;
    let select = fields
        .get("select")
        .ok_or_else(|| node.origin.error("a target needs select, which names its objects; add it"))?;
    let reject = fields.items("reject")?.unwrap_or_default();
    let paths = fields.items("fieldPaths")?.unwrap_or_default();
    let path = |node: &Node| Path::read(&text(node, "a path")?, node.origin);
    let mut paths = paths.iter().map(path).collect::<Result<Vec<_>, _>>()?;
    if paths.is_empty() {
        paths.push(Path::read(DEFAULT_PATH, node.origin)?);
    }
    Ok(Target {
        select: Selector::read(select)?,
        reject: reject.iter().map(Selector::read).collect::<Result<_, _>>()?,
        paths,
        options: options(fields.get("options"))?,
    })
}

fn options(node: Option<&Node>) -> Result<Options, Error> {
    let Some(node) = node else { return Ok(Options::default()) };
    let fields = FieldReader::read(node, "options of a replacement", &["delimiter", "index", "encoding", "create"])?;
    fields.text("encoding")?;
    Ok(Options {
        delimiter: fields.text("delimiter")?.unwrap_or_default(),
        index: fields.integer("index")?.unwrap_or(0),
        create: fields.flag("create")?,
        origin: node.origin,
    })
}
