//! A whole rollout in virtual time: a repository, a hub, the agents, what happens to them, and ticks as the daemon makes them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use serde_json::Value;
use tidegate_api::key;
use tidegate_checker::{Checker, Observation};
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::action::{Lane, Stage};
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::report::{AddonReport, ClusterReport, Report};
use tidegate_plan::{Input, Memo, Past, PlacementMode, Plan, plan};
use tidegate_repository::{Archive, ClusterContents, Repository, hold, load, roll_back};

use super::departures::Records;
use super::generate::OPEN;
use super::guards::{assert_remembered, assert_same};
use super::manager::Manager;
use super::recorded::assert_recorded;
use super::servers::Servers;
use tidegate_rollout::gate::checks::Observations;
use tidegate_simulation::accident::{Accident, cluster_key, heal, is_out_of_sight};
use tidegate_simulation::agents::{Agents, Conduct, Nature};
use tidegate_simulation::consent::Approval;
use tidegate_simulation::declared::Decision;
use tidegate_simulation::hub::Hub;
use tidegate_simulation::revision::Revision;

/// Something that happens to the world. Clusters are numbers; the first two always exist, and are canaries at the start and at the
/// end, one of them in the EU.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// What happens besides what Tidegate and people do.
    Happens(Accident),
    /// OCM's add-on manager starts or stops. Tidegate notices that after a while.
    Manager {
        runs: bool,
        lag: u8,
    },
    /// Tidegate notices who delivers.
    Notice(Delivery),
    Commit(Box<Revision>),
    /// The last revision is committed again, with a decision about the rollout of its digest; `None` takes all decisions back.
    Decide(Option<Decision>),
    /// Someone approves the digest.
    Approve(Approval),
}

/// What happens to the writes of a tick.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fate {
    /// All are made.
    Made,
    /// The process dies after this share of the writes, in 255ths.
    Dies(u8),
    /// In every n-th lane, the hub refuses the writes after the first `after` ones, and the process continues.
    /// Selections are written all the same.
    Refused { every: u8, after: u8 },
}

/// What a tick wrote and reported.
#[derive(Debug, PartialEq)]
pub(crate) struct Tick {
    now: Timestamp,
    lanes: Vec<Lane>,
    pub(crate) report: Arc<Report>,
}

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) hub: Hub,
    pub(crate) now: Timestamp,
    agents: Agents,
    pub(crate) repository: Arc<Repository>,
    /// The newest revision.
    pub(super) newest: Option<Revision>,
    /// What the revisions declare, by their commits; the newest one is last.
    pub(super) declared: Vec<(CommitId, Arc<Repository>)>,
    good: BTreeMap<UnitName, Arc<Repository>>,
    events: Vec<(i64, Event)>,
    memo: Memo,
    /// What clusters get of units whose definitions read the cluster.
    contents: ClusterContents,
    /// Labels that plans take for those of all clusters, although they are not.
    pub(super) mistaken: Option<BTreeMap<String, String>>,
    commits: u32,
    /// The journal, and which clusters lost the add-on.
    pub(crate) records: Records,
    /// The revision in force: commits are numbered.
    revision: Option<CommitId>,
    pub(crate) past: Past,
    archive: Archive,
    /// The approvals in Git.
    pub(crate) approvals: Arc<Approvals>,
    checker: Checker,
    /// Who chooses clusters.
    pub(crate) mode: PlacementMode,
    /// Who delivers, as far as Tidegate knows.
    pub(crate) delivery: Delivery,
    /// Whether OCM's add-on manager runs.
    has_manager: bool,
    manager: Manager,
    /// The servers that checks ask.
    pub(crate) servers: Servers,
    /// Whether each plan is compared with the plan for the recorded fleet.
    is_recorded: bool,
    /// Whether each plan is compared with that of a new process, which knows only the journal.
    pub(super) is_reborn: bool,
    /// Every tick, in order.
    pub(crate) history: Vec<Tick>,
}

/// More ticks than any generated world needs.
const MOST_TICKS: usize = 1_000;

