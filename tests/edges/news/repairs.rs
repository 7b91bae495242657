//! Which writes are repairs, and when repairs are evidence of another writer.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_daemon::reconciler::news::News;
use tidegate_daemon::reconciler::news::repair::{Repair, Repairs, Ticks, WINDOW, repairs};
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::report::Report;
use tidegate_repository::{Repository, hold, load};

use super::report;

fn repository() -> Repository {
    hold(load(&crate::example_tree::tree(), ""), &Default::default(), None)
}

struct Case {
    before: Report,
    after: Report,
    fleet: Fleet,
    is_same_revision: bool,
    unfinished: BTreeSet<ObjectKey>,
}

impl Case {
    fn new() -> Self {
        let before = report("1", Phase::Completed, &[("c1", ClusterState::Succeeded)]);
        let after = before.clone();
        Self { before, after, fleet: Fleet::default(), is_same_revision: true, unfinished: BTreeSet::new() }
    }

    fn repairs(&self, stage: Stage, write: Write) -> usize {
        let repository = repository();
        let ticks = Ticks {
            report_before: &self.before,
            report: &self.after,
            repository_before: &repository,
            repository: &repository,
            is_same_revision: self.is_same_revision,
            unfinished: &self.unfinished,
            fleet: &self.fleet,
        };
        repairs(&ticks, &[Lane { stage, writes: vec![write] }]).len()
    }
}

fn work() -> Value {
    let labels = json!({ "open-cluster-management.io/addon-name": "hello" });
    json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": { "name": "addon-hello-deploy-0", "namespace": "c1", "labels": labels }, "spec": {},
    })
}

fn work_key() -> ObjectKey {
    ObjectKey::of(&work()).unwrap()
}

fn patched_work(case: &mut Case) -> Write {
    let mut edited = work();
    edited["metadata"]["managedFields"] = json!([{ "manager": "kubectl-edit", "operation": "Update" }]);
    let object = Arc::new(serde_json::from_value(edited).unwrap());
    let works = case.fleet.works.entry("hello".parse().unwrap()).or_default();
    works.entry("c1".parse().unwrap()).or_default().insert("addon-hello-deploy-0".to_owned(), object);
    let precondition = Precondition { uid: "u".to_owned(), resource_version: None };
    Write::Patch { key: work_key(), precondition, patch: json!({}).into() }
}

#[test]
fn rewriting_the_work_of_an_unchanged_cluster_is_a_repair() {
    let mut case = Case::new();
    let patch = patched_work(&mut case);
    assert_eq!(case.repairs(Stage::Deliver, patch.clone()), 1);
    assert_eq!(case.repairs(Stage::Deliver, Write::Create { object: work().into() }), 1, "someone deleted it");
    case.after = report("2", Phase::Progressing, &[("c1", ClusterState::Progressing)]);
    assert_eq!(case.repairs(Stage::Deliver, patch.clone()), 0, "the cluster starts");
    case.after = case.before.clone();
    case.is_same_revision = false;
    assert_eq!(case.repairs(Stage::Deliver, patch.clone()), 1, "someone edited it before a commit");
    assert_eq!(case.repairs(Stage::Deliver, Write::Create { object: work().into() }), 0, "a commit may have added it");
    case.is_same_revision = true;
    case.unfinished = [work_key()].into();
    assert_eq!(case.repairs(Stage::Deliver, patch), 0, "the previous tick could not write it");
}

#[test]
fn fault_f6_rewriting_what_no_one_else_has_changed_is_no_repair() {
    for manager in [None, Some("ocm-addon")] {
        let mut case = Case::new();
        let patch = patched_work(&mut case);
        let mut own = work();
        if let Some(manager) = manager {
            own["metadata"]["managedFields"] = json!([{ "manager": manager, "operation": "Update" }]);
        }
        let works = case.fleet.works.values_mut().flat_map(|works| works.values_mut());
        works.for_each(|works| {
            works.insert("addon-hello-deploy-0".to_owned(), Arc::new(serde_json::from_value(own.clone()).unwrap()));
        });
        assert_eq!(case.repairs(Stage::Deliver, patch), 0, "{manager:?}");
    }
}

