//! The command line as types. The doc comments are the help texts.

mod adopt;
mod app;
mod approve;
mod audit;
mod command;
mod common;
mod control;
mod daemon;
mod declarations;
mod fleet;
mod manual;
mod plan;
mod policy;
mod rbac;
mod replay;
mod rollback;
mod scaffold;
mod simulate;
mod status;
mod ui;
mod vendor;

pub(super) use adopt::AdoptArgs;
pub(super) use app::{
    AppArgs, AppCommand, AppDiffArgs, AppListArgs, AppNameArgs, AppOrphansArgs, AppPermissionsArgs, AppPublishArgs,
    AppRenderArgs, AppRevisionsArgs, AppSourceArgs, AppStatusArgs,
};
pub(super) use approve::ApproveArgs;
pub(super) use audit::{HistoryArgs, SchemaArgs};
pub(super) use command::{Args, Command};
pub(super) use common::{HubArgs, Output, SourceArgs, Span, Switch, at_least_a_second};
pub(super) use control::{AbortArgs, CommitArgs, OwnSourceArgs, PauseArgs, QuarantineArgs, RetryArgs, SubjectArgs};
pub(super) use daemon::{DemoArgs, DoctorArgs, Placement, RunArgs, SandboxArgs, Scenario};
pub(super) use declarations::{BlameArgs, Format, OracleArgs, RenderArgs, ReportFormat, ValidateArgs};
pub(super) use fleet::{FleetArgs, FleetSource};
pub(super) use manual::{CompletionsArgs, ManArgs, Shell};
pub(super) use plan::{ChangeArgs, PlanArgs, PlanFormat, RehearsalFormat, RehearseArgs};
pub(super) use policy::{LibraryArgs, PolicyArgs, PolicyCommand, PolicyDirectory, TrustArgs};
pub(super) use rbac::RbacArgs;
pub(super) use replay::ReplayArgs;
pub(super) use rollback::{ProposalArgs, RollbackArgs, UpgradeArgs};
pub(super) use scaffold::{
    AddonArgs, AddonCommand, ContentArgs, FmtArgs, ForgeName, HomeArgs, ImportArgs, InitArgs, NewAddonArgs,
};
pub(super) use simulate::SimulateArgs;
pub(super) use status::{ExplainArgs, StatusArgs};
pub(super) use ui::{McpArgs, UiArgs};
pub(super) use vendor::{DownloadArgs, VendorArgs};
