//! Checks that a daemon stops writing once an earlier one is active on the same journal, and a replica once a later term has begun.
//!
//! If two daemons use one journal, the one that started later stops as soon as it notices the other. The remote refuses a push if
//! the branch has commits that the daemon has not seen, and the daemon reads them before it retries. So the daemon that started
//! later never writes after a commit that the other one made since it started.

use crate::audit::finding::{Problem, Rule};
use tidegate_journal::headline;
use tidegate_journal::writer::{Precedence, TRAILER, Writer};

/// The daemons that have written so far.
#[derive(Debug, Clone, Default)]
pub(in crate::audit) struct Daemons {
    /// Every daemon, with the numbers of its first and last commits.
    seen: Vec<(Writer, usize, usize)>,
    commits: usize,
    /// The replica with the latest term so far.
    leader: Option<Writer>,
}

impl Daemons {
    /// Records the next commit of the journal, and returns a problem if its daemon should have stopped. A commit without a daemon
    /// is ignored.
    pub(in crate::audit) fn follow(&mut self, message: &str) -> Option<Problem> {
        self.commits += 1;
        let writer = writer(message)?;
        if let Some(problem) = self.deposed(&writer) {
            return Some(problem);
        }
        let first = self.seen.iter().find(|(seen, ..)| *seen == writer).map(|(_, first, _)| *first);
        let rival = first.and_then(|first| {
            let is_rival = |(other, _, last): &&(Writer, usize, usize)| {
                *last > first && other.name != writer.name && writer.against(other) == Precedence::Theirs
            };
            self.seen.iter().find(is_rival).map(|(other, ..)| other.clone())
        });
        match self.seen.iter_mut().find(|(seen, ..)| *seen == writer) {
            Some((_, _, last)) => *last = self.commits,
            None => self.seen.push((writer.clone(), self.commits, self.commits)),
        }
        rival.map(|rival| {
            Problem::new(
                Rule::Rival,
                match rival.term {
                    0 => format!("daemon {writer} kept writing after daemon {rival}, which had started earlier"),
                    _ => format!("daemon {writer} kept writing after replica {rival}, which led"),
                },
            )
            .expected(format!("no further commit by {}", writer.name))
        })
    }

    /// Returns a problem if a replica writes although a later term has begun, or another replica began the same one.
    fn deposed(&mut self, writer: &Writer) -> Option<Problem> {
        let leads =
            |leader: &Writer| writer.term > leader.term || (writer.term, &writer.name) == (leader.term, &leader.name);
        match &self.leader {
            _ if writer.term == 0 => None,
            Some(leader) if !leads(leader) => Some(
                Problem::new(Rule::Rival, format!("replica {writer} kept writing although replica {leader} led"))
                    .expected(format!("no further commit by {} in term {}", writer.name, writer.term)),
            ),
            _ => {
                self.leader = Some(writer.clone());
                None
            }
        }
    }
}

/// Returns the daemon that a commit names in its last paragraph.
fn writer(message: &str) -> Option<Writer> {
    headline::trailer(message, TRAILER)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the indexes of the commits that break the rule. Each letter is a daemon; daemon `a` started before `b`.
    fn broken(order: &str) -> Vec<usize> {
        let mut daemons = Daemons::default();
        let message = |name: char| {
            format!("a: b\n\nRevision: 1\nDaemon: {name} since 2026-11-21T10:00:{:02}Z\n", name as u32 - 97)
        };
        order
            .chars()
            .enumerate()
            .filter(|(_, name)| daemons.follow(&message(*name)).is_some())
            .map(|(at, _)| at)
            .collect()
    }

    #[test]
    fn a_daemon_may_follow_another_or_overlap_with_one_that_stops() {
        for order in ["aaabbb", "abca", "aabbaa", "abab", "abcacb"] {
            let expected: &[usize] = match order {
                "abab" => &[3],
                "abcacb" => &[4, 5],
                _ => &[],
            };
            assert_eq!(broken(order), expected, "{order}");
        }
    }

    #[test]
    fn a_replica_writes_nothing_once_a_later_term_has_begun() {
        let mut daemons = Daemons::default();
        let mut is_broken = |name: char, term: u64| {
            let message = format!("a: b\n\nDaemon: {name} since 2026-11-21T10:00:00Z term {term}\n");
            daemons.follow(&message).is_some()
        };
        let order = [('a', 1), ('b', 2), ('a', 1), ('b', 2), ('a', 3), ('c', 3), ('b', 2), ('a', 3)];
        let found = order.map(|(name, term)| is_broken(name, term));
        assert_eq!(found, [false, false, true, false, false, true, true, false]);
    }

    #[test]
    fn a_commit_without_a_daemon_is_ignored() {
        assert_eq!(Daemons::default().follow("by hand\n"), None);
    }
}
