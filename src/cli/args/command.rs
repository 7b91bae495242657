//! The commands.

use clap::{Parser, Subcommand};

use super::adopt::AdoptArgs;
use super::app::AppArgs;
use super::approve::ApproveArgs;
use super::audit::{HistoryArgs, SchemaArgs};
use super::control::{AbortArgs, PauseArgs, QuarantineArgs, RetryArgs};
use super::daemon::{DemoArgs, DoctorArgs, RunArgs, SandboxArgs};
use super::declarations::{BlameArgs, OracleArgs, RenderArgs, ValidateArgs};
use super::fleet::FleetArgs;
use super::manual::{CompletionsArgs, ManArgs};
use super::plan::{PlanArgs, RehearseArgs};
use super::policy::{PolicyArgs, TrustArgs};
use super::rbac::RbacArgs;
use super::replay::ReplayArgs;
use super::rollback::{RollbackArgs, UpgradeArgs};
use super::scaffold::{AddonArgs, FmtArgs, ImportArgs, InitArgs};
use super::simulate::SimulateArgs;
use super::status::{ExplainArgs, StatusArgs};
use super::ui::{McpArgs, UiArgs};
use super::vendor::VendorArgs;

/// Rolls out Open Cluster Management add-ons from a Git repository, group by group, and commits the progress back to Git.
#[derive(Debug, Parser)]
#[command(version, long_version = crate::cli::version::long(), max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "New here? `tidegate demo` shows everything on this machine in a minute, `tidegate init` writes a repository to begin with, and `tidegate adopt` writes one from the add-ons of a hub.

