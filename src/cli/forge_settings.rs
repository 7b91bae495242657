//! The settings in `[forge]` of the configuration file.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::cli::args::{Span, at_least_a_second};
use tidegate_model::forge::ForgeKind;

/// `[forge]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Section {
    /// `github`, `gitlab` or `gitea` (also for Forgejo). Not needed for github.com, gitlab.com and codeberg.org.
    #[serde(deserialize_with = "kind")]
    #[schemars(with = "Option<String>", extend("enum" = ["github", "gitlab", "gitea", "forgejo"]))]
    pub kind: Option<ForgeKind>,
    /// The address of the API. By default that of the host of the config repository.
    pub url: Option<String>,
    /// The project, such as `platform/fleet`. By default that of the config repository.
    pub project: Option<String>,
    /// A file with the token.
    pub token_file: Option<PathBuf>,
    /// A GitHub App, instead of a token.
    pub app: Option<App>,
    /// How often the forge is looked at; 60s if not given.
    #[serde(deserialize_with = "span")]
    #[schemars(with = "Option<String>")]
    pub poll: Option<Span>,
    /// Maximum requests per hour; 1500 if not given. A quarter is kept for approvals.
    pub budget: Option<u32>,
    /// Whether comments such as `/tidegate approve istio rest <digest>` approve a rollout.
    pub commands: bool,
    /// `[forge.publish]`: what is reported to the forge.
    pub publish: Report,
}

/// `[forge] app`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct App {
    /// The client ID of the App.
    pub client_id: String,
    /// A file with its private key.
    pub key_file: PathBuf,
}

/// `[forge.publish]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Report {
    /// Whether pull requests get a comment with their plan.
    pub comment: bool,
    /// How the plan of a pull request is shown at its commits.
    pub check: Shown,
    /// How rollouts are shown.
    pub progress: Progress,
    /// Whether pull requests from other projects are planned.
    pub forks: bool,
    /// Whether drafts are planned.
    pub drafts: bool,
    /// Whether pull requests are opened that ask for approvals.
    pub gates: bool,
    /// The page of the journal's files, for links.
    pub link: Option<String>,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            comment: true,
            check: Shown::default(),
            progress: Progress::default(),
            forks: false,
            drafts: true,
            gates: true,
            link: None,
        }
    }
}

/// `[forge.publish] check`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Shown {
    /// A status of the commit.
    #[default]
    Status,
    /// A check run, which only GitHub Apps can write.
    CheckRun,
    /// None.
    Off,
}

/// `[forge.publish] progress`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Progress {
    /// A status for each add-on, at the commit that it comes from.
    #[default]
    Status,
    /// Deployments, on GitHub and GitLab.
    Deployment,
    /// Statuses and deployments.
    Both,
    /// Not at all.
    Off,
}

fn kind<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ForgeKind>, D::Error> {
    String::deserialize(from)?.parse().map(Some).map_err(D::Error::custom)
}

fn span<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Span>, D::Error> {
    let text = String::deserialize(from)?;
    at_least_a_second(&text).map(Some).map_err(|why| D::Error::custom(format!("{why}; write a span such as \"60s\"")))
}
