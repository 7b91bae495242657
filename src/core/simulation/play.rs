//! The steps of a schedule, and its end.

use std::collections::BTreeSet;

use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::SignedDuration;

use super::accident::{Accident, heal};
use super::consent::Approval;
use super::outcome::{Broken, Outcome, Violation};
use super::replica::State;
use super::schedule::{END, Event, Faults};
use super::world::{Next, World, begin};

/// More steps than any schedule needs.
const MOST_STEPS: usize = 3_000;
/// A replica looks at the hub at least this often.
const PERIOD: SignedDuration = SignedDuration::from_secs(60);

impl World {
    /// Plays the events and the faults, heals everything, and waits until nothing is left to do.
    pub(crate) fn run(mut self) -> Result<Outcome, Violation> {
        let played = self.play();
        let Self { trace, plans, writes, remote, .. } = self;
        let terms = remote.commits.last().map_or(0, |last| last.term);
        played.map_err(|broken| Violation { what: broken.to_string(), trace: trace.clone() })?;
        Ok(Outcome { trace, plans, writes, terms })
    }

    fn play(&mut self) -> Result<(), Broken> {
        let end = begin() + SignedDuration::from_secs(i64::try_from(END).unwrap_or(i64::MAX));
        while self.now < end {
            self.step()?;
        }
        self.heal();
        for _ in 0..MOST_STEPS {
            if !self.step()? {
                return self.assert_converged();
            }
        }
        Err(Broken::Busy(MOST_STEPS))
    }

    /// Goes one step forward. Returns `false` if nothing is left to do or to wait for.
    fn step(&mut self) -> Result<bool, Broken> {
        let mut next = Next::default();
        self.happen(u64::try_from(begin().duration_until(self.now).as_secs()).unwrap_or_default());
        next.at.extend(self.agents.answer(&mut self.hub, self.now));
        for replica in &mut self.replicas {
            replica.view.receive(&self.hub, self.faults.lag, &mut self.random);
            next.is_busy |= replica.view.is_behind(&self.hub);
        }
        self.elect(&mut next)?;
        if let Some(at) = self.leading() {
            self.tick(at, &mut next)?;
        }
        self.push(&mut next)?;
        if let Some((at, _)) = self.events.last() {
            next.at.push(begin() + SignedDuration::from_secs(i64::try_from(*at).unwrap_or(i64::MAX)));
        }
        let soonest = self.now + SignedDuration::from_secs(1);
        let at = next.at.iter().min().copied();
        self.now = if next.is_busy { soonest } else { at.unwrap_or(soonest).clamp(soonest, self.now + PERIOD) };
        self.renew();
        Ok(next.is_busy || at.is_some())
    }

    /// Ends all faults, makes all clusters healthy, and declares the state to be reached in the end.
    fn heal(&mut self) {
        self.happen(END);
        self.note(format_args!("{}", if self.heals_core { "the core heals" } else { "everything heals" }));
        self.faults = Faults::default();
        let clusters = self.hub.of_kind("ManagedCluster").map(|(key, _)| key.clone());
        let healing: Vec<ObjectKey> = clusters.filter(|key| self.is_in_core(&key.name)).collect();
        for cluster in healing {
            heal(&mut self.hub, &mut self.agents, &cluster, self.now);
        }
        for (cluster, in_eu) in [(0, true), (1, false)] {
            let label = Accident::Label { cluster, in_eu, is_canary: true };
            label.happen(&mut self.hub, &mut self.agents, self.now);
        }
        self.commits.add(self.last.clone(), self.now);
        // The policies before this revision may ask for approvals of it.
        for for_canaries in [false, true] {
            self.commits.approve(Approval { for_canaries, breaks_glass: false }, self.now);
        }
    }

    /// Asserts that every cluster has what is declared, and that the journal says so.
    fn assert_converged(&self) -> Result<(), Broken> {
        let journal = self.remote.commits.last().map(|last| last.journal.report()).unwrap_or_default();
        let Some(State::Leads(leader)) = self.leading().map(|at| &self.replicas[at].state) else {
            return Err(Broken::NoLeader);
        };
        let clusters: BTreeSet<String> = self.hub.of_kind("ManagedCluster").map(|(key, _)| key.name.clone()).collect();
        let version = self.last.version.to_string();
        for (whose, report) in [("the leader", leader.report()), ("the journal", &journal)] {
            let Some(addon) = report.addons.get(self.form.unit()) else {
                return Err(Broken::NoAddon { whose });
            };
            let known: BTreeSet<String> = addon.clusters.keys().map(ToString::to_string).collect();
            if known != clusters {
                return Err(Broken::Clusters { whose, known, clusters });
            }
            for (cluster, report) in addon.clusters.iter().filter(|(name, _)| self.is_in_core(name.as_str())) {
                // What an override changes is a part of the version.
                let is_there = report.version.split('+').next() == Some(&version);
                if report.state != ClusterState::Succeeded || !is_there {
                    let (cluster, report) = (cluster.clone(), Box::new(report.clone()));
                    return Err(Broken::Cluster { whose, cluster, version, report });
                }
            }
        }
        Ok(())
    }

    /// Lets everything happen that is due at this second.
    fn happen(&mut self, now: u64) {
        while let Some((_, event)) = self.events.pop_if(|(at, _)| *at <= now) {
            self.note(format_args!("{event:?}"));
            match event {
                Event::Accident(accident) => accident.happen(&mut self.hub, &mut self.agents, self.now),
                Event::Commit(revision) => self.commits.add(*revision, self.now),
                Event::Decide(decision) => self.commits.decide(decision, self.now),
                Event::Approve(approval) => self.commits.approve(approval, self.now),
            }
        }
    }
}
