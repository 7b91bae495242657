//! Steps that wait: for a time, and for another application.

use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::{Unit, load};

use super::{WEB, tree};
use crate::fixture::shown;

/// Returns an application with two policies that select clusters, and these steps.
fn with(steps: &str, strategy: &str) -> Tree {
    let (head, _) = WEB.split_once("  policies:").unwrap();
    let text = format!(
        "{head}  policies:
    - {{name: staging, type: topology, properties: {{clusters: [a]}}}}
    - {{name: production, type: placement, properties: {{name: everywhere{strategy}}}}}
  workflow:
    steps:
{steps}"
    );
    let mut tree = tree(&text);
    let database = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: database, namespace: data}
spec:
  components: [{name: db, type: worker, properties: {image: a}}]
  policies: [{name: all, type: placement, properties: {name: everywhere}}]
";
    for (namespace, file) in [("shop", "shop.yaml"), ("data", "data.yaml")] {
        let placement = format!(
            "apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata: {{name: everywhere, namespace: {namespace}}}\nspec: {{}}\n---\n\
             apiVersion: cluster.open-cluster-management.io/v1beta2\nkind: ManagedClusterSetBinding\nmetadata: {{name: global, namespace: {namespace}}}\nspec: {{clusterSet: global}}\n"
        );
        tree.files.insert(file.to_owned(), placement.into_bytes());
    }
    tree.files.insert("database.yaml".to_owned(), database.as_bytes().to_vec());
    tree
}

fn unit(steps: &str, strategy: &str) -> Unit {
    let loaded = load(&with(steps, strategy), "");
    let errors: Vec<String> =
        loaded.complaints.iter().filter(|found| found.is_error()).map(ToString::to_string).collect();
    assert_eq!(errors, [""; 0]);
    loaded.repository.addons[&super::web()].clone()
}

fn wrong(steps: &str, strategy: &str) -> String {
    let loaded = load(&with(steps, strategy), "");
    assert!(!loaded.repository.addons.contains_key(&super::web()), "{steps}");
    shown(&loaded).join("\n    ")
}

const STAGING: &str = "      - {name: try, type: deploy, properties: {policies: [staging]}}\n";
const PRODUCTION: &str = "      - {name: all, type: deploy, properties: {policies: [production]}}\n";

fn suspend(properties: &str) -> String {
    format!("      - {{name: wait, type: suspend, properties: {properties}}}\n")
}

fn depends(properties: &str) -> String {
    format!("      - {{name: database, type: depends-on-app, properties: {properties}}}\n")
}

#[test]
fn a_suspend_with_a_duration_is_a_soak_time_of_the_step_before_it() {
    let soaks = |unit: &Unit| -> Vec<Option<String>> {
        let soak = |part: &tidegate_api::ocm::cluster_management_addon::PlacementStrategy| {
            let strategy = &part.rollout_strategy;
            let all = strategy.all.as_ref().and_then(|all| all.min_success_time.clone());
            let progressive =
                strategy.progressive.as_ref().and_then(|progressive| progressive.min_success_time.clone());
            let per_group = strategy.progressive_per_group.as_ref().and_then(|group| group.min_success_time.clone());
            all.or(progressive).or(per_group)
        };
        unit.parts().iter().map(soak).collect()
    };
    let wait = suspend("{duration: 1h, message: look at it}");
    let waiting = unit(&format!("{STAGING}{wait}{PRODUCTION}"), "");
    assert_eq!(soaks(&waiting), [Some("1h".to_owned()), None]);
    assert!(waiting.turn(0).step < waiting.turn(1).step);
    assert_eq!(waiting.parts()[0].rollout_strategy.type_, "Progressive");
    assert_ne!(waiting.digest, unit(&format!("{STAGING}{PRODUCTION}"), "").digest);
    for type_ in ["All", "Progressive", "ProgressivePerGroup"] {
        let strategy = format!(", rolloutStrategy: {{type: {type_}}}");
        let waiting = unit(&format!("{PRODUCTION}{wait}{STAGING}"), &strategy);
        assert_eq!(soaks(&waiting), [Some("1h".to_owned()), None], "{type_}");
    }
    let group = "      - name: both\n        type: step-group\n        subSteps:\n          - {name: a, type: deploy, properties: {policies: [staging]}}\n";
    assert_eq!(soaks(&unit(&format!("{group}{wait}{PRODUCTION}"), "")), [Some("1h".to_owned()), None]);
}

#[test]
fn an_application_on_which_it_depends_is_required() {
    let database: UnitName = "application/data/database".parse().unwrap();
    let waiting = unit(&format!("{}{STAGING}{PRODUCTION}", depends("{name: database, namespace: data}")), "");
    assert!(waiting.requires().iter().eq([&database]), "{:?}", waiting.requires());
    let plain = unit(&format!("{STAGING}{PRODUCTION}"), "");
    assert!(plain.requires().is_empty() && plain.digest != waiting.digest);
}

#[test]
fn mistakes_in_steps_that_wait() {
    let wait = suspend("{duration: 1h}");
    let cases = [
        ("no duration", format!("{STAGING}{}{PRODUCTION}", suspend("{message: look}")), ""),
        ("no time", format!("{STAGING}{}{PRODUCTION}", suspend("{duration: 0s}")), ""),
        ("no unit", format!("{STAGING}{}{PRODUCTION}", suspend("{duration: '10'}")), ""),
        ("at first", format!("{wait}{STAGING}{PRODUCTION}"), ""),
        ("at last", format!("{STAGING}{PRODUCTION}{wait}"), ""),
        ("twice", format!("{STAGING}{wait}{}{PRODUCTION}", wait.replace("wait", "again")), ""),
        (
            "its own soak time",
            format!("{PRODUCTION}{wait}{STAGING}"),
            ", rolloutStrategy: {type: All, all: {minSuccessTime: 5m}}",
        ),
        (
            "in a group",
            format!(
                "{PRODUCTION}      - name: both\n        type: step-group\n        subSteps: [{{name: wait, type: suspend}}]\n{STAGING}"
            ),
            "",
        ),
        ("later", format!("{STAGING}{}{PRODUCTION}", depends("{name: database, namespace: data}")), ""),
        ("unknown", format!("{}{STAGING}{PRODUCTION}", depends("{name: database}")), ""),
        ("itself", format!("{}{STAGING}{PRODUCTION}", depends("{name: web}")), ""),
        ("no name", format!("{}{STAGING}{PRODUCTION}", depends("{namespace: data}")), ""),
        ("an invalid name", format!("{}{STAGING}{PRODUCTION}", depends("{name: data/database}")), ""),
    ];
    let found = cases.map(|(what, steps, strategy)| format!("{what}\n    {}\n", wrong(&steps, strategy)));
    insta::assert_snapshot!("mistakes_in_steps_that_wait", found.concat());
}
