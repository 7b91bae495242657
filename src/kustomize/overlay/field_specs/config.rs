//! The field specs of a layer's transformers: the built-in ones, and those from `configurations`.

use std::borrow::Cow;

use super::spec::{FieldSpec, Gvk, MAX_STEPS};
use super::{defaults, name_references, spec, var_references};
use crate::overlay::input::{Fields, Reader, Text};
use crate::yaml::{Error, Node};

/// A name reference: a target kind, and the fields that refer to it.
#[derive(Debug, Clone)]
pub(crate) struct References {
    pub(crate) target: Gvk,
    pub(crate) referrers: Vec<FieldSpec>,
}

/// The field specs of each transformer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Config {
    pub(crate) prefix: Vec<FieldSpec>,
    pub(crate) suffix: Vec<FieldSpec>,
    pub(crate) namespace: Vec<FieldSpec>,
    pub(crate) labels: Vec<FieldSpec>,
    pub(crate) common_labels: Vec<FieldSpec>,
    pub(crate) template_labels: Vec<FieldSpec>,
    pub(crate) annotations: Vec<FieldSpec>,
    pub(crate) images: Vec<FieldSpec>,
    pub(crate) replicas: Vec<FieldSpec>,
    pub(crate) references: Vec<References>,
    /// The fields in which references to vars are replaced.
    pub(crate) vars: Vec<FieldSpec>,
}

const FIELDS: [&str; 11] = [
    "namePrefix",
    "nameSuffix",
    "namespace",
    "commonLabels",
    "labels",
    "templateLabels",
    "commonAnnotations",
    "nameReference",
    "varReference",
    "images",
    "replicas",
];

fn gvk(group: &'static str, version: &'static str, kind: &'static str) -> Gvk {
    Gvk { group: Cow::Borrowed(group), version: Cow::Borrowed(version), kind: Cow::Borrowed(kind) }
}

fn specs(rows: &[defaults::Row]) -> Vec<FieldSpec> {
    rows.iter()
        .map(|(group, version, kind, path, create)| FieldSpec::new(gvk(group, version, kind), *path, *create))
        .collect()
}

impl Config {
    /// Returns the built-in field specs.
    pub(crate) fn builtin() -> Self {
        let mut common_labels = specs(&defaults::SELECTORS);
        for (kind, path) in
            ["Deployment", "StatefulSet"].iter().flat_map(|kind| defaults::POD_SELECTORS.map(|p| (kind, p)))
        {
            common_labels.push(FieldSpec::new(gvk("apps", "", kind), format!("spec/template/spec/{path}"), false));
        }
        common_labels.extend(specs(&defaults::TEMPLATE_LABELS));
        Self {
            prefix: specs(&defaults::NAME),
            suffix: specs(&defaults::NAME),
            namespace: specs(&defaults::NAMESPACE),
            labels: Vec::new(),
            common_labels,
            template_labels: specs(&defaults::TEMPLATE_LABELS),
            annotations: specs(&defaults::ANNOTATIONS),
            images: specs(&defaults::IMAGES),
            replicas: specs(&defaults::REPLICAS),
            references: references(),
            vars: vars(),
        }
    }

    /// Returns the number of field specs.
    pub(crate) fn len(&self) -> usize {
        let lists = [
            &self.prefix,
            &self.suffix,
            &self.namespace,
            &self.labels,
            &self.common_labels,
            &self.template_labels,
            &self.annotations,
            &self.images,
            &self.replicas,
            &self.vars,
        ];
        let referrers = self.references.iter().map(|references| &references.referrers);
        lists.into_iter().chain(referrers).map(Vec::len).sum()
    }

    /// Adds the field specs of another configuration.
    ///
    /// # Errors
    /// [`spec::Conflict`]
    pub(crate) fn merge(&mut self, other: &Self) -> Result<(), spec::Conflict> {
        spec::merge(&mut self.prefix, &other.prefix)?;
        spec::merge(&mut self.suffix, &other.suffix)?;
        spec::merge(&mut self.namespace, &other.namespace)?;
        spec::merge(&mut self.labels, &other.labels)?;
        spec::merge(&mut self.common_labels, &other.common_labels)?;
        spec::merge(&mut self.template_labels, &other.template_labels)?;
        spec::merge(&mut self.annotations, &other.annotations)?;
        spec::merge(&mut self.images, &other.images)?;
        spec::merge(&mut self.replicas, &other.replicas)?;
        spec::merge(&mut self.vars, &other.vars)?;
        for more in &other.references {
            match self.references.iter_mut().find(|known| known.target == more.target) {
                Some(known) => spec::merge(&mut known.referrers, &more.referrers)?,
                None => self.references.push(more.clone()),
            }
        }
        self.references.sort_by_cached_key(|references| references.target.order());
        Ok(())
    }

