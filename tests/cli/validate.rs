//! The output of `tidegate validate`, for people and in each format for programs.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{code, plain_kinds, shown, text, tidegate};
use crate::redacted::redacted;
use crate::scratch::tempdir;

/// Returns a repository with a few mistakes, one of them in a file whose name is designed to break a report.
fn faulty() -> tempfile::TempDir {
    let directory = tempdir();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    write(
        "placement.yaml",
        "apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata: { name: all, namespace: fleet }\nspec:\n  \
         numberOfCluster: 3\n  tolerations: [{ key: a, value: \"a, b\", operator: 'Exsits' }] # two\n",
    );
    write(
        "map.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\ndata:\n  key: no # never\n",
    );
    write("a,b:c%0A\n\u{1b}[31m é.yaml", "kind: [\n");
    write("tidegate.toml", "[prune]\nmax_percent = 20\n");
    directory
}

fn report(format: &str) -> String {
    let directory = faulty();
    let operator = plain_kinds(directory.path());
    let output = tidegate(&["validate", directory.path().to_str().unwrap(), "-o", format, "--config", &operator]);
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    text(&output.stdout)
}

/// A directory of plain objects has the settings of the repository around it, up to the root of the work tree.
#[test]
fn a_directory_of_a_repository_is_read_with_its_settings() {
    let directory = tempdir();
    let root = directory.path();
    let write = |name: &str, text: &str| {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    };
    write("tidegate.toml", "[repository]\npath = \"fleet\"\n[applications]\nenabled = true\n");
    write(".git/HEAD", "ref: refs/heads/main\n");
    let web = "apiVersion: core.oam.dev/v1beta1\nkind: Application\nmetadata: {name: web, namespace: shop}\nspec:\n  components: [{name: a, type: workr}]\n";
    write("fleet/apps/web.yaml", web);
    let validated = |path: &str| {
        let output = tidegate(&["validate", root.join(path).to_str().unwrap()]);
        text(&output.stdout)
    };
    for path in [".", "fleet", "fleet/apps"] {
        let printed = validated(path);
        assert!(printed.contains("fleet/apps/web.yaml:5:32: no component type \"workr\""), "{path}: {printed}");
    }
    let listed = tidegate(&["app", "list", "--path", root.join("fleet").to_str().unwrap()]);
    assert!(text(&listed.stdout).contains("shop/web"), "{}", shown(&listed));
    // Another repository inside of this one has settings of its own.
    write("fleet/.git/HEAD", "ref: refs/heads/main\n");
    assert!(validated("fleet/apps").starts_with("web.yaml:2:7: "), "{}", validated("fleet/apps"));
}

#[test]
fn each_format_matches_its_snapshot() {
    let directory = faulty();
    let operator = plain_kinds(directory.path());
    let output = tidegate(&["validate", directory.path().to_str().unwrap(), "--config", &operator]);
    insta::assert_snapshot!("text", shown(&output));
    for format in ["json", "yaml", "sarif", "github", "gitlab"] {
        insta::assert_snapshot!(format, redacted(&report(format)));
    }
}

#[test]
fn no_control_character_reaches_a_log_or_a_terminal() {
    let directory = faulty();
    let operator = plain_kinds(directory.path());
    let plain = text(&tidegate(&["validate", directory.path().to_str().unwrap(), "--config", &operator]).stdout);
    for (text, lines) in [(report("github"), 4), (plain, 13)] {
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        assert_eq!(text.lines().count(), lines, "{text}");
    }
    let commands = report("github");
    assert!(commands.lines().all(|line| line.starts_with("::error ") || line.starts_with("::warning ")), "{commands}");
    assert!(commands.contains("file=a%2Cb%3Ac%250A%0A\u{fffd}[31m é.yaml,line=1,"), "{commands}");
}

