//! Transformers as plugins.

use super::value_add::ValueAdd;
use crate::overlay::field_specs::config::read_specs;
use crate::overlay::field_specs::spec::FieldSpec;
use crate::overlay::input::{
    Fields, Image, Pairs, PatchField, Reader, ReplacementField, Replica, Text, image, replacement, replica,
};
use crate::overlay::model::{Maker, Resource};
use crate::overlay::transform::namespace::Subjects;
use crate::yaml::{Base, Node, Origin};

/// A transformer with its configuration.
#[derive(Debug)]
pub(crate) struct Transformer {
    pub(crate) kind: &'static str,
    /// Where its configuration starts.
    pub(crate) origin: Origin,
    pub(crate) action: Action,
    /// What annotations name as its origin, if `buildMetadata` asks for that.
    pub(crate) maker: Option<Maker>,
}

/// What a transformer does.
#[derive(Debug)]
pub(crate) enum Action {
    Annotations { pairs: Pairs, specs: Vec<FieldSpec> },
    Hash,
    Image { image: Box<Image>, specs: Vec<FieldSpec> },
    Labels { pairs: Pairs, specs: Vec<FieldSpec> },
    Namespace { namespace: Option<Text>, specs: Vec<FieldSpec>, unset_only: bool, subjects: Subjects },
    JsonPatch(Box<PatchField>),
    StrategicMerges(Vec<Text>),
    Patch(Box<PatchField>),
    Affixes { prefix: Option<Text>, suffix: Option<Text>, specs: Vec<FieldSpec> },
    Replacements(Vec<ReplacementField>),
    Replicas { replica: Box<Replica>, specs: Vec<FieldSpec> },
    AddValue(ValueAdd),
}

impl Transformer {
    /// Reads the configuration of a transformer.
    pub(crate) fn read(kind: &'static str, config: &Resource, maker: Option<Maker>, reader: &mut Reader) -> Self {
        Self { kind, origin: config.node.origin, action: action(kind, &config.node, reader), maker }
    }
}

fn action(kind: &'static str, node: &Node, reader: &mut Reader) -> Action {
    if let "PatchJson6902Transformer" | "PatchStrategicMergeTransformer" | "PatchTransformer" = kind {
        return patch(kind, node, reader);
    }
    match kind {
        "AnnotationsTransformer" => {
            let fields = open(kind, node, &["annotations", "fieldSpecs"], reader);
            Action::Annotations { pairs: reader.pairs(&fields, "annotations"), specs: specs(&fields, reader) }
        }
        "HashTransformer" => Action::Hash,
        "ImageTagTransformer" => {
            let fields = open(kind, node, &["imageTag", "fieldSpecs"], reader);
            let nothing = empty(node);
            let image = image(fields.get("imageTag").unwrap_or(&nothing), reader);
            Action::Image { image: Box::new(image), specs: specs(&fields, reader) }
        }
        "LabelTransformer" => {
            let fields = open(kind, node, &["labels", "fieldSpecs"], reader);
            Action::Labels { pairs: reader.pairs(&fields, "labels"), specs: specs(&fields, reader) }
        }
        "NamespaceTransformer" => {
            let fields = open(kind, node, &["fieldSpecs", "unsetOnly", "setRoleBindingSubjects"], reader);
            let namespace = node.find(&["metadata", "namespace"]).map(|node| reader.text_of(node, "namespace"));
            Action::Namespace {
                namespace: namespace.filter(|namespace| !namespace.is_empty()),
                specs: specs(&fields, reader),
                unset_only: reader.flag(&fields, "unsetOnly"),
                subjects: subjects(&fields, reader),
            }
        }
        "PrefixTransformer" | "SuffixTransformer" | "PrefixSuffixTransformer" => affixes(kind, node, reader),
        "ReplacementTransformer" => {
            let fields = open(kind, node, &["replacements"], reader);
            let items = reader.items(&fields, "replacements");
            Action::Replacements(items.iter().map(|item| replacement(item, reader)).collect())
        }
        "ReplicaCountTransformer" => {
            let fields = open(kind, node, &["replica", "fieldSpecs"], reader);
            let nothing = empty(node);
            let replica = replica(fields.get("replica").unwrap_or(&nothing), reader);
            Action::Replicas { replica: Box::new(replica), specs: specs(&fields, reader) }
        }
        _ => Action::AddValue(ValueAdd::read(node, reader)),
    }
}

