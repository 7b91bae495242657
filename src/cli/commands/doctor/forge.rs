//! What the forge answers. Nothing is written.

use std::collections::BTreeSet;
use std::time::Duration;

use super::trouble::trouble;
use crate::cli::args::SourceArgs;
use crate::cli::{compose, forge};
use crate::doctor::facts::{Answers, Branch, Forge, Purpose, Shown, Trouble, Writes};
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::reconciler::forge::{Checks, ForgeConfig, membership};
use tidegate_forge::{Error, Role};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::forge::{Account, Membership};

/// How long the forge may take for all answers together.
const PATIENCE: Duration = Duration::from_secs(60);

/// What Git says about the project.
pub(super) struct Repository<'r> {
    /// The branch of the journal; `None` if it is not known.
    pub(super) journal: Option<&'r str>,
    /// The teams and roles that rules for approvals name.
    pub(super) names: &'r BTreeSet<String>,
    /// Whether webhooks are received.
    pub(super) has_webhook: bool,
}

/// Asks the forge of the configuration file.
pub(super) async fn facts(args: &SourceArgs, repository: Repository<'_>) -> Forge {
    const ADVICE: &str = "correct [forge] in the file of --config";
    let source = match compose::source(args) {
        Ok(source) => source,
        Err(failure) => return Forge::Unusable(trouble(&failure, "fix the check `source` first")),
    };
    let config = match forge::forge(&source.file, &source.remote.address(), &source.reference, None, &Clock::system()) {
        Ok(Some(config)) => config,
        Ok(None) => return Forge::None,
        Err(failure) => return Forge::Unusable(trouble(&failure, ADVICE)),
    };
    let followed = source.reference.branch().unwrap_or_default().to_owned();
    let is_app = source.file.forge.as_ref().is_some_and(|section| section.app.is_some());
    match tokio::time::timeout(PATIENCE, ask(&config, &followed, is_app, &repository)).await {
        Ok(Ok(answers)) => Forge::Answers(Box::new(answers)),
        Ok(Err(error)) => Forge::Unusable(unusable(&error)),
        Err(_) => {
            let why = format!("not all answers came within {} s", PATIENCE.as_secs());
            Forge::Unusable(Trouble { why, fix: "check `url` in [forge] and the network".to_owned() })
        }
    }
}

fn unusable(error: &Error) -> Trouble {
    let fix = match error {
        Error::Limited { .. } | Error::Budget { .. } => "run the command again after that time",
        Error::Unreachable(_) => "check `url` in [forge], the network, and that the forge runs",
        Error::Garbage(_) => "check `kind` and `url` in [forge]: another server may answer there",
        _ => "check [forge] in the file of --config",
    };
    Trouble { why: ErrorChain(error).to_string(), fix: fix.to_owned() }
}

async fn ask(
    config: &ForgeConfig,
    followed: &str,
    is_app: bool,
    repository: &Repository<'_>,
) -> Result<Answers, Error> {
    let ForgeConfig { forge, project, poll, publish, commands: _ } = config;
    let access = forge.access().await?;
    let (mut branches, mut names, mut is_admin) = (Vec::new(), Vec::new(), Err("it was not asked for".to_owned()));
    if let (Ok(account), Ok(true)) = (&access.account, &access.project) {
        branches.push(branch(config, followed, Purpose::Followed).await?);
        if let Some(name) = repository.journal {
            branches.push(branch(config, name, Purpose::Journal).await?);
        }
        is_admin = shown(forge.role(account).await)?.map(|role| role >= Some(Role::Admin));
        for name in repository.names {
            names.push((name.clone(), readable(config, account, name).await?));
        }
    }
    Ok(Answers {
        kind: forge.kind(),
        version: access.version,
        project: project.clone(),
        is_app,
        account: access.account,
        scopes: access.scopes,
        sees_project: access.project,
        may_push: access.may_push,
        is_admin,
        writes: Writes {
            comments: publish.comments,
            checks: publish.checks != Checks::Off,
            check_runs: publish.checks == Checks::CheckRuns,
            statuses: publish.checks != Checks::Off || publish.statuses,
            deployments: publish.deployments,
            requests: publish.gates,
        },
        branches,
        names,
        poll: poll.as_secs(),
        has_webhook: repository.has_webhook,
    })
}

async fn branch(config: &ForgeConfig, name: &str, purpose: Purpose) -> Result<Branch, Error> {
    let found = shown(config.forge.protection(name).await)?;
    Ok(match found {
        Ok(found) => Branch {
            name: name.to_owned(),
            purpose,
            is_protected: found.is_protected,
            pushers: found.pushers,
            required: found.required_contexts,
            dismisses_stale: found.dismisses_stale,
        },
        Err(why) => Branch {
            name: name.to_owned(),
            purpose,
            is_protected: Err(why.clone()),
            pushers: Err(why.clone()),
            required: Err(why.clone()),
            dismisses_stale: Err(why),
        },
    })
}

/// Asks whether the own account has a team or role. Any answer proves that the token can read it.
async fn readable(config: &ForgeConfig, account: &Account, name: &str) -> Result<Shown<()>, Error> {
    Ok(match shown(membership(&config.forge, account, name).await)? {
        Ok(Membership::Yes | Membership::No) => Ok(()),
        Ok(Membership::Unknown(why)) | Err(why) => Err(why),
    })
}

/// Returns an error that concerns only this question as the reason why there is no answer.
fn shown<T>(answer: Result<T, Error>) -> Result<Shown<T>, Error> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(error) if error.is_transient() => Err(error),
        Err(error) => Ok(Err(ErrorChain(&error).to_string())),
    }
}
