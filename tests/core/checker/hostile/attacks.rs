//! Attacks that generated histories once found, or that they find rarely.

use super::content::{Fault, Guard, Marks, Naming, Place, Policy, Team};
use super::history::{Edit, Step};
use super::properties::{infection, settled};
use super::votes::{Person, Subject, Vote};
use super::world::World;

fn by_mallory(edits: &[Edit]) -> Step {
    Step::Commit { by: Person::Mallory, edits: edits.to_vec() }
}

const EVIL: Edit = Edit::Image { is_evil: true };

#[test]
fn rules_that_a_revision_could_not_read_still_judge_after_a_restart() {
    for fault in [Fault::PolicyFile, Fault::Settings, Fault::Policy] {
        let broken = by_mallory(&[Edit::Fault(Some(fault))]);
        let exploit = by_mallory(&[Edit::Fault(None), Edit::Policy(Policy::Removed), EVIL]);
        for restarts in [&[1][..], &[2], &[1, 2]] {
            let mut steps = vec![broken.clone(), Step::Settle, exploit.clone(), Step::Settle];
            for at in restarts.iter().rev() {
                steps.insert(2 * at, Step::Restart);
            }
            assert_eq!(infection(Guard::Everything, &steps), None, "{fault:?} {restarts:?}");
        }
    }
}

#[test]
fn a_gate_that_waits_with_a_loosened_rule_judges_the_next_change() {
    let mut world = settled(Guard::Rest);
    let waits = [Edit::Policy(Policy::EveryCluster), Edit::Team(Team::WithMallory)];
    let exploit = [Edit::Policy(Policy::Honest), Edit::Team(Team::Honest), EVIL];
    for step in [by_mallory(&waits), Step::Settle, by_mallory(&exploit), Step::Settle] {
        world.play(&step);
    }
    assert_eq!(world.infected(|_| true), [].into(), "{:#?}", world.report());
}

#[test]
fn rules_that_wait_do_not_choose_who_approves_even_after_they_are_taken_back() {
    let evil = Step::Commit { by: Person::Ada, edits: vec![EVIL] };
    let vote = Step::Vote(Vote::Mallory { of: Subject::Addon });
    let [loose, back] = [Team::WithMallory, Team::Honest].map(|team| by_mallory(&[Edit::Team(team)]));
    let steps = [loose, Step::Settle, evil, Step::Settle, vote, Step::Settle, back, Step::Settle];
    assert_eq!(infection(Guard::Everything, &steps), None);
}

#[test]
fn an_add_on_that_takes_over_the_objects_of_one_with_errors_is_held_across_a_restart() {
    let broken = [by_mallory(&[Edit::Naming(Naming::Duplicated)]), Step::Settle];
    let exploit = by_mallory(&[Edit::Naming(Naming::Renamed), EVIL]);
    for last in [[exploit.clone(), Step::Restart], [Step::Restart, exploit.clone()]] {
        let steps = [&broken[..], &last, &[Step::Settle, Step::Restart]].concat();
        assert_eq!(infection(Guard::Addon, &steps), None);
    }
}

#[test]
fn a_rule_of_an_add_on_follows_its_objects_to_another_add_on_over_several_changes() {
    let evil = |naming| by_mallory(&[Edit::Fault(None), Edit::Naming(naming), EVIL]);
    let broken = by_mallory(&[Edit::Fault(Some(Fault::Template)), Edit::Naming(Naming::Renamed)]);
    let gone = by_mallory(&[Edit::Naming(Naming::Gone)]);
    let moved = by_mallory(&[Edit::Naming(Naming::Moved)]);
    for (first, second) in [(broken, Naming::Renamed), (gone, Naming::Renamed), (moved, Naming::Split)] {
        for between in [Step::Poll, Step::Settle, Step::Restart] {
            let steps = [first.clone(), between.clone(), evil(second), Step::Settle, Step::Restart, Step::Settle];
            assert_eq!(infection(Guard::Addon, &steps), None, "{second:?} {between:?}");
        }
    }
}

