//! A history: commits, polls, ticks and restarts, and what is on the clusters after each tick.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_delivery::upstream::Delivery;
use tidegate_journal::{Facts, Journal, entry};
use tidegate_model::digest::Digest;
use tidegate_model::followed::{Revision, RevisionFacts};
use tidegate_model::instance::InstanceId;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::Phase;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::report::Report;
use tidegate_plan::{Input, Memo, Past, PlacementMode, plan};
use tidegate_repository::basis;
use tidegate_rollout::gate::checks::Observations;

use super::content::{Content, Guard, Policy};
use super::repository::{Commit, Followed, Source, id};
use super::tree::{FLEET, labels};
use super::votes::{Entry, Person, Subject, Vote, name};
use tidegate_simulation::agents::{Agents, Conduct, Nature};
use tidegate_simulation::hub::Hub;

/// More ticks than a rollout takes.
const MOST_TICKS: usize = 60;

#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) source: Source,
    hub: Hub,
    agents: Agents,
    now: Timestamp,
    past: Past,
    memo: Rc<std::cell::RefCell<Memo>>,
    journal: Journal,
    /// What the last tick journaled.
    journaled: (Followed, Arc<Report>),
    /// The version of the hub that was looked at last.
    looked_at: u64,
}

fn cluster_key(cluster: &str) -> ObjectKey {
    ObjectKey::new("cluster.open-cluster-management.io", "ManagedCluster", "", cluster)
}

impl World {
    /// Creates a world in which an add-on is on the clusters, and was so before the policy was added that guards it.
    pub(super) fn settled(guard: Guard) -> Self {
        let mut world = Self::unguarded(guard);
        world.commit(Person::Ada, Content::first(guard), false);
        world.settle();
        assert!(world.has_everywhere(&Content::first(guard).image()), "{:#?}", world.past.report);
        world
    }

    /// Creates a world in which an add-on is on the clusters, and no policy guards it.
    pub(super) fn unguarded(guard: Guard) -> Self {
        let mut world = Self {
            source: Source::default(),
            hub: Hub::default(),
            agents: Agents::default(),
            now: "2026-03-01T12:00:00Z".parse().unwrap(),
            past: Past::default(),
            memo: Rc::default(),
            journal: Journal::default(),
            journaled: (Followed::default(), Arc::default()),
            looked_at: 0,
        };
        for cluster in FLEET {
            world.agents.behave(cluster, Nature { conduct: Conduct::Well, delay: 0 });
            world.hub.apply(json!({
                "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
                "metadata": { "name": cluster, "labels": labels(cluster) }, "spec": { "hubAcceptsClient": true },
            }));
            let condition = json!({
                "type": "ManagedClusterConditionAvailable", "status": "True", "reason": "R", "message": "",
                "lastTransitionTime": world.now,
            });
            world.hub.patch(&cluster_key(cluster), &json!({ "status": { "conditions": [condition] } }));
        }
        world.commit(Person::Ada, Content { policy: Policy::Removed, ..Content::first(guard) }, false);
        world.settle();
        world
    }

    /// Returns a copy with a process of its own.
    pub(super) fn again(&self) -> Self {
        Self { memo: Rc::default(), ..self.clone() }
    }

    /// Commits a content on the newest commit.
    pub(super) fn commit(&mut self, by: Person, content: Content, is_decision: bool) {
        let parent = self.source.commits.last().map(|_| self.source.tip);
        let facts = parent.map(|parent| Rc::clone(&self.source.commits[parent].facts)).unwrap_or_default();
        self.source.push(Commit { parent, by, content: Rc::new(content), facts, is_decision });
    }

    /// Commits an approval. An honest person approves nothing that is not honest.
    pub(super) fn vote(&mut self, vote: Vote) {
        let commit = self.source.newest().clone();
        let content = &commit.content;
        let (by, signer, of) = match vote {
            Vote::Honest { by, of } => {
                let is_honest = match of {
                    Subject::Addon => content.is_clean(),
                    Subject::Rules => content.has_honest_rules(),
                };
                if !is_honest {
                    return;
                }
                (by, by, of)
            }
            Vote::Forged { signed, of } => (Person::Bob, if signed { Person::Mallory } else { Person::Unsigned }, of),
            Vote::Mallory { of } => (Person::Mallory, Person::Mallory, of),
            // She has a part in it.
            Vote::Author { of } if commit.by != Person::Ada || !self.has_changed(of) => return,
            Vote::Author { of } | Vote::Ada { of } => (Person::Ada, Person::Ada, of),
            Vote::Copied { of } => (Person::Bob, Person::Mallory, of),
            Vote::OtherInstance { of } => (Person::Bob, Person::Bob, of),
            Vote::Canary => (Person::Bob, Person::Bob, Subject::Addon),
        };
        let Some(digest) = self.digest(of) else { return };
        let is_elsewhere = matches!(vote, Vote::OtherInstance { .. });
        let instance = if is_elsewhere { InstanceId::of(8) } else { crate::instance::instance().id };
        let groups: &[Option<&str>] = match vote {
            Vote::Canary => &[Some("canary")],
            _ if of == Subject::Addon => &[None, Some("rest")],
            _ => &[None],
        };
        let mut facts = Vec::clone(&commit.facts);
        for group in groups.iter().copied() {
            let (addon, instance) = (name(of, content.addon()), instance.clone());
            let commit = id(self.source.commits.len());
            let entry = Entry { addon, digest: &digest, group, instance, by, signer, at: self.now, commit };
            facts.push(entry.fact());
        }
        let parent = Some(self.source.tip);
        self.source.push(Commit { parent, by: signer, facts: Rc::new(facts), is_decision: true, ..commit });
    }

