//! `tidegate plan --kubeconfig` where no journal is known: before the first start, and before `git fetch`.

use serde_json::{Value, json};
use tidegate_repository::load;

use super::adopt::Served;
use super::plan::{ADDON, Clone};

/// A hub with clusters and nothing of the repository, and a clone of that.
async fn fresh() -> (Served, Clone) {
    let served = Served::with_crds().await;
    let cluster = |number: usize| {
        let cloud = if number.is_multiple_of(2) { "aws" } else { "gcp" };
        let labels = json!({ "fleet": "demo", "cloud": cloud, "tier": if number < 2 { "canary" } else { "prod" } });
        json!({
            "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
            "metadata": { "name": format!("{cloud}-{number:03}"), "labels": labels },
            "spec": { "hubAcceptsClient": true },
        })
    };
    served.hub.seed((0..10).map(cluster)).unwrap();
    let clone = Clone::new();
    clone.remove("fleet/hosts.yaml");
    clone.commit("the hub has the clusters");
    (served, clone)
}

/// Adds the objects of the repository to a hub, as an instance would.
fn install(served: &Served, instance: impl Fn(&str) -> Option<&'static str>) {
    let objects = load(&crate::example_tree::tree(), "").repository.objects;
    let marked = objects.values().map(|declared| {
        let mut object: Value = (*declared.object).clone();
        let kind = object["kind"].as_str().unwrap().to_owned();
        if kind == "ClusterManagementAddOn" {
            object["metadata"]["annotations"] = json!({});
        }
        if let Some(instance) = instance(&kind) {
            object["metadata"]["labels"]["tidegate.io/owned"] = json!("true");
            object["metadata"]["labels"]["tidegate.io/instance"] = json!(instance);
        }
        object
    });
    served.hub.seed(marked).unwrap();
}

async fn plan(served: &Served, clone: &Clone) -> Value {
    let source = clone.root().to_str().unwrap().to_owned();
    let shown = served.session(&[&["plan", "--source", &source, "-o", "json"]]).await;
    let start = shown.find('{').unwrap_or_else(|| panic!("{shown}"));
    let mut values = serde_json::Deserializer::from_str(&shown[start..]).into_iter::<Value>();
    values.next().unwrap().unwrap_or_else(|error| panic!("{error}: {shown}"))
}

#[tokio::test]
async fn first_use_b8_the_plan_of_a_first_rollout_shows_what_will_be_installed() {
    let (served, clone) = fresh().await;
    let plan = plan(&served, &clone).await;
    assert_eq!((&plan["base"]["name"], &plan["clusters"]), (&json!("nothing"), &json!(10)), "{plan:#}");
    assert!(!plan["notices"].to_string().contains("instance"), "{plan:#}");
    let changes = plan["rules"]["changes"].to_string();
    assert!(!changes.contains("removed"), "{changes}");
}

#[tokio::test]
async fn first_use_a12_a_plan_without_a_journal_says_whose_objects_it_takes_for_its_own() {
    let (served, clone) = fresh().await;
    install(&served, |_| Some("0123456789abcdef"));
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let plan = plan(&served, &clone).await;
    assert_eq!((&plan["base"]["name"], &plan["clusters"]), (&json!("main"), &json!(10)), "{plan:#}");
    let notices = plan["notices"].to_string();
    assert!(notices.contains("this plan assumes that instance 0123456789abcdef"), "{notices}");
}

#[tokio::test]
async fn first_use_a12_a_plan_without_a_journal_does_not_choose_between_two_instances() {
    let (served, clone) = fresh().await;
    install(&served, |kind| Some(if kind == "Placement" { "fedcba9876543210" } else { "0123456789abcdef" }));
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let plan = plan(&served, &clone).await;
    let notices = plan["notices"].to_string();
    assert!(notices.contains("belong to the instances 0123456789abcdef and fedcba9876543210"), "{notices}");
    assert!(notices.contains("git fetch"), "{notices}");
}

#[tokio::test]
async fn first_use_a12_the_plan_after_an_adoption_says_what_the_daemon_will_refuse() {
    let (served, clone) = fresh().await;
    install(&served, |_| None);
    let plan = plan(&served, &clone).await;
    let notices = plan["notices"].to_string();
    assert!(notices.contains("hello-template: the hub already has ClusterManagementAddOn hello-template"), "{notices}");
    assert!(notices.contains("kubectl annotate clustermanagementaddon hello-template"), "{notices}");
}

#[tokio::test]
async fn first_use_a12_an_add_on_of_another_instance_is_blocked() {
    let (served, clone) = fresh().await;
    install(&served, |kind| {
        Some(if kind == "ClusterManagementAddOn" { "fedcba9876543210" } else { "0123456789abcdef" })
    });
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let plan = plan(&served, &clone).await;
    assert!(
        plan["addons"][0]["blocked"].to_string().contains("belongs to instance"),
        "{:#}",
        plan["addons"][0]["blocked"]
    );
}
