//! Deployments on the forge: one for each add-on and decision group, from its first cluster to its last.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_forge::{Deployment, Error, Forge, FoundDeployment, Result, State};
use tidegate_model::digest::Digest;
use tidegate_model::forge::ForgeKind;
use tidegate_model::name::UnitName;
use tidegate_model::plural::counted;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::{AddonReport, GroupReport, Report};

use super::config::ForgeConfig;
use super::refusals::{Place, Refusals};

/// The task of each deployment.
const TASK: &str = "tidegate";

/// Writes deployments to the forge. What was written before a restart is found again at the forge, where the newest deployment of an
/// environment is the only one that may still run.
pub(super) struct Deployments {
    config: ForgeConfig,
    branch: String,
    /// The newest deployment of each environment; `None` if it has none.
    known: BTreeMap<String, Option<Known>>,
    refusals: Refusals,
}

/// A deployment as it was written last.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    id: u64,
    commit: CommitId,
    /// `None` if the forge has no place for it.
    digest: Option<String>,
    state: Option<State>,
    is_replaced: bool,
}

/// A deployment as it is to be.
#[derive(Debug, Clone, PartialEq)]
struct Wanted {
    environment: String,
    state: State,
    text: String,
}

/// One request that brings a deployment up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// End the known deployment.
    Replace(u64),
    /// Create a deployment.
    Create,
    /// Change the state of the newest deployment.
    Change,
}

impl Deployments {
    pub(super) fn new(config: &ForgeConfig, branch: &str) -> Self {
        if config.publish.deployments && config.forge.kind() == ForgeKind::Gitea {
            tracing::warn!(
                "Gitea and Forgejo have no deployments, so that none are written; set progress = \"status\" in [forge.publish]"
            );
        }
        Self {
            config: config.clone(),
            branch: branch.to_owned(),
            known: BTreeMap::new(),
            refusals: Refusals::default(),
        }
    }

    /// Writes what differs from what was written last. `commits` has the commit that each add-on comes from.
    ///
    /// # Errors
    /// The first one; everything else was still written, unless no request would succeed.
    pub(super) async fn publish(
        &mut self,
        report: &Report,
        commits: &BTreeMap<UnitName, CommitId>,
        now: Timestamp,
    ) -> Result<()> {
        if !self.config.publish.deployments || self.config.forge.kind() == ForgeKind::Gitea {
            return Ok(());
        }
        let mut outcome = Ok(());
        for (name, commit) in commits {
            let Some(addon) = report.addons.get(name) else { continue };
            let Some(digest) = &addon.digest else { continue };
            let link = self.config.publish.link(&tidegate_journal::file::status(name));
            for wanted in wanted(name, addon) {
                let place = Place::Deployment(wanted.environment.clone());
                if self.refusals.is_paused(&place, now) {
                    continue;
                }
                let written = self.publish_one((commit, digest), &wanted, link.as_deref()).await;
                let written = self.refusals.note(place, written, now);
                let is_general = written.as_ref().is_err_and(Error::is_general);
                outcome = outcome.and(written);
                if is_general {
                    return outcome;
                }
            }
        }
        outcome
    }

    async fn publish_one(
        &mut self,
        (commit, digest): (&CommitId, &Digest),
        wanted: &Wanted,
        link: Option<&str>,
    ) -> Result<()> {
        let forge = self.config.forge.clone();
        let Wanted { environment, state, text } = wanted;
        let known = match self.known.get(environment) {
            Some(known) => known.clone(),
            None => {
                let found = forge.latest_deployment(environment, TASK).await?.map(known);
                self.known.insert(environment.clone(), found.clone());
                found
            }
        };
        let steps = steps(forge.kind(), known.as_ref(), (commit, digest), *state);
        // If a request fails, it is not known whether it was carried out: the forge is asked again.
        if !steps.is_empty() {
            self.known.remove(environment);
        }
        let mut newest = known;
        for step in &steps {
            match (step, &mut newest) {
                (Step::Replace(id), _) => forge.replace_deployment(*id, environment).await?,
                (Step::Create, newest) => {
                    let id = create(&forge, (commit, &self.branch), digest, environment).await?;
                    let (commit, digest) = (commit.clone(), Some(digest.as_str().to_owned()));
                    let state = (forge.kind() == ForgeKind::GitLab).then_some(State::Running);
                    *newest = Some(Known { id, commit, digest, state, is_replaced: false });
                }
                (Step::Change, Some(newest)) => {
                    forge.deployment_state(newest.id, environment, *state, text, link).await?;
                    newest.state = Some(*state);
                }
                (Step::Change, None) => {}
            }
        }
        if let (false, Some(newest)) = (steps.is_empty(), newest) {
            self.known.insert(environment.clone(), Some(newest));
        }
        Ok(())
    }
}

