//! `tidegate upgrade --check`: which newer versions it finds, and that it changes nothing.

use std::fs;
use std::path::Path;

use tidegate_kustomize::vendor::{Entry, Lock, VendoredChart, VendoredDirectory, What};
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;

use super::{code, text, tidegate_in};
use crate::files_below::files_below;
use crate::git_command::git;
use crate::http_server::Server;
use crate::scratch::tempdir;

const INDEX: &[u8] = b"apiVersion: v1
entries:
  web:
  - {version: 1.0.0, urls: [web-1.0.0.tgz]}
  - {version: 1.10.0, urls: [web-1.10.0.tgz]}
  - {version: 2.0.0-rc.1, urls: [web-2.0.0-rc.1.tgz]}
  same:
  - {version: 3.0.0, urls: [same-3.0.0.tgz]}
";

/// Returns an add-on whose template has an image.
fn addon(name: &str, image: &str) -> String {
    format!(
        "apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata: {{name: {name}}}
spec:
  defaultConfigs:
    - {{group: addon.open-cluster-management.io, resource: addontemplates, name: {name}-1}}
---
apiVersion: addon.open-cluster-management.io/v1beta1
kind: AddOnTemplate
metadata: {{name: {name}-1}}
spec:
  addonName: {name}
  agentSpec:
    workload:
      manifests:
        - apiVersion: v1
          kind: Pod
          metadata: {{name: {name}, namespace: web}}
          spec: {{containers: [{{name: a, image: '{image}'}}]}}
"
    )
}

fn chart(name: &str, repository: &str, version: &str) -> Entry {
    Entry {
        directory: format!("vendor/charts/{name}@release-name"),
        what: What::Chart(VendoredChart {
            used_by: format!("addons/{name}.yaml"),
            name: name.to_owned(),
            release: "release-name".to_owned(),
            namespace: None,
            repository: repository.to_owned(),
            request: Some(version.to_owned()),
            version: version.to_owned(),
            digest: Digest::of(b""),
            values: Digest::of(b""),
            helm: "v4.1.4".to_owned(),
        }),
        files: Digest::of(b""),
        place: Place { file: String::new(), line: 0, column: 0 },
    }
}

/// Makes a Git repository with tags; returns its path.
fn tagged(directory: &Path) -> String {
    let path = directory.join("config");
    fs::create_dir(&path).unwrap();
    git(&path, &["init", "--quiet", "--initial-branch", "main"]);
    git(&path, &["commit", "--quiet", "--allow-empty", "--message", "first"]);
    for tag in ["v1.2.0", "v1.4.0", "v2.0.0-rc.1", "latest"] {
        git(&path, &["tag", tag]);
    }
    path.display().to_string()
}

#[test]
fn newer_charts_bases_and_images_are_found_and_nothing_is_changed() {
    let directory = tempdir();
    let server = Server::of(&[
        ("/charts/index.yaml", INDEX),
        ("/v2/team/web/tags/list", br#"{"tags": ["v0.9.0", "v0.10.0", "0.11.0", "latest"]}"#),
        ("/v2/team/same/tags/list", br#"{"tags": ["1.0.0"]}"#),
    ]);
    let root = directory.path().join("repository");
    fs::create_dir(&root).unwrap();
    let repository = tagged(directory.path());
    let base = Entry {
        what: What::Git(VendoredDirectory {
            source: format!("{repository}//base?ref=v1.2.0"),
            repository,
            reference: Some("v1.2.0".to_owned()),
            commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
            path: "base".to_owned(),
        }),
        directory: "vendor/example.com/config@v1.2.0".to_owned(),
        ..chart("same", &server.url("charts"), "3.0.0")
    };
    // What only a vendored file names must be at a public address.
    let source = format!("{}//base?ref=v1.2.0", directory.path().join("config").display());
    fs::write(root.join("kustomization.yaml"), format!("resources: ['{source}']\n")).unwrap();
    let charts = server.url("charts");
    let entries = vec![chart("same", &charts, "3.0.0"), chart("web", &charts, "1.0.0"), base];
    fs::write(root.join("vendor.lock"), Lock { entries, ..Lock::default() }.write()).unwrap();
    let host = server.host();
    for (name, image) in [("web", "team/web:v0.9.0"), ("same", "team/same:1.0.0"), ("odd", "team/odd:latest@sha256:0")]
    {
        fs::write(root.join(format!("{name}.yaml")), addon(name, &format!("{host}/{image}"))).unwrap();
    }
    // No add-on refers to this template.
    let unused = addon("unused", &format!("{host}/team/unused:1.0.0"))
        .replace("metadata: {name: unused-1}", "metadata: {name: other}");
    fs::write(root.join("unused.yaml"), unused).unwrap();

    let before = files_below(&root);
    let output = tidegate_in(&root, &["upgrade", "--check"]);
    let printed = text(&output.stdout).replace(&host, "[HOST]").replace(directory.path().to_str().unwrap(), "[DIR]");
    let expected = "base [DIR]/config v1.2.0: v1.4.0 is newer (used by vendor/example.com/config@v1.2.0)\n\
                    chart web 1.0.0: 1.10.0 is newer (used by addons/web.yaml)\n\
                    image [HOST]/team/web v0.9.0: v0.10.0 is newer (used by web)\n\
                    5 versions checked, 3 newer\n";
    assert_eq!(printed, expected, "{}", text(&output.stderr));
    assert_eq!(code(&output), 1);
    assert!(files_below(&root) == before);

    fs::remove_file(root.join("kustomization.yaml")).unwrap();
    let output = tidegate_in(&root, &["upgrade", "--check"]);
    assert_eq!(code(&output), 3, "{}", text(&output.stdout));
    let refused = text(&output.stderr);
    assert!(
        refused.contains("config v1.2.0") && refused.contains("only something that was fetched names it"),
        "{refused}"
    );

    // A registry that does not answer is not a registry without newer versions.
    drop(server);
    let output = tidegate_in(&root, &["upgrade", "--check"]);
    assert_eq!(code(&output), 3, "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("5 versions could not be checked"), "{}", text(&output.stderr));
}

#[test]
fn a_repository_without_vendored_sources_has_nothing_to_check() {
    let directory = tempdir();
    let output = tidegate_in(directory.path(), &["upgrade", "--check"]);
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, "0 versions checked, 0 newer\n"));
    for wrong in [&["upgrade", "--check", "web", "1"][..], &["upgrade", "web"], &["upgrade", "--check", "--push"]] {
        assert_eq!(code(&tidegate_in(directory.path(), wrong)), 2, "{wrong:?}");
    }
}
