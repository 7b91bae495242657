//! Conditions that an object of an application has to meet besides those of its kind, judged by the values that its cluster reports.
//!
//! The conditions are expressions in an annotation of the object, so that a work alone shows them. Each field that they read is a value that the
//! agent reports, with the path in its name.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tidegate_api::key;
use tidegate_cel::{CompileError, Computed, Evaluator, FieldPath, Program, reads};
use tidegate_model::line::brief;
use tidegate_model::object::ObjectKey;

use crate::go_object::unstructured::annotation;

/// The variable for the object.
const OBJECT: &str = "object";
/// The start of the names of the values that conditions read; the path of the field follows.
const FIELD: &str = "TidegateReady";
/// Most conditions of an object.
const MOST: usize = 10;
/// Most fields that the conditions of an object read. An agent reports each of them.
const MOST_FIELDS: usize = 20;
/// Most characters of a condition in a message.
const WIDEST: usize = 100;

/// The conditions of an object.
#[derive(Debug)]
pub struct ReadyWhen {
    conditions: Vec<Condition>,
    /// The fields that they read, by the names of the values.
    fields: BTreeMap<String, FieldPath>,
}

/// Two are equal if their expressions are.
impl PartialEq for ReadyWhen {
    fn eq(&self, other: &Self) -> bool {
        self.conditions.iter().map(|condition| &condition.text).eq(other.conditions.iter().map(|other| &other.text))
    }
}

#[derive(Debug)]
struct Condition {
    text: String,
    program: Program,
    /// The names of the values that it reads.
    reads: Vec<String>,
}

/// An object with conditions.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditioned {
    /// The object.
    pub object: ObjectKey,
    /// Its conditions.
    pub ready_when: Arc<ReadyWhen>,
}

impl Conditioned {
    /// Reads the conditions of an object, if it has any.
    ///
    /// # Errors
    /// [`Unjudged`]
    pub(crate) fn read(object: &Value) -> Result<Option<Self>, Unjudged> {
        let (Some(conditions), Some(object)) = (ReadyWhen::of(object), ObjectKey::of(object)) else { return Ok(None) };
        Ok(Some(Self { object, ready_when: Arc::new(conditions?) }))
    }
}

/// Why the conditions of an object cannot be judged. Displays as a part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unjudged {
    /// The annotation has another form.
    #[error("is no list of expressions in JSON")]
    NotAList,
    /// There are too many.
    #[error("has {count} conditions; at most {MOST} are judged")]
    Conditions {
        /// How many there are.
        count: usize,
    },
    /// They read too many fields.
    #[error("has conditions that read {count} fields; at most {MOST_FIELDS} are reported")]
    Fields {
        /// How many they read.
        count: usize,
    },
    /// A condition cannot be judged.
    #[error("has the condition {}, which cannot be judged: {why}", brief(text, WIDEST))]
    Condition {
        /// The condition.
        text: String,
        /// What is wrong with it.
        why: String,
    },
}

/// Why an agent cannot report what a condition reads. Displays as a sentence without a full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreported {
    /// It does not compile, or reads something else than fields.
    #[error("{}", placed(.0))]
    Refused(CompileError),
    /// An agent cannot find a field by its name.
    #[error("it reads the field {:?}, whose name an agent does not understand", brief(&path.join("."), WIDEST))]
    Field {
        /// The path of the field.
        path: FieldPath,
    },
}

fn placed(refused: &CompileError) -> String {
    match refused.place {
        Some((line, column)) => format!("{}, at {line}:{column} of the expression", refused.summary),
        None => refused.summary.clone(),
    }
}

impl Condition {
    fn read(text: &str) -> Result<(Self, BTreeMap<String, FieldPath>), Unjudged> {
        let unjudged = |why: String| Unjudged::Condition { text: text.to_owned(), why };
        let program = Program::about_values(text, &[OBJECT]).map_err(|refused| unjudged(refused.summary))?;
        if !program.may_hold() {
            return Err(unjudged("it is never true".to_owned()));
        }
        let fields = fields(text).map_err(|why| unjudged(why.to_string()))?;
        Ok((Self { text: text.to_owned(), program, reads: fields.keys().cloned().collect() }, fields))
    }
}

