//! What definitions of components and traits have in common.

use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::cluster::{self, CLUSTER, ClusterReads};
use super::failure::Failure;
use super::mistake::Reader;
use super::parameters::{self, Parameters};
use tidegate_api::schema::path::Path;
use tidegate_cel::{Scope, Shape};
use tidegate_model::diagnostic::Place;

/// The variable for the parameters.
const PARAMETERS: &str = "parameters";
/// The variable for what is known about the component.
const CONTEXT: &str = "context";

/// Forms of a schematic that are refused, with what to do instead.
const REFUSED: [(&str, &str); 3] = [
    (
        "cue",
        "CUE is not supported; write the template as schematic.tidegate (docs/applications/definitions.md), or let `tidegate vendor` pin what vela renders, with [[vendor]] in tidegate.toml (docs/vendoring.md)",
    ),
    ("helm", "a definition cannot be a chart; write a component of type helm, whose chart `tidegate vendor` renders"),
    ("terraform", "cloud resources are not supported; remove the definition"),
];

/// What is known about a component when it is rendered.
#[derive(Debug, Clone)]
pub(crate) struct Context<'c> {
    /// The name of the component.
    pub(crate) name: &'c str,
    /// The namespace of its objects on the clusters.
    pub(crate) namespace: &'c str,
    /// The name of the application.
    pub(crate) application: &'c str,
    /// The facts about the cluster; `None` if it is rendered for all clusters.
    pub(crate) cluster: Option<Rc<Value>>,
}

/// Returns the schematic of a definition with its path: that of one of these forms. Others are noted as mistakes.
pub(super) fn schematic<'v>(
    reader: &mut Reader<'_>,
    spec: &Path,
    value: &'v Value,
    forms: &[&'static str],
) -> Option<(&'static str, Path, &'v Value)> {
    let schematic = value.get("schematic")?;
    let at = spec.member("schematic");
    for (form, instead) in REFUSED {
        if schematic.get(form).is_some() {
            let at = at.member(form);
            reader.mistake_of_key(&at, format!("{at}: {instead}"));
            return None;
        }
    }
    let given: Vec<&str> = ["tidegate", "kube"].into_iter().filter(|form| schematic.get(form).is_some()).collect();
    match given.as_slice() {
        [form] if forms.contains(form) => Some((form, at.member(form), schematic.get(form)?)),
        [form] => {
            let at = at.member(form);
            reader.mistake_of_key(&at, format!("{at} is only for components; write schematic.{}", forms.join(" or ")));
            None
        }
        [] => {
            reader.mistake(&at, format!("{at} is empty; write schematic.{}", forms.join(" or schematic.")));
            None
        }
        _ => {
            reader.mistake(&at, format!("{at} has several forms; keep one of {}", given.join(" and ")));
            None
        }
    }
}

/// Notes the fields of a specification that are known and refused.
pub(super) fn refuse(reader: &mut Reader<'_>, spec: &Path, value: &Value, refused: &[(&str, &str)]) {
    for (member, why) in refused {
        if value.get(member).is_some_and(|given| *given != json!(false)) {
            let at = spec.member(member);
            reader.mistake_of_key(&at, format!("{at} {why}"));
        }
    }
}

/// Returns the parameters of a schematic with templates, and the scope of its expressions.
pub(super) fn parameters(reader: &mut Reader<'_>, at: &Path, schematic: &Value) -> (Parameters, Scope) {
    let given = schematic.get(PARAMETERS);
    let is_known = given.is_none();
    let compiled = given.and_then(|schema| parameters::compile(reader, &at.member(PARAMETERS), schema));
    // While the schema has mistakes, nothing is known about the values.
    let shape = match &compiled {
        Some(parameters) => parameters.shape(),
        None if is_known => Shape::Record([].into()),
        None => Shape::Any,
    };
    let fields = ["name", "namespace", "appName"].map(|field| (field.to_owned(), Shape::Text));
    let fields = fields.into_iter().chain([(CLUSTER.to_owned(), cluster::shape())]).collect();
    let scope = Scope::default().with(PARAMETERS, &shape).with(CONTEXT, &Shape::Record(fields));
    (compiled.unwrap_or_default(), scope)
}

/// Returns the values of the variables. Of the cluster, they have what the definition reads.
///
/// # Errors
/// [`Failure`] if the defaults are too large.
pub(super) fn values(
    (parameters, reads): (&Parameters, &ClusterReads),
    context: &Context<'_>,
    given: &Map<String, Value>,
    place: &Place,
) -> Result<Value, Failure> {
    let filled = parameters.filled(given).ok_or_else(|| Failure::new(place, "the defaults are too large"))?;
    let cluster = context.cluster.as_ref().filter(|_| !reads.is_empty()).map(|facts| reads.of(facts));
    let mut context = json!({ "name": context.name, "namespace": context.namespace, "appName": context.application });
    if let Some(cluster) = cluster {
        context[CLUSTER] = cluster;
    }
    Ok(json!({ PARAMETERS: filled, CONTEXT: context }))
}