    /// Returns the digest of what the newest commit says.
    fn digest(&self, of: Subject) -> Option<Digest> {
        self.digest_at(self.source.tip, of)
    }

    fn digest_at(&self, commit: usize, of: Subject) -> Option<Digest> {
        let loaded = self.source.load(commit);
        match of {
            Subject::Addon => {
                let addon = self.source.commits[commit].content.addon();
                loaded.repository.digest(&addon.parse().unwrap()).cloned()
            }
            Subject::Rules => Some(basis(&loaded.repository).rules),
        }
    }

    /// Returns `true` if the newest commit changed a digest.
    fn has_changed(&self, of: Subject) -> bool {
        let parent = self.source.newest().parent;
        parent.is_none_or(|parent| self.digest_at(parent, of) != self.digest(of))
    }

    /// Moves the branch to another commit.
    pub(super) fn force(&mut self, commit: usize) {
        self.source.tip = commit % self.source.commits.len();
    }

    /// Follows the newest commit.
    pub(super) fn poll(&mut self) {
        self.source.poll(&self.past.report);
    }

    /// Continues with a new process, which knows only the journal.
    pub(super) fn restart(&mut self) {
        let (followed, report) = self.journaled.clone();
        let seen = followed.seen.clone().map(|commit| Revision {
            commit,
            subject: "a change".to_owned(),
            author: "Ada".to_owned(),
            committer: String::new(),
            time: self.now,
            tag: None,
            merge: None,
            approved_by: Vec::new(),
            signature: None,
            reverts: Vec::new(),
        });
        let Followed { applied, addons, changes, .. } = followed.clone();
        let revision = RevisionFacts { seen, applied, addons, changes, ..RevisionFacts::default() };
        let facts = Facts { revision, ..Facts::default() };
        if let Some(entry) = entry(&self.journal, &report, &facts, self.now).unwrap() {
            self.journal = entry.journal;
        }
        let report = self.journal.report();
        self.past = Past { report: Arc::new(report), readings: self.journal.readings(), ..Past::default() };
        self.memo = Rc::default();
        self.source.restart(followed, &self.past.report);
        self.poll();
    }

    /// Plans, carries the plan out, and lets the agents answer. Returns `true` if anything was written.
    pub(super) fn tick(&mut self) -> bool {
        let (unobserved, instance) = (BTreeSet::new(), crate::instance::instance());
        let input = Input {
            repository: &self.source.in_force,
            fleet: self.hub.fleet(),
            unobserved: &unobserved,
            placement_mode: PlacementMode::Builtin,
            delivery: Delivery::Native,
            instance: &instance,
            revision: self.source.seen.as_ref(),
            past: &self.past,
            archive: &self.source.archive,
            approvals: &self.source.approvals,
            observations: &Observations::default(),
            now: self.now,
        };
        let plan = plan(&input, &mut self.memo.borrow_mut());
        let mut lanes: Vec<_> = plan.lanes.iter().collect();
        lanes.sort_by_key(|lane| lane.stage);
        for lane in &lanes {
            // After a conflict, the rest of the lane waits for the next tick.
            lane.writes.iter().take_while(|write| self.hub.carry_out(write).is_ok()).for_each(drop);
        }
        self.past.readings = plan.readings;
        self.past.distrusted = plan.distrusted;
        self.past.report = Arc::new(plan.report);
        self.journaled = (self.source.journaled(), Arc::clone(&self.past.report));
        let before = self.hub.version();
        self.agents.answer(&mut self.hub, self.now);
        self.now += SignedDuration::from_secs(1);
        !lanes.is_empty() || self.hub.version() != before
    }

    /// Polls and ticks until nothing is left to do.
    pub(super) fn settle(&mut self) {
        for _ in 0..MOST_TICKS {
            self.poll();
            if !self.tick() {
                return;
            }
        }
    }

    /// Returns the clusters for which the hub has something evil since the last look. `is_guarded` is given the name of an add-on.
    pub(super) fn infected(&mut self, is_guarded: impl Fn(&str) -> bool) -> BTreeSet<String> {
        if std::mem::replace(&mut self.looked_at, self.hub.version()) == self.hub.version() {
            return BTreeSet::new();
        }
        let works = self.hub.of_kind("ManifestWork");
        let of = |work: &Value| work["metadata"]["labels"][key::ADDON_NAME].as_str().unwrap_or_default().to_owned();
        let evil = works.filter(|(_, work)| is_guarded(&of(work)) && mentions(&work["spec"], "evil"));
        evil.map(|(key, _)| key.namespace.clone()).collect()
    }

    /// Returns `true` if all clusters have an image, and the rollout is complete.
    pub(super) fn has_everywhere(&self, image: &str) -> bool {
        let has = |cluster: &&str| {
            self.hub
                .of_kind("ManifestWork")
                .any(|(key, work)| key.namespace == **cluster && mentions(&work["spec"], image))
        };
        let is_complete = self.past.report.addons.values().any(|addon| addon.phase == Phase::Completed);
        FLEET.iter().all(has) && is_complete
    }

    pub(super) fn report(&self) -> &Report {
        &self.past.report
    }
}

fn mentions(value: &Value, word: &str) -> bool {
    match value {
        Value::String(text) => text.contains(word),
        Value::Array(items) => items.iter().any(|item| mentions(item, word)),
        Value::Object(fields) => fields.values().any(|field| mentions(field, word)),
        _ => false,
    }
}
