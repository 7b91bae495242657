//! A course starts, step by step, exactly the clusters that single decisions start.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::{ClusterStatus, Course, Input, Status, decide};

use super::properties::{any_scene, without_repeated_names};
use super::scene::{Scene, now};

/// What happens after a number of seconds: the clusters with these numbers report these statuses.
type Step = (i64, Vec<(usize, Status)>);

fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let status = prop::sample::select(vec![
        Status::Progressing,
        Status::Succeeded,
        Status::Succeeded,
        Status::Succeeded,
        Status::Failed,
        Status::Skip,
        Status::ToApply,
    ]);
    prop::collection::vec((1..200_i64, prop::collection::vec((0..14_usize, status), 0..5)), 1..25)
}

/// Runs a course and single decisions side by side.
struct Both<'a> {
    scene: &'a Scene,
    course: Course<'a>,
    /// The statuses that single decisions read, by cluster.
    statuses: BTreeMap<String, ClusterStatus>,
    names: Vec<String>,
    semantics: Semantics,
}

impl<'a> Both<'a> {
    fn new(scene: &'a Scene, semantics: Semantics) -> Self {
        let input = Input {
            strategy: &scene.strategy,
            groups: &scene.groups,
            existing: &scene.existing,
            tolerates_failures: false,
            now: now(),
        };
        let course = Course::new(&input, semantics).unwrap();
        let names = course.statuses().into_iter().map(|status| status.cluster.clone()).collect();
        let statuses = scene.existing.iter().map(|status| (status.cluster.clone(), status.clone())).collect();
        Self { scene, course, statuses, names, semantics }
    }

    fn step(&mut self, at: Timestamp) {
        let existing: Vec<ClusterStatus> = self.statuses.values().cloned().collect();
        let Scene { strategy, groups, .. } = self.scene;
        let decision = decide(
            &Input { strategy, groups, existing: &existing, tolerates_failures: false, now: at },
            self.semantics,
        )
        .unwrap();
        let starting = decision.rollout.iter().filter(|status| status.status == Status::ToApply);
        let mut expected: Vec<String> = starting.map(|status| status.cluster.clone()).collect();
        let mut started: Vec<String> =
            self.course.step(at).into_iter().map(|number| self.names[number].clone()).collect();
        expected.sort();
        started.sort();
        assert_eq!(started, expected, "at {at}: {decision:#?}");
        for name in started {
            let status = self.statuses.entry(name.clone()).or_insert_with(|| ClusterStatus::new(name, Status::ToApply));
            status.status = Status::Progressing;
            status.started = Some(at);
        }
        let expected = decision.wake_after.map(|after| at + after);
        if !decision.rollout.iter().any(|status| status.status == Status::ToApply) {
            assert!(expected.is_none_or(|expected| self.course.look_at().is_some_and(|next| next <= expected)));
        }
    }

    fn report(&mut self, number: usize, status: Status, at: Timestamp) {
        let Some(name) = self.names.get(number) else { return };
        let Some(known) = self.statuses.get_mut(name) else { return };
        self.course.report(number, status, at);
        known.status = status;
        known.last_transition = Some(at);
        known.took.clone_from(&self.course.statuses()[number].took);
    }
}

fn dated(mut scene: Scene) -> Scene {
    for status in &mut scene.existing {
        // Without a time, the clock of a deadline starts anew with every decision.
        status.last_transition.get_or_insert(now());
    }
    scene
}

proptest! {
    #[test]
    fn a_course_starts_what_single_decisions_start(scene in any_scene(), steps in any_steps()) {
        let scene = dated(without_repeated_names(scene));
        let mut both = Both::new(&scene, Semantics::Strict);
        let mut at = now();
        both.step(at);
        for (seconds, reports) in steps {
            at += SignedDuration::from_secs(seconds);
            for (number, status) in reports {
                both.report(number, status, at);
            }
            both.step(at);
        }
    }
}
