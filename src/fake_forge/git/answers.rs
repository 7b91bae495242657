//! What git has answered about a repository. Most requests find it as the request before did, and a process takes milliseconds.

use std::collections::HashMap;
use std::hash::Hash;

use parking_lot::Mutex;

use super::refs::Refs;

/// How many answers are kept. After that, all are forgotten: a demo may run for days.
const LIMIT: usize = 4096;

/// How long an answer is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// It is about objects that the question names by their ids.
    Forever,
    /// It depends on refs, or on objects that may still be added.
    UntilRefsMove,
}

/// Questions and their answers.
#[derive(Debug)]
pub(super) struct Answers<Q, A>(Mutex<Kept<Q, A>>);

#[derive(Debug)]
struct Kept<Q, A> {
    lasting: HashMap<Q, A>,
    /// The refs to which the answers in `current` belong.
    refs: Refs,
    current: HashMap<Q, A>,
}

impl<Q, A> Default for Answers<Q, A> {
    fn default() -> Self {
        Self(Mutex::new(Kept { lasting: HashMap::new(), refs: Refs::default(), current: HashMap::new() }))
    }
}

impl<Q: Eq + Hash, A: Clone> Answers<Q, A> {
    /// Returns the known answer, or asks and keeps the answer for as long as `holds` returns. `read` reads the refs.
    ///
    /// # Errors
    /// Those of `ask` and `read`.
    pub(super) fn get<E>(
        &self,
        question: Q,
        read: impl Fn() -> Result<Refs, E>,
        ask: impl FnOnce() -> Result<A, E>,
        holds: impl FnOnce(&A) -> Holds,
    ) -> Result<A, E> {
        if let Some(known) = self.0.lock().lasting.get(&question) {
            return Ok(known.clone());
        }
        let refs = read()?;
        if let Some(known) = self.0.lock().at(&refs, &question) {
            return Ok(known);
        }
        let answer = ask()?;
        match holds(&answer) {
            Holds::Forever => keep(&mut self.0.lock().lasting, question, answer.clone()),
            // A ref may have moved while git answered.
            Holds::UntilRefsMove if read()? == refs => self.0.lock().keep(refs, question, answer.clone()),
            Holds::UntilRefsMove => {}
        }
        Ok(answer)
    }
}

impl<Q: Eq + Hash, A: Clone> Kept<Q, A> {
    fn at(&self, refs: &Refs, question: &Q) -> Option<A> {
        self.current.get(question).filter(|_| self.refs == *refs).cloned()
    }

    fn keep(&mut self, refs: Refs, question: Q, answer: A) {
        if self.refs != refs {
            self.refs = refs;
            self.current.clear();
        }
        keep(&mut self.current, question, answer);
    }
}

fn keep<Q: Eq + Hash, A>(answers: &mut HashMap<Q, A>, question: Q, answer: A) {
    if answers.len() >= LIMIT {
        answers.clear();
    }
    answers.insert(question, answer);
}
