//! What is wrong with a definition, and where.

use super::cluster::ClusterReads;
use super::failure::shown;
use crate::read::object::Object;
use tidegate_api::schema::check::Violation;
use tidegate_api::schema::path::Path;
use tidegate_cel::{Program, Scope};
use tidegate_model::diagnostic::Place;

/// Maximum number of expressions of a definition. Compiling one takes about a tenth of a millisecond.
const MAX_EXPRESSIONS: usize = 1_000;
/// Maximum length of all expressions of a definition together, in bytes.
const MAX_LENGTH: usize = 256 * 1024;

/// Something that is wrong with a definition.
#[derive(Debug)]
pub(crate) enum Mistake {
    /// A value, or the key of one, with a sentence about it.
    At {
        /// The path in the object.
        at: Path,
        /// Whether the key is meant.
        is_key: bool,
        /// The sentence.
        message: String,
    },
    /// A value that a schema does not allow.
    Violation {
        /// The path in the object.
        at: Path,
        /// What is wrong with it.
        violation: Violation,
    },
}

/// Reads one definition, and collects its mistakes.
pub(super) struct Reader<'o> {
    object: &'o Object,
    /// The mistakes so far.
    pub(super) mistakes: Vec<Mistake>,
    /// How many expressions were compiled, and their length.
    compiled: (usize, usize),
    /// What they read of the cluster.
    pub(super) cluster: ClusterReads,
}

impl<'o> Reader<'o> {
    pub(super) fn new(object: &'o Object) -> Self {
        Self { object, mistakes: Vec::new(), compiled: (0, 0), cluster: ClusterReads::default() }
    }

    /// Notes a mistake about the value at a path.
    pub(super) fn mistake(&mut self, at: &Path, message: String) {
        self.mistakes.push(Mistake::At { at: at.clone(), is_key: false, message });
    }

    /// Notes a mistake about the key at the end of a path.
    pub(super) fn mistake_of_key(&mut self, at: &Path, message: String) {
        self.mistakes.push(Mistake::At { at: at.clone(), is_key: true, message });
    }

    /// Notes a value that a schema does not allow.
    pub(super) fn violation(&mut self, at: Path, violation: Violation) {
        self.mistakes.push(Mistake::Violation { at, violation });
    }

    /// Returns the place of the value at a path.
    pub(super) fn place(&self, at: &Path) -> Place {
        self.object.place_of(self.object.value_origin(at))
    }

    /// Compiles the expression at a path; nothing if it has mistakes, which are noted.
    pub(super) fn program(&mut self, at: &Path, text: &str, scope: &Scope) -> Option<Program> {
        let (count, length) = self.compiled;
        self.compiled = (count + 1, length + text.len());
        if count >= MAX_EXPRESSIONS || length + text.len() > MAX_LENGTH {
            if count <= MAX_EXPRESSIONS && length <= MAX_LENGTH {
                self.mistake(at, too_many(at));
            }
            return None;
        }
        match Program::typed(text, scope) {
            Ok(program) => {
                self.cluster.note(text);
                Some(program)
            }
            Err(refused) => {
                let place = match refused.place {
                    Some((line, column)) => format!(", at {line}:{column} of the expression"),
                    None => String::new(),
                };
                let remedy = remedy(&refused.summary).unwrap_or("correct it");
                self.mistake(
                    at,
                    format!("{at}: {:?} is not a valid expression: {}{place}; {remedy}", shown(text), refused.summary),
                );
                None
            }
        }
    }
}

fn too_many(at: &Path) -> String {
    let size = MAX_LENGTH / 1024;
    format!(
        "{at} is one expression too many: a definition has at most {MAX_EXPRESSIONS}, with {size} KiB together; split it"
    )
}

/// Returns what to do instead of a field of the context that KubeVela has.
fn remedy(summary: &str) -> Option<&'static str> {
    let is_about = |field: &str| summary.starts_with(&format!("undefined field '{field}'"));
    if !summary.contains("appName") {
        return None;
    }
    let of_revision = ["appRevision", "appRevisionNum", "revision"].iter().any(|field| is_about(field));
    if of_revision {
        return Some("objects that name their revision would change with every revision; remove it");
    }
    is_about("replicaKey").then_some("there is no replication; write a component for each key")
}
