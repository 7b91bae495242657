//! The lock file: what is written is read again, and anything else is refused.

use tidegate_kustomize::vendor::{Entry, Lock, VendoredApplication, VendoredChart, What, inputs};
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;

use super::{chart, file, git, tree};

fn entry(directory: &str, what: What) -> Entry {
    Entry { directory: directory.to_owned(), what, files: Digest::of(directory.as_bytes()), place: Place::default() }
}

fn application(file: &str) -> VendoredApplication {
    VendoredApplication {
        file: file.to_owned(),
        app: format!("kubevela/{file}"),
        definitions: "kubevela/definitions".to_owned(),
        inputs: Digest::of(b"inputs"),
        vela: "v1.10.3".to_owned(),
        content: Digest::of(file.as_bytes()),
        place: Place::default(),
    }
}

fn example() -> Lock {
    let source = "https://github.com/acme/config//base?ref=v1.2.0";
    let mut web = chart("podinfo", "https://charts.example.com", Digest::of(b"values"));
    if let What::Chart(VendoredChart { namespace, request, .. }) = &mut web {
        *namespace = Some("prod".to_owned());
        *request = Some(">=6.0 <7, \"x\": y # ü".to_owned());
    }
    Lock {
        entries: vec![
            entry("vendor/charts/podinfo@release-name", web),
            entry("vendor/files/example.com/crd.yaml@12345678", file("https://example.com/crd.yaml", "crd.yaml")),
            entry(
                "vendor/github.com/acme/config/base@v1.2.0",
                git(source, "https://github.com/acme/config", "v1.2.0", "base"),
            ),
            entry(
                "vendor/github.com/acme/config@1.10",
                git("github.com/acme/config?ref=1.10", "https://github.com/acme/config", "1.10", ""),
            ),
        ],
        applications: vec![application("fleet/api.yaml"), application("fleet/web.yaml")],
    }
}

