//! The entries of a kustomization file.

use crate::overlay::field_specs::config::read_specs;
use crate::overlay::field_specs::spec::FieldSpec;
use crate::yaml::{Fields, Mapping, Node, Origin, Pairs, Reader, Text};
use tidegate_model::near::remedy;

/// An entry of `labels`.
#[derive(Debug)]
pub(crate) struct LabelEntry {
    pub(crate) origin: Origin,
    pub(crate) pairs: Pairs,
    pub(crate) selectors: bool,
    pub(crate) templates: bool,
    pub(crate) fields: Vec<FieldSpec>,
}

/// An entry of `patches` or `patchesJson6902`.
#[derive(Debug)]
pub(crate) struct PatchField {
    pub(crate) origin: Origin,
    pub(crate) path: Option<Text>,
    pub(crate) patch: Option<Text>,
    pub(crate) target: Option<Node>,
    pub(crate) options: Option<Node>,
}

impl PatchField {
    /// Returns `true` if its target does not name one kind and name, so that all objects must be searched.
    pub(crate) fn searches(&self) -> bool {
        let Some(target) = &self.target else { return false };
        let is_plain = |field: &str| {
            let text = target.get(field).and_then(Node::as_str).unwrap_or_default();
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        !(is_plain("kind") && is_plain("name"))
    }
}

/// An entry of `replacements`.
#[derive(Debug)]
pub(crate) struct ReplacementField {
    /// The file that holds the replacements.
    pub(crate) path: Option<Text>,
    /// The other fields of the entry.
    pub(crate) node: Node,
}

/// An entry of `images`.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) origin: Origin,
    pub(crate) name: Option<Text>,
    pub(crate) new_name: Option<Text>,
    pub(crate) tag_suffix: Option<Text>,
    pub(crate) new_tag: Option<Text>,
    pub(crate) digest: Option<Text>,
}

/// An entry of `replicas`.
#[derive(Debug)]
pub(crate) struct Replica {
    pub(crate) origin: Origin,
    pub(crate) name: Option<Text>,
    pub(crate) count: i64,
    pub(crate) count_origin: Origin,
}

/// The field `openapi`.
#[derive(Debug)]
pub(crate) struct OpenApi {
    pub(crate) path: Option<Text>,
    pub(crate) version: Option<Text>,
}

/// An entry of `configMapGenerator` or `secretGenerator`.
#[derive(Debug)]
pub(crate) struct Generator {
    pub(crate) origin: Origin,
    pub(crate) name: Option<Text>,
    pub(crate) namespace: Option<Text>,
    pub(crate) behavior: Option<Text>,
    pub(crate) literals: Vec<Text>,
    pub(crate) files: Vec<Text>,
    pub(crate) envs: Vec<Text>,
    pub(crate) kind: Option<Text>,
    pub(crate) options: GeneratorOptions,
}

/// The settings in `generatorOptions` and `options`.
#[derive(Debug, Default, Clone)]
pub(crate) struct GeneratorOptions {
    pub(crate) labels: Pairs,
    pub(crate) annotations: Pairs,
    pub(crate) no_hash: bool,
    pub(crate) immutable: bool,
}

/// The settings in `sortOptions`.
#[derive(Debug)]
pub(crate) struct SortOptions {
    pub(crate) origin: Origin,
    pub(crate) order: Option<Text>,
    pub(crate) lists: Option<(Vec<Text>, Vec<Text>)>,
}

pub(crate) fn label(node: &Node, reader: &mut Reader) -> LabelEntry {
    let fields =
        reader.fields(node, "an entry of labels", &["pairs", "includeSelectors", "includeTemplates", "fields"]);
    LabelEntry {
        origin: node.origin,
        pairs: reader.pairs(&fields, "pairs"),
        selectors: reader.flag(&fields, "includeSelectors"),
        templates: reader.flag(&fields, "includeTemplates"),
        fields: read_specs(&fields, "fields", reader),
    }
}

pub(crate) fn patch(node: &Node, reader: &mut Reader) -> PatchField {
    let fields = reader.fields(node, "a patch", &["path", "patch", "target", "options"]);
    PatchField {
        origin: node.origin,
        path: reader.text(&fields, "path"),
        patch: reader.text(&fields, "patch"),
        target: fields.get("target").cloned(),
        options: fields.get("options").cloned(),
    }
}

