//! `tidegate init` and `tidegate addon new`: what they write is valid, and they never write over anything.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::scenarios::demo;
use super::{code, redacted, text, tidegate};
use crate::files_below::files_below;
use crate::scratch::tempdir;

/// Returns what a command prints, with the directory redacted.
fn printed(directory: &Path, arguments: &[&str]) -> String {
    let output = tidegate(arguments);
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    redacted(&printed.replace(directory.to_str().unwrap(), "[DIR]"))
}

/// Returns the paths of all files below a directory.
fn files(directory: &Path) -> Vec<String> {
    files_below(directory).into_keys().collect()
}

/// Makes a repository, and returns its path.
fn repository(directory: &Path, options: &[&str]) -> String {
    let path = directory.join("repository").to_str().unwrap().to_owned();
    let output = tidegate(&[&["init", &path], options].concat());
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    path
}

/// Asserts that nothing is wrong with a repository.
fn assert_valid(path: &str) {
    let output = tidegate(&["validate", path, "--strict"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stdout));
}

#[test]
fn init_writes_a_valid_repository_for_every_forge_with_and_without_overlays() {
    for forge in ["github", "gitlab", "gitea", "forgejo"] {
        for overlays in [&[][..], &["--overlays", "eu,us"]] {
            let directory = tempdir();
            let options = [&["--forge", forge, "--owner", "@acme/platform"], overlays].concat();
            let path = repository(directory.path(), &options);
            assert_valid(&path);
            let files = files(Path::new(&path));
            assert!(files.iter().any(|file| file.ends_with("CODEOWNERS")), "{files:?}");
            let pipeline =
                files.iter().find(|file| file.contains("workflows/tidegate.yaml") || *file == ".gitlab-ci.yml");
            let pipeline = fs::read_to_string(Path::new(&path).join(pipeline.unwrap())).unwrap();
            let hubs = match overlays.is_empty() {
                true => "TIDEGATE_HUBS: tidegate/journal\n",
                false => "TIDEGATE_HUBS: overlays/eu=tidegate/journal overlays/us=tidegate/us\n",
            };
            assert!(pipeline.contains(hubs) && !pipeline.contains("upgrade --check"), "{pipeline}");
            let directory = tempdir();
            let path = repository(directory.path(), &[&options[..], &["--newer"]].concat());
            let all = self::files(Path::new(&path));
            let texts = all.iter().map(|file| fs::read_to_string(Path::new(&path).join(file)).unwrap());
            assert!(texts.into_iter().any(|text| text.contains("upgrade --check --open")), "{forge}: {all:?}");
        }
    }
}

#[test]
fn init_says_what_it_wrote_and_what_to_do_next() {
    let directory = tempdir();
    let path = directory.path().join("team");
    let first = printed(directory.path(), &["init", path.to_str().unwrap()]);
    let listed = files(&path).join("\n");
    let readme = fs::read_to_string(path.join("README.md")).unwrap();
    insta::assert_snapshot!(format!("{first}\n--- files\n{listed}\n--- README.md\n{readme}"));
}

#[test]
fn names_go_into_every_file() {
    let directory = tempdir();
    let names = ["--addon", "logs", "--placement", "edge", "--namespace", "addons", "--clusters", "env=prod"];
    let path = repository(directory.path(), &names);
    assert_valid(&path);
    let unfilled = regex::Regex::new("@[A-Z]+@").unwrap();
    for file in files(Path::new(&path)) {
        let text = fs::read_to_string(Path::new(&path).join(&file)).unwrap();
        assert!(!unfilled.is_match(&text), "{file}");
        if file.starts_with("fleet/") {
            assert!(!text.contains("hello") && !text.contains("fleet-addons"), "{file}: {text}");
        }
    }
}

#[test]
fn names_that_are_other_values_in_yaml_stay_names() {
    for (name, label) in [("true", "fleet=true"), ("123", "on=1"), ("null", "y=n"), ("on", "1e3=0x10")] {
        for overlays in [&[][..], &["--overlays", "1,no"]] {
            let directory = tempdir();
            let names = ["--addon", name, "--placement", name, "--namespace", name, "--clusters", label];
            let path = repository(directory.path(), &[&names[..], overlays].concat());
            assert_valid(&path);
            let said = text(&tidegate(&["validate", &path]).stdout);
            assert!(said.contains("7 objects, 1 add-on"), "{name}: {said}");
        }
    }
}

