//! What happens in a schedule: all of it is drawn from the seed.

use std::collections::BTreeMap;

use tidegate_model::random::Random;

use super::accident::Accident;
use super::agents::{Conduct, Nature};
use super::consent::Approval;
use super::declared::Decision;
use super::hub::Lag;
use super::policy::files;
use super::replica::Pushes;
use super::revision::{Amount, Form, Pace, Policy, Revision, Selects};

/// The settings that a revision may have.
const SETTINGS: [&str; 2] = [
    "[rollout]\nsemantics = 'strict'\n[prune]\nmax_percent = 40\n",
    "[rollout]\nsoak_dip = 'fail'\n[prune]\nmax_percent = 100\n",
];
/// Settings that release everything that was held.
const OPEN: &str = "[prune]\nmax_percent = 100\nwait_for_installs = false\n";
/// Events and faults happen before this second.
pub(crate) const END: u64 = 150;

/// Something that happens from outside.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    Accident(Accident),
    Commit(Box<Revision>),
    Decide(Option<Decision>),
    Approve(Approval),
}

/// What happens to requests and processes, in thousandths of the writes, pushes or seconds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Faults {
    pub(crate) lag: Lag,
    pub(crate) pushes: Pushes,
    /// Writes that do not reach the hub.
    pub(crate) lost: u64,
    /// Writes that are made, but whose answer is lost.
    pub(crate) unanswered: u64,
    /// Writes that the hub refuses.
    pub(crate) refused: u64,
    /// Reads that fail.
    pub(crate) unread: u64,
    /// Writes at which the process is killed, before or after.
    pub(crate) crash: u64,
    /// Writes at which the process is paused.
    pub(crate) pause: u64,
    /// Seconds in which the leader is asked to end.
    pub(crate) stop: u64,
    /// Seconds in which a leader does not fetch the newest config commit.
    pub(crate) stale: u64,
    /// Seconds in which the clocks of all machines are set.
    pub(crate) clock: u64,
    /// Writes after which a second passes.
    pub(crate) slow: u64,
}

/// A schedule.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    /// By second, in order.
    pub(crate) events: Vec<(u64, Event)>,
    pub(crate) last: Revision,
    /// Whether only some clusters heal in the end. Nothing holds them up then.
    pub(crate) heals_core: bool,
    pub(crate) faults: Faults,
    pub(crate) replicas: usize,
    /// Seconds between commits of the journal.
    pub(crate) interval: i64,
}

impl Schedule {
    pub(crate) fn draw(random: &mut Random) -> Self {
        let is_guarded = random.chance(500);
        let settings = random.pick(&SETTINGS).copied().unwrap_or_default();
        let first =
            Revision { selects: Selects::Everybody, is_broken: false, ..revision(random, settings, is_guarded) };
        let well = Nature { conduct: Conduct::Well, delay: 2 };
        let join = |cluster, in_eu, is_canary, nature| {
            (0, Event::Accident(Accident::Join { cluster, in_eu, is_canary, nature }))
        };
        let mut events = vec![(0, Event::Commit(Box::new(first.clone())))];
        events.extend([join(0, true, true, well), join(1, false, true, well)]);
        for cluster in 2..2 + small(random, 6) {
            events.push(join(cluster, random.chance(500), random.chance(200), nature(random)));
        }
        for _ in 0..random.below(12) {
            events.push((random.below(END), event(random, &first)));
        }
        if is_guarded {
            events.extend((0..random.below(5)).map(|_| (random.below(END), approval(random))));
        }
        events.sort_by_key(|(at, _)| *at);
        let last = successor(random, &first);
        let mild = files(random, true);
        let last = Revision {
            is_broken: false,
            own: BTreeMap::new(),
            // With content that was not there before, clusters that failed for good start again, too.
            text: 9,
            selects: Selects::Everybody,
            settings: OPEN,
            files: mild.into_iter().filter(|_| is_guarded).collect(),
            everywhere: last.everywhere.with_time(),
            eu: last.eu.map(|(policy, level)| (policy.with_time(), level)),
            ..last
        };
        let heals_core = random.chance(300);
        if heals_core {
            events.iter_mut().for_each(|(_, event)| lift_limits(event));
        }
        let last = match heals_core {
            true => Revision { everywhere: Policy::all_at_once(), eu: None, files: BTreeMap::new(), ..last },
            false => last,
        };
        Self {
            events,
            last,
            heals_core,
            faults: faults(random),
            replicas: 1 + usize::from(small(random, 3)),
            interval: 1 + i64::from(small(random, 15)),
        }
    }
}

/// Removes limits. They judge later revisions as well until a rollout is completed, and a cluster that does not heal may take a slot for good.
fn lift_limits(event: &mut Event) {
    let Event::Commit(revision) = event else { return };
    let specs = revision.files.values_mut().filter_map(|file| file.get_mut("spec")?.as_object_mut());
    specs.for_each(|spec| drop(spec.remove("limits")));
}