/// Returns the fields that a condition reads, by the names of their values.
///
/// # Errors
/// [`Unreported`]
pub fn fields(condition: &str) -> Result<BTreeMap<String, FieldPath>, Unreported> {
    let found = reads(condition, OBJECT).map_err(Unreported::Refused)?;
    let named = |path: FieldPath| match json_path(&path) {
        Some(name) => Ok((format!("{FIELD}{name}"), path)),
        None => Err(Unreported::Field { path }),
    };
    found.into_iter().map(named).collect()
}

/// Returns the path of a field as agents read it.
///
/// # Source
/// `k8s.io/client-go/util/jsonpath`, which ends a name at a dot unless a backslash precedes it.
fn json_path(path: &[String]) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.');
    let is_named = |step: &String| !step.is_empty() && step.chars().all(is_plain);
    path.iter().all(is_named).then(|| path.iter().map(|step| format!(".{}", step.replace('.', "\\."))).collect())
}

impl ReadyWhen {
    /// Reads the annotation of an object.
    ///
    /// # Errors
    /// [`Unjudged`]
    pub fn read(annotation: &str) -> Result<Self, Unjudged> {
        let texts: Vec<String> = serde_json::from_str(annotation).map_err(|_| Unjudged::NotAList)?;
        if texts.len() > MOST || texts.is_empty() {
            return Err(Unjudged::Conditions { count: texts.len() });
        }
        let (mut conditions, mut fields) = (Vec::new(), BTreeMap::new());
        for text in texts {
            let (condition, mut read) = Condition::read(&text)?;
            conditions.push(condition);
            fields.append(&mut read);
        }
        if fields.len() > MOST_FIELDS {
            return Err(Unjudged::Fields { count: fields.len() });
        }
        Ok(Self { conditions, fields })
    }

    /// Returns the conditions of an object; `None` if it has none.
    ///
    /// # Errors
    /// [`Unjudged`]
    pub fn of(object: &Value) -> Option<Result<Self, Unjudged>> {
        annotation(object, key::READY_WHEN).map(Self::read)
    }

    /// Returns the names of the values that the conditions read, each with the path that an agent is asked for.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.keys().filter_map(|name| Some((name.as_str(), name.strip_prefix(FIELD)?)))
    }

    /// Returns why the values of the fields, by their names, do not show that the conditions hold.
    pub(crate) fn unmet(&self, values: &BTreeMap<&str, Value>) -> Option<String> {
        let mut object = Value::Object(Map::new());
        for (name, path) in &self.fields {
            match values.get(name.as_str()) {
                Some(value) => insert(&mut object, path, value),
                None => self.add_parent(&mut object, path),
            }
        }
        let object = json!({ OBJECT: object });
        self.conditions.iter().find_map(|condition| condition.unmet(&object, values))
    }

    /// Adds the map around a field that is not reported, so that a condition can ask whether the field is there. A map that a condition reads
    /// itself is there only if it is reported.
    fn add_parent(&self, object: &mut Value, path: &[String]) {
        let Some((_, parent)) = path.split_last() else { return };
        if !self.fields.values().any(|read| parent.starts_with(read)) {
            add_map(object, parent);
        }
    }
}

impl Condition {
    fn unmet(&self, object: &Value, values: &BTreeMap<&str, Value>) -> Option<String> {
        let computed = Evaluator::default().compute(&self.program, object);
        if computed == Ok(Computed::Bool(true)) {
            return None;
        }
        let text = brief(&self.text, WIDEST);
        let unreported = self.reads.iter().find(|name| !values.contains_key(name.as_str()));
        Some(match (unreported.and_then(|name| name.strip_prefix(FIELD)), computed) {
            (Some(path), _) => format!("the cluster does not report {path}, which {text} reads"),
            (None, Err(trouble)) => format!("{text} {trouble}"),
            (None, Ok(Computed::Bool(_))) => format!("{text} is not true"),
            (None, Ok(_)) => format!("{text} gives neither true nor false"),
        })
    }
}

/// Puts a value at the path of a field. Below something that is no map, there are no fields.
fn insert(object: &mut Value, path: &[String], value: &Value) {
    let (Some((step, rest)), Some(members)) = (path.split_first(), object.as_object_mut()) else { return };
    let member = members.entry(step).or_insert_with(|| json!({}));
    if rest.is_empty() { member.clone_from(value) } else { insert(member, rest, value) }
}

/// Adds an empty map at a path, unless there is a value.
fn add_map(object: &mut Value, path: &[String]) {
    let (Some((step, rest)), Some(members)) = (path.split_first(), object.as_object_mut()) else { return };
    add_map(members.entry(step).or_insert_with(|| json!({})), rest);
}
