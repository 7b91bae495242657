//! A cluster whose template uses a variable that nothing sets.

use std::sync::Arc;

use serde_json::json;
use tidegate_api::fleet::Fleet;
use tidegate_model::progress::ClusterState;
use tidegate_model::semantics::Semantics;
use tidegate_plan::{PlacementMode, Plan};
use tidegate_repository::{Repository, hold, load};

use super::{compat, planned, read, touches};

const TEMPLATE: &str = "fleet/addons/hello-template/template-0.4.0.yaml";
const WORK: &str = "addon-hello-template-deploy-0";

fn repository(argument: &str, semantics: Semantics) -> Repository {
    let mut tree = crate::example_tree::tree();
    let text = String::from_utf8(tree.files[TEMPLATE].clone()).unwrap();
    tree.files.insert(TEMPLATE.to_owned(), text.replacen("--v={{LOG_LEVEL}}", argument, 1).into_bytes());
    let mut repository = hold(load(&tree, ""), &Default::default(), None);
    repository.settings.semantics = semantics;
    repository
}

/// A hub on which the cluster still has a work of an earlier version.
fn hub(repository: &Repository) -> Fleet {
    let mut fleet = compat::hub(repository);
    let labels = json!({ "open-cluster-management.io/addon-name": "hello-template" });
    let work = json!({
        "metadata": { "name": WORK, "namespace": "c1", "uid": "w", "resourceVersion": "1", "generation": 1, "labels": labels },
        "spec": { "workload": { "manifests": [] } },
    });
    let works = fleet.works.entry("hello-template".parse().unwrap()).or_default();
    works.entry("c1".parse().unwrap()).or_default().insert(WORK.to_owned(), Arc::clone(&read(work)));
    fleet
}

fn plan_of(argument: &str, semantics: Semantics) -> Plan {
    let repository = repository(argument, semantics);
    planned(&repository, &hub(&repository), PlacementMode::Builtin)
}

#[test]
fn a_variable_that_nothing_sets_is_refused_only_in_strict() {
    let strict = plan_of("--v={{LOG_LEVLE}}", Semantics::Strict);
    assert!(!touches(&strict, "ManifestWork", WORK), "the cluster keeps the work that it has");
    let report = &strict.report.addons["hello-template"].clusters["c1"];
    assert_eq!(report.state, ClusterState::Progressing);
    let reason = "Deployment hello-agent of AddOnTemplate hello-template-0.4.0 uses the variable {{LOG_LEVLE}}, which is not set";
    assert!(report.reason.starts_with(reason), "{}", report.reason);

    assert!(touches(&plan_of("--v={{LOG_LEVLE}}", Semantics::Compat), "ManifestWork", WORK));
    assert!(touches(&plan_of("--v={{LOG_LEVEL}}", Semantics::Strict), "ManifestWork", WORK));
}
