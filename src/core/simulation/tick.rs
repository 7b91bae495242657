//! One tick of the leader: observe, judge, plan, write, remember.

use std::collections::BTreeSet;

use tidegate_checker::Checker;
use tidegate_model::action::{Lane, Write};
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::Undecided;
use tidegate_repository::Repository;

use super::outcome::Broken;
use super::replica::{Leader, State};
use super::world::{Next, World};

/// A leader that could not renew the Lease for this long sends nothing more.
const DEADLINE: SignedDuration = SignedDuration::from_secs(6);

/// What becomes of the writes of a plan.
#[derive(Debug, Default)]
struct Sent {
    /// The objects that could not be written, as far as the replica knows.
    failed: BTreeSet<ObjectKey>,
    /// Those that may have been written all the same, or that have changed.
    doubtful: BTreeSet<ObjectKey>,
    is_dead: bool,
    /// The process does nothing until then.
    paused: Option<Timestamp>,
}

/// What becomes of one write.
enum Fate {
    Made,
    Failed,
    Dies,
    Pauses,
}

impl World {
    /// Lets the leader tick.
    pub(super) fn tick(&mut self, at: usize, next: &mut Next) -> Result<(), Broken> {
        let State::Leads(mut leader) = std::mem::take(&mut self.replicas[at].state) else { return Ok(()) };
        let ticked = self.tick_of(at, &mut leader, next)?;
        self.replicas[at].state = match ticked {
            Some(Sent { is_dead: true, .. }) => {
                let until = self.now + SignedDuration::from_secs(1 + i64::try_from(self.random.below(30)).unwrap_or(1));
                self.note(format_args!("r{at} dies"));
                State::Down(until)
            }
            Some(Sent { paused: Some(until), .. }) => State::Paused(leader, until),
            _ => State::Leads(leader),
        };
        Ok(())
    }

    /// Returns `None` if nothing is to be decided, or if the leader does not know enough for a plan.
    fn tick_of(&mut self, at: usize, leader: &mut Leader, next: &mut Next) -> Result<Option<Sent>, Broken> {
        if self.random.chance(self.faults.clock) {
            self.set_clocks();
        }
        let now = self.now + self.ahead;
        if self.rests(at, leader, now, next) || !self.is_prepared(at, leader, now) {
            next.is_busy |= !leader.unsettled.is_empty();
            return Ok(None);
        }
        if leader.look(now, self.now) {
            // A step that is not known exactly cannot be judged exactly.
            self.judge = Checker::new();
        }
        let view = &self.replicas[at].view;
        let broken = leader.check(&mut self.judge, (&self.commits, view), now);
        if !broken.is_empty() {
            return Err(Broken::Rules(broken));
        }
        let state = view.state();
        let Some(mut plan) = leader.plan(&self.commits, view, now, self.observer.as_mut()) else { return Ok(None) };
        self.plans += 1;
        leader.due = Some(now);
        let (lanes, look_at) = (std::mem::take(&mut plan.lanes), plan.look_at);
        next.at.extend(look_at.map(|at| at - self.ahead));
        let is_quiet = lanes.is_empty();
        let sent = self.carry_out(at, lanes, &leader.repository());
        let is_news = leader.remember(plan, &sent.failed);
        next.is_busy |= !is_quiet || is_news;
        leader.rests = (is_quiet && !is_news).then_some((state, look_at));
        if self.protection.reads_after_doubt {
            leader.unsettled.extend(sent.doubtful.iter().cloned());
        }
        Ok(Some(sent))
    }

    /// Lets the leader fetch the config repository. Returns `true` if nothing has changed since its last tick, and time alone changes nothing.
    fn rests(&mut self, at: usize, leader: &mut Leader, now: Timestamp, next: &mut Next) -> bool {
        let newest = self.commits.all.len().saturating_sub(1);
        let followed = if self.random.chance(self.faults.stale) { leader.followed } else { newest };
        next.is_busy |= followed < newest;
        let is_same = |state| (state, leader.followed) == (self.replicas[at].view.state(), followed);
        if let Some((state, look_at)) = leader.rests
            && is_same(state)
            && look_at.is_none_or(|at| at > now)
        {
            next.at.extend(look_at.map(|at| at - self.ahead));
            return true;
        }
        leader.follow(&self.commits, followed);
        false
    }

