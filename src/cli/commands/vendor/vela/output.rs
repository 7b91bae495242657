//! What `vela dry-run` prints: a comment before the objects of each component, once for each topology of each step.
//!
//! # Source
//! KubeVela, `pkg/appfile/dryrun`, `PrintDryRun`.

use serde_json::Value;

use super::super::objects::NotObjects;
use tidegate_kustomize::yaml::{self, Input, SourceId};

/// The objects of a component in one part of the output.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rendered {
    pub(super) component: String,
    pub(super) objects: Vec<Value>,
}

/// A part of the output: what some clusters get.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    /// The name of the application, and for which clusters it is.
    pub(super) heading: String,
    pub(super) components: Vec<Rendered>,
}

/// Output that is not what is expected for an application.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unusable {
    #[error("it begins with {0:?}, which is not the heading of a component")]
    NoHeading(String),
    #[error("the policy {0} renders objects, which is not supported; remove it")]
    Policy(String),
    #[error("the objects of component {component} cannot be read: {why}")]
    Objects { component: String, why: NotObjects },
    #[error(
        "the step {0} is a group with a step of type deploy, which vela dry-run leaves out; write the steps one after the other"
    )]
    Group(String),
    #[error("the step {0} names no policy of type topology; name one")]
    NoTopology(String),
    #[error("it has other parts than the application: there are {found}, and {wanted} are expected")]
    OtherParts { found: String, wanted: String },
    #[error("{heading} differs from the part before it with the same overrides")]
    Differs { heading: String },
}

/// Reads the output.
///
/// # Errors
/// [`Unusable`]
pub(super) fn parts(output: &str) -> Result<Vec<Part>, Unusable> {
    let mut sections: Vec<(Heading<'_>, String)> = Vec::new();
    for line in output.lines() {
        match (heading(line), sections.last_mut()) {
            (Some(heading), _) => sections.push((heading, String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) if matches!(line.trim(), "" | "---") => {}
            (None, None) => return Err(Unusable::NoHeading(line.to_owned())),
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    for (Heading { application, kind, name }, text) in sections {
        if kind != "Component" {
            return Err(Unusable::Policy(name.to_owned()));
        }
        let objects = objects(&text).map_err(|why| Unusable::Objects { component: name.to_owned(), why })?;
        let rendered = Rendered { component: name.to_owned(), objects };
        let is_same = |part: &&mut Part| {
            part.heading == application && part.components.iter().all(|known| known.component != name)
        };
        match parts.last_mut().filter(is_same) {
            Some(part) => part.components.push(rendered),
            None => parts.push(Part { heading: application.to_owned(), components: vec![rendered] }),
        }
    }
    Ok(parts)
}

struct Heading<'o> {
    application: &'o str,
    kind: &'o str,
    name: &'o str,
}

/// Reads `# Application(web with topology prod) -- Component(server)`.
fn heading(line: &str) -> Option<Heading<'_>> {
    let (application, what) = line.strip_prefix("# Application(")?.split_once(") -- ")?;
    let (kind, name) = what.strip_suffix(')')?.split_once('(')?;
    Some(Heading { application, kind, name })
}

fn objects(text: &str) -> Result<Vec<Value>, NotObjects> {
    let nodes = yaml::manifests(Input::of_file(SourceId::default(), text.as_bytes()))?;
    let values: Result<Vec<Value>, yaml::Error> = nodes.iter().map(yaml::Node::to_value).collect();
    let objects: Vec<Value> = values?.into_iter().filter(|value| !value.is_null()).collect();
    match objects.iter().position(|object| object.get("kind").and_then(Value::as_str).is_none()) {
        Some(at) => Err(NotObjects::NoKind(at + 1)),
        None => Ok(objects),
    }
}
