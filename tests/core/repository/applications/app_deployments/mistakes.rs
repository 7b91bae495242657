//! What is refused in AppDeployments and revisions, and where.

use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::load;

use super::{CANDIDATE, deployment, edited, publish_as, published, tree};
use crate::fixture::{edit, shown};

const FILE: &str = "deployment.yaml";
const V1: &str = "apps/cluster-test-app-v1.yaml";

fn is_refused(tree: &Tree, what: &str) -> String {
    let loaded = load(tree, "");
    let repository = &loaded.repository;
    assert!(repository.blocked.contains_key(&deployment()), "{what}: {:?}", shown(&loaded));
    assert!(!repository.addons.contains_key(&deployment()) && !repository.may_prune, "{what}");
    shown(&loaded).join("\n    ")
}

#[test]
fn mistakes_are_found_at_their_places() {
    let mistakes = [
        (FILE, "revisionName: cluster-test-app-v1", "revisionName: cluster-test-app-v3"),
        (FILE, "revisionName: cluster-test-app-v1", "revisionName: some-other-name"),
        (FILE, "name: prod-cluster-2", "name: prod-cluster-1"),
        (FILE, "name: prod-cluster-2", "name: Prod_2"),
        (
            FILE,
            "            labels:\n              env: stage\n            name: prod-cluster-1",
            "            labels: {}",
        ),
        (
            FILE,
            "clusterSelector:\n            labels:\n              env: stage",
            "clusterSelector:\n            labels:\n              env: null",
        ),
        (FILE, "replicas: 3", "replicas: -1"),
        (FILE, "replicas: 3", "replica: 3"),
        (FILE, "spec:\n", "spec:\n  traffic: {hosts: [example.com]}\n"),
        (FILE, "spec:\n", "spec:\n  rolloutStrategy: {type: Progressive, progressive: {maxConcurency: 1}}\n"),
        (
            FILE,
            "spec:\n",
            "spec:\n  rolloutStrategy: {type: Progressive, progressive: {mandatoryDecisionGroups: [{groupName: canary}]}}\n",
        ),
        (FILE, "  name: cross-cluster-app\n", "  name: cross-cluster-app\n  labels: {a: 'b c'}\n"),
        (
            FILE,
            "  name: cross-cluster-app\n",
            "  name: cross-cluster-app\n  annotations: {app.oam.dev/revision-only: \"true\"}\n",
        ),
        (FILE, "name: prod-cluster-1", "name: a-cluster-with-a-name-that-is-much-too-long-for-a-placement"),
        (V1, "helloworld-python:v1", "helloworld-python:v3"),
        (V1, "kind: Application\n", "kind: Applications\n"),
        (V1, "spec:\n  application:", "spec:\n  traitDefinitions: {a: {}}\n  application:"),
        (V1, "type: webservice", "type: webservise"),
    ];
    let found =
        mistakes.map(|(file, from, to)| format!("{from:?} -> {to:?}\n    {}", is_refused(&edited(file, from, to), to)));
    insta::assert_snapshot!("mistakes_in_app_deployments", found.join("\n"));
}

