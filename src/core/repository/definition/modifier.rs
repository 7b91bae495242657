//! Types of traits that a repository defines.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::cluster::ClusterReads;
use super::failure::Failure;
use super::mistake::Reader;
use super::parameters::Parameters;
use super::schematic::{Context, parameters, refuse, schematic, values};
use super::template::{ObjectTemplate, Template, compile, objects, render};
use super::work::{Outcome, Product, Run, Work};
use tidegate_api::schema::path::Path;
use tidegate_cel::Shape;
use tidegate_model::diagnostic::Place;
use tidegate_model::plural::plural;

/// Fields that are known and refused.
const REFUSED: [(&str, &str); 3] = [
    ("status", "is CUE, which is not supported; remove it: health is judged by the objects"),
    ("manageWorkload", "is not supported: the workload is always delivered with its traits; remove it"),
    ("controlPlaneOnly", "is not supported: nothing of an application goes to the hub; remove it"),
];

/// The variable for the workload.
const OUTPUT: &str = "output";

/// A type of traits.
#[derive(Debug)]
pub(crate) struct TraitType {
    number: usize,
    place: Place,
    /// The parameters that a trait gives in its properties.
    pub(crate) parameters: Parameters,
    /// What it reads of the cluster.
    pub(crate) reads: ClusterReads,
    /// The types of components and the kinds of workloads that it is for; empty for all.
    pub(crate) applies_to: Vec<String>,
    /// The types of traits that cannot be beside it.
    pub(crate) conflicts_with: Vec<String>,
    objects: Vec<ObjectTemplate>,
    patch: Option<Template>,
    operations: Vec<Template>,
}

/// Reads the definition at a path; mistakes are noted.
pub(super) fn read(reader: &mut Reader<'_>, at: &Path, definition: &Value, work: &Work) -> Option<TraitType> {
    let spec = at.member("spec");
    let value = definition.get("spec").unwrap_or(&Value::Null);
    refuse(reader, &spec, value, &REFUSED);
    if let Some(stage) = value.get("stage").and_then(Value::as_str).filter(|stage| *stage != "DefaultDispatch") {
        let at = spec.member("stage");
        let why = "but the objects of an application are applied at once; remove it";
        reader.mistake(&at, format!("{at} is {stage:?}, {why}"));
    }
    let texts = |member: &str| {
        let texts = value.get(member).and_then(Value::as_array).into_iter().flatten();
        texts.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let conflicts_with = texts("conflictsWith");
    for (index, name) in conflicts_with.iter().enumerate() {
        if name.contains(['.', '*', ':']) {
            let at = spec.member("conflictsWith").item(index);
            reader
                .mistake(&at, format!("{at} is {name:?}, which is not the name of a trait; write the types of traits"));
        }
    }
    let (_, at, schematic) = schematic(reader, &spec, value, &["tidegate"])?;
    let (parameters, scope) = parameters(reader, &at, schematic);
    let scope = scope.with(OUTPUT, &Shape::Any);
    let has =
        |member: &str| schematic.get(member).is_some_and(|given| given.as_array().is_none_or(|list| !list.is_empty()));
    if !["objects", "patch", "jsonPatch"].into_iter().any(has) {
        reader.mistake(&at, format!("{at} has no effect; write objects, patch or jsonPatch"));
    }
    let of_objects = objects(reader, &at.member("objects"), schematic.get("objects").unwrap_or(&Value::Null), &scope);
    let patch = schematic.get("patch").map(|patch| compile(reader, &at.member("patch"), patch, &scope));
    let given = schematic.get("jsonPatch").and_then(Value::as_array).into_iter().flatten().enumerate();
    let operations =
        given.map(|(index, operation)| compile(reader, &at.member("jsonPatch").item(index), operation, &scope));
    let operations = operations.collect();
    Some(TraitType {
        number: work.number(),
        place: reader.place(&spec),
        parameters,
        reads: std::mem::take(&mut reader.cluster),
        applies_to: texts("appliesToWorkloads"),
        conflicts_with,
        objects: of_objects,
        patch,
        operations,
    })
}

impl TraitType {
    /// Returns `true` if a component of a type, with this workload, can have the trait.
    ///
    /// # Source
    /// KubeVela `TraitDefinition`: a type, or a resource of a group with or without a version; `*` means any.
    pub(crate) fn applies(&self, type_: &str, workload: &Value) -> bool {
        let text = |member: &str| workload.get(member).and_then(Value::as_str).unwrap_or_default();
        let (group, version) = text("apiVersion").rsplit_once('/').unwrap_or(("", text("apiVersion")));
        let resource = format!("{}.{group}", plural(text("kind")));
        let is_meant = |wanted: &String| {
            let (wanted, of_version) = wanted.split_once('/').unwrap_or((wanted, version));
            let is_group = wanted.strip_prefix("*.").is_some_and(|wanted| wanted == group);
            wanted == "*"
                || wanted == type_
                || (is_group || wanted == resource.trim_end_matches('.')) && of_version == version
        };
        self.applies_to.is_empty() || self.applies_to.iter().any(is_meant)
    }

    /// Returns what a trait that gives these parameters adds to a workload.
    pub(crate) fn render(
        &self,
        context: &Context<'_>,
        given: &Map<String, Value>,
        workload: &Value,
        work: &Work,
    ) -> Outcome {
        match values((&self.parameters, &self.reads), context, given, &self.place) {
            Ok(mut values) => {
                values[OUTPUT] = workload.clone();
                work.rendered(self.number, &mut values, |run, values| self.product(run, values))
            }
            Err(failure) => Rc::new(Err(failure)),
        }
    }

    fn product(&self, run: &mut Run<'_>, values: &mut Value) -> Result<Product, Failure> {
        let mut product = Product::default();
        for object in &self.objects {
            object.render(run, values, &mut product.objects)?;
        }
        run.place = self.place.clone();
        if let Some(patch) = &self.patch
            && let Some(Value::Object(patch)) = render(patch, run, values)?
        {
            product.patch = Some(patch);
        }
        for operation in &self.operations {
            product.operations.extend(render(operation, run, values)?);
        }
        Ok(product)
    }
}
