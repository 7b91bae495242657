//! What rendering definitions may cost, and what was rendered already.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::failure::Failure;
use tidegate_cel::{Allowance, Evaluator, NoJson, Program};
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;

/// Maximum size of what a component or a trait renders, in bytes of JSON.
const MAX_BYTES: usize = 1024 * 1024;
/// Maximum number of objects that a component or a trait renders.
const MAX_OBJECTS: usize = 1_000;
/// What the expressions of a component or a trait may cost together. One expression may use it up.
const MAX_COST: u64 = 1_000_000;
/// What a second of work costs, about.
const COST_OF_A_SECOND: u64 = 3_000_000;
/// What everything that a commit renders may use: a minute of work, and this many bytes of JSON.
const OF_ALL: Allowance = Allowance { cost: 60 * COST_OF_A_SECOND, bytes: 256 * 1024 * 1024 };
/// What everything that an ApplicationRevision renders may use.
const OF_PUBLISHED: Allowance = Allowance { cost: 3 * COST_OF_A_SECOND, bytes: 16 * 1024 * 1024 };

/// What a component or a trait renders.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Product {
    /// Its objects.
    pub(crate) objects: Vec<Value>,
    /// What a trait merges into the workload.
    pub(crate) patch: Option<Map<String, Value>>,
    /// The operations of RFC 6902 that a trait applies to the workload.
    pub(crate) operations: Vec<Value>,
}

/// What is rendered, or why it cannot be.
pub(crate) type Outcome = Rc<Result<Product, Failure>>;

/// What the definitions of a commit or an ApplicationRevision rendered, and what they may still use. The same parameters are rendered once, however many clusters,
/// checks and comparisons need the result.
#[derive(Debug)]
pub(crate) struct Work {
    /// What they may use together.
    most: Allowance,
    left: RefCell<Allowance>,
    evaluator: RefCell<Evaluator>,
    rendered: RefCell<HashMap<(usize, Digest), Outcome>>,
    definitions: Cell<usize>,
}

impl Default for Work {
    fn default() -> Self {
        Self::of(OF_ALL)
    }
}

impl Work {
    fn of(most: Allowance) -> Self {
        Self {
            most,
            left: RefCell::new(most),
            evaluator: RefCell::default(),
            rendered: RefCell::default(),
            definitions: Cell::default(),
        }
    }

    /// Returns what an ApplicationRevision may use.
    pub(crate) fn of_published() -> Self {
        Self::of(OF_PUBLISHED)
    }

    /// Forgets what was rendered and used, for another cluster: each one may use as much as all others.
    pub(super) fn renew(&self) {
        self.left.replace(self.most);
        self.rendered.borrow_mut().clear();
    }

    /// Returns the number of a new definition.
    pub(super) fn number(&self) -> usize {
        self.definitions.replace(self.definitions.get() + 1)
    }

    /// Returns what a definition renders from values, which is computed unless it is known.
    pub(super) fn rendered(
        &self,
        definition: usize,
        values: &mut Value,
        render: impl FnOnce(&mut Run<'_>, &mut Value) -> Result<Product, Failure>,
    ) -> Outcome {
        let key = (definition, Digest::of(values.to_string().as_bytes()));
        if let Some(known) = self.rendered.borrow().get(&key) {
            return Rc::clone(known);
        }
        let outcome = Rc::new(render(&mut Run::new(self), values));
        self.rendered.borrow_mut().insert(key, Rc::clone(&outcome));
        outcome
    }
}

/// The rendering of one component or trait.
pub(super) struct Run<'w> {
    work: &'w Work,
    /// What it may still use.
    left: Allowance,
    /// What it had in the beginning.
    given: Allowance,
    /// How many objects it has rendered.
    objects: usize,
    /// The place of the template that is being rendered.
    pub(super) place: Place,
}

impl<'w> Run<'w> {
    pub(super) fn new(work: &'w Work) -> Self {
        let all = *work.left.borrow();
        let given = Allowance { cost: all.cost.min(MAX_COST), bytes: all.bytes.min(MAX_BYTES) };
        Self { work, left: given, given, objects: 0, place: Place::start_of("") }
    }

    /// Returns the value of an expression; `None` for an optional without a value.
    pub(super) fn value(&mut self, program: &Program, values: &Value) -> Result<Option<Value>, NoJson> {
        self.work.evaluator.borrow_mut().json(program, values, &mut self.left)
    }

    /// Returns `true` if no expression can be evaluated any more.
    pub(super) fn is_spent(&self) -> bool {
        self.left.cost == 0
    }

    /// Takes the size of something that is rendered.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), Failure> {
        self.left.bytes = self.left.bytes.checked_sub(bytes).ok_or_else(|| self.excess())?;
        Ok(())
    }

    /// Counts an object that is about to be rendered.
    pub(super) fn count(&mut self) -> Result<(), Failure> {
        self.objects += 1;
        if self.objects <= MAX_OBJECTS { Ok(()) } else { Err(self.excess()) }
    }

    fn excess(&self) -> Failure {
        Failure::new(&self.place, format!("this renders too much; {}", self.limits()))
    }

    /// Returns what may be rendered, as a sentence.
    pub(super) fn limits(&self) -> String {
        if self.given.cost < MAX_COST || self.given.bytes < MAX_BYTES {
            let (size, seconds) = (self.work.most.bytes >> 20, self.work.most.cost / COST_OF_A_SECOND);
            return format!("all definitions together render at most {size} MiB, and take {seconds} seconds of work");
        }
        format!("a component renders at most {MAX_OBJECTS} objects and {} KiB", MAX_BYTES / 1024)
    }
}

impl Drop for Run<'_> {
    /// Takes what was used from what all may use.
    fn drop(&mut self) {
        let mut all = self.work.left.borrow_mut();
        all.cost = all.cost.saturating_sub(self.given.cost - self.left.cost);
        all.bytes = all.bytes.saturating_sub(self.given.bytes - self.left.bytes);
    }
}
