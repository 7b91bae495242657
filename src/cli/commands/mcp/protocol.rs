//! The messages of the Model Context Protocol: JSON-RPC, one message for each line.
//!
//! # Source
//! <https://modelcontextprotocol.io/specification/2025-06-18>: "Lifecycle", "Tools", and "stdio" under "Transports". JSON-RPC 2.0, sections 4
//! and 5.

use serde_json::{Map, Value, json};

/// The versions of the protocol that are spoken, newest first. They do not differ in what is used here.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

const INSTRUCTIONS: &str = "Answers questions about the rollouts of Tidegate from its journal: what runs on which cluster, why something \
    waits and who can open it, what a pull request would change, and who approved what. Everything is read-only: changes are made in Git.";

/// A request that needs an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    id: Value,
    method: String,
    parameters: Map<String, Value>,
}

/// What a line asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// A request.
    Request(Request),
    /// Something that needs no answer.
    Notification,
    /// Something that cannot be read, with the answer that says so.
    Invalid(Value),
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Wanted {
    /// An answer that does not depend on the journal.
    Answer(Value),
    /// The list of tools.
    Tools,
    /// The call of a tool.
    Call {
        /// Its name.
        name: String,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
    /// Something that is not offered.
    Unknown,
}

impl Message {
    /// Reads a line.
    pub(super) fn read(line: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(line) else {
            return Self::Invalid(failed(&Value::Null, -32_700, "the line is not JSON: write one message on one line"));
        };
        let Value::Object(mut members) = value else {
            return Self::Invalid(failed(&Value::Null, -32_600, "a message is an object; batches are not supported"));
        };
        let id = members.remove("id");
        let Some(Value::String(method)) = members.remove("method") else {
            let is_answer = members.contains_key("result") || members.contains_key("error");
            let id = id.unwrap_or(Value::Null);
            return if is_answer {
                Self::Notification
            } else {
                Self::Invalid(failed(&id, -32_600, "the message has no method"))
            };
        };
        let parameters = match members.remove("params") {
            Some(Value::Object(parameters)) => parameters,
            _ => Map::new(),
        };
        match id {
            None => Self::Notification,
            Some(id @ (Value::String(_) | Value::Number(_))) => Self::Request(Request { id, method, parameters }),
            Some(_) => Self::Invalid(failed(&Value::Null, -32_600, "the id of a request is a string or a number")),
        }
    }
}

impl Request {
    /// Returns what it asks for.
    pub(super) fn wanted(&self) -> Wanted {
        let text = |name: &str| self.parameters.get(name).and_then(Value::as_str).unwrap_or_default();
        match self.method.as_str() {
            "initialize" => {
                let asked = text("protocolVersion");
                let version = VERSIONS.into_iter().find(|version| *version == asked).unwrap_or(VERSIONS[0]);
                Wanted::Answer(json!({
                    "protocolVersion": version,
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "tidegate", "version": env!("CARGO_PKG_VERSION")},
                    "instructions": INSTRUCTIONS,
                }))
            }
            "ping" => Wanted::Answer(json!({})),
            "tools/list" => Wanted::Tools,
            "tools/call" => {
                let arguments =
                    self.parameters.get("arguments").and_then(Value::as_object).cloned().unwrap_or_default();
                Wanted::Call { name: text("name").to_owned(), arguments }
            }
            _ => Wanted::Unknown,
        }
    }

    /// Returns the answer to the request.
    pub(super) fn answer(&self, result: &Value) -> Value {
        json!({"jsonrpc": "2.0", "id": self.id, "result": result})
    }

    /// Returns the answer to a request for something that is not offered.
    pub(super) fn unknown(&self) -> Value {
        failed(&self.id, -32_601, &format!("there is no method {:?}", self.method))
    }

    /// Returns the answer to a call of a tool that does not exist.
    pub(super) fn invalid(&self, why: &str) -> Value {
        failed(&self.id, -32_602, why)
    }
}

fn failed(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}