impl World {
    /// Creates a world with a first revision, and the later events, in seconds from the start.
    pub(crate) fn new(first: Revision, mut events: Vec<(i64, Event)>) -> Self {
        let well = Nature { conduct: Conduct::Well, delay: 2 };
        events.insert(0, (0, Event::Commit(Box::new(first))));
        events
            .insert(1, (0, Event::Happens(Accident::Join { cluster: 0, in_eu: true, is_canary: true, nature: well })));
        events
            .insert(2, (0, Event::Happens(Accident::Join { cluster: 1, in_eu: false, is_canary: true, nature: well })));
        // A stable sort, so that simultaneous events happen in the order of the list.
        events.sort_by_key(|(at, _)| *at);
        events.reverse();
        Self {
            hub: Hub::default(),
            now: begin(),
            agents: Agents::default(),
            repository: Arc::default(),
            newest: None,
            declared: Vec::new(),
            good: BTreeMap::new(),
            events,
            memo: Memo::default(),
            contents: ClusterContents::default(),
            mistaken: None,
            commits: 0,
            records: Records::default(),
            revision: None,
            past: Past::default(),
            archive: Archive::default(),
            approvals: Arc::default(),
            checker: Checker::new(),
            mode: PlacementMode::Builtin,
            delivery: Delivery::Native,
            has_manager: false,
            manager: Manager::default(),
            servers: Servers::default(),
            is_recorded: false,
            is_reborn: false,
            history: Vec::new(),
        }
    }

    /// Returns a copy of a world at rest with other events. Its process is new, and continues from the journal.
    pub(crate) fn continued(&self, events: Vec<(i64, Event)>) -> Self {
        let mut world = Self::new(self.newest.clone().unwrap(), Vec::new());
        world.events = events;
        world.events.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        let past = Past { report: Arc::new(self.records.journal.report()), ..Past::default() };
        Self {
            hub: self.hub.clone(),
            now: self.now,
            agents: self.agents.clone(),
            repository: Arc::clone(&self.repository),
            declared: self.declared.clone(),
            newest: self.newest.clone(),
            good: self.good.clone(),
            commits: self.commits,
            records: self.records.clone(),
            revision: self.revision.clone(),
            past,
            archive: self.archive.clone(),
            approvals: Arc::clone(&self.approvals),
            ..world
        }
    }

    /// Leaves the choice of clusters to a scheduler of the hub.
    pub(crate) fn scheduled_by_hub(self) -> Self {
        Self { mode: PlacementMode::Hub, ..self }
    }

    /// Compares each plan with the plan for the recorded fleet.
    pub(crate) fn recorded(self) -> Self {
        Self { is_recorded: true, ..self }
    }

    /// Lets OCM's add-on manager deliver from the start.
    pub(crate) fn delivered_upstream(self) -> Self {
        Self { delivery: Delivery::Upstream, has_manager: true, ..self }
    }

    /// Runs ticks until nothing is left to do or to wait for. The writes of the first ticks meet the given fates, later ones are
    /// all made.
    pub(crate) fn run(&mut self, fates: &[Fate]) -> Plan {
        let end = self.run_for(MOST_TICKS, fates);
        end.unwrap_or_else(|| panic!("still not done after {MOST_TICKS} ticks: {:#?}", self.history.last()))
    }

    /// Runs at most `most_ticks` ticks, and returns the last plan if nothing is left to do or to wait for.
    pub(crate) fn run_for(&mut self, most_ticks: usize, fates: &[Fate]) -> Option<Plan> {
        let mut fates = fates.iter().copied();
        for _ in 0..most_ticks {
            self.happen();
            let answer = self.agents.answer(&mut self.hub, self.now);
            let scheduled = self.schedule();
            let is_managed = self.has_manager && self.manager.run(&mut self.hub, self.now);
            let plan = self.tick(fates.next().unwrap_or(Fate::Made));
            let measured = self.servers.measure(&plan.requests, self.now);
            let tick = self.history.last()?;
            if tick.lanes.is_empty() && !is_managed {
                let event = self.events.last().map(|(at, _)| begin() + SignedDuration::from_secs(*at));
                let Some(next) = [plan.look_at, answer, event, scheduled, measured].into_iter().flatten().min() else {
                    return Some(Plan { report: Report::clone(&tick.report), ..plan });
                };
                self.now = next.max(self.now);
            } else {
                self.now += SignedDuration::from_secs(1);
            }
        }
        None
    }

