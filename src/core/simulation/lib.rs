//! A deterministic simulation: replicas, a hub, agents and a config repository in virtual time, with faults.
//!
//! A *schedule* is drawn from a seed: what people commit, what happens to clusters, and which requests, pushes and processes fail. Replicas
//! plan with the real planner and keep the real journal. What surrounds them is a model: watches that lag behind the hub, requests whose
//! answer is lost, a remote that refuses a push, a Lease. The checker judges each state that a plan is made from, across all replicas, and
//! in the end everything heals and has to become as declared. `docs/simulation.md` says what is in and what is out.

pub mod accident;
pub mod agents;
pub mod consent;
pub mod declared;
mod election;
pub mod hub;
mod outcome;
mod play;
mod policy;
mod replica;
pub mod revision;
mod schedule;
mod tick;
mod world;

pub use outcome::{Outcome, Violation};
use revision::Form;

use tidegate_model::instance::{Instance, InstanceId};
use tidegate_plan::{Input, Plan};

/// What protects a replica from what it does not know. Without one of them, some schedules break a rule.
#[derive(Debug, Clone, Copy)]
pub struct Protection {
    /// A replica that takes over lists the hub before it plans.
    pub lists_when_elected: bool,
    /// Add-ons whose selected clusters could not be recorded are left alone.
    pub withholds_undecided: bool,
    /// After a write whose result is not known, the object is read before the next plan.
    pub reads_after_doubt: bool,
}

impl Protection {
    /// What the daemon does.
    pub const ALL: Self = Self { lists_when_elected: true, withholds_undecided: true, reads_after_doubt: true };
}

/// Plays the schedule of a seed to its end.
///
/// # Errors
/// [`Violation`] if a rule was broken, or if something is not as declared although everything has healed.
pub fn run(seed: u64, protection: Protection) -> Result<Outcome, Violation> {
    run_as(Form::AddOn, seed, protection)
}

/// Plays the schedule of a seed like [`run`], with the add-on or with an application in its place.
///
/// # Errors
/// Those of [`run`].
pub fn run_as(form: Form, seed: u64, protection: Protection) -> Result<Outcome, Violation> {
    world::World::new(seed, protection, form).run()
}

/// Sees each plan, and what it was made from.
pub type Observer = Box<dyn FnMut(&Input<'_>, &Plan)>;

/// Plays the schedule of a seed to its end, and shows all plans to an observer.
///
/// # Errors
/// Those of [`run`].
pub fn run_observed(seed: u64, observer: Observer) -> Result<Outcome, Violation> {
    world::World { observer: Some(observer), ..world::World::new(seed, Protection::ALL, Form::AddOn) }.run()
}

/// The instance of the replicas.
pub fn instance() -> Instance {
    Instance { id: InstanceId::of(0x0123_4567_89ab_cdef), name: String::new() }
}