#[test]
fn an_add_on_in_groups_for_which_another_one_waits_is_held() {
    let waiting = by_mallory(&[Edit::Place(Place::OtherGroups), Edit::Naming(Naming::Renamed)]);
    let second = by_mallory(&[Edit::Naming(Naming::Moved), EVIL]);
    let steps = [waiting, Step::Settle, second, Step::Settle, Step::Restart, Step::Settle];
    assert_eq!(infection(Guard::Groups, &steps), None);
}

#[test]
fn an_add_on_that_left_while_it_waited_does_not_show_that_its_placements_are_accepted() {
    let waiting = by_mallory(&[Edit::Naming(Naming::Renamed), Edit::Place(Place::Second)]);
    let other = by_mallory(&[Edit::Naming(Naming::Moved), EVIL]);
    for between in [Step::Poll, Step::Settle, Step::Restart] {
        let steps = [waiting.clone(), between.clone(), other.clone(), Step::Settle, Step::Restart, Step::Settle];
        assert_eq!(infection(Guard::Placement, &steps), None, "{between:?}");
    }
}

#[test]
fn who_hides_a_loosened_rule_behind_an_error_is_an_author_of_it() {
    for fault in [Fault::PolicyFile, Fault::Settings] {
        let hidden =
            Step::Commit { by: Person::Ada, edits: vec![Edit::Fault(Some(fault)), Edit::Policy(Policy::Removed)] };
        let shown = by_mallory(&[Edit::Fault(None), EVIL]);
        let vote = Step::Vote(Vote::Ada { of: Subject::Rules });
        for restart in [Step::Poll, Step::Restart] {
            let steps = [hidden.clone(), Step::Settle, restart, shown.clone(), Step::Settle, vote.clone()];
            assert_eq!(infection(Guard::Everything, &steps), None, "{fault:?}");
        }
    }
}

#[test]
fn rules_that_waited_do_not_return_if_they_are_taken_back_behind_an_error() {
    let evil = Step::Commit { by: Person::Ada, edits: vec![EVIL] };
    let vote = Step::Vote(Vote::Mallory { of: Subject::Addon });
    let loose = by_mallory(&[Edit::Team(Team::WithMallory)]);
    let back = by_mallory(&[Edit::Team(Team::Honest), Edit::Fault(Some(Fault::Policy))]);
    let other = by_mallory(&[Edit::Marks(0, Marks::Registry)]);
    for restart in [Step::Poll, Step::Restart] {
        let settle = || Step::Settle;
        let first = [loose.clone(), settle(), evil.clone(), settle(), vote.clone(), back.clone(), settle()];
        let steps = [&first[..], &[restart, other.clone()]].concat();
        assert_eq!(infection(Guard::Everything, &steps), None);
    }
}

#[test]
fn labels_that_waited_are_not_accepted_later_because_they_are_not_declared_any_more() {
    let loose = by_mallory(&[Edit::Marks(0, Marks::Registry)]);
    let other = by_mallory(&[Edit::Marks(0, Marks::Undeclared), Edit::Policy(Policy::Removed)]);
    let steps = [loose.clone(), Step::Settle, other, Step::Settle, loose, Step::Settle];
    for guard in [Guard::Everything, Guard::Addon] {
        assert_eq!(infection(guard, &steps), None, "{guard:?}");
    }
}

#[test]
fn a_change_of_the_rules_waits_however_many_others_follow_it() {
    let removed = by_mallory(&[Edit::Policy(Policy::Removed)]);
    let other =
        |n: usize| by_mallory(&[Edit::Team(if n.is_multiple_of(2) { Team::Nobody } else { Team::WithMallory })]);
    for guard in [Guard::Everything, Guard::Addon, Guard::Groups] {
        let mut steps = vec![removed.clone(), Step::Settle];
        steps.extend((0..20).flat_map(|n| [other(n), Step::Settle]));
        steps.extend([by_mallory(&[EVIL]), Step::Settle, Step::Restart, Step::Settle]);
        assert_eq!(infection(guard, &steps), None, "{guard:?}");
    }
}