    /// Returns `true` if clusters waited for this reason, with its current numbers.
    pub(crate) fn has_waited(&self, reason: &str) -> bool {
        let addons = self.history.iter().flat_map(|tick| tick.report.addons.values());
        let mut waiting = addons.flat_map(|addon| &addon.placements).flat_map(|placement| placement.waiting.keys());
        waiting.any(|waiting| waiting.contains(reason))
    }

    /// Returns `true` if a tick reported something about a cluster.
    pub(crate) fn has_reported(&self, is_meant: impl Fn(&str, &ClusterReport) -> bool) -> bool {
        let addons = self.history.iter().flat_map(|tick| tick.report.addons.values());
        addons.flat_map(|addon| &addon.clusters).any(|(name, report)| is_meant(name.as_str(), report))
    }

    /// Lets the scheduler of the hub write its decisions every third second; returns when it next does, if it may have any to write.
    fn schedule(&mut self) -> Option<Timestamp> {
        if self.mode == PlacementMode::Builtin {
            return None;
        }
        let wait = 2 - self.now.as_second().rem_euclid(3);
        if wait > 0 {
            return Some(self.now + SignedDuration::from_secs(wait));
        }
        let lanes = self.plan(PlacementMode::Builtin).lanes;
        let lanes: Vec<Lane> = lanes.into_iter().filter(|lane| lane.stage == Stage::Decide).collect();
        self.carry_out(&lanes, Fate::Made);
        (!lanes.is_empty()).then_some(self.now)
    }

    fn happen(&mut self) {
        while let Some((_, event)) = self.events.pop_if(|(at, _)| begin() + SignedDuration::from_secs(*at) <= self.now)
        {
            self.take(event);
        }
    }

    pub(crate) fn take(&mut self, event: Event) {
        match event {
            Event::Happens(accident) => accident.happen(&mut self.hub, &mut self.agents, self.now),
            Event::Manager { runs, lag } => {
                self.has_manager = runs;
                let delivery = if runs { Delivery::Upstream } else { Delivery::Native };
                let at = begin().duration_until(self.now).as_secs() + i64::from(lag);
                self.events.push((at, Event::Notice(delivery)));
                self.events.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
            }
            Event::Notice(delivery) => self.delivery = delivery,
            Event::Commit(revision) => self.commit(&revision),
            Event::Decide(decision) => self.decide(decision),
            Event::Approve(approval) => self.approve(approval),
        }
    }

    pub(super) fn commit(&mut self, revision: &Revision) {
        let repository = Arc::new(hold(load(&revision.tree(), ""), &self.good, Some(&self.repository)));
        for name in repository.addons.keys().filter(|name| !repository.held.contains_key(*name)) {
            self.good.insert(name.clone(), Arc::clone(&repository));
        }
        self.archive.add(&repository);
        self.commits += 1;
        let commit: CommitId = format!("{:040x}", self.commits).parse().unwrap();
        self.revision = Some(commit.clone());
        self.record_change(&repository, &commit);
        self.newest = Some(revision.clone());
        self.declared.push((commit, repository));
        self.roll_back();
    }

    /// Puts the add-ons back whose rollout failed, as the daemon does.
    fn roll_back(&mut self) {
        let Some((_, newest)) = self.declared.last() else { return };
        let reports = self.past.report.addons.iter();
        let rejections: Vec<_> = reports.filter_map(|(name, report)| Some((name, report.rejected.as_ref()?))).collect();
        if rejections.is_empty() {
            self.repository = Arc::clone(newest);
            return;
        }
        let mut repository = (**newest).clone();
        for (name, rejection) in rejections {
            let commit = rejection.good.as_ref().map(|good| &good.commit);
            let good = self.declared.iter().find(|(known, _)| Some(known) == commit).map(|(_, good)| &**good);
            roll_back(&mut repository, name, rejection, good);
        }
        self.repository = Arc::new(repository);
    }

