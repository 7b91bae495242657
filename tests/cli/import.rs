//! `tidegate import`: what it writes is valid, and it writes nothing that is half understood.

use std::fs;
use std::path::Path;

use super::{code, redacted, text, tidegate};
use crate::files_below::files_below;
use crate::scratch::tempdir;

/// The examples of each tool.
const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/import/samples");

/// The groups of the placement of each example, and labels that a cluster of each has.
const GROUPS: [(&str, &[(&str, &str)]); 5] = [
    (
        "argo",
        &[
            ("step-1", "env: env-dev, argocd.argoproj.io/secret-type: cluster, fleet: \"yes\""),
            ("step-2", "env: env-qa, argocd.argoproj.io/secret-type: cluster, fleet: \"yes\""),
        ],
    ),
    ("fleet", &[("canary", "env: production, tier: canary"), ("partition-2", "env: production, region: eu")]),
    (
        "kubefleet",
        &[
            ("staging", "environment: staging, region: eu"),
            ("canary", "environment: production, region: us, tier: canary"),
            ("production", "environment: production, region: eu"),
        ],
    ),
    ("sveltos", &[("qa", "env: qa"), ("staging", "env: staging"), ("production", "env: production")]),
    ("talm", &[("canary", "rollout-group: canary"), ("rest", "rollout-group: rest")]),
];

const MANIFESTS: &str = "apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n";

/// Makes a repository with manifests beside it; returns the path of the repository.
fn repository(directory: &Path) -> String {
    let path = directory.join("repository").to_str().unwrap().to_owned();
    assert_eq!(code(&tidegate(&["init", &path])), 0);
    let settings = format!("{path}/tidegate.toml");
    let people = fs::read_to_string(&settings).unwrap() + "\n[people]\nsre = [\"ada@example.com\"]\n";
    fs::write(settings, people).unwrap();
    fs::write(directory.join("web.yaml"), MANIFESTS).unwrap();
    path
}

/// Runs an import; returns the exit code and what it prints.
fn import(directory: &Path, tool: &str, options: &[&str]) -> (i32, String) {
    let manifests = directory.join("web.yaml");
    let repository = directory.join("repository");
    let sample = format!("{SAMPLES}/{tool}.yaml");
    let arguments = [
        "import",
        &sample,
        "--addon",
        "web",
        "--from",
        manifests.to_str().unwrap(),
        "--repository",
        repository.to_str().unwrap(),
    ];
    let output = tidegate(&[&arguments, options].concat());
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    let printed = printed.replace(SAMPLES, "[SAMPLES]").replace(directory.to_str().unwrap(), "[DIR]");
    (code(&output), redacted(&printed))
}

#[test]
fn an_imported_rollout_is_valid_and_can_be_planned() {
    for (tool, groups) in GROUPS {
        let directory = tempdir();
        let path = repository(directory.path());
        let all = fs::read_to_string(format!("{path}/fleet/clusters/fleet.yaml")).unwrap();
        fs::write(format!("{path}/fleet/clusters/fleet.yaml"), all.replace("fleet: demo", "set: fleet")).unwrap();
        for (at, (_, labels)) in groups.iter().enumerate() {
            let name = format!("spoke{}", at + 1);
            let cluster = format!(
                "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {{name: {name}, labels: {{set: fleet, {labels}}}}}\nspec: {{hubAcceptsClient: true}}\n"
            );
            fs::write(format!("{path}/fleet/clusters/{name}.yaml"), cluster).unwrap();
        }
        let before = format!("{path}-before");
        fs::create_dir(&before).unwrap();
        for (name, content) in files_below(Path::new(&path)) {
            let to = Path::new(&before).join(name);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, content).unwrap();
        }
        let options = ["--approver", "sre", "--group-label", "rollout-group", "--partial"];
        let (exit, printed) = import(directory.path(), tool, &options);
        assert_eq!(exit, 0, "{tool}: {printed}");
        let output = tidegate(&["validate", &path, "--strict"]);
        assert_eq!(code(&output), 0, "{tool}: {}", text(&output.stdout));
        let plan = tidegate(&["plan", "--base", &before, "--head", &path]);
        assert_eq!(code(&plan), 2, "{tool}: {}{}", text(&plan.stdout), text(&plan.stderr));
        let planned = text(&plan.stdout);
        assert!(planned.contains(&format!("{} of {0} clusters", groups.len())), "{tool}: {planned}");
    }
}

#[test]
fn a_field_without_a_counterpart_stops_the_import_unless_it_may_be_left_out() {
    let directory = tempdir();
    let path = repository(directory.path());
    let before = files_below(Path::new(&path));
    let (exit, refused) = import(directory.path(), "kubefleet", &["--approver", "sre"]);
    assert_eq!((exit, files_below(Path::new(&path)) == before), (2, true), "{refused}");
    let (exit, partial) = import(directory.path(), "kubefleet", &["--approver", "sre", "--partial"]);
    assert_eq!(exit, 0, "{partial}");
    let written = |name: &str| fs::read_to_string(format!("{path}/fleet/addons/web/{name}")).unwrap();
    let all = ["addon.yaml", "placement.yaml", "rollout-policies.yaml"];
    let files: String = all.iter().map(|name| format!("--- {name}\n{}", written(name))).collect();
    insta::assert_snapshot!(format!("{refused}--- with --partial\n{partial}{}", files.replace(SAMPLES, "[SAMPLES]")));
}

#[test]
fn what_cannot_be_imported_is_named_with_its_place_and_nothing_is_written() {
    let directory = tempdir();
    let path = repository(directory.path());
    let before = files_below(Path::new(&path));
    for (tool, options, reason) in [
        ("talm", &["--partial"][..], "talm.yaml:23:15: spec.remediationStrategy.canaries: clusters are chosen by name"),
        (
            "kubefleet",
            &["--partial"],
            "kubefleet.yaml:25:11: spec.stages[1].afterStageTasks[0]: an approval is asked for",
        ),
        ("argo", &["--approver", "sre", "--namespace", "Not a name"], "--namespace \"Not a name\" cannot be a name"),
        ("talm", &["--group-label", "a b"], "--group-label \"a b\" cannot be a label"),
        ("missing", &[], "missing.yaml: No such file or directory"),
        ("sveltos", &["--approver", "qa", "--partial"], "--approver qa: [people] in tidegate.toml does not define it"),
    ] {
        let (exit, printed) = import(directory.path(), tool, options);
        assert_eq!(exit, 2, "{tool}: {printed}");
        assert!(printed.contains(reason), "{tool}: {printed}");
        assert!(files_below(Path::new(&path)) == before, "{tool}: a file was written");
    }
}