/// Returns a number below a small limit.
fn small(random: &mut Random, limit: u8) -> u8 {
    u8::try_from(random.below(limit.into())).unwrap_or_default()
}

/// Draws the faults. Each kind of them is absent from half of the schedules.
fn faults(random: &mut Random) -> Faults {
    let mut often = |most: u64| if random.chance(500) { random.below(most + 1) } else { 0 };
    Faults {
        lag: Lag { silent: often(800), partial: often(500), doubled: often(300) },
        pushes: Pushes { lost: often(400), unanswered: often(300) },
        lost: often(100),
        unanswered: often(150),
        refused: often(60),
        unread: often(500),
        crash: often(60),
        pause: often(60),
        stop: often(30),
        stale: often(900),
        slow: often(300),
        clock: often(20),
    }
}

fn amount(random: &mut Random) -> Amount {
    match random.below(6) {
        0 => Amount::Unset,
        1..=3 => Amount::Count(1 + small(random, 3)),
        _ => Amount::Percent(random.pick(&[10, 25, 50]).copied().unwrap_or(10)),
    }
}

fn policy(random: &mut Random) -> Policy {
    Policy {
        pace: random
            .pick(&[Pace::All, Pace::Progressive, Pace::Progressive, Pace::PerGroup])
            .copied()
            .unwrap_or(Pace::All),
        canary_first: random.chance(500),
        concurrency: amount(random),
        failures: amount(random),
        deadline: random.chance(500).then(|| 5 + u16::from(small(random, 55))),
        soak: if random.chance(500) { 0 } else { 1 + u16::from(small(random, 19)) },
    }
}

fn revision(random: &mut Random, settings: &'static str, is_guarded: bool) -> Revision {
    let files = if is_guarded { files(random, false) } else { Vec::new() };
    let own = (0..random.below(2)).map(|_| (2 + small(random, 4), small(random, 2))).collect();
    Revision {
        form: Form::AddOn,
        version: 1 + small(random, 3),
        text: small(random, 2),
        level: small(random, 2),
        own,
        everywhere: policy(random),
        eu: random.chance(300).then(|| (policy(random), small(random, 2))),
        group_size: amount(random),
        selects: random
            .pick(&[
                Selects::Everybody,
                Selects::Everybody,
                Selects::Everybody,
                Selects::Eu,
                Selects::Us,
                Selects::Nobody,
            ])
            .copied()
            .unwrap_or(Selects::Everybody),
        settings,
        is_broken: random.chance(100),
        files: files.into_iter().collect(),
    }
}

/// Draws a revision that changes what clusters get, and maybe little else.
fn successor(random: &mut Random, base: &Revision) -> Revision {
    let mut next = revision(random, base.settings, !base.files.is_empty());
    if random.chance(500) {
        (next.everywhere, next.eu) = (base.everywhere, base.eu);
    }
    if random.chance(500) {
        next.group_size = base.group_size;
    }
    next
}

fn nature(random: &mut Random) -> Nature {
    let conduct = match random.below(11) {
        0 => Conduct::Unready,
        1 => Conduct::Refuses,
        2 => Conduct::Silent,
        _ => Conduct::Well,
    };
    Nature { conduct, delay: i64::from(small(random, 12)) }
}

fn approval(random: &mut Random) -> Event {
    Event::Approve(Approval { for_canaries: random.chance(500), breaks_glass: random.chance(200) })
}

fn event(random: &mut Random, base: &Revision) -> Event {
    let cluster = small(random, 8);
    let (in_eu, is_canary) = (random.chance(500), random.chance(200));
    let accident = match random.below(22) {
        0..=2 => Accident::Join { cluster: cluster.max(2), in_eu, is_canary, nature: nature(random) },
        3..=4 => Accident::Leave { cluster: cluster.max(2) },
        5..=7 => Accident::Label { cluster, in_eu, is_canary },
        8..=10 => Accident::Turn { cluster, nature: nature(random) },
        11 => Accident::Sight { cluster, is_seen: random.chance(500) },
        12 => Accident::Registry { cluster, number: small(random, 3) },
        13 => Accident::Claim { cluster },
        14 => Accident::LosePage { which: small(random, 255) },
        15 => {
            let kind = if random.chance(500) { "ManagedClusterAddOn" } else { "ManifestWork" };
            Accident::Delete { cluster, kind }
        }
        16..=17 => {
            let decisions = [None, Some(Decision::Retry), Some(Decision::Abort), Some(Decision::Pause)];
            return Event::Decide(random.pick(&decisions).copied().flatten());
        }
        _ => return Event::Commit(Box::new(successor(random, base))),
    };
    Event::Accident(accident)
}
