//! Random revisions, fleets and accidents.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::world::{Event, Fate};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Amount, Form, Pace, Policy, Revision, Selects};

/// Everything that a world is made from.
#[derive(Debug, Clone)]
pub(super) struct Story {
    pub(super) first: Revision,
    pub(super) events: Vec<(i64, Event)>,
    pub(super) last: Revision,
}

impl Story {
    /// Returns the story of an application in place of the add-on.
    pub(super) fn of_application(mut self) -> Self {
        let revisions = self.events.iter_mut().filter_map(|(_, event)| match event {
            Event::Commit(revision) => Some(&mut **revision),
            _ => None,
        });
        revisions.chain([&mut self.first, &mut self.last]).for_each(|revision| revision.form = Form::Application);
        self
    }

    /// Returns the story with longer deadlines: OCM's add-on manager takes a few seconds for each cluster.
    pub(super) fn patient(mut self) -> Self {
        let patient = |policy: &mut Policy| policy.deadline = policy.deadline.map(|deadline| deadline + 30);
        let revisions = self.events.iter_mut().filter_map(|(_, event)| match event {
            Event::Commit(revision) => Some(&mut **revision),
            _ => None,
        });
        for revision in revisions.chain([&mut self.first, &mut self.last]) {
            patient(&mut revision.everywhere);
            if let Some((policy, _)) = &mut revision.eu {
                patient(policy);
            }
        }
        self
    }
}

const STRICT: &str = "[rollout]\nsemantics = 'strict'\n[prune]\nmax_percent = 40\n";
const STRICT_FAIL: &str = "[rollout]\nsoak_dip = 'fail'\n[prune]\nmax_percent = 100\n";
const COMPAT: &str = "[rollout]\nsemantics = 'compat'\n[prune]\nmax_percent = 60\n";
/// Settings that release everything that was held.
pub(super) const OPEN: &str = "[prune]\nmax_percent = 100\nwait_for_installs = false\n";

pub(super) fn amount() -> BoxedStrategy<Amount> {
    prop_oneof![
        1 => Just(Amount::Unset),
        3 => (1..4_u8).prop_map(Amount::Count),
        2 => prop::sample::select(vec![10, 25, 50]).prop_map(Amount::Percent),
    ]
    .boxed()
}

pub(super) fn policy() -> BoxedStrategy<Policy> {
    let pace = prop_oneof![1 => Just(Pace::All), 3 => Just(Pace::Progressive), 3 => Just(Pace::PerGroup)];
    let times = (prop::option::of(5..60_u16), prop_oneof![Just(0), 1..20_u16]);
    (pace, any::<bool>(), amount(), amount(), times)
        .prop_map(|(pace, canary_first, concurrency, failures, (deadline, soak))| Policy {
            pace,
            canary_first,
            concurrency,
            failures,
            deadline,
            soak,
        })
        .boxed()
}

pub(super) fn revision(settings: &'static str) -> BoxedStrategy<Revision> {
    let content = (1..4_u8, 0..2_u8, 0..2_u8, prop::collection::btree_map(2..6_u8, 0..2_u8, 0..2));
    let placements = (policy(), prop::option::of((policy(), 0..2_u8)), amount());
    let is_broken = prop::bool::weighted(0.1);
    let selects = prop_oneof![
        6 => Just(Selects::Everybody),
        2 => Just(Selects::Eu),
        2 => Just(Selects::Us),
        1 => Just(Selects::Nobody),
    ];
    (content, placements, is_broken, selects)
        .prop_map(move |((version, text, level, own), (everywhere, eu, group_size), is_broken, selects)| Revision {
            form: Form::AddOn,
            selects,
            version,
            text,
            level,
            own,
            everywhere,
            eu,
            group_size,
            settings,
            is_broken,
            files: BTreeMap::new(),
        })
        .boxed()
}

/// A revision that changes what clusters get, and maybe little else.
fn successor(base: Revision) -> BoxedStrategy<Revision> {
    (revision(base.settings), any::<bool>(), any::<bool>())
        .prop_map(move |(mut next, keeps_policies, keeps_groups)| {
            if keeps_policies {
                (next.everywhere, next.eu) = (base.everywhere, base.eu);
            }
            if keeps_groups {
                next.group_size = base.group_size;
            }
            next
        })
        .boxed()
}

fn nature() -> BoxedStrategy<Nature> {
    let conduct = prop_oneof![
        8 => Just(Conduct::Well),
        1 => Just(Conduct::Unready),
        1 => Just(Conduct::Refuses),
        1 => Just(Conduct::Silent),
    ];
    (conduct, 0..12_i64).prop_map(|(conduct, delay)| Nature { conduct, delay }).boxed()
}

