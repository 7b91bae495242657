//! The command line as types. The doc comments are the help texts.

mod audit;
mod command;
mod common;
mod daemon;
mod declarations;
mod status;

pub use audit::{HistoryArgs, SchemaArgs, VerifyArgs};
pub use command::{Args, Command};
pub use common::{Output, SourceArgs, Span, Switch, at_least_a_second};
pub use daemon::{DemoArgs, Placement, RunArgs, SandboxArgs};
pub use declarations::{BlameArgs, Format, OracleArgs, RenderArgs, ReportFormat, ValidateArgs};
pub use status::{ExplainArgs, StatusArgs};