Exit codes: 0 done; 1 findings, not done in time, or, of `plan`, wrong usage; 2 wrong usage, or, of `plan`, something changes; 3 the hub or Git could not be reached; 4 under way (only `status --exit-code`); 70 internal error.";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Follow a repository and keep a hub in sync with it, until stopped
    Run(RunArgs),
    /// Check the hub, Git and the configuration before a rollout needs them, and show how to fix what is wrong
    ///
    /// Takes the options of `run`, and only reads, except with --notify. The exit code is 1 if something would stop a rollout.
    Doctor(DoctorArgs),
    /// Write a config repository to begin with: declarations, settings, a pipeline, and a README for the team
    ///
    /// Asks nothing, and writes only to a directory that is empty.
    Init(InitArgs),
    /// Write the files of a new add-on
    Addon(AddonArgs),
    Import(ImportArgs),
    /// Show the applications of a repository: what they declare, and what became of it
    App(AppArgs),
    Fmt(FmtArgs),
    /// Show everything on this machine: a repository, a simulated fleet, and an upgrade
    Demo(DemoArgs),
    /// Show the state of the add-ons, from the journal
    ///
    /// Without --source, reads the Git repository that contains the current directory, as it was last fetched.
    Status(StatusArgs),
    /// Show every add-on on every cluster, from the journal, a file or a hub
    ///
    /// Without --fleet, --kubeconfig and --source, reads the Git repository that contains the current directory, as it was last fetched.
    Fleet(FleetArgs),
    /// Explain why the clusters of an add-on are in their state, and what they wait for
    ///
    /// Without --source, reads the Git repository that contains the current directory, as it was last fetched.
    Explain(ExplainArgs),
    /// Show what was rolled out, when, by whom and with which outcome, from any clone of the journal
    ///
    /// Without --source, reads the Git repository that contains the current directory, as it was last fetched.
    History(HistoryArgs),
    /// Show the page on this machine: what needs you, each rollout, the fleet and the past, from any clone of the journal
    ///
    /// Without --source, reads the Git repository that contains the current directory, and shows what is fetched or pushed there. With a URL,
    /// fetches it every ten seconds while there are readers. Nothing on the page changes anything.
    Ui(UiArgs),
    /// Answer the questions of an assistant over standard input, by the Model Context Protocol: what runs where, why something waits, what a
    /// pull request would change, who approved
    ///
    /// Reads the journal as `ui` does. Nothing is written.
    Mcp(McpArgs),
    /// Print the JSON Schema of a document that Tidegate writes or reads, or the names of all schemas
    Schema(SchemaArgs),
    /// Check a directory of declarations
    Validate(ValidateArgs),
    /// Show who can get what onto a cluster, by which way, and which guard is off
    ///
    /// Reads a directory of declarations and the file of the daemon, without Git, a forge or the hub.
    Trust(TrustArgs),
    /// Show what a change will do to the fleet, before it is merged
    ///
    /// Compares two revisions, and shows which clusters get what, in which order and by when. The exit code is 0 if nothing changes, 2
    /// if something changes, and 1 if something is blocked or wrong, or the plan cannot be made.
    Plan(PlanArgs),
    /// Rehearse the rollout of a change many times in virtual time: when it will end, with which risk, and what if
    ///
    /// Takes the change and the fleet as `plan` does. Nothing is written.
    Rehearse(RehearseArgs),
    /// Commit your approval of an add-on's current digest, signed with your key
    ///
    /// Writes it to a file in approvals/ on the tip of the followed branch, in the Git repository that contains the current directory, and
    /// pushes it. The work tree is not touched.
    Approve(ApproveArgs),
    /// Commit that no further cluster starts; clusters under way continue
    ///
    /// Changes the control file on the tip of the followed branch, in the Git repository that contains the current directory, and pushes
    /// it. The work tree is not touched.
    Pause(PauseArgs),
    /// Commit that a pause ends
    ///
    /// Changes the control file as `pause` does.
    Resume(PauseArgs),
    /// Commit that the rollout of an add-on's current digest ends: clusters keep what they have
    ///
    /// Changes the control file as `pause` does. The decision is without effect once the add-on has another digest.
    Abort(AbortArgs),
    /// Commit that clusters that failed or timed out start again
    ///
    /// Changes the control file as `pause` does.
    Retry(RetryArgs),
    /// Commit that clusters do not count in rollouts, or get nothing new
    ///
    /// Changes the control file as `pause` does.
    Quarantine(QuarantineArgs),
    /// Test and list the policies of a repository, and print the library of policies
    Policy(PolicyArgs),
    /// Commit that an add-on has another of its versions, and show the plan
    ///
    /// Changes the line that names its template, and nothing else, or refuses. Pushes a new branch, for a pull request; --push pushes to the
    /// followed branch, if there is a plan and no policy of the repository would hold the change back. The work tree is not touched.
    Upgrade(UpgradeArgs),
    /// Commit that an add-on is as it was at an earlier rollout, and show the plan
    ///
    /// Changes only the files of the add-on, so that it has the digest of that rollout and nothing else changes, or refuses. Pushes a new
    /// branch for a pull request, unless --push is given. The rollouts are in the journal.
    Rollback(RollbackArgs),
    /// Print the objects that a directory of declarations renders to
    Render(RenderArgs),
    /// Copy the remote bases, files and charts that declarations name into the repository, pinned in vendor.lock
    ///
    /// Brings in what is missing or has changed, and removes what nothing uses. Commit the result: Tidegate renders only what is in the
    /// commit.
    Vendor(VendorArgs),
    /// Show in which file and line a value of an object was written, by whom, and what changed it
    ///
    /// With --cluster, shows the same for a value that a cluster gets: the template, the configuration, and where each was chosen.
    Blame(BlameArgs),
    /// Turn the add-ons of a running hub into a config repository; nothing is written to the hub
    Adopt(AdoptArgs),
    /// Serve only the embedded hub, for kubectl
    Sandbox(SandboxArgs),
    /// Print the CustomResourceDefinitions of the OCM kinds
    Crds,
    /// Print the ServiceAccount and the ClusterRole that the daemon needs on a hub, each rule with its reason
    Rbac(RbacArgs),
    /// Print the completions of commands and options for a shell
    ///
    /// For bash: `tidegate completions bash > /etc/bash_completion.d/tidegate`
    Completions(CompletionsArgs),
    /// Write the man pages to a directory
    Man(ManArgs),
    /// Answer recorded cases of one area, one per line of standard input
    #[command(hide = true)]
    Oracle(OracleArgs),
    /// Make the plans of a recording of `run --record` again, and show what they decide
    ///
    /// The exit code is 1 if a plan decides something else than the daemon did.
    Replay(ReplayArgs),
    /// Play random schedules of replicas and faults against the planner
    #[command(hide = true)]
    Simulate(SimulateArgs),
}