/// Opens the configuration of a transformer that has these fields besides those of every object.
fn open<'n>(kind: &str, node: &'n Node, own: &[&'static str], reader: &mut Reader) -> Fields<'n> {
    let known = [&["apiVersion", "kind", "metadata"], own].concat();
    reader.fields(node, &format!("a {kind}"), &known)
}

/// Reads the transformers that patch.
fn patch(kind: &'static str, node: &Node, reader: &mut Reader) -> Action {
    match kind {
        "PatchJson6902Transformer" => {
            let fields = open(kind, node, &["target", "path", "jsonOp"], reader);
            Action::JsonPatch(Box::new(PatchField {
                origin: node.origin,
                path: reader.text(&fields, "path"),
                patch: reader.text(&fields, "jsonOp"),
                target: fields.get("target").cloned(),
                options: None,
            }))
        }
        "PatchStrategicMergeTransformer" => {
            let fields = open(kind, node, &["paths", "patches"], reader);
            let mut texts = reader.texts(&fields, "paths");
            texts.extend(reader.text(&fields, "patches"));
            if texts.is_empty() {
                reader.error(node.origin, "there is no patch; write `paths` or `patches`");
            }
            Action::StrategicMerges(texts)
        }
        _ => {
            let fields = open(kind, node, &["path", "patch", "target", "options"], reader);
            Action::Patch(Box::new(PatchField {
                origin: node.origin,
                path: reader.text(&fields, "path"),
                patch: reader.text(&fields, "patch"),
                target: fields.get("target").cloned(),
                options: fields.get("options").cloned(),
            }))
        }
    }
}

/// Reads the transformers that add something before and after names.
fn affixes(kind: &'static str, node: &Node, reader: &mut Reader) -> Action {
    let fields = open(kind, node, &["prefix", "suffix", "fieldSpecs"], reader);
    if fields.get("fieldSpecs").is_none() {
        reader.error(node.origin, "fieldSpecs is missing; write `fieldSpecs: [{path: metadata/name}]`");
    }
    let mut side = |field: &str, without: &str| {
        let text = reader.text(&fields, field).unwrap_or_else(|| nothing(node.origin));
        (kind != without).then_some(text)
    };
    let (prefix, suffix) = (side("prefix", "SuffixTransformer"), side("suffix", "PrefixTransformer"));
    Action::Affixes { prefix, suffix, specs: specs(&fields, reader) }
}

fn specs(fields: &Fields<'_>, reader: &mut Reader) -> Vec<FieldSpec> {
    read_specs(fields, "fieldSpecs", reader)
}

fn subjects(fields: &Fields<'_>, reader: &mut Reader) -> Subjects {
    let Some(text) = reader.text(fields, "setRoleBindingSubjects") else { return Subjects::default() };
    match &*text.text {
        "defaultOnly" => Subjects::NamedDefault,
        "allServiceAccounts" => Subjects::ServiceAccounts,
        "none" => Subjects::Nothing,
        other => {
            let message = format!(
                "{other:?} is not a value of setRoleBindingSubjects; write defaultOnly, allServiceAccounts or none"
            );
            reader.error(text.origin, message);
            Subjects::default()
        }
    }
}

fn empty(node: &Node) -> Node {
    Node::mapping(crate::yaml::Mapping::new(), node.origin)
}

fn nothing(origin: Origin) -> Text {
    Text { text: Default::default(), origin, base: Base::default() }
}
