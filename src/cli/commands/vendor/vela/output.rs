//! What `vela dry-run` prints: a comment before the objects of each component, once for each topology of each step.
//!
//! # Source
//! KubeVela, `pkg/appfile/dryrun`, `PrintDryRun`.

use serde_json::Value;

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

/// Reads the output.
///
/// # Errors
/// What is not as expected.
pub(super) fn parts(output: &str) -> Result<Vec<Part>, String> {
    let mut sections: Vec<(Heading<'_>, String)> = Vec::new();
    for line in output.lines() {
        match (heading(line), sections.last_mut()) {
            (Some(heading), _) => sections.push((heading, String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) if matches!(line.trim(), "" | "---") => {}
            (None, None) => return Err(format!("it begins with {line:?}, which is not the heading of a component")),
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    for (Heading { application, kind, name }, text) in sections {
        if kind != "Component" {
            return Err(format!("the policy {name} renders objects, which is not supported; remove it"));
        }
        let objects = objects(&text).map_err(|why| format!("the objects of component {name} cannot be read: {why}"))?;
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

fn objects(text: &str) -> Result<Vec<Value>, String> {
    let said = |error: yaml::Error| format!("line {}: {}", error.place.line, error.message);
    let nodes = yaml::manifests(Input::of_file(SourceId::default(), text.as_bytes())).map_err(said)?;
    let values: Result<Vec<Value>, yaml::Error> = nodes.iter().map(yaml::Node::to_value).collect();
    let objects: Vec<Value> = values.map_err(said)?.into_iter().filter(|value| !value.is_null()).collect();
    match objects.iter().position(|object| object.get("kind").and_then(Value::as_str).is_none()) {
        Some(at) => Err(format!("document {} has no kind, so it is not an object", at + 1)),
        None => Ok(objects),
    }
}