    /// Checks, plans, and carries the plan out as far as its fate allows. What it wrote and reported is the last tick of the history.
    fn tick(&mut self, fate: Fate) -> Plan {
        self.check();
        let mut plan = self.plan(self.mode);
        assert!(plan.look_at.is_none_or(|at| at > self.now), "wakes at {:?}, and it is {}", plan.look_at, self.now);
        self.judge(&plan);
        self.carry_out(&plan.lanes, fate);
        let (lanes, report) = (std::mem::take(&mut plan.lanes), Arc::new(std::mem::take(&mut plan.report)));
        if matches!(fate, Fate::Dies(_)) {
            // A new process continues from the journal.
            self.records.die(&lanes);
            self.checker.interrupt();
            self.memo = Memo::default();
            self.past = Past { report: Arc::new(self.records.journal.report()), ..Past::default() };
            self.servers.observations = Observations::default();
        } else {
            self.past.readings.clone_from(&plan.readings);
            self.past.distrusted.clone_from(&plan.distrusted);
            self.records.keep(&report, self.revision.as_ref(), self.now);
            self.past.report = Arc::clone(&report);
        }
        self.history.push(Tick { now: self.now, lanes, report });
        self.roll_back();
        plan
    }

    /// Asserts that no rule has been broken since the last check.
    pub(crate) fn check(&mut self) {
        let told = self.violations();
        assert!(told.is_empty(), "at {}: {told:#?}", self.now);
    }

    /// Returns the rules that have been broken since the last check.
    pub(super) fn violations(&mut self) -> Vec<String> {
        let (repository, instance) = (&self.repository, &crate::instance::instance());
        let last_good = self.past.report.good_digests();
        let observation = Observation {
            repository,
            approvals: &self.approvals,
            last_good: &last_good,
            rules: self.past.report.rules.as_ref(),
            fleet: self.hub.fleet(),
            delivery: self.delivery,
            instance,
            unseen: &self.past.report.unseen,
            clock: &self.past.report.clock,
            now: self.now,
        };
        let violations = self.checker.check(&observation);
        violations.iter().map(ToString::to_string).collect()
    }

    pub(super) fn plan(&mut self, placement_mode: PlacementMode) -> Plan {
        let (unobserved, instance) = (BTreeSet::new(), crate::instance::instance());
        let mut clusters = self.hub.fleet().clusters.clone();
        if let Some(labels) = &self.mistaken {
            clusters.values_mut().for_each(|cluster| Arc::make_mut(cluster).metadata.labels = Some(labels.clone()));
        }
        let rendered = self.contents.of(&self.repository, &clusters);
        let archive = self.contents.archive(&Arc::new(self.archive.clone()));
        let input = Input {
            repository: rendered.as_ref().unwrap_or(&self.repository),
            fleet: self.hub.fleet(),
            unobserved: &unobserved,
            placement_mode,
            delivery: self.delivery,
            instance: &instance,
            revision: self.revision.as_ref(),
            past: &self.past,
            archive: &archive,
            approvals: &self.approvals,
            observations: &self.servers.observations,
            now: self.now,
        };
        if self.is_reborn {
            let past = Past { report: Arc::new(self.records.journal.report()), ..Past::default() };
            let reborn = plan(&Input { past: &past, ..input }, &mut Memo::default());
            let lived = plan(&input, &mut self.memo);
            assert_same(&lived, &reborn, self.now);
            return lived;
        }
        let planned = plan(&input, &mut self.memo);
        // What is kept besides units at rest is compared now and then: each comparison is another plan.
        if planned.at_rest > 0 || self.history.len() % 32 == 8 {
            assert_remembered(&planned, &plan(&input, &mut Memo::default()), self.now);
        }
        if self.is_recorded && self.delivery == Delivery::Native && placement_mode == self.mode {
            assert_recorded(&input, &planned);
        }
        planned
    }

    pub(super) fn carry_out(&mut self, lanes: &[Lane], fate: Fate) {
        let mut lanes: Vec<&Lane> = lanes.iter().collect();
        lanes.sort_by_key(|lane| lane.stage);
        let all: usize = lanes.iter().map(|lane| lane.writes.len()).sum();
        let mut left = match fate {
            Fate::Dies(share) => all * usize::from(share) / 255,
            Fate::Made | Fate::Refused { .. } => all,
        };
        for (n, lane) in lanes.into_iter().enumerate() {
            let most = match fate {
                // A plan treats the clusters that it selects as selected, even if that does not reach the hub.
                _ if lane.stage == Stage::Decide => usize::MAX,
                Fate::Refused { every, after } if n % usize::from(every) == 0 => usize::from(after),
                _ => usize::MAX,
            };
            for write in lane.writes.iter().take(most) {
                let Some(rest) = left.checked_sub(1) else { return };
                left = rest;
                if self.hub.carry_out(write).is_err() {
                    break;
                }
            }
        }
    }