pub(crate) fn replacement(node: &Node, reader: &mut Reader) -> ReplacementField {
    let fields = reader.fields(node, "a replacement", &["path", "source", "sourceValue", "targets"]);
    let mut own = node.clone();
    if let Some(mapping) = own.as_mapping_mut() {
        mapping.retain(|key, _| !key.text.eq_ignore_ascii_case("path"));
    }
    ReplacementField { path: reader.text(&fields, "path"), node: own }
}

pub(crate) fn image(node: &Node, reader: &mut Reader) -> Image {
    let known = ["name", "newName", "tagSuffix", "newTag", "digest"];
    let fields = reader.fields(node, "an entry of images", &known);
    Image {
        origin: node.origin,
        name: reader.text(&fields, "name"),
        new_name: reader.text(&fields, "newName"),
        tag_suffix: reader.text(&fields, "tagSuffix"),
        new_tag: reader.text(&fields, "newTag"),
        digest: reader.text(&fields, "digest"),
    }
}

pub(crate) fn replica(node: &Node, reader: &mut Reader) -> Replica {
    let fields = reader.fields(node, "an entry of replicas", &["name", "count"]);
    Replica {
        origin: node.origin,
        name: reader.text(&fields, "name"),
        count: reader.integer(&fields, "count").unwrap_or(0),
        count_origin: fields.get("count").map_or(node.origin, |count| count.origin),
    }
}

const GENERATOR: [&str; 8] = ["namespace", "name", "behavior", "literals", "files", "envs", "env", "options"];

pub(crate) fn config_map(node: &Node, reader: &mut Reader) -> Generator {
    let fields = reader.fields(node, "an entry of configMapGenerator", &GENERATOR);
    generator(&fields, reader)
}

pub(crate) fn secret(node: &Node, reader: &mut Reader) -> Generator {
    let known: Vec<_> = GENERATOR.into_iter().chain(["type"]).collect();
    let fields = reader.fields(node, "an entry of secretGenerator", &known);
    let kind = reader.text(&fields, "type");
    Generator { kind, ..generator(&fields, reader) }
}

fn generator(fields: &Fields<'_>, reader: &mut Reader) -> Generator {
    let mut envs = reader.texts(fields, "envs");
    envs.extend(reader.text(fields, "env"));
    Generator {
        origin: fields.origin,
        name: reader.text(fields, "name"),
        namespace: reader.text(fields, "namespace"),
        behavior: reader.text(fields, "behavior"),
        literals: reader.texts(fields, "literals"),
        files: reader.texts(fields, "files"),
        envs,
        kind: None,
        options: fields.get("options").map_or_else(GeneratorOptions::default, |node| options(node, reader)),
    }
}

pub(crate) fn options(node: &Node, reader: &mut Reader) -> GeneratorOptions {
    let known = ["labels", "annotations", "disableNameSuffixHash", "immutable"];
    let fields = reader.fields(node, "generator options", &known);
    GeneratorOptions {
        labels: reader.pairs(&fields, "labels"),
        annotations: reader.pairs(&fields, "annotations"),
        no_hash: reader.flag(&fields, "disableNameSuffixHash"),
        immutable: reader.flag(&fields, "immutable"),
    }
}

pub(crate) fn sort(node: &Node, reader: &mut Reader) -> SortOptions {
    let fields = reader.fields(node, "sortOptions", &["order", "legacySortOptions"]);
    let lists = fields.get("legacySortOptions").map(|node| {
        let fields = reader.fields(node, "legacySortOptions", &["orderFirst", "orderLast"]);
        (reader.texts(&fields, "orderFirst"), reader.texts(&fields, "orderLast"))
    });
    SortOptions { origin: node.origin, order: reader.text(&fields, "order"), lists }
}

pub(crate) fn openapi(node: &Node, reader: &mut Reader) -> OpenApi {
    for entry in node.as_mapping().into_iter().flat_map(Mapping::iter) {
        let (key, known) = (entry.key(), ["path", "version"]);
        if !known.contains(&&*key.text) {
            let message =
                format!("{:?} is not a field of openapi and has no effect; {}", key.text, remedy(&key.text, known));
            reader.warn(key.origin, message);
        }
    }
    if node.as_mapping().is_none() {
        reader.error(node.origin, "openapi must be a mapping; write a path or a version");
    }
    let mut text = |name: &str| node.get(name).map(|node| reader.text_of(node, name));
    // An empty path is an error later, and an empty version has no effect.
    OpenApi { path: text("path"), version: text("version").filter(|version| !version.is_empty()) }
}
