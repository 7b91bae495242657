//! Stories with random policies, control files and approvals.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tidegate_model::progress::ClusterState;
use tidegate_plan::Plan;

use super::generate::{Story, drawn, fates, strict_story};
use super::world::{Event, Fate, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::consent::Approval;
use tidegate_simulation::declared::Decision;
use tidegate_simulation::revision::Revision;

const POLICIES: [&str; 2] = ["policy-0.yaml", "policy-1.yaml"];

/// A field of a policy, or nothing.
fn maybe(name: &'static str, of: Vec<Value>) -> BoxedStrategy<Option<(String, Value)>> {
    let given = prop::sample::select(of).prop_map(move |value| (name.to_owned(), value));
    prop::option::weighted(0.3, given).boxed()
}

/// The spec of a policy. If `is_mild`, time and healthy clusters open all of its gates.
fn spec(is_mild: bool) -> BoxedStrategy<Value> {
    let eu = || json!({ "matchLabels": { "region": "eu" } });
    let selectors =
        vec![json!({ "groups": ["canary"] }), json!({ "clusters": eu() }), json!({ "placements": ["fleet/every*"] })];
    // They overlap, so that clusters in both of them start.
    let windows = vec![
        json!([{ "name": "w", "from": "12:01", "to": "12:02" }, { "name": "v", "from": "12:04", "to": "13:00" }]),
        json!([{ "name": "w", "days": ["Mon-Sun"], "timeZone": "Europe/Berlin", "from": "13:00", "to": "13:59" }]),
    ];
    let freezes = vec![
        json!([{ "name": "f", "from": "2026-03-01T11:00", "to": "2026-03-01T12:02" }]),
        json!([{ "name": "f", "from": "2026-03-01T12:01", "to": "2026-03-01T12:03" }]),
    ];
    let limits = vec![
        json!([{ "name": "l", "label": "region", "maxClusters": 1 }]),
        json!([{ "name": "l", "label": "region", "maxValues": 1, "startsPerMinute": 2 }]),
        json!([{ "name": "l", "maxClusters": 2 }, { "name": "r", "startsPerMinute": 3 }]),
    ];
    let unreachable = vec![
        json!({ "action": "Park" }),
        json!({ "action": "Park", "soak": "20s" }),
        json!({ "action": "Park", "maxShare": "34%" }),
        json!({ "action": "Park", "maxShare": 1 }),
        json!({ "action": "Count" }),
    ];
    let joining = vec![json!({ "joining": "Tail" }), json!({ "joining": "Hold" }), json!({ "joining": "JoinGroup" })];
    let failure = vec![
        json!({ "action": "Halt" }),
        json!({ "action": "Continue" }),
        json!({ "action": "Rollback" }),
        json!({ "action": "Rollback", "maxConcurrency": 1, "underway": "Finish" }),
    ];
    let approvals = vec![
        json!([{ "name": "start", "of": ["bob"] }]),
        json!([{ "name": "canaries", "of": ["bob"], "before": ["canary"] }]),
    ];
    let strict = (maybe("approvals", approvals), maybe("breakGlass", vec![json!({ "name": "glass", "of": ["bob"] })]));
    let calm = (
        maybe("selector", selectors),
        maybe("windows", windows),
        maybe("freezes", freezes),
        maybe("limits", limits),
        maybe("unreachable", unreachable),
        maybe("membership", joining),
        maybe("onFailure", failure),
    );
    (strict, calm)
        .prop_map(move |((approvals, glass), (selector, windows, freezes, limits, unreachable, joining, failure))| {
            let calm = [selector, windows, freezes, limits, unreachable, joining, failure];
            let strict = [approvals, glass].into_iter().filter(|_| !is_mild);
            Value::Object(calm.into_iter().chain(strict).flatten().collect::<Map<_, _>>())
        })
        .boxed()
}

/// The policies and control files of a revision.
fn files(is_mild: bool) -> BoxedStrategy<Vec<(&'static str, Value)>> {
    let quarantine = (prop::collection::btree_set((0..10_u8).prop_map(|n| format!("c{n}")), 1..4), any::<bool>());
    let quarantine = prop::option::weighted(0.25, quarantine);
    let is_paused = prop::bool::weighted(0.1);
    (prop::collection::vec(spec(is_mild), 0..3), quarantine, is_paused)
        .prop_map(move |(policies, quarantine, is_paused)| {
            let policy = |(file, spec): (&'static str, Value)| {
                let name = file.trim_end_matches(".yaml");
                let object = json!({
                    "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": name }, "spec": spec,
                });
                (file, object)
            };
            let mut files: Vec<_> = POLICIES.into_iter().zip(policies).map(policy).collect();
            let mut control = json!({ "apiVersion": "tidegate.io/v1alpha1", "kind": "Control" });
            if let Some((clusters, excludes)) = quarantine.filter(|_| !is_mild) {
                let mode = if excludes { "Exclude" } else { "Ignore" };
                control["quarantine"] = json!([{ "clusters": clusters, "mode": mode, "reason": "disk" }]);
            }
            if is_paused && !is_mild {
                control["pause"] = json!({ "reason": "incident" });
            }
            files.push(("control/_fleet.yaml", control));
            files
        })
        .boxed()
}