#[test]
fn a_new_add_on_goes_to_the_base_of_overlays() {
    let directory = tempdir();
    let path = repository(directory.path(), &["--overlays", "prod,staging"]);
    let source = directory.path().join("logs.yaml");
    fs::write(&source, MANIFESTS).unwrap();
    let arguments = ["addon", "new", "logs", "--from", source.to_str().unwrap(), "--repository", &path];
    let said = printed(directory.path(), &arguments);
    insta::assert_snapshot!(said);
    // What it says is what has to be done.
    let lines: String =
        said.lines().filter(|line| line.starts_with("    - ")).map(|line| format!("{}\n", &line[2..])).collect();
    let kustomization = format!("{path}/base/kustomization.yaml");
    fs::write(&kustomization, fs::read_to_string(&kustomization).unwrap() + &lines).unwrap();
    assert_valid(&path);
    let said = text(&tidegate(&["validate", &path]).stdout);
    assert_eq!(said.matches("2 add-ons: no problems found").count(), 2, "{said}");
}

#[test]
fn nothing_is_written_through_a_link_or_by_halves() {
    let directory = tempdir();
    let path = repository(directory.path(), &[]);
    let outside = directory.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let source = directory.path().join("logs.yaml");
    fs::write(&source, MANIFESTS).unwrap();
    let run = |name: &str| {
        let arguments = ["addon", "new", name, "--from", source.to_str().unwrap(), "--repository", &path];
        printed(directory.path(), &arguments)
    };
    std::os::unix::fs::symlink(&outside, format!("{path}/fleet/addons/logs")).unwrap();
    assert!(run("logs").contains("fleet/addons/logs is a symbolic link; nothing was written"));
    assert_eq!(files(&outside), Vec::<String>::new());
    fs::create_dir(format!("{path}/fleet/addons/web")).unwrap();
    std::os::unix::fs::symlink("nowhere", format!("{path}/fleet/addons/web/config.yaml")).unwrap();
    assert!(run("web").contains("config.yaml exists, and is not replaced; nothing was written"));
    assert!(!Path::new(&format!("{path}/fleet/addons/web/addon.yaml")).exists());
}

#[test]
fn init_refuses_bad_names_and_a_directory_with_content() {
    let directory = tempdir();
    let path = directory.path().join("new");
    let path = path.to_str().unwrap();
    let full = directory.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("notes.txt"), "mine").unwrap();
    let mut said = String::new();
    for options in [
        &["init", path, "--addon", "My Add-on"][..],
        &["init", path, "--placement", ""],
        &["init", path, "--overlays", "eu,../us"],
        &["init", path, "--clusters", "production"],
        &["init", path, "--clusters", "env=a b"],
        &["init", path, "--namespace", "kube-system"],
        &["init", path, "--owner", "acme"],
        &["init", path, "--owner", "@acme/platform\n* @mallory"],
        &["init", full.to_str().unwrap()],
        &["init", full.join("notes.txt").to_str().unwrap()],
    ] {
        said += &printed(directory.path(), options);
        assert_eq!(code(&tidegate(options)), 2);
    }
    insta::assert_snapshot!(said);
    assert!(!Path::new(path).exists());
    assert_eq!(files(&full), ["notes.txt"]);
}

#[test]
fn init_keeps_the_git_directory_that_is_there() {
    let directory = tempdir();
    fs::create_dir_all(directory.path().join(".git/refs")).unwrap();
    let output = tidegate(&["init", directory.path().to_str().unwrap()]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(!text(&output.stdout).contains("git init"), "{}", text(&output.stdout));
}

/// Manifests with comments, a block of text and an empty document.
const MANIFESTS: &str = "\
# The settings.
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: logs # with the agent
data:
  agent.conf: |
    first

    second
---
---
apiVersion: v1
kind: Namespace
metadata: {name: logs}
";

/// Returns the manifests of a template.
fn manifests(path: &str) -> Value {
    let template: Value = serde_saphyr::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    template["spec"]["agentSpec"]["workload"]["manifests"].clone()
}

#[test]
fn a_new_add_on_keeps_its_manifests_and_their_comments() {
    let directory = tempdir();
    let path = repository(directory.path(), &[]);
    let source = directory.path().join("logs.yaml");
    fs::write(&source, MANIFESTS).unwrap();
    let arguments = ["addon", "new", "logs", "--from", source.to_str().unwrap(), "--repository", &path];
    let first = printed(directory.path(), &arguments);
    assert_valid(&path);
    let template = format!("{path}/fleet/addons/logs/template-1.0.0.yaml");
    let expected: Vec<Value> = serde_saphyr::from_multiple(&MANIFESTS.replace("---\n---", "---")).unwrap();
    assert_eq!(manifests(&template), json!(expected));
    let addon = fs::read_to_string(format!("{path}/fleet/addons/logs/addon.yaml")).unwrap();
    let template = fs::read_to_string(template).unwrap();
    insta::assert_snapshot!(format!("{first}--- addon.yaml\n{addon}--- template\n{template}"));
    assert!(printed(directory.path(), &arguments).contains("the repository has an add-on \"logs\" already"));
}

#[test]
fn a_list_and_texts_that_cannot_be_indented_are_written_as_values() {
    let directory = tempdir();
    let path = repository(directory.path(), &[]);
    let list = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: a}}\n- {apiVersion: v1, kind: Namespace, metadata: {name: b}}\n";
    let json = r#"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "1"}}"#;
    // The line break of the quoted text has a space before it, which is no part of its value.
    let quoted = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: d\ndata:\n  a: \"one \n    two\"\n";
    for (name, content, expected) in [
        ("list", list, json!(["a", "b"])),
        ("json", json, json!(["c"])),
        ("quoted", quoted, json!(["d"])),
        ("crlf", &MANIFESTS.replace('\n', "\r\n"), json!(["settings", "logs"])),
    ] {
        let source = directory.path().join(name);
        fs::write(&source, content).unwrap();
        let output = tidegate(&["addon", "new", name, "--from", source.to_str().unwrap(), "--repository", &path]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_valid(&path);
        let manifests = manifests(&format!("{path}/fleet/addons/{name}/template-1.0.0.yaml"));
        let names: Vec<&Value> =
            manifests.as_array().unwrap().iter().map(|object| &object["metadata"]["name"]).collect();
        assert_eq!(json!(names), expected);
    }
}