async fn create(forge: &Forge, (commit, branch): (&CommitId, &str), digest: &Digest, environment: &str) -> Result<u64> {
    let deployment = Deployment {
        commit: commit.clone(),
        branch: branch.to_owned(),
        environment: environment.to_owned(),
        task: TASK.to_owned(),
        payload: json!({ "rollout": digest.short(), "digest": digest.as_str() }),
        description: format!("rollout {}", digest.short()),
    };
    forge.deployment(&deployment).await
}

/// Returns the deployments of the groups of an add-on that have started. Groups with the same name are one environment.
fn wanted(name: &UnitName, addon: &AddonReport) -> Vec<Wanted> {
    if addon.withdrawn || addon.phase == Phase::Removing {
        return Vec::new();
    }
    let mut environments: BTreeMap<String, Counts> = BTreeMap::new();
    for placement in &addon.placements {
        // The same group of two placements is two environments.
        let place = if addon.placements.len() > 1 { format!("{}/", placement.placement) } else { String::new() };
        for GroupReport { index, name: group, counts } in &placement.groups {
            let group = if group.is_empty() { index.to_string() } else { group.clone() };
            let all = environments.entry(format!("{name}/{place}{group}")).or_default();
            all.total += counts.total;
            all.succeeded += counts.succeeded;
            all.progressing += counts.progressing;
            all.failed += counts.failed;
            all.waiting += counts.waiting;
        }
    }
    let is_started = |counts: &Counts| counts.succeeded + counts.progressing + counts.failed > 0;
    let of = |(environment, counts): (String, Counts)| {
        let failed = if counts.failed > 0 { format!(", {} failed", counts.failed) } else { String::new() };
        let text = format!("{} of {}{failed}", counts.succeeded, counted(counts.total, "cluster"));
        Wanted { environment, state: state(counts, addon.phase), text }
    };
    environments.into_iter().filter(|(_, counts)| is_started(counts)).map(of).collect()
}

/// Returns the state of a group. Failures that the rollout tolerates do not make it fail once the rollout is complete.
fn state(counts: Counts, phase: Phase) -> State {
    match phase {
        _ if counts.succeeded == counts.total => State::Success,
        Phase::Completed => State::Success,
        Phase::Stopped | Phase::Held | Phase::Refused => State::Failure,
        Phase::Progressing | Phase::Removing => State::Running,
    }
}

/// Returns the requests that bring an environment up to date, in order.
fn steps(kind: ForgeKind, known: Option<&Known>, (commit, digest): (&CommitId, &Digest), state: State) -> Vec<Step> {
    let is_same = |known: &&Known| {
        let is_it = known.digest.as_ref().map_or(known.commit == *commit, |known| known == digest.as_str());
        is_it && !known.is_replaced
    };
    let Some(same) = known.filter(is_same) else {
        let running = known.filter(|known| !known.is_replaced && !known.state.is_some_and(State::is_final));
        let mut steps: Vec<Step> = running.map(|known| Step::Replace(known.id)).into_iter().collect();
        steps.push(Step::Create);
        // GitLab's deployments run as soon as they are created.
        if kind != ForgeKind::GitLab || state.is_final() {
            steps.push(Step::Change);
        }
        return steps;
    };
    // GitLab's deployments do not run again after they have ended.
    let is_over = kind == ForgeKind::GitLab && !state.is_final() && same.state.is_some_and(State::is_final);
    if same.state == Some(state) || is_over { Vec::new() } else { vec![Step::Change] }
}

