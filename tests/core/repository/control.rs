//! Tests of control files: what they mean, and that a mistake in one of them pauses and blocks nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::tree::Tree;
use tidegate_repository::control::{Mode, path_of};
use tidegate_repository::{Loaded, Repository, Rule, hold, load};

use super::fixture::{edited, good, shown, with};

const START: &str = "apiVersion: tidegate.io/v1alpha1\nkind: Control\n";

fn hello() -> UnitName {
    "hello".parse().unwrap()
}

fn cluster(name: &str) -> ClusterName {
    name.parse().unwrap()
}

/// Returns the good repository with a control file of the add-on `hello`.
fn controlled(text: &str) -> Tree {
    with("control/hello.yaml", &format!("{START}{text}"))
}

fn paused(loaded: &Loaded, addon: &str) -> Option<String> {
    loaded.repository.controls.pause(&addon.parse().unwrap()).map(|pause| pause.reason.clone())
}

/// Compares the complaints about several versions of the file with a snapshot.
fn check(name: &str, cases: &[&str]) {
    let shown = cases.iter().map(|text| {
        let loaded = load(&controlled(text), "");
        let lines: String = shown(&loaded).iter().map(|line| format!("  {line}\n")).collect();
        let paused = paused(&loaded, "hello").unwrap_or_else(|| "no".to_owned());
        format!("{}\n{lines}  paused: {paused}\n", text.trim_end())
    });
    insta::assert_snapshot!(name, shown.collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_field_is_read() {
    let digest = load(&good(), "").repository.digest(&hello()).unwrap().clone();
    let text = format!(
        "pause: {{reason: broken dashboards}}\n\
         abort: {{digest: '{0}', reason: wrong image}}\n\
         retry: {{digest: '{digest}', clusters: [east-1], at: 2026-11-23T10:00:00Z, reason: proxy fixed}}\n\
         quarantine:\n- clusters: [east-1]\n  reason: new disks\n- clusters: [east-1]\n  mode: Exclude\n  reason: on fire\n",
        digest.short()
    );
    let loaded = load(&controlled(&text), "");
    assert_eq!(shown(&loaded), Vec::<String>::new());
    let controls = &loaded.repository.controls;
    assert_eq!(paused(&loaded, "hello").as_deref(), Some("broken dashboards"));
    assert_eq!(paused(&loaded, "other"), None);
    assert_eq!(controls.abort(&hello(), &digest).unwrap().reason, "wrong image");
    let retry = controls.retry(&hello(), &digest).unwrap();
    assert!(retry.includes(&cluster("east-1")) && !retry.includes(&cluster("west-1")));
    assert_eq!(retry.at.to_string(), "2026-11-23T10:00:00Z");
    let quarantine = controls.quarantine(&hello(), &cluster("east-1")).unwrap();
    assert_eq!((quarantine.1.mode, quarantine.1.reason.as_str()), (Mode::Exclude, "on fire"));
    assert_eq!(controls.quarantine(&hello(), &cluster("west-1")), None);
    assert_eq!(controls.abort(&hello(), &tidegate_model::digest::Digest::of(b"x")), None);
}

#[test]
fn decisions_about_all_addons_are_in_their_own_file() {
    let text = format!("{START}pause: {{reason: holidays}}\nquarantine: [{{clusters: [east-1], reason: rack move}}]\n");
    let mut tree = controlled("pause: {reason: its own}\n");
    tree.files.insert(path_of(None), text.into_bytes());
    let loaded = load(&tree, "");
    assert_eq!(shown(&loaded), Vec::<String>::new());
    assert_eq!(paused(&loaded, "hello").as_deref(), Some("its own"));
    assert_eq!(paused(&loaded, "other").as_deref(), Some("holidays"));
    assert_eq!(
        loaded.repository.controls.quarantine(&hello(), &cluster("east-1")).unwrap().1.mode,
        Mode::Ignore,
        "the default"
    );
}

#[test]
fn digests_do_not_depend_on_control_files_and_approvals() {
    let mut tree = controlled("pause: {reason: x}\n");
    tree.files
        .insert("approvals/hello/1.yaml".to_owned(), b"apiVersion: tidegate.io/v1alpha1\nkind: Approval\n".into());
    let (before, after) = (load(&good(), "").repository, load(&tree, "").repository);
    assert_eq!(before.addons, after.addons);
    assert_eq!(before.objects, after.objects);
    assert!(after.may_prune && after.blocked.is_empty());
}

#[test]
fn control_files_are_read_wherever_the_declarations_are() {
    let mut tree = Tree::default();
    for (path, bytes) in good().files {
        tree.files.insert(format!("fleet/{path}"), bytes);
    }
    tree.files.insert("tidegate.toml".to_owned(), b"[repository]\npath = \"fleet\"\n".into());
    tree.files.insert("control/hello.yaml".to_owned(), format!("{START}pause: {{reason: x}}\n").into_bytes());
    let loaded = load(&tree, "");
    assert_eq!(shown(&loaded), Vec::<String>::new());
    assert_eq!(paused(&loaded, "hello").as_deref(), Some("x"));
    // A directory of the same name elsewhere has no meaning.
    let nested = tree.files.remove("control/hello.yaml").unwrap();
    tree.files.insert("fleet/control/hello.yaml".to_owned(), nested);
    let loaded = load(&tree, "");
    assert_eq!(paused(&loaded, "hello"), None);
    assert_eq!(
        shown(&loaded),
        [
            "fleet/control/hello.yaml:1:1: a Control has no effect here; move it to control/<add-on>.yaml at the root of the \
          repository"
        ]
    );
}

#[test]
fn a_mistake_in_a_control_file_pauses_its_addon() {
    check(
        "control_mistakes",
        &[
            "paus: {reason: x}\n",
            "pause:\n",
            "pause: {}\n",
            "pause: {reason: ''}\n",
            "pause: {reason: [x]}\n",
            "pause: true\n",
            "pause: {reason: x}\npause: {reason: y}\n",
            "abort: {digest: 123456789012, reason: x}\n",
            "abort: {digest: 9c1e, reason: x}\n",
            "retry: {digest: 9c1e0d2f6ab4, at: tomorrow, reason: x}\n",
            "retry: {digest: 9c1e0d2f6ab4, clusters: [], at: 2026-11-23T10:00:00Z, reason: x}\n",
            "retry: {digest: 9c1e0d2f6ab4, clusters: , at: 2026-11-23T10:00:00Z, reason: x}\n",
            "retry: {digest: 9c1e0d2f6ab4, reason: x}\n",
            "quarantine: {clusters: [a], reason: x}\n",
            "quarantine: [{clusters: [East_1], reason: x}]\n",
            "quarantine: [{clusters: [east-1], mode: exclude, reason: x}]\n",
            "quarantine: [{cluster: [east-1], reason: x}]\n",
            "metadata: {name: hello}\n",
            "---\nkind: Control\n",
            "pause: [\n",
        ],
    );
}

#[test]
fn doubtful_decisions_are_warnings_and_stay_in_force() {
    let text = "abort: {digest: 9c1e0d2f6ab4, reason: x}\n\
                retry: {digest: 9c1e0d2f6ab4, clusters: [east-1, east-2], at: 2026-11-23T10:00:00Z, reason: x}\n\
                quarantine: [{clusters: [elsewhere], reason: x}]\n";
    let loaded = load(&controlled(text), "");
    assert!(loaded.complaints.iter().all(|complaint| !complaint.is_error() && complaint.rule == Rule::Control));
    let digest = load(&good(), "").repository.digest(&hello()).unwrap().short().to_owned();
    insta::assert_snapshot!("control_doubts", shown(&loaded).join("\n").replace(&digest, "[DIGEST]"));
    assert!(loaded.repository.controls.quarantine(&hello(), &cluster("elsewhere")).is_some());
    let mut tree = controlled(text);
    tree.files.remove("plain.yaml");
    let loaded = load(&tree, "");
    assert_eq!(loaded.complaints.len(), 2, "clusters need not be declared: {:?}", shown(&loaded));
}

#[test]
fn nothing_else_is_blocked_by_a_mistake() {
    for text in ["pause: [\n", "paus: {}\n", "pause: {reason: 3}\n"] {
        let (before, after) = (load(&good(), ""), load(&controlled(text), ""));
        assert_eq!(before.repository.addons, after.repository.addons);
        assert!(after.repository.blocked.is_empty() && after.repository.may_prune, "{text}");
        let held = hold(after, &BTreeMap::new(), None);
        assert_eq!(held.controls.unreadable.keys().collect::<Vec<_>>(), ["control/hello.yaml"]);
        assert!(held.controls.pause(&hello()).is_some() && held.held.is_empty());
    }
    let loaded = load(&with(&path_of(None), "kind: [\n"), "");
    assert!(paused(&loaded, "hello").is_some() && paused(&loaded, "other").is_some());
}

#[test]
fn a_file_with_a_wrong_name_pauses_what_it_was_meant_for() {
    let pause = format!("{START}pause: {{reason: x}}\n");
    let files = [
        "control/hello.yml",
        "control/Hello.yaml",
        "control/a/hello.yaml",
        "control/hello.json",
        "control/_fleet.yml",
        "control/_all.yaml",
        "control/helo.yaml",
        "control/hel_lo.yaml",
        "control/README.md",
    ];
    let shown = files.map(|file| {
        let loaded = load(&with(file, &pause), "");
        let lines: String = shown(&loaded).iter().map(|line| format!("  {line}\n")).collect();
        let is_paused = |addon| paused(&loaded, addon).is_some();
        format!("{file}\n{lines}  paused: hello {}, other {}\n", is_paused("hello"), is_paused("other"))
    });
    insta::assert_snapshot!("control_names", shown.join("\n"));
    // A second file about the same add-on does not hide the pause.
    let mut tree = controlled("quarantine: [{clusters: [east-1], reason: x}]\n");
    tree.files.insert("control/Hello.yaml".to_owned(), pause.into_bytes());
    assert!(paused(&load(&tree, ""), "hello").is_some());
}

#[test]
fn declarations_below_control_and_approvals_are_never_removed() {
    for directory in ["control", "approvals"] {
        let mut tree = good();
        let other = tree.files.remove("other.yaml").unwrap();
        tree.files.insert(format!("{directory}/other.yaml"), other);
        let loaded = load(&tree, "");
        assert!(!loaded.repository.addons.contains_key("other"));
        assert!(!loaded.repository.may_prune);
        assert!(loaded.repository.unreadable_files.contains(&format!("{directory}/other.yaml")));
        let kind = if directory == "control" { "Control" } else { "Approval" };
        assert_eq!(
            shown(&loaded)[0],
            format!(
                "{directory}/other.yaml:1:1: this declares a ClusterManagementAddOn of addon.open-cluster-management.io/v1beta1, but \
                 {directory}/ at the root of a repository is only for files of kind {kind}; move it to another directory"
            )
        );
    }
}

/// Returns the repository of a tree after the good one, with a pause in force.
fn after_a_pause(tree: &Tree) -> Repository {
    let last = Arc::new(hold(load(&controlled("pause: {reason: before}\n"), ""), &BTreeMap::new(), None));
    let good = last.addons.keys().map(|name| (name.clone(), Arc::clone(&last))).collect();
    hold(load(tree, ""), &good, Some(&last))
}

#[test]
fn decisions_are_those_of_the_newest_revision() {
    let reason = |repository: &Repository| repository.controls.pause(&hello()).map(|pause| pause.reason.clone());
    assert_eq!(reason(&after_a_pause(&good())), None);
    // A held add-on has no decisions of its last good revision.
    let broken = edited("addon.yaml", "displayName", "dispName");
    let repository = after_a_pause(&broken);
    assert!(repository.held.contains_key("hello"));
    assert_eq!(reason(&repository), None);
    // Control files are read even if nothing else can be.
    let mut unreadable = controlled("pause: {reason: now}\n");
    unreadable.files.insert("tidegate.toml".to_owned(), b"[".into());
    assert_eq!(reason(&after_a_pause(&unreadable)).as_deref(), Some("now"));
    // A missing file means nothing if reading stopped at a limit.
    let cut = Tree { is_cut: true, ..good() };
    assert_eq!(reason(&after_a_pause(&cut)).as_deref(), Some("before"));
}

#[test]
fn the_example_of_the_documentation_is_valid() {
    let page = std::fs::read_to_string(crate::root::path("docs/control.md")).unwrap();
    let example = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let loaded = load(&with("control/hello.yaml", example), "");
    assert!(loaded.complaints.iter().all(|complaint| !complaint.is_error()), "{:?}", shown(&loaded));
    let control = &loaded.repository.controls.addons["hello"];
    assert!(
        control.pause.is_some() && control.abort.is_some() && control.retry.is_some() && !control.quarantine.is_empty()
    );
    let schema = tidegate_repository::control::schema();
    let mut fields: Vec<String> = Vec::new();
    for (name, field) in schema["properties"].as_object().unwrap() {
        let inner = field.pointer("/properties").or_else(|| field.pointer("/items/properties"));
        let is_list = field.pointer("/items").is_some();
        let path = |inner: &String| format!("{name}{}.{inner}", if is_list { "[]" } else { "" });
        fields.extend(inner.and_then(serde_json::Value::as_object).into_iter().flatten().map(|(inner, _)| path(inner)));
    }
    assert!(fields.len() > 8 && fields.iter().all(|field| page.contains(&format!("`{field}`"))), "{fields:?}");
}
