//! Objects of a repository, as one `git cat-file` process returns them. A process for each object would take most of the time of a test.
//!
//! # Source
//! Git's `git-cat-file`, section "BATCH OUTPUT", and its user manual, section "The Object Database".

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;

use parking_lot::Mutex;

use super::commit::Commit;
use super::program::{self, GitError};
use super::refs::is_id;

/// How many commits are kept. After that, all are forgotten: a demo may run for days.
const LIMIT: usize = 1 << 16;

/// The objects of a repository.
#[derive(Debug)]
pub(super) struct Objects {
    directory: PathBuf,
    program: Mutex<Option<Program>>,
    commits: Mutex<HashMap<String, Arc<Commit>>>,
}

/// An object.
struct Object {
    id: String,
    content: Vec<u8>,
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) mode: String,
    pub(super) id: String,
}

impl Objects {
    /// Returns the objects of a bare repository. The program starts with the first question.
    pub(super) fn new(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), program: Mutex::default(), commits: Mutex::default() }
    }

    /// Returns the commit that a branch, tag or id names.
    ///
    /// # Errors
    /// If the program fails.
    pub(super) fn commit(&self, name: &str) -> Result<Option<Arc<Commit>>, GitError> {
        if let Some(known) = self.commits.lock().get(name) {
            return Ok(Some(Arc::clone(known)));
        }
        let Some(object) = self.find(&format!("{name}^{{commit}}"))? else { return Ok(None) };
        let commit = Arc::new(Commit::parse(&object.id, &object.content));
        let mut commits = self.commits.lock();
        if commits.len() >= LIMIT {
            commits.clear();
        }
        commits.insert(object.id, Arc::clone(&commit));
        Ok(Some(commit))
    }

    /// Returns the entries of a directory by their names; none if it does not exist.
    ///
    /// # Errors
    /// If the program fails.
    pub(super) fn tree(&self, id: &str) -> Result<BTreeMap<String, Entry>, GitError> {
        Ok(self
            .find(&format!("{id}^{{tree}}"))?
            .map(|object| entries(&object.content, id.len() / 2))
            .unwrap_or_default())
    }

    fn find(&self, name: &str) -> Result<Option<Object>, GitError> {
        if name.contains('\n') {
            return Ok(None);
        }
        let mut program = self.program.lock();
        let mut running = match program.take() {
            Some(running) => running,
            None => Program::start(&self.directory)?,
        };
        let found = running.find(name).map_err(GitError::Files)?;
        // A program that failed is not asked again.
        *program = Some(running);
        Ok(found)
    }
}

/// A running `git cat-file`.
#[derive(Debug)]
struct Program {
    child: Child,
    /// `None` once it is to end.
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Program {
    fn start(directory: &Path) -> Result<Self, GitError> {
        let mut command = program::command(directory);
        let piped = command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.stderr(Stdio::null()).spawn().map_err(GitError::Start)?;
        let closed = || GitError::Start(io::ErrorKind::BrokenPipe.into());
        let (questions, answers) = (child.stdin.take(), child.stdout.take().ok_or_else(closed)?);
        Ok(Self { child, questions, answers: BufReader::new(answers) })
    }

    /// Returns an object, or `None` if the name is unknown or ambiguous.
    fn find(&mut self, name: &str) -> io::Result<Option<Object>> {
        let Some(questions) = &mut self.questions else { return Err(io::ErrorKind::BrokenPipe.into()) };
        questions.write_all(format!("{name}\n").as_bytes())?;
        questions.flush()?;
        let mut header = String::new();
        if self.answers.read_line(&mut header)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let [id, _kind, size] = header.trim_end().split(' ').collect::<Vec<_>>()[..] else { return Ok(None) };
        let Some(size) = size.parse::<usize>().ok().filter(|_| is_id(id)) else { return Ok(None) };
        let mut content = vec![0; size + 1];
        self.answers.read_exact(&mut content)?;
        content.truncate(size);
        Ok(Some(Object { id: id.to_owned(), content }))
    }
}

impl Drop for Program {
    /// Ends the program: it exits at the end of its input.
    fn drop(&mut self) {
        drop(self.questions.take());
        self.child.wait().ok();
    }
}

/// Returns the entries of a tree, whose ids have this number of bytes.
fn entries(mut content: &[u8], bytes: usize) -> BTreeMap<String, Entry> {
    let mut found = BTreeMap::new();
    while let Some(end) = content.iter().position(|byte| *byte == 0) {
        let head = String::from_utf8_lossy(&content[..end]).into_owned();
        let Some(id) = content.get(end + 1..end + 1 + bytes) else { break };
        let id = id.iter().map(|byte| format!("{byte:02x}")).collect();
        if let Some((mode, name)) = head.split_once(' ') {
            found.insert(name.to_owned(), Entry { mode: mode.to_owned(), id });
        }
        content = &content[end + 1 + bytes..];
    }
    found
}