    /// Makes all clusters healthy, and declares the state to be reached in the end.
    pub(crate) fn heal(&mut self, last: Revision) {
        let clusters: Vec<_> = self.hub.of_kind("ManagedCluster").map(|(key, _)| key.clone()).collect();
        for key in clusters {
            heal(&mut self.hub, &mut self.agents, &key, self.now);
        }
        self.take(Event::Happens(Accident::Label { cluster: 0, in_eu: true, is_canary: true }));
        self.take(Event::Happens(Accident::Label { cluster: 1, in_eu: false, is_canary: true }));
        let strict = !last.settings.contains("compat");
        assert!(strict, "only strict stories are healed");
        self.commit(&Revision { settings: OPEN, ..last });
    }

    /// Asserts that no cluster is stuck without a cause, given that nothing is left to do or to wait for.
    pub(crate) fn explain(&self, plan: &Plan) {
        for (name, addon) in &plan.report.addons {
            let states: BTreeSet<ClusterState> = addon.clusters.values().map(|cluster| cluster.state).collect();
            assert!(!states.contains(&ClusterState::Soaking), "{name} soaks, and nothing ends that");
            let is_ill =
                |cluster: &str| !self.agents.is_well(cluster) || is_out_of_sight(&self.hub, &cluster_key(cluster));
            let blocked = |reason: &str| reason.starts_with("blocked: mandatory group");
            for (cluster, report) in &addon.clusters {
                let has_cause = match report.state {
                    ClusterState::Succeeded => true,
                    ClusterState::Waiting => {
                        let is_gated = !addon.gates.is_empty();
                        let is_claimed = addon.clusters.values().any(|c| c.reason.contains("belongs to instance"));
                        holds_up(addon, &states) || blocked(&report.reason) || is_claimed || is_gated
                    }
                    ClusterState::Failed => true,
                    // It waits for others, or it is held by the brake.
                    ClusterState::Leaving => {
                        states.iter().any(|state| *state != ClusterState::Leaving)
                            || addon.removal.is_some()
                            || self.repository.controls.pause(name).is_some()
                            || plan.report.hold.is_some()
                    }
                    ClusterState::TimedOut if self.has_failed(cluster.as_str()) => true,
                    _ => is_ill(cluster.as_str()),
                };
                assert!(has_cause, "{name} on {cluster} is stuck: {report:#?}");
                let is_told = report.state == ClusterState::Succeeded || !report.reason.is_empty();
                assert!(is_told, "{name} on {cluster} is {} without a reason", report.state);
            }
        }
    }

    /// Returns `true` if a cluster reports that it has failed for good.
    fn has_failed(&self, cluster: &str) -> bool {
        let key = ObjectKey::new(key::ADDON_GROUP, "ManagedClusterAddOn", cluster, "hello");
        let work = || self.hub.of_kind("ManifestWork").find(|(key, _)| key.namespace == cluster).map(|(_, work)| work);
        let object = self.hub.object(&key).or_else(work).cloned().unwrap_or_default();
        // Where OCM's add-on manager delivers, the assignment has the condition, and not the status.
        let assignment = object["metadata"]["annotations"][key::ASSIGNMENT].as_str();
        let assignment: Value = assignment.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let conditions = [&object["status"]["conditions"], &assignment["conditions"]].map(Value::as_array);
        let mut conditions = conditions.into_iter().flatten().flatten();
        conditions.any(|c| c["type"] == key::PROGRESSING && c["reason"] == "Failed")
    }
}

/// Returns `true` if some cluster holds the others up.
fn holds_up(addon: &AddonReport, states: &BTreeSet<ClusterState>) -> bool {
    let busy = [ClusterState::Progressing, ClusterState::Failed, ClusterState::TimedOut];
    addon.problem.is_some() || busy.iter().any(|state| states.contains(state))
}

fn begin() -> Timestamp {
    static BEGIN: LazyLock<Timestamp> = LazyLock::new(|| "2026-03-01T12:00:00Z".parse().unwrap());
    *BEGIN
}
