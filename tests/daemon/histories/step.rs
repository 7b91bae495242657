//! The steps of a history.

use std::time::Duration;

use super::unit::{Form, Unit};

/// A version that becomes ready on every cluster, unless it is [`BAD`].
pub(super) type Version = &'static str;

/// The versions that people roll out.
pub(super) const GOOD: [Version; 3] = ["0.4.0", "0.4.1", "0.4.2"];
/// The version that never becomes ready on any cluster.
pub(super) const BAD: Version = "0.4.7";
/// The version that ends every history. It is a good one, and no history has it before.
pub(super) const LAST: Version = "0.4.9";

/// A freeze that Bob may override.
const FREEZE: &str = "freezes: [{name: holidays, from: 2026-12-20, to: 2027-01-06}]\n  breakGlass: {name: incident, of: [bob@example.com]}";

/// A RolloutPolicy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// A rollout that fails is taken back.
    Rollback,
    /// A rollout that fails is taken back one cluster at a time, and after clusters under way are done.
    Finish,
    /// A rollout goes through all clusters.
    Continue,
    /// A rollout starts once Bob has approved it.
    Approval,
    /// A rollout starts once someone of a team has merged the request for it on the forge.
    Team,
    /// Nothing starts.
    Freeze,
}

impl Rule {
    /// Returns the path of its file, and the content.
    pub(super) fn file(self) -> (&'static str, &'static str) {
        match self {
            Self::Rollback => ("fleet/rollback.yaml", "onFailure: {action: Rollback}"),
            Self::Finish => ("fleet/finish.yaml", "onFailure: {action: Rollback, maxConcurrency: 1, underway: Finish}"),
            Self::Continue => ("fleet/continue.yaml", "onFailure: {action: Continue}"),
            Self::Approval => ("fleet/approval.yaml", "approvals: [{name: review, of: [bob@example.com]}]"),
            Self::Team => ("fleet/team.yaml", "approvals: [{name: leads, of: ['team:platform/leads']}]"),
            Self::Freeze => ("fleet/freeze.yaml", FREEZE),
        }
    }
}

/// What an agent reports although it is not so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lie {
    /// Nothing.
    Nothing,
    /// Success, for an earlier generation of the work.
    Past,
    /// Success, for a generation that does not exist.
    Future,
    /// Failure, for a generation that does not exist.
    FutureFailure,
}

/// How the replica that leads loses the lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// It is killed.
    Kill,
    /// It is stopped in order.
    Stop,
    /// The hub refuses its requests, until another one leads. It still sees everything.
    Refusal,
    /// Its writes are under way until another one leads, and then arrive.
    Delay,
}

/// What a person does with the application in the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    /// Its file is removed.
    Remove,
    /// Its file has a mistake.
    Mistake,
    /// Its file has the version that it had last, without mistakes, and so does the definition.
    Restore,
    /// Its file selects the clusters in a form, without mistakes.
    Form(Form),
    /// It is checked, and clusters keep what they have.
    Candidate,
    /// The definition of a type, which one form of it uses, has a mistake.
    Definition,
    /// An object moves to another application, or back.
    Move { to_other: bool },
    /// Applications are read, or not.
    Enable(bool),
}

/// What happens next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A person pushes the upgrade of a unit to a version.
    Push(Unit, Version),
    /// A person runs a command for a unit.
    Command(Unit, &'static [&'static str]),
    /// A person runs a command for one cluster of a unit.
    Cluster(Unit, &'static [&'static str], String),
    /// The file of the application is changed.
    Application(Edit),
    /// A RolloutPolicy is added, or removed.
    Rule(Rule, bool),
    /// Someone looks at the plan of a version of a unit.
    Plan(Unit, Version),
    /// Bob approves what waits for him.
    Approve {
        /// Whether he overrides a freeze.
        break_glass: bool,
    },
    /// Someone confirms the removals that are held.
    Confirm,
    /// Bob merges all requests for approvals on the forge.
    Merge,
    /// Bob is in the team, or not.
    Team(bool),
    /// The forge answers, or not. Its repository does.
    Forge(bool),
    /// All clusters of one cloud join the fleet, or leave it. These are too many for the brake.
    Cloud(&'static str, bool),
    /// A person empties the work of a unit for a cluster on the hub.
    EditWork(Unit, String),
    /// A person deletes the work of a unit for a cluster on the hub.
    DeleteWork(Unit, String),
    /// A person removes the mark of the instance from what a unit has on a cluster.
    Unmark(Unit, String),
    /// A person removes the record of what the application gave a cluster.
    DeleteRecord(String),
    /// While no daemon runs, a person removes the marks of the instance from all objects, and adopts the hub. Then a daemon starts.
    Adopt,
    /// The agent of a cluster reports what is not so about a unit, until it answers again.
    Lie(Unit, String, Lie),
    /// A cluster joins the fleet, or leaves it.
    Member(String, bool),
    /// Agents need this time from now on.
    Agents(Duration),
    /// The add-on is ready on a cluster, then not, and so on; or it is as on other clusters again.
    Flapping(String, bool),
    /// OCM's add-on manager runs, or not.
    Manager(bool),
    /// OCM's add-on manager crashes: its lease is neither released nor renewed.
    CrashManager,
    /// A second daemon starts on the same journal.
    Rival,
    /// A second replica stands by, and takes over. All daemons of a history with this step are replicas.
    FailOver(Loss),
    /// A person deletes the branch of the journal.
    DeleteJournal,
    /// The daemon is killed.
    Kill,
    /// The daemon is stopped in order.
    Stop,
    /// A daemon starts, on a new machine if the state directory is lost, unless one runs.
    Start {
        /// Whether the state directory is lost.
        is_lost: bool,
    },
    /// The remote is unreachable, or reachable again.
    Remote(bool),
    /// The hub is unreachable, or reachable again.
    Hub(bool),
    /// The clock of the daemon is set, by this many seconds from the right time.
    Clock(i64),
    /// Time passes.
    Wait(Duration),
    /// Time passes while nothing runs, as when a machine is suspended.
    Freeze(Duration),
}
