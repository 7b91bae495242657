//! Generates histories.

use std::time::Duration;

use super::step::{BAD, Edit, GOOD, Lie, Loss, Rule, Step};
use super::unit::{Form, Unit};

/// The number of steps of a history.
const STEPS: u64 = 14;

/// A sequence of pseudo-random numbers.
///
/// # Source
/// SplitMix64, by Steele, Lea and Flood.
struct Random(u64);

impl Random {
    /// Returns a number less than `limit`.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        let index = usize::try_from(self.below(all.len() as u64)).unwrap();
        all[index].clone()
    }

    fn unit(&mut self) -> Unit {
        self.one_of(&Unit::ALL)
    }

    /// Returns the name of one of the twenty clusters. The first five of each cloud are canaries.
    fn cluster(&mut self) -> String {
        format!("{}-{:03}", self.one_of(&["aws", "gcp"]), 1 + self.below(10))
    }

    /// Returns a time that is shorter or longer than the deadline, which is one minute.
    fn time(&mut self) -> Duration {
        Duration::from_secs(self.one_of(&[1, 3, 10, 40, 70, 200, 900]))
    }
}

const COMMANDS: [&[&str]; 7] =
    [&["pause"], &["resume"], &["abort"], &["abort", "--release"], &["retry"], &["rollback", "--push"], &["resume"]];
const OF_CLUSTERS: [&[&str]; 4] = [
    &["quarantine", "--mode", "Ignore"],
    &["quarantine", "--mode", "Exclude"],
    &["quarantine", "--release"],
    &["retry"],
];

const RULES: [Rule; 7] =
    [Rule::Rollback, Rule::Rollback, Rule::Finish, Rule::Continue, Rule::Approval, Rule::Team, Rule::Freeze];
const EDITS: [Edit; 17] = [
    Edit::Move { to_other: false },
    Edit::Move { to_other: false },
    Edit::Move { to_other: true },
    Edit::Form(Form::Entries),
    Edit::Form(Form::Defined),
    Edit::Candidate,
    Edit::Form(Form::Steps),
    Edit::Form(Form::Steps),
    Edit::Form(Form::Groups),
    Edit::Remove,
    Edit::Mistake,
    Edit::Restore,
    Edit::Restore,
    Edit::Definition,
    Edit::Enable(false),
    Edit::Enable(true),
    Edit::Enable(true),
];
const LIES: [Lie; 4] = [Lie::Nothing, Lie::Past, Lie::Future, Lie::FutureFailure];

/// Returns the history of a seed.
pub(super) fn history(seed: u64) -> Vec<Step> {
    let random = &mut Random(seed);
    (0..STEPS).flat_map(|_| steps(random)).collect()
}

/// An upgrade that waits for Bob, who merges the request for it.
fn reviewed(random: &mut Random) -> Vec<Step> {
    let (wait, version) = (Step::Wait(random.time()), random.one_of(&GOOD));
    let asked = Step::Wait(Duration::from_secs(40));
    vec![Step::Rule(Rule::Team, true), wait.clone(), Step::Push(random.unit(), version), asked, Step::Merge, wait]
}

fn steps(random: &mut Random) -> Vec<Step> {
    let wait = Step::Wait(random.time());
    let step = match random.below(44) {
        0..4 => Step::Push(random.unit(), random.one_of(&GOOD)),
        4 => Step::Push(random.unit(), BAD),
        5..8 => Step::Command(random.unit(), random.one_of(&COMMANDS)),
        8 | 9 => Step::Cluster(random.unit(), random.one_of(&OF_CLUSTERS), random.cluster()),
        10 => Step::Rule(random.one_of(&RULES), random.below(3) > 0),
        11 => Step::EditWork(random.unit(), random.cluster()),
        12 => Step::DeleteWork(random.unit(), random.cluster()),
        13 => Step::Member(random.cluster(), random.below(2) > 0),
        14 => Step::Agents(Duration::from_secs(random.one_of(&[0, 2, 20]))),
        15 => random.one_of(&[Step::Kill, Step::Stop]),
        16 => Step::Remote(random.below(2) > 0),
        17 => Step::Hub(random.below(2) > 0),
        18 | 19 => Step::Approve { break_glass: random.below(2) > 0 },
        20 => Step::Confirm,
        21 => Step::Cloud(random.one_of(&["aws", "gcp"]), random.below(2) > 0),
        22 => Step::Plan(random.unit(), random.one_of(&GOOD)),
        23 => Step::Manager(random.below(3) > 0),
        24 => random.one_of(&[Step::Manager(true), Step::CrashManager]),
        25 => Step::Flapping(random.cluster(), random.below(3) > 0),
        26 => Step::Rival,
        36 => Step::FailOver(random.one_of(&[Loss::Kill, Loss::Stop, Loss::Refusal, Loss::Delay])),
        27 => Step::DeleteJournal,
        28 => Step::Unmark(random.unit(), random.cluster()),
        29 | 30 => Step::Lie(random.unit(), random.cluster(), random.one_of(&LIES)),
        31 | 32 => Step::Clock(random.one_of(&[0, -7200, 7200, 0])),
        33 => Step::Adopt,
        34 => return reviewed(random),
        35 => random.one_of(&[Step::Team(false), Step::Team(true), Step::Forge(false), Step::Forge(true)]),
        37..40 | 42 | 43 => Step::Application(random.one_of(&EDITS)),
        40 => Step::DeleteRecord(random.cluster()),
        _ => Step::Freeze(random.time()),
    };
    // A daemon that was killed stays away for a while, and most of what follows is more interesting with one.
    let start = (random.below(3) == 0).then(|| Step::Start { is_lost: random.below(3) == 0 });
    [Some(step), Some(wait), start].into_iter().flatten().collect()
}
