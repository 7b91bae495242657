//! Who made a change that was held first because of a mistake.

use std::collections::BTreeMap;

use tidegate_consent::RulesInForce;
use tidegate_daemon::reconciler::source::Source;
use tidegate_journal::Journal;
use tidegate_journal::record::Sync;
use tidegate_model::followed::RevisionFacts;
use tidegate_model::name::UnitName;

use super::world::{ADA, BOB, CY, NAME, PEOPLE, Person, World, digest, good_digest};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// Returns a journal with what is known of the followed revision.
pub(super) fn journal(facts: &RevisionFacts) -> Journal {
    let sync = Sync {
        seen: facts.seen.clone(),
        applied: facts.applied.clone(),
        addons: facts.addons.clone(),
        changes: facts.changes.clone(),
        replaced: facts.replaced.clone(),
        ..Sync::empty()
    };
    let text = serde_json::to_string(&sync).unwrap();
    Journal::read(BTreeMap::from([("sync.yaml".to_owned(), text.into_bytes())]))
}

/// Upgrades with a mistake, which holds the add-on.
fn broken(world: &mut World, source: &mut Source, who: Person) {
    let text = world.upgraded("0.4.0").replace("progressDeadline", "progressDeadlin");
    world.commit(who, "upgrade", &[(ADDON, Some(("100644", &text)))]);
    let followed = world.polled(source);
    assert!(
        followed.repository.held.contains_key(&NAME.parse::<UnitName>().unwrap()),
        "{:?}",
        followed.facts.complaints
    );
}

/// Fixes the mistake.
fn fixed(world: &mut World, who: Person) {
    let text = world.show(ADDON).replace("progressDeadlin:", "progressDeadline:");
    world.commit(who, "fix", &[(ADDON, Some(("100644", &text)))]);
}

#[test]
fn the_author_of_a_held_upgrade_does_not_approve_it_after_someone_else_fixed_it() {
    let (mut world, mut source) = World::new();
    broken(&mut world, &mut source, ADA);
    fixed(&mut world, CY);
    world.approve(&mut source, ADA);
    assert_eq!(world.reasons(&mut source), ["author"]);
    world.approve(&mut source, CY);
    assert_eq!(world.reasons(&mut source), ["author", "author"]);
    world.approve(&mut source, BOB);
    assert!(world.judged(&mut source).is_met());
}

#[test]
fn the_author_of_a_held_upgrade_is_known_after_a_restart() {
    let (mut world, mut source) = World::new();
    broken(&mut world, &mut source, ADA);
    let held = world.polled(&mut source).facts;
    let mut restarted = world.source("main");
    restarted.resume(&journal(&held), true).unwrap();
    fixed(&mut world, CY);
    world.approve(&mut restarted, ADA);
    assert_eq!(world.reasons(&mut restarted), ["author"], "after a restart between the two");
    let fixed = world.polled(&mut restarted).facts;
    let mut again = world.source("main");
    again.resume(&journal(&fixed), true).unwrap();
    assert_eq!(world.reasons(&mut again), ["author"], "after a restart behind both");
}

#[test]
fn people_who_are_changed_while_an_upgrade_is_held_do_not_judge_it() {
    let (mut world, mut source) = World::new();
    broken(&mut world, &mut source, CY);
    let settings = world.show("tidegate.toml").replace(PEOPLE.lines().last().unwrap(), "sre = ['cy']");
    world.commit(CY, "people", &[("tidegate.toml", Some(("100644", &settings)))]);
    world.polled(&mut source);
    fixed(&mut world, CY);
    world.approve(&mut source, BOB);
    assert!(world.judged(&mut source).is_met(), "Bob was one of them before the upgrade");
}

#[test]
fn the_author_of_a_new_add_on_with_a_mistake_does_not_approve_it_after_someone_else_fixed_it() {
    let (mut world, mut source) = World::new();
    let second = world.show(ADDON).replacen("name: hello-template\n", "name: hello-second\n", 1);
    let second = second.replace("hello-template-0.4", "hello-second-0.4");
    let template = world.show("fleet/addons/hello-template/template-0.4.1.yaml");
    let template = template.replace("hello-template-0.4", "hello-second-0.4").replace("hello-agent", "second-agent");
    let template = template.replace("addonName: hello-template", "addonName: hello-second");
    let broken = second.replace("progressDeadline", "progressDeadlin");
    let path = "fleet/addons/hello-second.yaml";
    let added = ("fleet/addons/hello-second-template.yaml", Some(("100644", template.as_str())));
    world.commit(ADA, "add", &[(path, Some(("100644", &broken))), added]);
    world.polled(&mut source);
    world.commit(ADA, "unrelated", &[("fleet/README.md", Some(("100644", "x")))]);
    world.polled(&mut source);
    world.commit(CY, "fix", &[(path, Some(("100644", &second)))]);
    let followed = world.polled(&mut source);
    let name = "hello-second".parse().unwrap();
    let digest = followed.repository.digest(&name).cloned();
    let digest = digest.unwrap_or_else(|| panic!("{:?}", followed.facts.complaints));
    let judges = followed.approvals.of(
        &name,
        &digest,
        &good_digest(&name, followed.approvals.changes[&name][0].from.as_ref()),
        &RulesInForce::Followed,
    );
    let told = format!("{:?}", judges.authors());
    assert!(told.contains("ada@example.com") && told.contains("cy@example.com"), "{told}");
}

#[test]
fn a_change_of_an_add_on_that_is_not_held_is_counted_from_the_revision_before() {
    let (mut world, mut source) = World::new();
    world.commit(BOB, "readme", &[("fleet/README.md", Some(("100644", "x")))]);
    world.polled(&mut source);
    world.upgrade(ADA, "0.4.0");
    let now = digest(&world.polled(&mut source));
    let approvals = world.polled(&mut source).approvals;
    let name = NAME.parse().unwrap();
    let judges = approvals.of(
        &name,
        &now,
        &good_digest(&name, approvals.changes[&name][0].from.as_ref()),
        &RulesInForce::Followed,
    );
    assert!(!format!("{:?}", judges.authors()).contains("bob"), "{:?}", judges.authors());
}