#[test]
fn a_new_add_on_refuses_what_is_no_manifest_and_writes_nothing() {
    let directory = tempdir();
    let path = repository(directory.path(), &[]);
    let before = files(Path::new(&path));
    let mut said = String::new();
    for (name, content) in [
        ("none.yaml", "# nothing\n---\n"),
        ("kind.yaml", "apiVersion: v1\nmetadata: {name: a}\n"),
        ("name.yaml", "apiVersion: v1\nkind: Namespace\n"),
        ("text.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\njust text\n"),
        ("broken.yaml", "apiVersion: v1\nkind: [\n"),
        ("binary.yaml", "a: \u{0}\n"),
    ] {
        fs::write(directory.path().join(name), content).unwrap();
        let source = directory.path().join(name);
        said += &printed(
            directory.path(),
            &["addon", "new", "logs", "--from", source.to_str().unwrap(), "--repository", &path],
        );
    }
    let missing = directory.path().join("missing.yaml");
    for options in [
        &["logs", "--from", missing.to_str().unwrap(), "--repository", &path][..],
        &["hello", "--from", "-", "--repository", &path],
        &["Logs!", "--from", "-", "--repository", &path],
        &["logs", "--from", "-", "--repository", &path, "--placement", "flet"],
        &["logs", "--from", "-", "--repository", directory.path().to_str().unwrap()],
        &["logs", "--from", "-", "--repository", &path, "--version", "../1"],
        &["logs", "--from", "-", "--repository", &path, "--version", "1\nkind: Secret"],
        &["logs", "--from", "oci://registry.example.com/a # b", "--repository", &path],
        &["logs", "--from", "oci://registry.example.com/logs", "--repository", &path],
        &["logs", "--from", "https://example.com/logs.yaml", "--version", "1.0.0", "--repository", &path],
        &["logs", "--from", "-", "--repository", &path, "--dir", "../elsewhere"],
        &["logs", "--from", "-", "--repository", &path, "--dir", "/tmp/elsewhere"],
    ] {
        said += &printed(directory.path(), &[&["addon", "new"], options].concat());
    }
    insta::assert_snapshot!(said);
    assert_eq!(files(Path::new(&path)), before);
}

#[test]
fn a_new_add_on_from_a_chart_needs_only_to_be_vendored() {
    let directory = tempdir();
    let path = repository(directory.path(), &[]);
    let chart = "oci://registry.example.com/charts/collector";
    let arguments = ["addon", "new", "collector", "--from", chart, "--version", "1.2.3", "--repository", &path];
    let said = printed(directory.path(), &arguments);
    assert!(said.contains("tidegate vendor"), "{said}");
    let complaints = text(&tidegate(&["validate", &path]).stdout);
    assert!(complaints.contains("the chart collector is not vendored; run `tidegate vendor`"), "{complaints}");
    assert!(complaints.contains("errors: 1, warnings: 0"), "{complaints}");
}

#[test]
fn a_demo_installs_the_repository_of_a_user() {
    let directory = tempdir();
    let path = repository(directory.path(), &["--addon", "logs"]);
    let settings = format!("{path}/tidegate.toml");
    let own_branch = fs::read_to_string(&settings).unwrap().replace("tidegate/journal", "team/journal");
    fs::write(&settings, own_branch).unwrap();
    let output = demo(&directory.path().join("demo"), &["--repository", &path]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.contains("logs 1.0.0: 20/20 clusters"), "{printed}");
    assert!(printed.contains("every add-on is on its clusters"), "{printed}");
    assert!(printed.contains("log --stat team/journal"), "{printed}");
}
