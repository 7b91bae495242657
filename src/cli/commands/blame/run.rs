//! The command: finds the object and the value in it, and prints where it comes from.

use serde::Serialize;
use serde_json::json;

use super::cluster;
use super::commits::Commits;
use super::object;
use super::pointer::{leaves, step_into};
use super::stop::{Stop, history};
use crate::cli::args::BlameArgs;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use crate::cli::repository::overlay::{self, Choice};
use tidegate_kustomize::yaml::{Node, Provenance};

/// The origin of one value.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    pointer: String,
    value: serde_json::Value,
    /// The place where it was written, then the places of the values that it replaced or changed, the last first.
    chain: Vec<Stop>,
}

/// Prints the history of one value, or of every value of an object: of one that the repository declares, or of one that a cluster gets.
pub(crate) fn run(process: &Process, args: &BlameArgs) -> Result<(), Failure> {
    let choice = overlay::choose(process, &args.path, args.overlay.as_deref())?;
    if let Some(name) = &args.cluster {
        return cluster::run(process, args, &choice, name);
    }
    let Choice { tree, directory, options, .. } = &choice;
    let Some(directory) = directory else {
        let written = tidegate_repository::written(tree, "");
        let nodes: Vec<&Node> = written.iter().map(|written| &written.node).collect();
        let found = object::find(&nodes, &args.object, "the repository declares");
        let operator = File::read(args.operator.config.as_deref())?.operator();
        let complaints = || {
            tidegate_repository::load_with(tree, "", &operator)
                .complaints
                .into_iter()
                .filter(|complaint| complaint.is_error())
        };
        // The object may be in a file that cannot be read.
        let at = found.inspect_err(|_| complaints().for_each(|complaint| process.warn_line(&complaint.to_string())))?;
        let Some(found) = written.get(at) else { return Ok(()) };
        return print(process, args, &choice, &found.node, &found.provenance);
    };
    let rendered = tidegate_kustomize::overlay::render_with(tree, directory, options);
    if rendered.is_failed() {
        rendered.complaints.iter().for_each(|complaint| process.warn_line(&complaint.to_string()));
        return Err(Failure::Findings);
    }
    let nodes: Vec<&Node> = rendered.objects.iter().map(|object| &object.node).collect();
    let at = object::find(&nodes, &args.object, "the overlay renders")?;
    match nodes.get(at) {
        Some(node) => print(process, args, &choice, node, &rendered.provenance),
        None => Ok(()),
    }
}

fn print(
    process: &Process,
    args: &BlameArgs,
    choice: &Choice,
    object: &Node,
    provenance: &Provenance,
) -> Result<(), Failure> {
    let (pointer, node) = step_into(object, &args.pointer)?;
    let mut found = Vec::new();
    leaves(node, pointer, &mut found);
    let mut commits = Commits::of(&choice.root, &choice.tree);
    let line = |(pointer, node): (String, &Node)| {
        let mut chain = history(node.origin, provenance);
        chain.iter_mut().for_each(|stop| stop.date(&mut commits));
        Line { pointer, value: node.to_value().unwrap_or_default(), chain }
    };
    let lines: Vec<Line> = found.into_iter().map(line).collect();
    match args.output {
        Some(output) => process.say_line(&printed(output, &json!({ "object": args.object, "values": lines }))?),
        None => lines.iter().try_for_each(|line| process.say_line(&described(line))),
    }
}

fn described(line: &Line) -> String {
    let mut text = format!("{} = {}", if line.pointer.is_empty() { "/" } else { &line.pointer }, line.value);
    line.chain.iter().for_each(|stop| stop.print(1, &mut text));
    text
}