#[test]
fn rules_that_were_accepted_below_a_waiting_change_judge_however_many_others_follow_it() {
    let mut world = World::unguarded(Guard::Everything);
    let guarded = Step::Commit { by: Person::Ada, edits: vec![Edit::Policy(Policy::Honest)] };
    // Both are followed before the first one is decided on.
    let emptied = by_mallory(&[Edit::Policy(Policy::Empty)]);
    let mut steps = vec![guarded, Step::Poll, emptied, Step::Poll, Step::Settle];
    let other =
        |n: usize| by_mallory(&[Edit::Team(if n.is_multiple_of(2) { Team::Nobody } else { Team::WithMallory })]);
    steps.extend((0..20).flat_map(|n| [other(n), Step::Settle]));
    steps.extend([by_mallory(&[EVIL]), Step::Settle, Step::Restart, Step::Settle]);
    for step in &steps {
        world.play(step);
        assert_eq!(world.infected(|_| true), [].into(), "{:#?}", world.report());
    }
}

#[test]
fn an_add_on_that_moves_is_judged_by_the_groups_before_however_many_changes_follow() {
    let moved = by_mallory(&[Edit::Place(Place::OtherGroups)]);
    let split = by_mallory(&[Edit::Naming(Naming::Split), EVIL]);
    let more = || (0..20).flat_map(|_| [by_mallory(&[Edit::Image { is_evil: false }]), Step::Settle]);
    let mut steps = vec![moved, Step::Settle];
    steps.extend(more());
    steps.extend([by_mallory(&[EVIL]), Step::Settle]);
    assert_eq!(infection(Guard::Groups, &steps), None);
    let mut steps = vec![by_mallory(&[Edit::Naming(Naming::Moved)]), Step::Settle];
    steps.extend(more());
    steps.extend([split, Step::Settle]);
    assert_eq!(infection(Guard::Addon, &steps), None);
}

#[test]
fn an_add_on_that_left_and_returns_is_judged_as_a_new_one() {
    let moved = by_mallory(&[Edit::Place(Place::OtherGroups)]);
    // The error keeps the revision before as the last one without complaints.
    for fault in [Fault::Policy, Fault::PolicyFile, Fault::Settings, Fault::Placement] {
        let gone = by_mallory(&[Edit::Naming(Naming::Gone), Edit::Fault(Some(fault))]);
        let back = by_mallory(&[Edit::Naming(Naming::Hello), Edit::Fault(None), EVIL]);
        let steps = [moved.clone(), Step::Settle, gone.clone(), Step::Settle, back, Step::Settle];
        for guard in [Guard::Groups, Guard::Placement] {
            assert_eq!(infection(guard, &steps), None, "{guard:?} {fault:?}");
        }
    }
    let split = by_mallory(&[Edit::Naming(Naming::Split)]);
    let gone = by_mallory(&[Edit::Naming(Naming::Moved), Edit::Fault(Some(Fault::Policy))]);
    let back = by_mallory(&[Edit::Naming(Naming::Split), Edit::Fault(None), EVIL]);
    let steps = [split, Step::Settle, gone, Step::Settle, back, Step::Settle];
    assert_eq!(infection(Guard::Addon, &steps), None);
}

#[test]
fn no_policy_is_removed_while_another_one_has_an_error() {
    // The renamed policy names a group that there is not, so an honest person sees nothing wrong with it.
    let renamed = by_mallory(&[Edit::Place(Place::OtherGroups), Edit::Policy(Policy::Renamed), EVIL]);
    let vote = Step::Vote(Vote::Honest { by: Person::Bob, of: Subject::Rules });
    let mut world = settled(Guard::Rest);
    for step in [renamed, vote, Step::Settle, Step::Restart, Step::Settle] {
        world.play(&step);
        let infected = world.infected(|_| true);
        assert!(!infected.contains("c1"), "{:#?}", world.report());
    }
}

#[test]
fn objects_are_compared_as_they_are_on_clusters() {
    for naming in [Naming::Elsewhere, Naming::Variable] {
        let steps = [by_mallory(&[Edit::Naming(naming), EVIL]), Step::Settle, Step::Restart, Step::Settle];
        let mut world = settled(Guard::Addon);
        for step in &steps {
            world.play(step);
            assert_eq!(world.infected(|_| true), [].into(), "{naming:?} {:#?}", world.report());
        }
    }
}