/// Checks the fields that the specification and GitHub require, and the references between them.
fn check_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].is_string());
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "tidegate");
    assert!(driver["version"].is_string() && driver["semanticVersion"].is_string());
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        for member in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[member]["text"].as_str().unwrap().len() < 1024, "{rule}");
        }
        assert!(matches!(rule["defaultConfiguration"]["level"].as_str(), Some("error" | "warning")));
    }
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap();
        assert_eq!(rules[usize::try_from(index).unwrap()]["id"], result["ruleId"]);
        assert!(matches!(result["level"].as_str(), Some("error" | "warning")));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        assert!(result["partialFingerprints"].as_object().unwrap().values().all(Value::is_string));
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/%".contains(&b)), "{uri}");
        assert!(!uri.starts_with('/'));
        let region = |member: &str| place["region"][member].as_u64().unwrap();
        assert!(region("startLine") >= 1 && region("startColumn") >= 1);
        assert!(region("endLine") == region("startLine") && region("endColumn") > region("startColumn"));
    }
}

#[test]
fn sarif_has_all_required_fields() {
    let log: Value = serde_json::from_str(&report("sarif")).unwrap();
    check_sarif(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let ids: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["yaml", "ambiguous", "schema", "placement"]);
    let region = &results[3]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region, &json!({ "startLine": 6, "startColumn": 52, "endLine": 6, "endColumn": 60 }));
}

#[test]
fn fingerprints_are_unique_and_stay_the_same_if_a_complaint_moves() {
    let fingerprints = |directory: &Path| -> Vec<String> {
        let output = tidegate(&["validate", directory.to_str().unwrap(), "-o", "gitlab"]);
        let issues: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap().to_owned()).collect()
    };
    let directory = faulty();
    let before = fingerprints(directory.path());
    let path = directory.path().join("placement.yaml");
    fs::write(&path, format!("# moved\n\n{}", fs::read_to_string(&path).unwrap())).unwrap();
    assert_eq!(fingerprints(directory.path()), before);
    let distinct: std::collections::BTreeSet<&String> = before.iter().collect();
    assert_eq!(distinct.len(), before.len());
}

#[test]
fn file_names_are_relative_to_the_working_directory() {
    let directory = faulty();
    let run = |from: &Path, path: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tidegate"));
        text(&command.env_clear().current_dir(from).args(["validate", path, "-o", "github"]).output().unwrap().stdout)
    };
    let (root, name) = (directory.path().parent().unwrap(), directory.path().file_name().unwrap().to_str().unwrap());
    assert!(run(root, &format!("./{name}/")).contains(&format!("file={name}/map.yaml,")));
    assert!(run(directory.path(), ".").contains("file=map.yaml,"));
}

#[test]
fn a_good_repository_has_no_findings() {
    let report = |format: &str| {
        let output = tidegate(&["validate", "examples-repo", "-o", format]);
        assert_eq!(code(&output), 0);
        text(&output.stdout)
    };
    assert!(report("github").lines().all(|line| line.starts_with("::notice ")), "{}", report("github"));
    assert_eq!(serde_json::from_str::<Value>(&report("gitlab")).unwrap(), json!([]));
    let log: Value = serde_json::from_str(&report("sarif")).unwrap();
    check_sarif(&log);
    assert_eq!(log["runs"][0]["results"], json!([]));
}

/// Returns a repository whose template gives a role that is not declared, one whose rules are not known, and one with a name that is
/// designed to break a report.
fn with_hub_permissions() -> tempfile::TempDir {
    let directory = tempdir();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    let permission = |name: &str| format!("{{ type: CurrentCluster, currentCluster: {{ clusterRoleName: {name} }} }}");
    write(
        "template.yaml",
        &format!(
            "apiVersion: addon.open-cluster-management.io/v1beta1\nkind: AddOnTemplate\nmetadata: {{ name: a }}\nspec:\n  addonName: a\n  \
             agentSpec: {{ workload: {{ manifests: [] }} }}\n  registration:\n    - type: KubeClient\n      kubeClient:\n        \
             hubPermissions:\n          - {}\n          - type: SingleNamespace\n            singleNamespace: {{ namespace: shared, \
             roleRef: {{ apiGroup: rbac.authorization.k8s.io, kind: Role, name: {} }} }}\n    - type: KubeClient\n      kubeClient:\n        \
             hubPermissions:\n          - type: SingleNamespace\n            singleNamespace: {{ namespace: elsewhere, roleRef: {{ apiGroup: \
             rbac.authorization.k8s.io, kind: ClusterRole, name: gathered }} }}\n",
            permission("plain"),
            "\"a: b\\n::error::\\e[31m\""
        ),
    );
    write(
        "role.yaml",
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: gathered }\naggregationRule: {}\n",
    );
    directory
}