/// What people do about a rollout.
fn act() -> BoxedStrategy<Event> {
    let decision =
        prop::sample::select(vec![None, Some(Decision::Retry), Some(Decision::Abort), Some(Decision::Pause)]);
    prop_oneof![
        2 => decision.prop_map(Event::Decide),
        1 => any::<(bool, bool)>()
            .prop_map(|(for_canaries, breaks_glass)| Event::Approve(Approval { for_canaries, breaks_glass })),
        2 => (0..10_u8, any::<bool>()).prop_map(|(cluster, is_seen)| Event::Happens(Accident::Sight { cluster, is_seen })),
    ]
    .boxed()
}

/// Stories under the safe semantics, whose revisions have policies and control files, for the property with this number.
fn guarded_story(nth: usize) -> BoxedStrategy<Story> {
    let commits = |story: &Story| story.events.iter().filter(|(_, event)| matches!(event, Event::Commit(_))).count();
    strict_story(nth)
        .prop_flat_map(move |story| {
            let count = commits(&story) + 1;
            let files = (prop::collection::vec(files(false), count), files(true));
            let acts = prop::collection::vec((0..120_i64, act()), 0..8);
            (Just(story), files, acts)
        })
        .prop_map(|(mut story, (files, mild), acts)| {
            let mut files = files.into_iter();
            let mut guard =
                |revision: &mut Revision| revision.files = files.next().unwrap_or_default().into_iter().collect();
            guard(&mut story.first);
            for (_, event) in &mut story.events {
                if let Event::Commit(revision) = event {
                    guard(revision);
                }
            }
            story.last.files = mild.into_iter().collect();
            story.events.extend(acts);
            story
        })
        .boxed()
}

fn told(story: &Story, fates: &[Fate]) -> (World, Plan) {
    let mut world = World::new(story.first.clone(), story.events.clone());
    let plan = world.run(fates);
    world.check();
    world.records.assert_told();
    world.explain(&plan);
    (world, plan)
}

/// Asserts that everything is as declared once all clusters are healthy and the change is approved.
fn assert_converges(world: &mut World, story: &Story) {
    world.heal(story.last.clone());
    for for_canaries in [false, true] {
        world.take(Event::Approve(Approval { for_canaries, breaks_glass: false }));
    }
    let plan = world.run(&[]);
    let version = story.last.version.to_string();
    for (name, addon) in &plan.report.addons {
        for (cluster, report) in &addon.clusters {
            assert_eq!(report.state, ClusterState::Succeeded, "{name} on {cluster}: {report:#?}");
            assert_eq!(report.version, version, "{name} on {cluster}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn guarded_rollouts_keep_the_rules_and_converge(story in guarded_story(11)) {
        let (mut world, _) = told(&story, &[]);
        assert_converges(&mut world, &story);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn guarded_rollouts_survive_crashes_and_refused_writes(story in guarded_story(12), fates in fates()) {
        let (mut world, _) = told(&story, &fates);
        assert_converges(&mut world, &story);
    }
}

#[test]
fn stories_that_once_broke_a_rule_keep_it() {
    let seeds = [
        "50bf598e8bf8a8f988207048bbe3b054063d47959d61c3ca43d336d78c78ce50",
        "79d63fda57454dea5278626d8e7888a586df3841cbf75dcdcd57293383865571",
        "d9b3e6a56033b57b9b21094361e8f0dc3c1a4d343339ea99873ccdd017704c68",
    ];
    for seed in seeds {
        let (story, fates) = drawn(&(guarded_story(0), fates()), seed);
        let (mut world, _) = told(&story, &fates);
        assert_converges(&mut world, &story);
    }
    // The first one broke a rule without crashes and refused writes.
    let story = drawn(&guarded_story(0), seeds[0]);
    let (mut world, _) = told(&story, &[]);
    assert_converges(&mut world, &story);
    // The last one is of a cluster that had left, and joined again in the middle of a rollout.
    let left = drawn(&guarded_story(13), "624751c8bfa499fecb6b9952eceef9b41579231e5812e73d56248907145e1f5f");
    for story in [story, left] {
        let mut world = World::new(story.first, story.events);
        world.is_reborn = true;
        let _ = world.run(&[]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_new_process_decides_like_the_one_before(story in guarded_story(13)) {
        let mut world = World::new(story.first.clone(), story.events.clone());
        world.is_reborn = true;
        let _ = world.run(&[]);
    }
}
