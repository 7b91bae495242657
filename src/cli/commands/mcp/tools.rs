//! The questions that can be asked. Each one is a page of the page, as JSON.

use serde_json::{Map, Value, json};

use tidegate_model::near::remedy;
use tidegate_page::Query;

/// A question.
#[derive(Debug)]
struct Tool {
    name: &'static str,
    description: &'static str,
    /// The arguments that are a part of the path. All but the last one are required.
    path: &'static [(&'static str, &'static str)],
    /// How many of them are required.
    required: usize,
    /// The folder of the page.
    folder: &'static str,
    /// The other arguments, which are a query.
    query: &'static [(&'static str, &'static str)],
}

const AT: (&str, &str) = (
    "at",
    "Show it as it was: a commit of the journal, or a time such as 2026-11-20T14:00:00Z. Without it, as it is now",
);
const ADDON: (&str, &str) = ("addon", "The name of the add-on");

const TOOLS: [Tool; 8] = [
    Tool {
        name: "needs_people",
        description: "What failed, what waits for a decision and who can make it, the rollouts under way with their expected end, and what is quiet. Start here.",
        path: &[],
        required: 0,
        folder: "",
        query: &[AT],
    },
    Tool {
        name: "rollout",
        description: "One rollout of an add-on: its groups, why clusters wait and what opens their gates, failures, approvals, and the commit. Without a number, the last one.",
        path: &[ADDON, ("number", "The number of the rollout")],
        required: 1,
        folder: "rollouts",
        query: &[AT],
    },
    Tool {
        name: "clusters",
        description: "Which add-on runs where, in which version and state, as a table of 100 rows for each page.",
        path: &[],
        required: 0,
        folder: "clusters",
        query: &[
            (
                "filter",
                "Terms that all must hold, such as \"state=Failed version!=0.4.1 set=prod -name:edge* label.region=eu\". Fields: name, addon, version, state, set, group, reason, label.KEY",
            ),
            ("page", "The page, from 1"),
            AT,
        ],
    },
    Tool {
        name: "cluster",
        description: "One cluster: labels, what it has from which rollout, why it waits, how it differs from its group, and every rollout that reached it.",
        path: &[("name", "The name of the cluster")],
        required: 1,
        folder: "clusters",
        query: &[AT],
    },
    Tool {
        name: "versions",
        description: "How many clusters have each version of each add-on.",
        path: &[],
        required: 0,
        folder: "versions",
        query: &[AT],
    },
    Tool {
        name: "history",
        description: "What was rolled out, when, by whom, who approved it and how it ended, newest first, with the four DORA figures of what is selected.",
        path: &[],
        required: 0,
        folder: "history",
        query: &[
            ("addon", "A part of the name of an add-on"),
            ("cluster", "The name of a cluster"),
            ("person", "A part of the name of an author, or of someone who approved"),
            ("since", "A time or a day"),
            ("until", "A time or a day"),
            ("page", "The page, from 1"),
            AT,
        ],
    },
    Tool {
        name: "change",
        description: "What a pull request would change: its plan, and what people said about it. Without a number, the list of pull requests.",
        path: &[("number", "The number of the pull request")],
        required: 0,
        folder: "changes",
        query: &[AT],
    },
    Tool {
        name: "about",
        description: "What Tidegate follows and last applied, complaints about the revision, objects that the hub refuses, and notices.",
        path: &[],
        required: 0,
        folder: "about",
        query: &[AT],
    },
];

/// Returns the list of the tools.
pub(super) fn list() -> Value {
    let tools = TOOLS.iter().map(|tool| {
        let arguments = tool.path.iter().chain(tool.query);
        let properties: Map<String, Value> = arguments
            .map(|(name, description)| ((*name).to_owned(), json!({"type": "string", "description": description})))
            .collect();
        let required: Vec<&str> = tool.path.iter().take(tool.required).map(|(name, _)| *name).collect();
        json!({
            "name": tool.name,
            "description": tool.description,
            "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": false},
            "annotations": {"readOnlyHint": true},
        })
    });
    json!({"tools": tools.collect::<Vec<_>>()})
}

/// Returns the path and the query of the page that answers a call.
///
/// # Errors
/// What is wrong with the call.
pub(super) fn page(name: &str, arguments: &Map<String, Value>) -> Result<(String, Query), Mistake> {
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
        return Err(Mistake::Tool(format!(
            "there is no tool {name:?}; {}",
            remedy(name, TOOLS.iter().map(|tool| tool.name))
        )));
    };
    let known = || tool.path.iter().chain(tool.query).map(|(name, _)| *name);
    if let Some(unknown) = arguments.keys().find(|key| known().all(|known| known != key.as_str())) {
        let remedy = remedy(unknown, known());
        return Err(Mistake::Arguments(format!("{name} has no argument {unknown:?}; {remedy}")));
    }
    let text = |key: &str| match arguments.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let mut path = tool.folder.to_owned();
    for (at, (key, _)) in tool.path.iter().enumerate() {
        match text(key).filter(|part| !part.is_empty()) {
            Some(part) if part.contains('/') => {
                return Err(Mistake::Arguments(format!("{key} {part:?} is not a name")));
            }
            Some(part) => path = format!("{path}/{part}"),
            None if at < tool.required => return Err(Mistake::Arguments(format!("{name} needs {key:?}"))),
            None => break,
        }
    }
    let query = tool.query.iter().filter_map(|(key, _)| Some(((*key).to_owned(), text(key)?))).collect();
    Ok((path, Query(query)))
}

/// What is wrong with a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mistake {
    /// There is no such tool.
    Tool(String),
    /// The arguments are wrong. The assistant can correct them.
    Arguments(String),
}
