//! The arguments of the commands that read declarations or recorded cases.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::common::{OperatorArgs, Output};
use tidegate_oracle::Area;

/// Check a directory of declarations.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ValidateArgs {
    /// The root of a config repository, or a directory in one with overlays, to check only those
    #[arg(default_value = ".")]
    pub path: PathBuf,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<ReportFormat>,
    /// End with exit code 1 also if there are only warnings
    #[arg(long = "strict")]
    pub is_strict: bool,
    /// What the operator allows.
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// The formats of complaints for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// JSON
    Json,
    /// YAML
    Yaml,
    /// SARIF 2.1.0, for GitHub code scanning and viewers
    Sarif,
    /// Workflow commands, which GitHub Actions shows as annotations
    Github,
    /// A Code Quality report for GitLab
    Gitlab,
}

/// The formats of objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// YAML, as kustomize prints it
    #[default]
    Yaml,
    /// JSON, an array of objects
    Json,
}

/// Print the objects that a directory of declarations renders to.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct RenderArgs {
    /// The root of a config repository, or an overlay in one
    #[arg(default_value = ".")]
    pub path: PathBuf,
    /// Render this overlay, a directory relative to PATH, instead of the path in tidegate.toml
    #[arg(long, value_name = "DIR")]
    pub overlay: Option<String>,
    /// Print in this format
    #[arg(short, long, value_enum, default_value_t)]
    pub output: Format,
    /// Print what this cluster would get, instead of the declared objects
    #[arg(long)]
    pub cluster: Option<String>,
    /// Give that cluster these labels, as key=value, in addition to those of a declared ManagedCluster
    #[arg(long, requires = "cluster", value_delimiter = ',')]
    pub labels: Vec<String>,
    /// Print only this add-on
    #[arg(long, requires = "cluster")]
    pub addon: Option<String>,
    /// What the operator allows.
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// Show where a value of an object comes from.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct BlameArgs {
    /// The object, as kind/name or kind/namespace/name; kind.group if several groups have the kind
    pub object: String,
    /// The value, as a JSON pointer such as /spec/addonName; without it, every value of the object is shown
    #[arg(default_value = "")]
    pub pointer: String,
    /// Read the files from this directory: the root of a config repository, or an overlay in one
    #[arg(long, default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// Render this overlay, a directory relative to PATH, instead of the path in tidegate.toml
    #[arg(long, value_name = "DIR")]
    pub overlay: Option<String>,
    /// Look for the object among those that this cluster would get, and show what decides the value
    #[arg(long)]
    pub cluster: Option<String>,
    /// Look only in this add-on
    #[arg(long, requires = "cluster")]
    pub addon: Option<String>,
    /// Give that cluster these labels, as key=value, in addition to those of a declared ManagedCluster
    #[arg(long, requires = "cluster", value_delimiter = ',')]
    pub labels: Vec<String>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// What the operator allows.
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// Answer recorded cases.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct OracleArgs {
    /// The area of the cases
    pub area: Area,
}