/// Reads a lock, and returns its problems.
fn problems(lock: &str) -> String {
    match Lock::read(&tree(&[("vendor.lock", lock)])) {
        Ok(_) => "no problems".to_owned(),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn a_lock_is_written_in_a_fixed_form() {
    insta::assert_snapshot!(example().write());
}

#[test]
fn a_written_lock_is_read_again() {
    let lock = example();
    let mut read = Lock::read(&tree(&[("vendor.lock", &lock.write())])).unwrap();
    assert_eq!(read.entries[1].place.to_string(), "vendor.lock:18:3");
    read.entries.iter_mut().for_each(|entry| entry.place = Place::default());
    assert_eq!(read.applications[0].place.to_string(), "vendor.lock:39:3");
    read.applications.iter_mut().for_each(|application| application.place = Place::default());
    assert_eq!(read, lock);
    assert_eq!(Lock::read(&tree(&[("vendor.lock", &Lock::default().write())])), Ok(Lock::default()));
    assert_eq!(Lock::read(&tree(&[])), Ok(Lock::default()));
}

#[test]
fn the_applications_of_a_lock_are_plain_files_outside_of_vendor_in_order() {
    let written = example().write();
    for (from, to, expected) in [
        ("- file: fleet/web.yaml", "- file: fleet/api.yaml", "applications[1] is not in order of the files"),
        ("- file: fleet/web.yaml", "- file: vendor/web.yaml", "is not a plain path outside of vendor/"),
        ("- file: fleet/web.yaml", "- file: ../web.yaml", "is not a plain path outside of vendor/"),
        ("  app: kubevela/fleet/web.yaml", "  app: /etc/passwd", "is not a plain path outside of vendor/"),
        ("  vela: v1.10.3\n", "", "vela is missing"),
    ] {
        let found = problems(&written.replacen(from, to, 1));
        assert!(found.contains(expected), "{to}: {found}");
    }
}

#[test]
fn the_hash_of_inputs_follows_each_file_and_each_path() {
    let files = [("app.yaml", "a"), ("definitions/one.yaml", "1"), ("definitions/two.cue", "2"), ("other.yaml", "x")];
    let all = tree(&files);
    let hash = |tree: &_| inputs(tree, "app.yaml", "definitions").unwrap();
    let without =
        |left_out: &str| tree(&files.iter().copied().filter(|(file, _)| *file != left_out).collect::<Vec<_>>());
    assert_eq!(hash(&all), hash(&without("other.yaml")));
    assert_ne!(hash(&all), hash(&without("definitions/two.cue")));
    assert_ne!(hash(&all), hash(&tree(&[("app.yaml", "b"), files[1], files[2]])));
    assert!(inputs(&all, "app.yaml", "definitions/one.yaml").is_ok());
    let missing = inputs(&all, "app.yaml", "definition").unwrap_err();
    assert_eq!(missing.to_string(), "definition is not read: there is no such file");
    assert!(inputs(&all, "definitions", "definitions").is_ok(), "one path may be both");
}

#[test]
fn the_owner_of_a_path_is_found() {
    let lock = example();
    let owner = |path: &str| lock.owner(path).map(|entry| entry.directory.as_str());
    assert_eq!(
        owner("vendor/github.com/acme/config/base@v1.2.0/base/x"),
        Some("vendor/github.com/acme/config/base@v1.2.0")
    );
    assert_eq!(owner("vendor/github.com/acme/config@1.10"), Some("vendor/github.com/acme/config@1.10"));
    assert_eq!(owner("vendor/github.com/acme/config@1.10-x/y"), None);
    assert_eq!(owner("vendor/github.com/acme"), None);
}

#[test]
fn an_edited_lock_is_refused() {
    let lock = example().write();
    let changes = [
        ("apiVersion: tidegate.io/v1alpha1", "apiVersion: v1"),
        ("kind: VendorLock\n", ""),
        ("entries:\n", "entries:\n- 1\n"),
        ("entries:\n", "more: 1\nentries:\n"),
        ("    name: crd.yaml\n", "    name: crd.yaml\n    name: other.yaml\n"),
        ("    name: crd.yaml\n", "    name: ../crd.yaml\n"),
        ("    name: crd.yaml\n", "    names: crd.yaml\n"),
        ("directory: vendor/charts/podinfo@release-name", "directory: charts/podinfo"),
        ("directory: vendor/charts/podinfo@release-name", "directory: vendor/../podinfo"),
        ("directory: vendor/charts/podinfo@release-name", "directory: vendor"),
        ("directory: vendor/charts/podinfo@release-name", "directory: vendor/.git/hooks"),
        ("directory: vendor/charts/podinfo@release-name", "directory: /vendor/podinfo"),
        ("directory: vendor/charts/podinfo@release-name", "directory: vendor/github.com"),
        ("directory: vendor/charts/podinfo@release-name", "directory: vendor/z"),
        ("config/base@v1.2.0", "config/base@v1.2.0/../x"),
        ("directory: vendor/github.com/acme/config@1.10", "directory: vendor/github.com/acme/config/base@v1.2.0"),
        ("directory: vendor/github.com/acme/config@1.10", "directory: vendor/github.com/acme/config/base@v1.2.0/base"),
        ("source: github.com/acme/config?ref=1.10", "source: https://github.com/acme/config//base?ref=v1.2.0"),
        ("commit: 0123456789", "commit: --exec6789"),
        ("path: base", "path: base/.."),
        ("helm: v4.1.4", "helm: 4"),
        ("digest: sha256:", "digest: md5:"),
        ("  git:\n", "  file: {source: a, name: b}\n  git:\n"),
        ("  file:\n    source: https://example.com/crd.yaml\n    name: crd.yaml\n", ""),
        ("  file:\n    source: https://example.com/crd.yaml\n    name: crd.yaml\n", "  file:\n"),
    ];
    let reported: Vec<_> = changes
        .into_iter()
        .map(|(from, to)| {
            assert!(lock.contains(from), "{from}");
            format!("{from:?} -> {to:?}\n{}\n", problems(&lock.replacen(from, to, 1)))
        })
        .collect();
    assert!(!reported.iter().any(|reported| reported.contains("no problems")), "{reported:#?}");
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn a_lock_that_is_not_a_lock_is_refused() {
    let reported: Vec<_> = ["", "---\n", "1\n", "a: [", "[]\n", "kind: VendorLock\n---\nkind: VendorLock\n", "\u{0}"]
        .into_iter()
        .map(|lock| format!("{lock:?}: {}", problems(lock)))
        .collect();
    insta::assert_snapshot!(reported.join("\n"));
    let mut files = tree(&[]);
    files.skipped.insert("vendor.lock".to_owned(), "it is a symbolic link".to_owned());
    assert!(Lock::read(&files).is_err());
}

#[test]
fn two_entries_with_one_key_are_refused() {
    let mut lock = example();
    let mut twin = lock.entries[0].clone();
    twin.directory = "vendor/a".to_owned();
    lock.entries.push(twin.clone());
    assert!(problems(&lock.write()).contains("this entry is for the same source as vendor/a"));
    // The same chart with other values is another entry.
    if let What::Chart(chart) = &mut twin.what {
        chart.values = Digest::of(b"other");
    }
    *lock.entries.last_mut().unwrap() = twin;
    assert_eq!(problems(&lock.write()), "no problems");
}

proptest::proptest! {
    #[test]
    fn any_strings_survive_writing_and_reading(source in "\\PC{1,30}", release in "[ -~]{1,12}", name in "[a-z0-9.]{1,9}x") {
        let mut used = chart(&name, &source, Digest::of(b""));
        if let What::Chart(chart) = &mut used {
            chart.release = release;
            chart.version = name.clone();
        }
        let lock = Lock { entries: vec![entry("vendor/a", used), entry("vendor/b", file(&source, &name))], ..Lock::default() };
        let mut read = Lock::read(&tree(&[("vendor.lock", &lock.write())])).unwrap();
        read.entries.iter_mut().for_each(|entry| entry.place = Place::default());
        proptest::prop_assert_eq!(read, lock);
    }
}
