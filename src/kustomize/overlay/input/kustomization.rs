//! Reads kustomization files.

use super::entries::{
    Generator, GeneratorOptions, Image, LabelEntry, OpenApi, PatchField, ReplacementField, Replica, SortOptions,
};
use super::{File, Files};
use super::{entries, vars};
use crate::overlay::bases::kustomizations;
use crate::overlay::vars::Var;
use crate::vendor::path::{is_within, shown};
use crate::vendor::{self, ChartEntry};
use crate::yaml;
use crate::yaml::{Error, Node, Origin, Provenance};
use crate::yaml::{Fields, Pairs, Reader, Text};

/// A kustomization file.
#[derive(Debug, Default)]
pub(crate) struct Kustomization {
    /// The name of the file.
    pub(crate) file: String,
    /// The path of the file.
    pub(crate) path: String,
    /// Where it starts.
    pub(crate) origin: Origin,
    pub(crate) is_component: bool,
    pub(crate) resources: Vec<Text>,
    pub(crate) components: Vec<Text>,
    pub(crate) configurations: Vec<Text>,
    pub(crate) namespace: Option<Text>,
    pub(crate) prefix: Option<Text>,
    pub(crate) suffix: Option<Text>,
    pub(crate) labels: Vec<LabelEntry>,
    pub(crate) common_labels: Pairs,
    pub(crate) annotations: Pairs,
    pub(crate) patches: Vec<PatchField>,
    pub(crate) strategic_merges: Vec<Text>,
    pub(crate) json_patches: Vec<PatchField>,
    pub(crate) images: Vec<Image>,
    pub(crate) replicas: Vec<Replica>,
    pub(crate) replacements: Vec<ReplacementField>,
    pub(crate) config_maps: Vec<Generator>,
    pub(crate) secrets: Vec<Generator>,
    pub(crate) charts: Vec<ChartEntry>,
    pub(crate) options: GeneratorOptions,
    pub(crate) sort: Option<SortOptions>,
    pub(crate) build_metadata: Option<Vec<Text>>,
    pub(crate) vars: Vec<Var>,
    pub(crate) crds: Vec<Text>,
    pub(crate) openapi: Option<OpenApi>,
    /// Configurations of plugins, or paths of their files or directories.
    pub(crate) generators: Vec<Text>,
    pub(crate) transformers: Vec<Text>,
    pub(crate) validators: Vec<Text>,
}

const FIELDS: [&str; 34] = [
    "apiVersion",
    "kind",
    "metadata",
    "resources",
    "components",
    "namespace",
    "namePrefix",
    "nameSuffix",
    "labels",
    "commonLabels",
    "commonAnnotations",
    "patches",
    "patchesStrategicMerge",
    "patchesJson6902",
    "images",
    "imageTags",
    "replicas",
    "replacements",
    "configMapGenerator",
    "secretGenerator",
    "generatorOptions",
    "configurations",
    "sortOptions",
    "buildMetadata",
    "bases",
    "crds",
    "openapi",
    "vars",
    "helmGlobals",
    "helmCharts",
    "helmChartInflationGenerator",
    "generators",
    "transformers",
    "validators",
];

/// Deprecated fields, each with the field to use instead.
const DEPRECATED: [(&str, &str); 6] = [
    ("bases", "resources"),
    ("commonLabels", "labels"),
    ("imageTags", "images"),
    ("patchesJson6902", "patches"),
    ("patchesStrategicMerge", "patches"),
    ("vars", "replacements"),
];

/// Returns the kustomization file of a directory.
///
/// # Errors
/// [`Error`] if the directory has no such file, more than one, or one that is a symbolic link out of the directory. A missing file is
/// reported at `at`.
pub(crate) fn find<'t>(
    directory: &str,
    files: &mut Files<'t>,
    provenance: &mut Provenance,
    at: Origin,
) -> Result<File<'t>, Error> {
    let paths = kustomizations(directory);
    let mut found: Vec<File<'t>> = paths.iter().filter_map(|path| files.get(path, provenance)).collect();
    match (found.pop(), found.pop()) {
        (Some(file), None) if !is_within(&file.path, directory) => {
            let message = format!("the kustomization of {} is a link to {}; copy it", shown(directory), file.path);
            Err(at.error(message))
        }
        (Some(file), None) => Ok(file),
        (Some(file), Some(other)) => {
            let message = format!("there are both {} and {}; keep one of them", other.path, file.path);
            Err(Origin::new(file.source, 1, 1).error(message))
        }
        (None, _) if files.is_directory(directory) => {
            Err(at.error(format!("there is no kustomization.yaml in {}; add one", shown(directory))))
        }
        (None, _) => Err(at.error(format!("there is no directory {directory}"))),
    }
}