fn accident(base: Revision) -> BoxedStrategy<Event> {
    let cluster = || 2..10_u8;
    let labels = || (any::<bool>(), prop::bool::weighted(0.2));
    prop_oneof![
        3 => (cluster(), labels(), nature()).prop_map(|(cluster, (in_eu, is_canary), nature)| Event::Happens(Accident::Join {
            cluster, in_eu, is_canary, nature
        })),
        2 => cluster().prop_map(|cluster| Event::Happens(Accident::Leave { cluster })),
        3 => (0..10_u8, labels()).prop_map(|(cluster, (in_eu, is_canary))| Event::Happens(Accident::Label { cluster, in_eu, is_canary })),
        4 => (0..10_u8, nature()).prop_map(|(cluster, nature)| Event::Happens(Accident::Turn { cluster, nature })),
        1 => (0..10_u8, any::<bool>()).prop_map(|(cluster, is_seen)| Event::Happens(Accident::Sight { cluster, is_seen })),
        1 => (0..10_u8, 0..3_u8).prop_map(|(cluster, number)| Event::Happens(Accident::Registry { cluster, number })),
        1 => cluster().prop_map(|cluster| Event::Happens(Accident::Claim { cluster })),
        2 => any::<u8>().prop_map(|which| Event::Happens(Accident::LosePage { which })),
        1 => (0..10_u8, prop::sample::select(vec!["ManagedClusterAddOn", "ManifestWork"]))
            .prop_map(|(cluster, kind)| Event::Happens(Accident::Delete { cluster, kind })),
        3 => (successor(base), prop::bool::weighted(0.1)).prop_map(|(revision, is_compat)| {
            let settings = if is_compat { COMPAT } else { revision.settings };
            Event::Commit(Box::new(Revision { settings, ..revision }))
        }),
    ]
    .boxed()
}

fn story(settings: &'static str) -> BoxedStrategy<Story> {
    let clusters = prop::collection::vec((any::<bool>(), prop::bool::weighted(0.2), nature()), 0..8);
    (revision(settings), clusters)
        .prop_flat_map(|(first, clusters)| {
            let first = Revision { is_broken: false, selects: Selects::Everybody, ..first };
            let joins = clusters.into_iter().zip(2..).map(|((in_eu, is_canary, nature), cluster)| {
                (0, Event::Happens(Accident::Join { cluster, in_eu, is_canary, nature }))
            });
            let joins: Vec<_> = joins.collect();
            let accidents = prop::collection::vec((0..120_i64, accident(first.clone())), 0..12);
            (accidents, successor(first.clone())).prop_map(move |(accidents, last)| {
                // With a version that was not there before, clusters that failed for good start again, too.
                let selects = Selects::Everybody;
                let last = Revision { is_broken: false, own: BTreeMap::new(), text: 9, selects, ..last };
                let mut events: Vec<_> = joins.iter().cloned().chain(accidents).collect();
                events.extend(under_the_first_semantics(&first, &events));
                Story { first: first.clone(), events, last }
            })
        })
        .boxed()
}

/// Declares the last revision again at the end, under the semantics of the first one.
fn under_the_first_semantics(first: &Revision, events: &[(i64, Event)]) -> Option<(i64, Event)> {
    let commits = events.iter().filter_map(|(at, event)| match event {
        Event::Commit(revision) => Some((at, revision)),
        _ => None,
    });
    let (_, last) = commits.max_by_key(|(at, _)| **at)?;
    let settings = first.settings;
    Some((121, Event::Commit(Box::new(Revision { settings, ..Revision::clone(last) }))))
}

/// Gives each property stories of its own, although all properties start from the same seed.
fn apart(nth: usize, stories: impl Strategy<Value = Story> + 'static) -> BoxedStrategy<Story> {
    // Whatever is drawn first changes everything after it.
    let first = vec![any::<u8>().no_shrink(); nth];
    (first, stories).prop_map(|(_, story)| story).boxed()
}

/// Stories under the safe semantics, for the property with this number.
pub(super) fn strict_story(nth: usize) -> BoxedStrategy<Story> {
    apart(nth, prop_oneof![story(STRICT), story(STRICT_FAIL)])
}

/// Stories under upstream's semantics, for the property with this number.
pub(super) fn compat_story(nth: usize) -> BoxedStrategy<Story> {
    apart(nth, story(COMPAT))
}

/// What happens to the writes of the first ticks.
pub(super) fn fates() -> BoxedStrategy<Vec<Fate>> {
    let fate = prop_oneof![
        3 => Just(Fate::Made),
        2 => any::<u8>().prop_map(Fate::Dies),
        1 => (1..4_u8, 0..2_u8).prop_map(|(every, after)| Fate::Refused { every, after }),
    ];
    prop::collection::vec(fate, 0..60).boxed()
}

/// Returns what a strategy draws from a seed of 64 hexadecimal digits.
pub(super) fn drawn<S: Strategy>(strategy: &S, seed: &str) -> S::Value {
    let byte = |at: usize| u8::from_str_radix(&seed[2 * at..2 * at + 2], 16).unwrap();
    let seed: Vec<u8> = (0..32).map(byte).collect();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    strategy.new_tree(&mut TestRunner::new_with_rng(ProptestConfig::default(), rng)).unwrap().current()
}
