//! The command: renders, finds the object and the value in it, and prints where it comes from.

use serde::Serialize;
use serde_json::json;

use super::commits::{Commits, Written, Wrote};
use super::object;
use crate::cli::args::BlameArgs;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::output::stdout::{say_line, warn_line};
use crate::cli::repository::overlay::{self, Choice};
use tidegate_kustomize::overlay::RenderedObject;
use tidegate_kustomize::yaml::{Content, Node, Origin, Provenance};
use tidegate_model::diagnostic::Place;

/// The origin of one value.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    pointer: String,
    value: serde_json::Value,
    /// The place where it was written, then the places of the values that it replaced or changed, the last first.
    chain: Vec<Stop>,
}

/// One place in the history of a value.
#[derive(Debug, Serialize)]
struct Stop {
    file: String,
    line: u32,
    column: u32,
    /// The commit that wrote the line.
    #[serde(skip_serializing_if = "Wrote::is_uncommitted")]
    commit: Wrote,
    /// The entry that set it, such as `patches[0]`; `None` for the file in which it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// The place of that entry, if the value was not written there.
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<String>,
    /// The history of the value before it was put there, the last change first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<Stop>,
}

impl Stop {
    /// Looks up who wrote the lines.
    fn date(&mut self, commits: &mut Commits<'_>) {
        self.commit = commits.find(&self.file, self.line);
        self.from.iter_mut().for_each(|stop| stop.date(commits));
    }

    /// Prints the stop, and below it, one level deeper, what came before it.
    fn print(&self, level: usize, text: &mut String) {
        let entry = self.entry.as_ref().map(|entry| format!(", {entry}")).unwrap_or_default();
        let by = self.by.as_ref().map(|by| format!("  ({by}{entry})")).unwrap_or_default();
        let Self { file, line, column, .. } = self;
        text.push_str(&format!("\n{}{file}:{line}:{column}{by}", "  ".repeat(level)));
        match &self.commit {
            Wrote::Unknown => {}
            Wrote::Uncommitted => text.push_str("  (not committed)"),
            Wrote::Commit(Written { id, author, subject, .. }) => {
                text.push_str(&format!("  {} {author}: {subject}", id.short()));
            }
        }
        self.from.iter().for_each(|stop| stop.print(level + 1, text));
    }
}

/// Prints the history of one value, or of every value of an object.
pub(crate) fn run(args: &BlameArgs) -> Result<(), Failure> {
    let Choice { tree, root, directory, options } = overlay::choose(&args.path, args.overlay.as_deref())?;
    let directory = directory.unwrap_or_else(|| ".".to_owned());
    let rendered = tidegate_kustomize::overlay::render_with(&tree, &directory, &options);
    if rendered.is_failed() {
        rendered.complaints.iter().for_each(|complaint| warn_line(&complaint.to_string()));
        return Err(Failure::Findings);
    }
    let object = object::find(&rendered, &args.object)?;
    let (pointer, node) = step_into(object, &args.pointer)?;
    let mut lines = Vec::new();
    collect(node, pointer, &rendered.provenance, &mut lines);
    let mut commits = Commits::of(&root, &tree);
    for stop in lines.iter_mut().flat_map(|line| &mut line.chain) {
        stop.date(&mut commits);
    }
    match args.output {
        Some(output) => say_line(&printed(output, &json!({ "object": args.object, "values": lines }))?),
        None => lines.iter().try_for_each(|line| say_line(&described(line))),
    }
}

/// Follows a JSON pointer (RFC 6901).
fn step_into<'a>(object: &'a RenderedObject, pointer: &str) -> Result<(String, &'a Node), Failure> {
    let mut node = &object.node;
    let mut walked = String::new();
    for part in pointer.trim_start_matches('/').split('/').filter(|part| !part.is_empty()) {
        let name = part.replace("~1", "/").replace("~0", "~");
        let next = match &node.content {
            Content::Sequence(items) => name.parse::<usize>().ok().and_then(|index| items.get(index)),
            Content::Mapping(members) => members.get(&name),
            Content::Scalar(_) => None,
        };
        node = next.ok_or_else(|| {
            let at = if walked.is_empty() { "the object" } else { &walked };
            let has = match &node.content {
                Content::Mapping(members) => {
                    let names: Vec<&str> = members.iter().map(|member| member.key().text.as_ref()).collect();
                    format!("has {}", names.join(", "))
                }
                Content::Sequence(items) => format!("is a list of {}", items.len()),
                Content::Scalar(_) => "is a single value".to_owned(),
            };
            Failure::Usage(format!("there is no {name:?}: {at} {has}"))
        })?;
        walked.push_str(&format!("/{part}"));
    }
    Ok((walked, node))
}

fn collect(node: &Node, pointer: String, provenance: &Provenance, lines: &mut Vec<Line>) {
    match &node.content {
        Content::Scalar(_) => {
            let value = node.to_value().unwrap_or_default();
            lines.push(Line { pointer, value, chain: chain(node.origin, provenance, &mut { MAX_STOPS }) });
        }
        Content::Sequence(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{pointer}/{index}"), provenance, lines);
            }
        }
        Content::Mapping(members) => {
            for member in members.iter() {
                let name = member.key().text.replace('~', "~0").replace('/', "~1");
                collect(&member.value, format!("{pointer}/{name}"), provenance, lines);
            }
        }
    }
}

/// Maximum number of places that are printed for a value: replacements that copy values back and forth can make a very long
/// history.
const MAX_STOPS: usize = 200;

fn chain(origin: Origin, provenance: &Provenance, room: &mut usize) -> Vec<Stop> {
    let stop = |origin: Origin| {
        let Place { file, line, column } = provenance.place(origin);
        let (commit, by, entry, from) = (Wrote::Unknown, None, None, Vec::new());
        Stop { file, line, column, commit, by, entry, from }
    };
    let mut stops = Vec::new();
    let mut at = origin;
    for step in provenance.steps(origin) {
        if *room == 0 {
            return stops;
        }
        *room -= 1;
        let by = Some(step.field.to_string());
        // A replacement takes a value from somewhere else; other entries of the same file contain the value that they set.
        let is_elsewhere = step.at.source != at.source || step.field.starts_with("replacements");
        let entry = (is_elsewhere && step.at.line > 0).then(|| provenance.place(step.at).to_string());
        // Only follow steps that happened before the value was put there.
        let from = step.from.filter(|from| from.step() < at.step()).map(|from| chain(from, provenance, room));
        stops.push(Stop { by, entry, from: from.unwrap_or_default(), ..stop(at) });
        match step.before {
            Some(before) => at = before,
            None => return stops,
        }
    }
    stops.push(stop(at));
    stops
}

fn described(line: &Line) -> String {
    let mut text = format!("{} = {}", if line.pointer.is_empty() { "/" } else { &line.pointer }, line.value);
    line.chain.iter().for_each(|stop| stop.print(1, &mut text));
    text
}