/// Reads a kustomization file. Errors are collected in the reader.
pub(crate) fn kustomization(file: &File<'_>, reader: &mut Reader) -> Kustomization {
    let start = Origin::new(file.source, 1, 1);
    let node = match yaml::kustomization_with(file.input(), &mut reader.warnings) {
        Ok(node) => node.unwrap_or_else(|| Node::scalar(yaml::Scalar::null(), start)),
        Err(error) => {
            reader.errors.push(error);
            return Kustomization::default();
        }
    };
    let fields = reader.fields(&node, "a kustomization", &FIELDS);
    let name = file.path.rsplit('/').next().unwrap_or_default().to_owned();
    let is_component = head(&fields, reader);
    for (old, right) in DEPRECATED {
        if let Some(node) = fields.get(old) {
            reader.warn(node.origin, format!("{old} is deprecated; write {right}"));
        }
    }
    if reader.errors.is_empty() && is_empty(&fields) {
        reader.error(start, "the kustomization is empty; list its resources, or write `resources: []`");
    }
    Kustomization { file: name, path: file.path.clone(), origin: node.origin, is_component, ..body(&fields, reader) }
}

fn body(fields: &Fields<'_>, reader: &mut Reader) -> Kustomization {
    let mut list = |name: &str, old: &str| -> Vec<Text> {
        let mut texts = reader.texts(fields, name);
        texts.extend(reader.texts(fields, old));
        texts
    };
    let resources = list("resources", "bases");
    let images = [reader.items(fields, "images"), reader.items(fields, "imageTags")].concat();
    Kustomization {
        resources,
        components: reader.texts(fields, "components"),
        configurations: reader.texts(fields, "configurations"),
        namespace: reader.text(fields, "namespace"),
        prefix: reader.text(fields, "namePrefix"),
        suffix: reader.text(fields, "nameSuffix"),
        labels: each(fields, "labels", reader, entries::label),
        common_labels: reader.pairs(fields, "commonLabels"),
        annotations: reader.pairs(fields, "commonAnnotations"),
        patches: each(fields, "patches", reader, entries::patch),
        strategic_merges: reader.texts(fields, "patchesStrategicMerge"),
        json_patches: each(fields, "patchesJson6902", reader, entries::patch),
        images: images.iter().map(|item| entries::image(item, reader)).collect(),
        replicas: each(fields, "replicas", reader, entries::replica),
        replacements: each(fields, "replacements", reader, entries::replacement),
        config_maps: each(fields, "configMapGenerator", reader, entries::config_map),
        secrets: each(fields, "secretGenerator", reader, entries::secret),
        charts: vendor::charts(fields, reader),
        options: fields.get("generatorOptions").map(|node| entries::options(node, reader)).unwrap_or_default(),
        sort: fields.get("sortOptions").map(|node| entries::sort(node, reader)),
        generators: reader.texts(fields, "generators"),
        transformers: reader.texts(fields, "transformers"),
        validators: reader.texts(fields, "validators"),
        crds: reader.texts(fields, "crds"),
        openapi: fields.get("openapi").map(|node| entries::openapi(node, reader)),
        vars: each(fields, "vars", reader, vars::var),
        build_metadata: fields.get("buildMetadata").map(|_| reader.texts(fields, "buildMetadata")),
        ..Kustomization::default()
    }
}

fn each<T>(fields: &Fields<'_>, name: &str, reader: &mut Reader, read: impl Fn(&Node, &mut Reader) -> T) -> Vec<T> {
    reader.items(fields, name).iter().map(|item| read(item, reader)).collect()
}

/// Checks `apiVersion`, `kind` and `metadata`; returns `true` if it is a component.
fn head(fields: &Fields<'_>, reader: &mut Reader) -> bool {
    let kind = reader.text(fields, "kind");
    let is_component = kind.as_ref().is_some_and(|kind| &*kind.text == "Component");
    if let Some(kind) = kind.filter(|kind| !matches!(&*kind.text, "Kustomization" | "Component")) {
        let message = format!("unknown kind {:?}; write Kustomization or Component", kind.text);
        reader.errors.push(kind.error(message));
    }
    let (what, right) = match is_component {
        true => ("component", "kustomize.config.k8s.io/v1alpha1"),
        false => ("kustomization", "kustomize.config.k8s.io/v1beta1"),
    };
    if let Some(version) = reader.text(fields, "apiVersion").filter(|version| &*version.text != right) {
        let message = format!("the apiVersion of a {what} is not {:?}; write {right}", version.text);
        reader.errors.push(version.error(message));
    }
    if let Some(metadata) = fields.get("metadata") {
        let known = ["name", "namespace", "labels", "annotations"];
        let metadata = reader.fields(metadata, "the metadata of a kustomization", &known);
        reader.text(&metadata, "name");
        reader.text(&metadata, "namespace");
        reader.pairs(&metadata, "labels");
        reader.pairs(&metadata, "annotations");
    }
    is_component
}

/// Returns `true` if no field has any content.
fn is_empty(fields: &Fields<'_>) -> bool {
    let says = |name: &str| {
        let node = fields.get(name);
        match name {
            "apiVersion" | "kind" => false,
            "namePrefix" | "nameSuffix" | "namespace" => node.is_some_and(|node| node.as_str() != Some("")),
            "bases" | "imageTags" | "helmChartInflationGenerator" => {
                node.and_then(Node::as_sequence).is_some_and(|items| !items.is_empty())
            }
            _ => node.is_some(),
        }
    };
    !FIELDS.iter().any(|name| says(name))
}