#[test]
fn fault_f6_a_declared_object_that_the_add_on_manager_or_a_hand_over_changed_is_no_repair() {
    let repository = repository();
    let (key, declared) = repository.objects.iter().find(|(key, _)| key.kind == "ClusterManagementAddOn").unwrap();
    let by = |manager: &str, second: u8| json!({ "manager": manager, "operation": "Update", "time": format!("2027-01-01T13:00:{second:02}Z") });
    let patch = Write::Patch {
        key: key.clone(),
        precondition: Precondition { uid: "u".to_owned(), resource_version: None },
        patch: json!({}).into(),
    };
    let apply = Write::Apply { object: Value::clone(&declared.object) };
    for (entries, repaired) in [
        (json!([by("tidegate", 10)]), 0),
        (json!([by("kubectl-client-side-apply", 5), by("tidegate", 10)]), 0),
        (json!([by("tidegate", 10), by("ocm-addon", 20)]), 0),
        (json!([by("tidegate", 10), by("kubectl-edit", 20)]), 1),
    ] {
        let mut case = Case::new();
        let mut object = Value::clone(&declared.object);
        object["metadata"]["managedFields"] = entries.clone();
        case.fleet.declared.insert(key.clone(), Arc::new(object));
        assert_eq!(case.repairs(Stage::Declare, patch.clone()), repaired, "{entries}");
        let has_other = entries.to_string().contains("ocm-addon");
        assert!(!has_other || case.repairs(Stage::Declare, apply.clone()) == 0, "{entries}");
    }
}

#[test]
fn creating_a_deleted_add_on_again_is_a_repair_and_creating_one_for_a_new_cluster_is_not() {
    let object = |cluster: &str| {
        let metadata = json!({ "name": "hello", "namespace": cluster });
        json!({ "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ManagedClusterAddOn", "metadata": metadata })
    };
    let mut case = Case::new();
    case.after = report("1", Phase::Progressing, &[]);
    assert_eq!(case.repairs(Stage::Deliver, Write::Create { object: object("c1").into() }), 1);
    assert_eq!(case.repairs(Stage::Deliver, Write::Create { object: object("c2").into() }), 0);
    case.before = report("1", Phase::Completed, &[("c1", ClusterState::Removed)]);
    assert_eq!(
        case.repairs(Stage::Deliver, Write::Create { object: object("c1").into() }),
        0,
        "it was uninstalled before"
    );
}

#[test]
fn applying_a_declared_object_is_a_repair_if_the_hub_had_it_with_the_same_hash() {
    let mut case = Case::new();
    let object = |hash: &str| {
        let metadata = json!({ "name": "c", "namespace": "n", "annotations": { "tidegate.io/applied-hash": hash } });
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata })
    };
    let apply = |hash: &str| Write::Apply { object: object(hash) };
    case.fleet.declared.insert(ObjectKey::of(&object("1")).unwrap(), Arc::new(object("1")));
    case.is_same_revision = false;
    assert_eq!(case.repairs(Stage::Declare, apply("1")), 1);
    assert_eq!(case.repairs(Stage::Declare, apply("2")), 0, "the declaration changed");
    case.fleet.declared.clear();
    assert_eq!(case.repairs(Stage::Declare, apply("1")), 0, "it never existed");
    let repository = repository();
    let (_, declared) = repository.objects.iter().next().unwrap();
    let apply = Write::Apply { object: Value::clone(&declared.object) };
    assert_eq!(case.repairs(Stage::Declare, apply), 1, "someone deleted it");
}

fn repair(object: ObjectKey) -> Repair {
    Repair { addon: Some("hello".parse().unwrap()), lane: vec![object.clone()], object }
}

#[test]
fn repairs_are_folded_and_repeated_ones_report_another_writer_once() {
    let (mut repairs, mut now) = (Repairs::default(), Timestamp::UNIX_EPOCH);
    let mut note = |names: &[&str], after: SignedDuration| -> Vec<News> {
        now += after;
        repairs.note(names.iter().map(|name| repair(ObjectKey::new("", "ConfigMap", "n", name))).collect(), now)
    };
    let minute = SignedDuration::from_mins(1);
    let texts = |news: Vec<News>| news.iter().map(ToString::to_string).collect::<Vec<_>>();
    let both = "Someone else changed 2 objects: ConfigMap n/a, ConfigMap n/b; repaired";
    assert_eq!(texts(note(&["a", "b"], minute)), [both]);
    assert_eq!(texts(note(&["a"], minute)), ["Someone else changed 1 object: ConfigMap n/a; repaired"]);
    let fight = "Someone else keeps changing ConfigMap n/a: it was repaired 3 times in ten minutes";
    assert_eq!(texts(note(&["a"], minute)), [fight]);
    assert_eq!(texts(note(&["a"], minute)), [""; 0], "it is known");
    assert_eq!(texts(note(&[], WINDOW + minute)), [""; 0]);
    assert_eq!(texts(note(&["a"], minute)).len(), 1, "it was left alone for long enough to be reported again");
}