    /// Reads a file listed in `configurations`.
    pub(crate) fn read(node: &Node, reader: &mut Reader) -> Self {
        let fields = reader.fields(node, "a transformer configuration", &FIELDS);
        Self {
            prefix: read_specs(&fields, "namePrefix", reader),
            suffix: read_specs(&fields, "nameSuffix", reader),
            namespace: read_specs(&fields, "namespace", reader),
            labels: read_specs(&fields, "labels", reader),
            common_labels: read_specs(&fields, "commonLabels", reader),
            template_labels: read_specs(&fields, "templateLabels", reader),
            annotations: read_specs(&fields, "commonAnnotations", reader),
            images: read_specs(&fields, "images", reader),
            replicas: read_specs(&fields, "replicas", reader),
            references: read_references(&fields, reader),
            vars: read_specs(&fields, "varReference", reader),
        }
    }
}

fn references() -> Vec<References> {
    let mut all: Vec<References> = Vec::new();
    let mut add = |(group, version, kind): name_references::Target, referrer: FieldSpec| {
        let target = gvk(group, version, kind);
        match all.iter_mut().find(|known| known.target == target) {
            Some(known) => known.referrers.push(referrer),
            None => all.push(References { target, referrers: vec![referrer] }),
        }
    };
    let row =
        |(group, version, kind, path): &name_references::Row| FieldSpec::new(gvk(group, version, kind), *path, false);
    for (version, kind, prefix) in name_references::PODS {
        let field = |path: &str| FieldSpec::new(gvk("", version, kind), format!("{prefix}/{path}"), false);
        name_references::POD_CONFIG_MAPS.iter().for_each(|path| add(name_references::CONFIG_MAP, field(path)));
        name_references::POD_SECRETS.iter().for_each(|path| add(name_references::SECRET, field(path)));
    }
    name_references::CONFIG_MAPS.iter().for_each(|referrer| add(name_references::CONFIG_MAP, row(referrer)));
    name_references::SECRETS.iter().for_each(|referrer| add(name_references::SECRET, row(referrer)));
    for (kind, prefix) in name_references::RUNNING_PODS {
        for (target, path) in name_references::IN_RUNNING_PODS {
            add(target, FieldSpec::new(gvk("", "", kind), format!("{prefix}/{path}"), false));
        }
    }
    name_references::OTHERS.iter().for_each(|(target, referrer)| add(*target, row(referrer)));
    all.sort_by_cached_key(|references| references.target.order());
    all
}

fn vars() -> Vec<FieldSpec> {
    let in_pods = var_references::PODS.into_iter().flat_map(|(kind, pod)| {
        var_references::IN_PODS.map(|path| FieldSpec::new(gvk("", "", kind), format!("{pod}/{path}"), false))
    });
    let others = var_references::OTHERS.into_iter().map(|(kind, path)| FieldSpec::new(gvk("", "", kind), path, false));
    in_pods.chain(others).collect()
}

fn read_gvk(fields: &Fields<'_>, reader: &mut Reader) -> Gvk {
    let mut text = |name: &str| {
        let text = reader.text(fields, name);
        text.map_or(Cow::Borrowed(""), |text| Cow::Owned(text.text.to_string()))
    };
    Gvk { group: text("group"), version: text("version"), kind: text("kind") }
}

/// Reads field specs, as in `configurations` and in the `fields` of a `labels` entry.
pub(crate) fn read_specs(fields: &Fields<'_>, name: &str, reader: &mut Reader) -> Vec<FieldSpec> {
    let items = reader.items(fields, name);
    items.iter().filter_map(|item| read_spec(item, reader)).collect()
}

fn read_spec(node: &Node, reader: &mut Reader) -> Option<FieldSpec> {
    let fields = reader.fields(node, "a field spec", &["path", "group", "version", "kind", "create"]);
    let path = reader.text(&fields, "path");
    let create = reader.flag(&fields, "create");
    let gvk = read_gvk(&fields, reader);
    let spec = FieldSpec::new(gvk, path.as_ref().map_or(String::new(), |path| path.text.to_string()), create);
    if spec.steps.len() > MAX_STEPS {
        let message = format!("the path has more than {MAX_STEPS} steps, but objects do not nest that deep");
        reader.error(path.as_ref().map_or(node.origin, |path: &Text| path.origin), message);
        return None;
    }
    Some(spec)
}

fn read_references(fields: &Fields<'_>, reader: &mut Reader) -> Vec<References> {
    let items = reader.items(fields, "nameReference");
    let read = |item: &Node| {
        let fields = reader.fields(item, "a name reference", &["group", "version", "kind", "fieldSpecs"]);
        let target = read_gvk(&fields, reader);
        References { target, referrers: read_specs(&fields, "fieldSpecs", reader) }
    };
    items.iter().map(read).collect()
}

/// Returns the error for two field specs that contradict each other.
pub(crate) fn conflict(conflict: &spec::Conflict, at: &Text) -> Error {
    at.error(format!(
        "the field {} is listed twice, once with create: true and once without; use the same value both times",
        conflict.path
    ))
}