    /// Lists what is out of date, and reads the objects whose last write is in doubt. Returns `false` if one cannot be read.
    fn is_prepared(&mut self, at: usize, leader: &mut Leader, now: Timestamp) -> bool {
        if leader.is_out_of_date(now) {
            self.replicas[at].view.list(&self.hub);
        }
        for key in std::mem::take(&mut leader.unsettled) {
            if self.random.chance(self.faults.unread) {
                leader.unsettled.insert(key);
                leader.due = None;
            } else {
                self.replicas[at].view.read(&self.hub, &key);
            }
        }
        leader.unsettled.is_empty()
    }

    /// Sets the clocks of all machines ahead, by seconds to hours, or right again.
    fn set_clocks(&mut self) {
        let most = *self.random.pick(&[1, 100, 10_000]).unwrap_or(&1);
        let by = self.random.below(most);
        self.ahead = SignedDuration::from_secs(i64::try_from(by).unwrap_or_default());
        self.note(format_args!("all clocks are {by} s ahead"));
    }

    /// Carries out lanes, stage by stage, in any order within a stage.
    fn carry_out(&mut self, at: usize, lanes: Vec<Lane>, repository: &Repository) -> Sent {
        let mut sent = Sent::default();
        let mut lanes: Vec<(_, u64, Lane)> =
            lanes.into_iter().map(|lane| (lane.stage, self.random.below(1_000), lane)).collect();
        lanes.sort_by_key(|(stage, order, _)| (*stage, *order));
        for (_, _, lane) in lanes {
            let is_withheld =
                self.protection.withholds_undecided && Undecided::of(repository, &sent.failed).concerns(&lane);
            for write in lane.writes {
                let Some(key) = write.key() else { break };
                if sent.paused.is_some() || is_withheld {
                    sent.failed.insert(key);
                    continue;
                }
                match self.send(at, &write, &key, &mut sent) {
                    Fate::Made => {}
                    Fate::Failed => break,
                    Fate::Dies => {
                        sent.is_dead = true;
                        return sent;
                    }
                    Fate::Pauses => {
                        self.pause(at, &mut sent);
                        break;
                    }
                }
                if self.random.chance(self.faults.slow) {
                    self.now += SignedDuration::from_secs(1);
                    self.lease.renew(self.now);
                    let _next = self.agents.answer(&mut self.hub, self.now);
                }
            }
        }
        sent
    }

    /// Pauses the process. After a short pause, it continues to write.
    fn pause(&mut self, at: usize, sent: &mut Sent) {
        let lasts = SignedDuration::from_secs(1 + i64::try_from(self.random.below(40)).unwrap_or_default());
        self.note(format_args!("r{at} is paused for {} s", lasts.as_secs()));
        if lasts < DEADLINE {
            self.now += lasts;
            let _next = self.agents.answer(&mut self.hub, self.now);
        } else {
            sent.paused = Some(self.now + lasts);
        }
    }

    fn send(&mut self, at: usize, write: &Write, key: &ObjectKey, sent: &mut Sent) -> Fate {
        let faults = self.faults;
        let is_lost = self.random.chance(faults.lost);
        let ends = [faults.crash, faults.pause].map(|thousandths| self.random.chance(thousandths));
        let is_refused = self.random.chance(faults.refused);
        let is_made = !is_lost && !is_refused && self.hub.carry_out(write).is_ok();
        self.writes += usize::from(is_made);
        let is_answered = !is_lost && !self.random.chance(faults.unanswered) && ends == [false; 2];
        let outcome = match (is_made, is_answered) {
            (true, true) => "made",
            (true, false) => "made, without an answer",
            (false, true) => "refused",
            (false, false) => "lost",
        };
        self.note(format_args!("r{at} {} {key}: {outcome}", write.verb()));
        if is_made && is_answered {
            self.replicas[at].view.read(&self.hub, key);
            return Fate::Made;
        }
        sent.failed.insert(key.clone());
        // A conflict shows that the object has changed.
        if !is_refused {
            sent.doubtful.insert(key.clone());
        }
        match ends {
            [true, _] => Fate::Dies,
            [_, true] => Fate::Pauses,
            _ => Fate::Failed,
        }
    }
}
