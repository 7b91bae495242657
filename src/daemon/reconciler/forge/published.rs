//! Caches what was last written to the forge, so that nothing is written twice.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::refusals::{Place, Refusals};
use tidegate_forge::{CheckRun, Forge, Result, State};
use tidegate_model::digest::Digest;
use tidegate_model::forge::Pull;
use tidegate_model::progress::Phase;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The least time between two statuses of a commit in a context that differ only in their texts.
const GAP: SignedDuration = SignedDuration::from_mins(1);
/// The least time between two versions of a comment that differ only in numbers.
const COMMENT_GAP: SignedDuration = SignedDuration::from_mins(2);
/// GitHub accepts 1,000 statuses for a commit and context. The last ones are kept for the end of the rollout.
const MOST: u32 = 900;

/// What was last written to the forge. After a restart, the statuses of a commit are read once.
#[derive(Default)]
pub(super) struct Published {
    statuses: BTreeMap<CommitId, BTreeMap<String, Status>>,
    comments: BTreeMap<u64, Comment>,
    check_runs: BTreeMap<CommitId, (u64, CheckRun)>,
    refusals: Refusals,
}

/// A status as it was written last.
struct Status {
    state: State,
    text: String,
    at: Option<Timestamp>,
    count: u32,
}

struct Comment {
    news: Option<News>,
    body: String,
    id: u64,
    at: Timestamp,
}

/// What of rollouts must be shown at once: their digests, phases and reasons.
pub(super) type News = Vec<(Digest, Phase, Vec<String>)>;

impl Published {
    /// Writes the status of a commit in a context, if it differs from what was written last.
    ///
    /// # Errors
    /// Those of [`Forge`].
    pub(super) async fn status(
        &mut self,
        forge: &Forge,
        (commit, branch): (&CommitId, &str),
        context: &str,
        (state, text): (State, &str),
        link: Option<&str>,
        now: Timestamp,
    ) -> Result<()> {
        if let Entry::Vacant(unread) = self.statuses.entry(commit.clone()) {
            let known = forge.statuses(commit).await?.into_iter();
            let status = |status: tidegate_forge::CommitStatus| {
                (status.context, Status { state: status.state, text: status.text, at: None, count: 0 })
            };
            unread.insert(known.map(status).collect());
        }
        let statuses = self.statuses.entry(commit.clone()).or_default();
        let known = statuses.get(context);
        let text = tidegate_model::line::cut(text, forge.limits().status_text);
        // A forge may show a status that runs as one that waits.
        let is_same_state = |known: &Status| known.state == state || (!known.state.is_final() && !state.is_final());
        if let Some(known) = known {
            let is_soon = known.at.is_some_and(|at| now.duration_since(at) < GAP);
            let is_same = is_same_state(known) && known.text == text;
            if is_same || (is_same_state(known) && is_soon) || (known.count >= MOST && !state.is_final()) {
                return Ok(());
            }
        }
        let count = known.map_or(0, |known| known.count) + 1;
        let place = Place::Status(commit.clone(), context.to_owned());
        if self.refusals.is_paused(&place, now) {
            return Ok(());
        }
        let written = forge.status(commit, context, state, &text, link, Some(branch)).await;
        self.refusals.note(place, written, now)?;
        statuses.insert(context.to_owned(), Status { state, text, at: Some(now), count });
        Ok(())
    }

    /// Writes a check run, if it differs from what was written last.
    ///
    /// # Errors
    /// Those of [`Forge`].
    pub(super) async fn check_run(&mut self, forge: &Forge, run: CheckRun, now: Timestamp) -> Result<()> {
        let known = self.check_runs.get(&run.commit);
        let place = Place::CheckRun(run.commit.clone());
        if known.is_some_and(|(_, known)| *known == run) || self.refusals.is_paused(&place, now) {
            return Ok(());
        }
        let written = forge.check_run(known.map(|(id, _)| *id), &run).await;
        let id = self.refusals.note(place, written, now)?;
        self.check_runs.insert(run.commit.clone(), (id, run));
        Ok(())
    }

    /// Writes a comment, if it differs from what was written last. Returns its number, if it is known. If there is `news` and it
    /// is the same, the update may be delayed.
    ///
    /// # Errors
    /// Those of [`Forge`].
    pub(super) async fn comment(
        &mut self,
        forge: &Forge,
        (pull, hint): (&Pull, Option<u64>),
        (marker, body, news): (&str, &str, Option<News>),
        now: Timestamp,
    ) -> Result<Option<u64>> {
        let known = self.comments.get(&pull.number);
        if let Some(known) = known
            && (known.body == body
                || (news.is_some() && known.news == news && now.duration_since(known.at) < COMMENT_GAP))
        {
            return Ok(Some(known.id));
        }
        let (id, place) = (known.map(|known| known.id).or(hint), Place::Comment(pull.number));
        if self.refusals.is_paused(&place, now) {
            return Ok(id);
        }
        let id = self.refusals.note(place, forge.comment(pull, marker, id, body).await, now)?;
        self.comments.insert(pull.number, Comment { news, body: body.to_owned(), id, at: now });
        Ok(Some(id))
    }

    /// Drops cached commits and pull requests that are no longer reported.
    pub(super) fn keep(&mut self, commits: impl Fn(&CommitId) -> bool, pulls: impl Fn(u64) -> bool) {
        self.refusals.keep(&commits, &pulls);
        self.statuses.retain(|commit, _| commits(commit));
        self.check_runs.retain(|commit, _| commits(commit));
        self.comments.retain(|number, _| pulls(*number));
    }
}