#[test]
fn the_number_that_an_autoscaler_sets_cannot_be_given() {
    let scaled = super::CANDIDATE.replace("type: expose\n          properties:\n            port: [8080]", "type: hpa");
    let mut tree = tree();
    tree.files.insert("apps/app.yaml".to_owned(), scaled.into_bytes());
    for name in ["v1", "v2"] {
        tree.files.remove(&format!("apps/cluster-test-app-{name}.yaml"));
        publish_as(&mut tree, &format!("cluster-test-app-{name}"));
    }
    insta::assert_snapshot!(is_refused(&tree, "autoscaler"), @r#"
    deployment.yaml:15:23: spec.appRevisions[0].placement[0].distribution.replicas is 3, but an autoscaler of revision "cluster-test-app-v1" sets the number of Deployment helloworld; remove it
        deployment.yaml:24:23: spec.appRevisions[1].placement[0].distribution.replicas is 4, but an autoscaler of revision "cluster-test-app-v2" sets the number of Deployment helloworld; remove it
    "#);
}

#[test]
fn a_revision_that_does_not_exist_has_a_near_miss() {
    let mut tree = published();
    for name in ["v1", "v2"] {
        tree.files.remove(&format!("apps/cluster-test-app-{name}.yaml"));
    }
    tree.files.insert(FILE.to_owned(), super::DEPLOYMENT.as_bytes().to_vec());
    publish_as(&mut tree, "cluster-test-app-cloneset-v1");
    insta::assert_snapshot!(is_refused(&tree, "no revision"),
        @r#"
    deployment.yaml:8:21: revision "cluster-test-app-v1" does not exist; did you mean "cluster-test-app-cloneset-v1"?
        deployment.yaml:17:21: revision "cluster-test-app-v2" does not exist; publish it with `tidegate app publish`, or restore its file
    "#);
}

#[test]
fn the_digest_of_a_revision_is_part_of_it() {
    let mut tree = tree();
    let text = String::from_utf8(tree.files[V1].clone()).unwrap();
    let line = text.lines().find(|line| line.contains("tidegate.io/digest")).unwrap();
    let digest = line.split(": ").nth(1).unwrap().to_owned();
    edit(&mut tree, V1, &digest, "unknown");
    insta::assert_snapshot!(is_refused(&tree, "no digest"),
        @r#"apps/cluster-test-app-v1.yaml:5:25: metadata.annotations.tidegate.io/digest is not a digest; publish the revision with `tidegate app publish`"#);
    edit(&mut tree, V1, &format!("{line}\n").replace(&digest, "unknown"), "    other: a\n");
    insta::assert_snapshot!(is_refused(&tree, "missing digest"),
        @r#"apps/cluster-test-app-v1.yaml:5:5: metadata.annotations.tidegate.io/digest is missing; publish the revision with `tidegate app publish`"#);
}

fn cluster(name: &str, labels: &str) -> String {
    format!(
        "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: {name}\n  labels: {labels}\nspec: {{hubAcceptsClient: true}}\n---\n"
    )
}

#[test]
fn c9_declared_clusters_are_selected_once_and_have_the_labels() {
    let with = |clusters: &[(&str, &str)]| {
        let mut tree = tree();
        let text: String = clusters.iter().map(|(name, labels)| cluster(name, labels)).collect();
        tree.files.insert("clusters.yaml".to_owned(), text.into_bytes());
        tree
    };
    let sound = [("prod-cluster-1", "{env: stage}"), ("prod-cluster-2", "{env: production}")];
    assert_eq!(shown(&load(&with(&sound), "")), [""; 0]);
    // The seed's names and labels contradict each other.
    let other = [("prod-cluster-1", "{env: production}"), ("prod-cluster-2", "{env: production}")];
    insta::assert_snapshot!(is_refused(&with(&other), "other label"),
        @r#"deployment.yaml:12:20: prod-cluster-1 has label env=production, but the selector asks for env=stage; correct one of the two"#);
    insta::assert_snapshot!(shown(&load(&with(&[("prod-cluster-1", "{}")]), "")).join("\n"),
        @r#"deployment.yaml:12:20: prod-cluster-1 is declared without label env, but the selector asks for env=stage; add it, unless the hub does"#);
    let mut overlap = with(&sound);
    edit(&mut overlap, FILE, "env: production\n            name: prod-cluster-2", "env: stage");
    insta::assert_snapshot!(is_refused(&overlap, "overlap"),
        @r#"deployment.yaml:21:15: prod-cluster-1 is selected twice: lines 13 and 21; keep one of the two"#);
}

#[test]
fn an_application_is_delivered_by_itself_or_by_revisions() {
    let policies = "  policies:\n    - {name: all, type: topology, properties: {clusterLabelSelector: {env: stage}}}\n";
    let mut tree = tree();
    let own = CANDIDATE.replace("  annotations:\n    app.oam.dev/revision-only: \"true\"\n", "");
    tree.files.insert("apps/app.yaml".to_owned(), format!("{own}{policies}").into_bytes());
    // Both are held: neither starts on clusters that the other one has.
    let own: UnitName = "application/default/cluster-test-app-cloneset".parse().unwrap();
    assert!(load(&tree, "").repository.blocked.contains_key(&own));
    insta::assert_snapshot!(is_refused(&tree, "two owners"),
        @r#"
    apps/app.yaml:4:9: AppDeployment default/cross-cluster-app (deployment.yaml:1:1) delivers revisions of this application, so both would deliver the same objects; write the annotation app.oam.dev/revision-only: "true" here, or remove the revisions there
        deployment.yaml:8:21: revision "cluster-test-app-v1" is of Application default/cluster-test-app-cloneset, which is rolled out itself (apps/app.yaml:1:1), so both would deliver the same objects; write the annotation app.oam.dev/revision-only: "true" there, or remove it
        deployment.yaml:17:21: revision "cluster-test-app-v2" is of Application default/cluster-test-app-cloneset, which is rolled out itself (apps/app.yaml:1:1), so both would deliver the same objects; write the annotation app.oam.dev/revision-only: "true" there, or remove it
    "#);
}

#[test]
fn replicas_need_workloads_with_replicas() {
    let with = |type_: &str, rest: &str| {
        let mut tree = published();
        let own = CANDIDATE.split_once("      traits:").unwrap().0.replace("type: webservice", type_);
        tree.files.insert("apps/app.yaml".to_owned(), format!("{own}{rest}").into_bytes());
        tree.files.remove(V1);
        publish_as(&mut tree, "cluster-test-app-v1");
        tree.files.insert(FILE.to_owned(), super::DEPLOYMENT.as_bytes().to_vec());
        tree
    };
    insta::assert_snapshot!(is_refused(&with("type: daemon", ""), "daemon"),
        @r#"deployment.yaml:15:23: spec.appRevisions[0].placement[0].distribution.replicas is 3, but component helloworld of revision "cluster-test-app-v1" is a DaemonSet, which has no spec.replicas; remove it, or move the component to another application"#);
    let objects = "    - name: other\n      type: k8s-objects\n      properties: {objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]}\n";
    assert_eq!(shown(&load(&with("type: statefulset", objects), "")), [""; 0]);
}

#[test]
fn an_app_deployment_and_an_application_have_different_names() {
    let mut tree = tree();
    edit(&mut tree, "apps/app.yaml", "name: cluster-test-app-cloneset", "name: cross-cluster-app");
    insta::assert_snapshot!(is_refused(&tree, "twin"),
        @r#"
    apps/app.yaml:4:9: AppDeployment default/cross-cluster-app has the same name at deployment.yaml:1:1; rename one of the two
        deployment.yaml:4:9: Application default/cross-cluster-app has the same name at apps/app.yaml:1:1; rename one of the two
    "#);
}

#[test]
fn odd_shapes_are_complaints_and_never_a_panic() {
    let places = [
        (FILE, "appRevisions"),
        (FILE, "revisionName"),
        (FILE, "placement"),
        (FILE, "clusterSelector"),
        (FILE, "labels"),
        (FILE, "distribution"),
        (FILE, "replicas"),
        (FILE, "name"),
        (FILE, "namespace"),
        (FILE, "metadata"),
        (FILE, "spec"),
        (V1, "application"),
        (V1, "components"),
        (V1, "annotations"),
        (V1, "metadata"),
        (V1, "spec"),
        (V1, "kind"),
        (V1, "apiVersion"),
    ];
    let sound = tree();
    for (file, field) in places {
        let text = std::str::from_utf8(&sound.files[file]).unwrap();
        for (at, _) in text.match_indices(&format!("{field}:")) {
            let (before, rest) = text.split_at(at);
            let (_, after) = rest.split_once('\n').unwrap();
            for value in ["3", "[1]", "null", "{a: [b]}"] {
                let changed = format!("{before}{field}: {value}\n{after}").into_bytes();
                let files = ["tidegate.toml", FILE, V1].map(|file| (file.to_owned(), sound.files[file].clone()));
                let mut tree = Tree { files: files.into(), ..Tree::default() };
                tree.files.insert(file.to_owned(), changed);
                let _ = load(&tree, "");
            }
        }
    }
}