/// Returns a deployment that the forge has.
fn known(found: FoundDeployment) -> Known {
    let FoundDeployment { id, commit, payload, state, is_replaced } = found;
    // GitHub returns the data as it was sent: an object, or a string with one.
    let payload = match payload {
        Value::String(text) => serde_json::from_str(&text).unwrap_or_default(),
        payload => payload,
    };
    let digest = payload.get("digest").and_then(Value::as_str).map(str::to_owned);
    Known { id, commit, digest, state, is_replaced }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(digit: char) -> CommitId {
        digit.to_string().repeat(40).parse().unwrap()
    }

    fn deployed(digest: Option<&Digest>, state: Option<State>) -> Known {
        let digest = digest.map(|digest| digest.as_str().to_owned());
        Known { id: 7, commit: commit('1'), digest, state, is_replaced: false }
    }

    #[test]
    fn only_differences_are_told() {
        let (one, two) = (Digest::of(b"1"), Digest::of(b"2"));
        let of = |known: Option<Known>, digest: &Digest, state| {
            steps(ForgeKind::GitHub, known.as_ref(), (&commit('1'), digest), state)
        };
        let (running, success) = (Some(State::Running), Some(State::Success));
        assert_eq!(of(None, &one, State::Running), [Step::Create, Step::Change]);
        assert_eq!(of(Some(deployed(Some(&one), running)), &one, State::Running), []);
        assert_eq!(of(Some(deployed(Some(&one), running)), &one, State::Success), [Step::Change]);
        assert_eq!(of(Some(deployed(Some(&one), None)), &one, State::Running), [Step::Change]);
        assert_eq!(of(Some(deployed(Some(&one), success)), &one, State::Success), []);
        let replaced = [Step::Replace(7), Step::Create, Step::Change];
        assert_eq!(of(Some(deployed(Some(&one), running)), &two, State::Running), replaced);
        assert_eq!(of(Some(deployed(Some(&one), success)), &two, State::Running), [Step::Create, Step::Change]);
        let gone = Known { is_replaced: true, ..deployed(Some(&one), success) };
        assert_eq!(of(Some(gone), &one, State::Running), [Step::Create, Step::Change]);
    }

    #[test]
    fn gitlab_knows_a_deployment_by_its_commit_and_does_not_run_it_again() {
        let one = Digest::of(b"1");
        let of = |known: Option<Known>, at: char, state| {
            steps(ForgeKind::GitLab, known.as_ref(), (&commit(at), &one), state)
        };
        assert_eq!(of(None, '1', State::Running), [Step::Create]);
        assert_eq!(of(None, '1', State::Success), [Step::Create, Step::Change]);
        assert_eq!(of(Some(deployed(None, Some(State::Running))), '1', State::Running), []);
        assert_eq!(
            of(Some(deployed(None, Some(State::Running))), '2', State::Running),
            [Step::Replace(7), Step::Create]
        );
        assert_eq!(of(Some(deployed(None, Some(State::Failure))), '1', State::Running), []);
        assert_eq!(of(Some(deployed(None, Some(State::Failure))), '1', State::Success), [Step::Change]);
    }

    #[test]
    fn a_group_is_deployed_when_its_first_cluster_starts() {
        let counts = |succeeded, failed, progressing, waiting| Counts {
            total: succeeded + failed + progressing + waiting,
            succeeded,
            failed,
            progressing,
            waiting,
            ..Counts::default()
        };
        assert_eq!(state(counts(1, 0, 1, 8), Phase::Progressing), State::Running);
        assert_eq!(state(counts(10, 0, 0, 0), Phase::Progressing), State::Success);
        assert_eq!(state(counts(9, 1, 0, 0), Phase::Progressing), State::Running);
        assert_eq!(state(counts(9, 1, 0, 0), Phase::Completed), State::Success);
        assert_eq!(state(counts(1, 3, 0, 6), Phase::Stopped), State::Failure);
    }
}
