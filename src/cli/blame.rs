//! `tidegate blame`: in which file and line a value of a rendered object was written, and what changed it on the way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;

use super::args::BlameArgs;
use super::failure::Failure;
use super::overlay::{self, Choice};
use super::say::{say_line, warn_line};
use super::status::printed;
use crate::git::{Archive, Blame, CommitInfo};
use crate::model::revision::CommitId;
use crate::model::time::Timestamp;
use crate::model::tree::Tree;
use crate::overlay::{Rendered, RenderedObject};
use crate::yaml::{Content, Node, Origin, Provenance};

/// Where one value comes from.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    pointer: String,
    value: serde_json::Value,
    /// Where it was written, and before that where what it replaced or changed was, the last first.
    chain: Vec<Stop>,
}

/// One place on the way of a value.
#[derive(Debug, Serialize)]
struct Stop {
    file: String,
    line: u32,
    column: u32,
    /// The commit that wrote the line; nothing where it is not committed as it stands, or no clone is around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<Written>,
    /// What set it there, such as `patches[0]`; nothing for the file that it began in.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
}

/// The commit that wrote a line.
#[derive(Debug, Clone, Serialize)]
struct Written {
    id: CommitId,
    author: String,
    time: Timestamp,
    subject: String,
}

/// The commits of the clone that the files lie in, if they do.
struct Commits {
    root: PathBuf,
    archive: Option<Archive>,
    files: BTreeMap<String, Option<Blame>>,
}

impl Commits {
    fn of(root: &Path) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Self { archive: Archive::open(&root).ok(), root, files: BTreeMap::new() }
    }

    /// Notes with each stop the commit that wrote its line.
    fn tell(mut self, tree: &Tree, lines: &mut [Line]) {
        for stop in lines.iter_mut().flat_map(|line| &mut line.chain) {
            stop.commit = self.find(tree, &stop.file, stop.line);
        }
    }

    /// Returns the commit that wrote a line. Without an answer the place alone is told.
    fn find(&mut self, tree: &Tree, file: &str, line: u32) -> Option<Written> {
        let archive = self.archive.as_ref()?;
        let blame = match self.files.get(file) {
            Some(known) => known,
            None => self.files.entry(file.to_owned()).or_insert(archive.blame(&self.root.join(file))),
        };
        let text = std::str::from_utf8(tree.files.get(file)?).ok()?.lines().nth(line.checked_sub(1)? as usize)?;
        let id = blame.as_ref()?.of_line(line, text)?.clone();
        let CommitInfo { author, subject, .. } = archive.commit_info(&id).ok()?;
        Some(Written { id, author: author.name, time: author.time, subject })
    }
}

/// Prints the way of one value, or of every value of an object.
pub fn run(args: &BlameArgs) -> Result<(), Failure> {
    let Choice { tree, root, directory } = overlay::choose(&args.path, args.overlay.as_deref())?;
    let directory = directory.unwrap_or_else(|| ".".to_owned());
    let rendered = crate::overlay::render_with(&tree, &directory, &crate::repository::settings(&tree).render);
    if rendered.is_failed() {
        rendered.complaints.iter().for_each(|complaint| warn_line(&complaint.to_string()));
        return Err(Failure::Findings);
    }
    let object = find(&rendered, &args.object)?;
    let (pointer, node) = step_into(object, &args.pointer)?;
    let mut lines = Vec::new();
    collect(node, pointer, &rendered.provenance, &mut lines);
    Commits::of(&root).tell(&tree, &mut lines);
    match args.output {
        Some(output) => say_line(&printed(output, &json!({ "object": args.object, "values": lines }))?),
        None => lines.iter().try_for_each(|line| say_line(&told(line))),
    }
}

/// Finds the object that `kind/name` or `kind/namespace/name` means, whatever the case of the kind.
fn find<'a>(rendered: &'a Rendered, wanted: &str) -> Result<&'a RenderedObject, Failure> {
    let parts: Vec<&str> = wanted.split('/').collect();
    let (kind, namespace, name) = match parts.as_slice() {
        [kind, name] => (*kind, None, *name),
        [kind, namespace, name] => (*kind, Some(*namespace), *name),
        _ => return Err(Failure::Usage(format!("{wanted:?} names no object; write kind/name or kind/namespace/name"))),
    };
    let is_meant = |object: &&RenderedObject| {
        text(object, &["kind"]).eq_ignore_ascii_case(kind)
            && text(object, &["metadata", "name"]) == name
            && namespace.is_none_or(|namespace| text(object, &["metadata", "namespace"]) == namespace)
    };
    let mut found = rendered.objects.iter().filter(is_meant);
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(Failure::Usage(format!("{wanted} names several objects; write kind/namespace/name"))),
        (None, _) => {
            let all =
                rendered.objects.iter().map(|o| format!("{}/{}", text(o, &["kind"]), text(o, &["metadata", "name"])));
            let all: Vec<String> = all.take(20).collect();
            Err(Failure::Usage(format!("the overlay renders no {wanted}; it renders, for one: {}", all.join(", "))))
        }
    }
}

fn text<'a>(object: &'a RenderedObject, path: &[&str]) -> &'a str {
    object.node.find(path).and_then(Node::as_str).unwrap_or_default()
}

/// Walks along a JSON pointer (RFC 6901).
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
            lines.push(Line { pointer, value, chain: chain(node.origin, provenance) });
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

fn chain(origin: Origin, provenance: &Provenance) -> Vec<Stop> {
    let stop = |origin: Origin, by: Option<String>| {
        let place = provenance.place(origin);
        Stop { file: place.file.to_string(), line: place.line, column: place.column, commit: None, by }
    };
    let mut stops = Vec::new();
    let mut at = origin;
    for step in provenance.steps(origin) {
        stops.push(stop(at, Some(step.field.to_string())));
        match step.before {
            Some(before) => at = before,
            None => return stops,
        }
    }
    stops.push(stop(at, None));
    stops
}

fn told(line: &Line) -> String {
    let mut text = format!("{} = {}", if line.pointer.is_empty() { "/" } else { &line.pointer }, line.value);
    for stop in &line.chain {
        let by = stop.by.as_ref().map(|by| format!("  ({by})")).unwrap_or_default();
        text.push_str(&format!("\n  {}:{}:{}{by}", stop.file, stop.line, stop.column));
        if let Some(Written { id, author, subject, .. }) = &stop.commit {
            text.push_str(&format!("  {} {author}: {subject}", id.short()));
        }
    }
    text
}
