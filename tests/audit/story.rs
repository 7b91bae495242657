//! Tests of the history that is derived from a journal.

use std::collections::BTreeMap;

use tidegate_journal::history::{Events, What};
use tidegate_journal::history::{History, Wanted};
use tidegate_journal::record::{Cause, Confirmation, Outcome};
use tidegate_journal::{Facts, Journal, entry};
use tidegate_model::chain::Person;
use tidegate_model::followed::{RefusedRevision, RevisionFacts, Rewrite};
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::Hold;
use tidegate_plan::report::{ClusterReport, Report};

use super::scene::{Scene, at, cluster, id, identified, journey, leaving, report, revision, tidegate};

fn told(scene: &Scene) -> History {
    let mut events = Events::default();
    scene.links.iter().for_each(|link| events.follow(link));
    History::of(&Journal::read(scene.files.clone()), &scene.files, events.events())
}

#[test]
fn sealed_rollouts_are_enough_for_the_history() {
    let scene = journey();
    let mut history = told(&scene);
    let numbers: Vec<u32> = history.rollouts.iter().map(|story| story.rollout.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    let upgrade = &history.rollouts[1];
    assert_eq!(upgrade.seconds, Some(630));
    let groups: Vec<_> = upgrade.groups.iter().map(|g| (g.group, g.reached, g.seconds)).collect();
    assert_eq!(groups, [(Some(0), 1, Some(30)), (Some(1), 1, Some(30))]);
    let order: Vec<&str> = upgrade.clusters.iter().map(|c| c.cluster.as_str()).collect();
    assert_eq!(order, ["a", "b"]);
    assert_eq!(upgrade.rollout.revision.as_ref().unwrap().approved_by, ["Grace <grace@example.com>"]);
    let back = &history.rollouts[3];
    assert_eq!((back.rollout.reverts, back.back_to), (Some(3), Some(2)));
    assert_eq!((history.rollouts[2].rollout.superseded_by, history.rollouts[2].reverted_by), (Some(4), Some(4)));
    assert_eq!(history.rollouts[4].rollout.outcome, Outcome::Superseded);
    let removal = &history.rollouts[5];
    assert_eq!((removal.rollout.cause, removal.rollout.outcome), (Cause::Withdrawal, Outcome::Completed));
    // Everything except sealed files may be removed.
    let sealed: BTreeMap<_, _> = scene
        .files
        .iter()
        .filter(|(path, _)| path.contains("/rollouts/"))
        .map(|(p, b)| (p.clone(), b.clone()))
        .collect();
    let pruned = History::of(&Journal::read(sealed.clone()), &sealed, Vec::new());
    history.events.clear();
    assert_eq!(pruned, history);
}

#[test]
fn a_removed_seal_leaves_a_reported_gap() {
    let mut scene = journey();
    assert_eq!(told(&scene).missing, []);
    for number in [1, 2, 4] {
        scene.files.remove(&format!("addons/hello/rollouts/{number}.yaml")).unwrap();
    }
    let missing: Vec<_> = told(&scene).missing.iter().map(|gap| (gap.first, gap.last)).collect();
    assert_eq!(missing, [(1, 2), (4, 4)]);
    // An arbitrary number costs no more than one gap.
    scene.files.insert(format!("addons/hello/rollouts/{}.yaml", u32::MAX), Vec::new());
    assert_eq!(told(&scene).missing.last().map(|gap| gap.last), Some(u32::MAX - 1));
}

#[test]
fn a_rollout_in_progress_is_reported_with_its_current_state() {
    let mut scene = Scene::default();
    let a = ("a", cluster(ClusterState::Succeeded, "0.4.0", 0, 0));
    let b = ("b", cluster(ClusterState::Progressing, "0.4.0", 1, 2));
    scene.tell(5, 1, &report("0.4.0", &[a, b]));
    let history = told(&scene);
    let story = &history.rollouts[0];
    assert_eq!((story.phase, story.seconds, story.counts.succeeded), (Some(Phase::Progressing), None, 1));
    assert_eq!(story.groups[1].finished, None);
}

#[test]
fn the_history_of_a_cluster_spans_rollouts() {
    let wanted = Wanted { cluster: Some("a".parse().unwrap()), ..Wanted::default() };
    let history = told(&journey()).only(&wanted);
    assert_eq!(history.rollouts.len(), 6);
    assert!(history.rollouts.iter().all(|story| story.clusters.len() == 1));
    let since = Wanted { since: Some(at(72)), ..Wanted::default() };
    assert_eq!(told(&journey()).only(&since).rollouts.len(), 2);
    let nobody = Wanted { addon: Some("other".parse().unwrap()), ..Wanted::default() };
    assert_eq!(told(&journey()).only(&nobody).rollouts, []);
}

/// Returns a removal beyond the limits that a commit confirms, and that is undone for one of the two clusters.
pub(super) fn undone() -> Scene {
    let mut scene = identified();
    let tell = |scene: &mut Scene, minutes: i64, b: ClusterReport, c: ClusterState| {
        let clusters = [("a", cluster(ClusterState::Succeeded, "0.4.0", 0, 0)), ("b", b), ("c", leaving(c, 5))];
        let mut report = report("0.4.0", &clusters);
        let hold = Hold {
            revision: Some(id(1)),
            held: ["b".to_owned(), "c".to_owned()].into(),
            limit: 1,
            total: 3,
            confirmed_by: (minutes > 3).then(|| id(2)),
        };
        report.addons.values_mut().for_each(|addon| addon.removal = Some(hold.clone()));
        scene.tell(minutes, 2, &report);
    };
    let b = |state| leaving(state, 4);
    tell(&mut scene, 3, b(ClusterState::Leaving), ClusterState::Leaving);
    tell(&mut scene, 4, b(ClusterState::Removing), ClusterState::Leaving);
    tell(&mut scene, 5, b(ClusterState::Removed), ClusterState::Removing);
    tell(&mut scene, 6, cluster(ClusterState::Progressing, "0.4.0", 1, 6), ClusterState::Removing);
    tell(&mut scene, 8, cluster(ClusterState::Succeeded, "0.4.0", 1, 6), ClusterState::Removed);
    let done = |name, group, started| (name, cluster(ClusterState::Succeeded, "0.4.0", group, started));
    scene.tell(9, 2, &report("0.4.0", &[done("a", 0, 0), done("b", 1, 6)]));
    scene
}

#[test]
fn a_removal_that_was_undone_stays_in_the_record_of_its_rollout() {
    let scene = undone();
    assert_eq!(scene.findings(), []);
    let history = told(&scene);
    let story = &history.rollouts[1];
    assert_eq!((story.rollout.cause, story.rollout.outcome), (Cause::Membership, Outcome::Completed));
    assert_eq!(story.rollout.confirmations, [Confirmation { held: id(1), by: id(2) }]);
    let wanted = Wanted { cluster: Some("b".parse().unwrap()), ..Wanted::default() };
    let history = history.only(&wanted);
    let life: Vec<_> = history.rollouts[1].members().map(|c| (c.state, c.started, c.finished)).collect();
    assert_eq!(life[0], (ClusterState::Removed, Some(at(4)), Some(at(4))));
    assert_eq!((life.len(), life[1].0, life[1].1), (2, ClusterState::Succeeded, Some(at(6))));
    let other = Wanted { cluster: Some("c".parse().unwrap()), ..Wanted::default() };
    let states: Vec<_> = told(&scene).only(&other).rollouts[1].members().map(|c| c.state).collect();
    assert_eq!(states, [ClusterState::Removed]);
}

#[test]
fn events_outside_of_rollouts_are_reported_once() {
    let mut scene = Scene::default();
    let refused = RefusedRevision { revision: revision(9), reason: "it is not signed".to_owned() };
    let rewrite = Rewrite { from: id(1), to: id(2), accepted: false };
    let revision = RevisionFacts { seen: Some(revision(1)), refused: Some(refused), ..RevisionFacts::default() };
    let mut facts = Facts { revision, ..Facts::default() };
    let who: Person = tidegate();
    let mut lay = |minutes: i64, facts: &Facts| {
        let entry = entry(&scene.journal, &Report::default(), facts, at(minutes)).unwrap().unwrap();
        scene.journal = entry.journal;
        scene.commit(minutes, &who, &entry.message, entry.files);
    };
    lay(1, &facts);
    facts.revision.complaints = vec!["a.yaml:1:1: no".to_owned()];
    facts.revision.rewritten = Some(rewrite);
    lay(2, &facts);
    facts.revision.complaints.clear();
    facts.failures = vec!["x: refused".to_owned()];
    lay(3, &facts);
    let history = told(&scene);
    let events: Vec<_> = history.events.iter().map(|event| (event.at, &event.what)).collect();
    assert!(
        matches!(
            events.as_slice(),
            [
                (_, What::Refused { .. }),
                (_, What::Rewritten { .. }),
                (_, What::Complaints { .. }),
                (_, What::Failures { .. })
            ]
        ),
        "{events:#?}"
    );
    assert_eq!(events[0].0, at(1));
    let value = serde_json::to_value(&history).unwrap();
    super::schema::meets("history", &value);
}
