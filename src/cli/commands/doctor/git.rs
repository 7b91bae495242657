//! What Git answers: the followed reference, whose approvals its rules ask for, and whether the journal can be pushed. Nothing is
//! written.

use std::collections::BTreeSet;

use k8s_openapi::api::rbac::v1::PolicyRule;

use super::trouble::trouble;
use crate::cli::args::SourceArgs;
use crate::cli::compose::{self, StateDir};
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::doctor::facts::{Journal, Source, Trouble};
use crate::doctor::{Known, Unknown};
use tidegate_daemon::reconciler::forge::named_by;
use tidegate_daemon::reconciler::source::{STATUS_DIRECTORY, is_branch, journal_branch};
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_git::{Mirror, PushError};
use tidegate_journal::record::Sync;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::instance::InstanceId;
use tidegate_model::revision::CommitId;
use tidegate_repository::{Loaded, load_with};

/// What is known of the config repository.
pub(super) struct GitFacts {
    pub(super) source: Result<Source, Trouble>,
    pub(super) journal: Known<Journal>,
    /// The instance that the journal belongs to.
    pub(super) instance: Option<InstanceId>,
    /// The teams and roles that rules for approvals name.
    pub(super) names: BTreeSet<String>,
    /// What the roles that the repository declares and gives to agents need.
    pub(super) rules: Known<Vec<PolicyRule>>,
}

/// Asks the remote that the flags or the configuration file name.
pub(super) async fn facts(args: &SourceArgs) -> GitFacts {
    let args = args.clone();
    let asked = tokio::task::spawn_blocking(move || ask(&args)).await;
    asked.unwrap_or_else(|panic| nothing(trouble(&Failure::internal(&panic), "report this as a bug")))
}

fn nothing(trouble: Trouble) -> GitFacts {
    without_journal(Err(trouble))
}

fn without_journal(source: Result<Source, Trouble>) -> GitFacts {
    GitFacts {
        source,
        journal: Err(Unknown::NoSource),
        instance: None,
        names: BTreeSet::new(),
        rules: Err(Unknown::NoSource),
    }
}

fn of_git(error: &tidegate_git::Error) -> Trouble {
    Trouble { why: ErrorChain(error).to_string(), fix: Failure::git_hint(error).to_owned() }
}

fn ask(args: &SourceArgs) -> GitFacts {
    // The mirror is always a temporary one: a daemon on this machine uses its own.
    let prepared = compose::source(args).and_then(|source| Ok((source, StateDir::of(None)?)));
    let (named, state) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => return nothing(trouble(&failure, "check --source and --config")),
    };
    let (address, reference) = (named.remote.address(), named.reference.described());
    let mirror = match Mirror::open(state.mirror(), named.remote) {
        Ok(mirror) => mirror,
        Err(error) => return nothing(of_git(&error)),
    };
    let tip = match mirror.follow(&named.reference) {
        Ok(tip) => tip.map(|tip| tip.commit),
        Err(error) => return nothing(of_git(&error)),
    };
    let commit = tip.as_ref().map(|commit| commit.short().to_owned());
    let source = Source { address, reference, commit };
    let Some(tip) = tip else {
        return without_journal(Ok(source));
    };
    let branch = named.journal_branch.or_else(|| journal_branch(&mirror, &named.reference).ok());
    let Some(branch) = branch else {
        return without_journal(Ok(source));
    };
    let place = if is_branch(&named.reference, &branch) { STATUS_DIRECTORY } else { "" };
    let loaded = loaded(&mirror, &tip, &named.file);
    let names = loaded.as_ref().map(|loaded| named_by(&loaded.repository.policies)).unwrap_or_default();
    let binds = named.file.delivery.mode != DeliveryMode::Upstream;
    let rules = loaded.map(|loaded| loaded.role_rules(binds)).ok_or(Unknown::NoSource);
    let (journal, instance) = journal(&mirror, branch, place, &tip);
    GitFacts { source: Ok(source), journal: Ok(journal), instance, names, rules }
}

/// Reads the repository of a commit; `None` if it cannot be read.
fn loaded(mirror: &Mirror, commit: &CommitId, file: &File) -> Option<Loaded> {
    let path = file.source.path.as_deref().unwrap_or_default();
    Some(load_with(&mirror.tree(commit, "").ok()?, path, &file.operator()))
}

/// Looks at the branch of the journal. A push of the commit that a branch already has changes nothing, and is refused if the
/// credentials may not push at all.
fn journal(mirror: &Mirror, branch: String, place: &str, followed: &CommitId) -> (Journal, Option<InstanceId>) {
    let tip = match mirror.fetch(&[&branch]) {
        Ok(tips) => tips.get(&branch).cloned(),
        Err(error) => return (Journal { branch, exists: false, push: Err(of_git(&error)) }, None),
    };
    let instance = tip.as_ref().and_then(|tip| {
        let text = mirror.read(tip, &format!("{place}sync.yaml")).ok()??;
        let sync: Sync = serde_saphyr::from_slice(&text).ok()?;
        Some(sync.instance?.id)
    });
    let exists = tip.is_some();
    let push = match &tip {
        Some(tip) => mirror.push(&branch, Some(tip), tip),
        // A branch that does not exist cannot be pushed without creating it. The comparison of this push fails before
        // anything is sent, but only after the remote has accepted the credentials.
        None => mirror.push(&branch, Some(followed), followed),
    };
    let push = match push {
        // The branch has another commit by now, or does not exist: the remote has answered, and that is the question.
        Ok(()) | Err(PushError::Stale { .. }) => Ok(()),
        Err(PushError::Unauthorized(error) | PushError::Unreachable(error) | PushError::Failed(error)) => {
            Err(of_git(&error))
        }
        Err(error @ PushError::Rejected { .. }) => {
            let fix = "allow the user of the token to push to the branch of the journal".to_owned();
            Err(Trouble { why: ErrorChain(&error).to_string(), fix })
        }
    };
    (Journal { branch, exists, push }, instance)
}
