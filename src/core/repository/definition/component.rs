//! Types of components that a repository defines.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::cluster::ClusterReads;
use super::failure::Failure;
use super::kube::{self, Kube};
use super::mistake::Reader;
use super::parameters::Parameters;
use super::schematic::{Context, parameters, refuse, schematic, values};
use super::template::{ObjectTemplate, objects};
use super::work::{Outcome, Product, Run, Work};
use tidegate_api::schema::path::Path;
use tidegate_model::diagnostic::Place;

/// Fields that are known and refused.
const REFUSED: [(&str, &str); 1] =
    [("status", "is CUE, which is not supported; remove it: health is judged by the objects")];

/// The value of `workload.type` with which KubeVela finds the kind itself.
const DETECTED: &str = "autodetects.core.oam.dev";

/// A type of components.
#[derive(Debug)]
pub(crate) struct ComponentType {
    number: usize,
    place: Place,
    /// The parameters that a component gives in its properties.
    pub(crate) parameters: Parameters,
    /// What it reads of the cluster.
    pub(crate) reads: ClusterReads,
    /// The apiVersion and the kind of the first object, if they are given.
    workload: Option<(String, String)>,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Kube(Kube),
    Objects(Vec<ObjectTemplate>),
}

/// Reads the definition at a path; mistakes are noted.
pub(super) fn read(reader: &mut Reader<'_>, at: &Path, definition: &Value, work: &Work) -> Option<ComponentType> {
    let spec = at.member("spec");
    let value = definition.get("spec").unwrap_or(&Value::Null);
    refuse(reader, &spec, value, &REFUSED);
    let workload = workload(reader, &spec.member("workload"), value.get("workload").unwrap_or(&Value::Null));
    let (form, at, schematic) = schematic(reader, &spec, value, &["tidegate", "kube"])?;
    let (parameters, body) = if form == "kube" {
        let (parameters, kube) = kube::compile(reader, &at, schematic);
        (parameters, Body::Kube(kube))
    } else {
        let (parameters, scope) = parameters(reader, &at, schematic);
        let given = schematic.get("objects");
        if given.is_none() {
            reader.mistake(&at, format!("{at}.objects is missing; add an object"));
        }
        let objects = objects(reader, &at.member("objects"), given.unwrap_or(&Value::Null), &scope);
        (parameters, Body::Objects(objects))
    };
    let reads = std::mem::take(&mut reader.cluster);
    Some(ComponentType { number: work.number(), place: reader.place(&spec), parameters, reads, workload, body })
}

/// Reads the kind of the workload. Where only its type is given, nothing is known about it.
fn workload(reader: &mut Reader<'_>, at: &Path, workload: &Value) -> Option<(String, String)> {
    let text = |member: &str| workload.get("definition")?.get(member)?.as_str().map(str::to_owned);
    if let Some(type_) = workload.get("type").and_then(Value::as_str).filter(|type_| *type_ != DETECTED) {
        let at = at.member("type");
        let why = "which names a WorkloadDefinition; these are not read, so write workload.definition with its apiVersion and kind";
        reader.mistake(&at, format!("{at} is {type_:?}, {why}"));
    }
    text("apiVersion").zip(text("kind"))
}

impl ComponentType {
    /// Returns the objects of a component that gives these parameters.
    pub(crate) fn render(&self, context: &Context<'_>, given: &Map<String, Value>, work: &Work) -> Outcome {
        match values((&self.parameters, &self.reads), context, given, &self.place) {
            Ok(mut values) => work.rendered(self.number, &mut values, |run, values| self.product(run, values)),
            Err(failure) => Rc::new(Err(failure)),
        }
    }

    fn product(&self, run: &mut Run<'_>, values: &mut Value) -> Result<Product, Failure> {
        let mut rendered = Vec::new();
        match &self.body {
            Body::Kube(kube) => rendered = kube.render(run, values)?,
            Body::Objects(objects) => {
                for object in objects {
                    object.render(run, values, &mut rendered)?;
                }
            }
        }
        let Some(first) = rendered.first() else {
            return Err(Failure::new(&self.place, "this renders no object; correct the conditions in includeWhen"));
        };
        let text = |member: &str| first.get(member).and_then(Value::as_str).unwrap_or_default();
        if let Some((version, kind)) = &self.workload
            && (text("apiVersion"), text("kind")) != (version.as_str(), kind.as_str())
        {
            let is = format!("{} {}", text("apiVersion"), text("kind"));
            let why = format!(
                "the first object is {is}, but spec.workload.definition is {version} {kind}; correct one of the two"
            );
            return Err(Failure::new(&self.place, why));
        }
        Ok(Product { objects: rendered, ..Product::default() })
    }
}