#[test]
fn hub_permissions_are_shown_with_the_rules_that_tidegate_lacks() {
    let directory = with_hub_permissions();
    let path = directory.path().to_str().unwrap();
    let operator = directory.path().join("daemon.toml");
    let entry = r#"{ kind = "ClusterRole", group = "rbac.authorization.k8s.io", names = ["gathered"] }"#;
    fs::write(&operator, format!("[hub]\nkinds = [{entry}]\n")).unwrap();
    let operator = operator.to_str().unwrap();
    insta::assert_snapshot!("hub_permissions", shown(&tidegate(&["validate", path, "--config", operator])));
    let report = |format: &str| {
        let output = tidegate(&["validate", path, "-o", format, "--config", operator]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        text(&output.stdout)
    };
    insta::assert_snapshot!("hub_permissions_json", redacted(&report("json")));
    let notices = report("github");
    insta::assert_snapshot!("hub_permissions_github", redacted(&notices));
    for text in [text(&tidegate(&["validate", path, "--config", operator]).stdout), notices] {
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        assert!(!text.lines().any(|line| line.starts_with("::error")), "{text:?}");
    }
}

#[test]
fn on_a_terminal_errors_are_red_and_warnings_yellow() {
    let directory = faulty();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.env_clear().env("CLICOLOR_FORCE", "1").args(["validate", directory.path().to_str().unwrap()]);
    let coloured = text(&command.output().unwrap().stdout);
    assert!(coloured.contains("\u{1b}[31m^~~~~~~~\u{1b}[39m\n"), "{coloured:?}");
    assert!(coloured.contains("\u{1b}[33m^~\u{1b}[39m \u{1b}[33mwarning\u{1b}[39m\n"), "{coloured:?}");
    assert!(coloured.contains("\u{1b}[1mmap.yaml:7:8\u{1b}[0m: key: no "), "{coloured:?}");
}

#[test]
fn the_documentation_lists_every_rule() {
    let page = fs::read_to_string("docs/validate.md").unwrap();
    for rule in tidegate_repository::Rule::ALL {
        let row = format!("| `{}` | {} |", rule.name(), rule.demand());
        assert!(page.contains(&row), "docs/validate.md has no row {row}");
        assert_eq!(serde_json::to_value(rule).unwrap(), rule.name());
    }
}

#[test]
fn the_file_of_the_daemon_decides_which_kinds_a_repository_may_declare() {
    let directory = tempdir();
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: shop }\n";
    fs::write(directory.path().join("map.yaml"), map).unwrap();
    let path = directory.path().to_str().unwrap();
    let refused = tidegate(&["validate", path]);
    assert_eq!(code(&refused), 1);
    let said = text(&refused.stdout);
    let entry = r#"{ kind = "ConfigMap", namespaces = ["shop"], names = ["a"] }"#;
    assert!(
        said.starts_with("map.yaml:2:7: a repository may not put ConfigMap on the hub; ") && said.contains(entry),
        "{said}"
    );
    let operator = plain_kinds(directory.path());
    for command in [&["validate", path][..], &["render", path], &["blame", "ConfigMap/shop/a", "--path", path]] {
        let output = tidegate(&[command, &["--config", &operator]].concat());
        assert_eq!(code(&output), 0, "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    }
}
