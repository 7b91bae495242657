//! The replicas: who leads, how another one takes over, and what they push.

use tidegate_journal::term_begun;
use tidegate_journal::writer::Writer;
use tidegate_model::time::SignedDuration;

use super::hub::View;
use super::outcome::Broken;
use super::replica::{Answer, Commit, Leader, State};
use super::world::{Next, World};

impl World {
    /// Returns the replica that leads.
    pub(super) fn leading(&self) -> Option<usize> {
        self.replicas.iter().position(|replica| matches!(replica.state, State::Leads(_)))
    }

    /// Lets processes start and continue, and another one lead if the Lease has expired.
    pub(super) fn elect(&mut self, next: &mut Next) -> Result<(), Broken> {
        for at in 0..self.replicas.len() {
            let replica = &mut self.replicas[at];
            replica.state = match std::mem::take(&mut replica.state) {
                State::Down(until) if until <= self.now => {
                    replica.view = View::default();
                    replica.view.list(&self.hub);
                    State::StandsBy
                }
                State::Paused(leader, until) if until <= self.now => match self.lease.holder {
                    Some(holder) if holder == at => State::Leads(leader),
                    // Another one leads: the process ends, and the next one stands by.
                    _ => State::StandsBy,
                },
                state => state,
            };
            if let State::Down(until) | State::Paused(_, until) = &replica.state {
                next.at.push(*until);
            }
        }
        if self.leading().is_some() {
            return Ok(());
        }
        if self.lease.expires > self.now {
            next.at.push(self.lease.expires);
            return Ok(());
        }
        let standing = self.replicas.iter().enumerate().filter(|(_, r)| matches!(r.state, State::StandsBy));
        let standing: Vec<usize> = standing.map(|(at, _)| at).collect();
        if let Some(at) = self.random.pick(&standing).copied() {
            self.take_over(at)?;
            next.is_busy = true;
        }
        Ok(())
    }

    /// Lets a replica begin its term, if its push succeeds.
    fn take_over(&mut self, at: usize) -> Result<(), Broken> {
        self.lease.holder = Some(at);
        self.lease.renew(self.now);
        let last = self.remote.commits.last();
        let (journal, followed) = last.map(|last| (last.journal.clone(), last.followed)).unwrap_or_default();
        let looked = self.remote.looked_at();
        let term = journal.term() + 1;
        let now = self.now + self.ahead;
        let writer = Writer { name: format!("r{at}"), since: now, term };
        let begun = term_begun(&journal, &writer, looked)?;
        let base = self.remote.commits.len();
        let commit = Commit { term, at: now, followed, journal: begun.journal.clone() };
        let answer = self.remote.push(base, commit, self.faults.pushes, &mut self.random);
        self.note(format_args!("r{at} begins term {term}: {answer:?}"));
        if answer != Answer::Accepted {
            // The process ends, and the next one reads the journal again.
            self.lease.expires = self.now;
            return Ok(());
        }
        let mut leader = Leader::new(term, (base + 1, begun.journal), looked, self.now + self.interval);
        leader.follow(&self.commits, followed);
        self.judge.interrupt();
        let replica = &mut self.replicas[at];
        if self.protection.lists_when_elected {
            replica.view.list(&self.hub);
        }
        replica.state = State::Leads(Box::new(leader));
        Ok(())
    }

    /// Lets the leader renew the Lease.
    pub(super) fn renew(&mut self) {
        if let Some(at) = self.leading() {
            self.lease.renew(self.now);
            let now = self.now + self.ahead;
            if let State::Leads(leader) = &mut self.replicas[at].state
                && leader.due.is_some()
            {
                leader.due = Some(now);
            }
        }
    }

    /// Lets the leader push its journal when that is due, and end if it is asked to.
    pub(super) fn push(&mut self, next: &mut Next) -> Result<(), Broken> {
        let Some(at) = self.leading() else { return Ok(()) };
        let is_last = self.random.chance(self.faults.stop);
        let State::Leads(mut leader) = std::mem::take(&mut self.replicas[at].state) else { return Ok(()) };
        let now = self.now + self.ahead;
        if is_last || leader.push_at <= self.now {
            if leader.is_new {
                leader.commit(&self.commits, now)?;
            }
            if leader.is_behind {
                self.push_once(at, &mut leader)?;
            }
        }
        if leader.is_behind || leader.is_new {
            next.at.push(leader.push_at);
        }
        self.replicas[at].state = State::Leads(leader);
        if is_last {
            self.note(format_args!("r{at} is asked to end"));
            let until = self.now + SignedDuration::from_secs(1 + i64::from(self.random.chance(500)) * 20);
            self.replicas[at].state = State::Down(until);
            self.lease.expires = self.now;
        }
        Ok(())
    }

    fn push_once(&mut self, at: usize, leader: &mut Leader) -> Result<(), Broken> {
        leader.push_at = self.now + self.interval;
        let others = self.remote.commits.get(leader.base..).unwrap_or_default();
        if others.iter().any(|commit| commit.term != leader.term) {
            return Err(Broken::Term { replica: at, term: leader.term });
        }
        // What it pushed itself, without an answer.
        leader.base = self.remote.commits.len();
        let Leader { term, written, followed, .. } = *leader;
        let commit = Commit { term, at: written, followed, journal: leader.journal.clone() };
        let answer = self.remote.push(leader.base, commit, self.faults.pushes, &mut self.random);
        if answer == Answer::Accepted {
            (leader.base, leader.is_behind) = (leader.base + 1, false);
        }
        self.note(format_args!("r{at} pushes: {answer:?}"));
        Ok(())
    }
}
