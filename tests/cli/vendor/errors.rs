//! What prevents vendoring: each error has the place of the declaration, and nothing is changed.

use std::fs;

use super::super::code;
use super::world::World;
use crate::chart_archive::{archive, file};

#[test]
fn every_error_has_the_place_of_the_declaration_and_nothing_is_changed() {
    let world = World::empty();
    let charts = world.url("charts");
    world.page("/login.yaml", b"<!doctype html><title>Sign in</title>");
    let broken = archive(&[
        file("web/Chart.yaml", b"name: broken\n"),
        file("web/values.yaml", b""),
        file("web/templates/web.yaml", b""),
    ]);
    world.page("/broken/index.yaml", b"entries: {web: [{version: 1.0.0, urls: [web.tgz]}]}");
    world.page("/broken/web.tgz", &broken);
    let plain = archive(&[
        file("web/Chart.yaml", b"name: web\n"),
        file("web/values.yaml", b""),
        file("web/templates/a.yaml", b"hello\n"),
    ]);
    world.page("/plain/index.yaml", b"entries: {web: [{version: 1.0.0, urls: [web.tgz]}]}");
    world.page("/plain/web.tgz", &plain);
    let cases = [
        ("tag", format!("resources:\n- {}\n", world.base("v9"))),
        ("directory", format!("resources:\n- {}\n", world.base("v1").replace("//base", "//absent"))),
        ("file", format!("resources: [{}]\n", world.url("absent.yaml"))),
        ("page", format!("resources: [{}]\n", world.url("login.yaml"))),
        ("version", format!("helmCharts: [{{name: web, repo: {charts}, version: ^7}}]\n")),
        ("chart", format!("helmCharts:\n- name: absent\n  repo: {charts}\n")),
        ("repository", format!("helmCharts: [{{name: web, repo: {}}}]\n", world.url("absent"))),
        ("helm", format!("helmCharts: [{{name: web, repo: {}}}]\n", world.url("broken"))),
        ("output", format!("helmCharts: [{{name: web, repo: {}}}]\n", world.url("plain"))),
        ("password", "resources: ['https://ann:hunter2@example.com/a/b//c?ref=v1']\n".to_owned()),
    ];
    let mut reported = Vec::new();
    for (what, kustomization) in cases {
        world.write("kustomization.yaml", &kustomization);
        reported.push(format!("--- {what}\n{}", world.session(&["vendor"])));
        assert!(!world.root().join("vendor").exists() && !world.root().join("vendor.lock").exists(), "{what}");
    }
    let reported = reported.join("\n");
    assert!(!reported.contains("hunter2"), "{reported}");
    insta::assert_snapshot!(reported);
}

#[test]
fn without_helm_there_is_a_hint_where_to_get_it() {
    let world = World::new();
    fs::remove_file(world.path("bin/helm")).unwrap();
    let shown = world.session(&["vendor", "--helm", "no-such-helm"]);
    insta::assert_snapshot!(shown);
    assert_eq!(code(&world.run(&["vendor", "--check"])), 1, "a check needs no helm");
}

#[test]
fn a_server_that_is_down_has_its_own_exit_code() {
    let world = World::empty();
    // No one listens on port 1 of this machine.
    world.write("kustomization.yaml", "resources: ['http://127.0.0.1:1/crd.yaml']\n");
    insta::assert_snapshot!(world.session(&["vendor"]));
}

#[test]
fn locked_archives_and_files_that_changed_at_their_source_are_refused() {
    let world = World::new();
    world.run(&["vendor"]);
    let lock = world.read("vendor.lock");
    world.page("/crd.yaml", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: evil}\n");
    world.page(
        "/charts/web-1.0.0.tgz",
        &archive(&[file("web/Chart.yaml", b"name: evil\n"), file("web/values.yaml", b"")]),
    );
    fs::remove_dir_all(world.root().join("vendor")).unwrap();
    insta::assert_snapshot!(world.session(&["vendor"]));
    assert_eq!(world.read("vendor.lock"), lock);
}

#[test]
fn bad_options_are_wrong_usage() {
    let world = World::new();
    let credentials = world.path("credentials");
    fs::write(&credentials, "machine a password hunter2 hunter3").unwrap();
    let shown = [
        world.session(&["vendor", "nowhere"]),
        world.session(&["vendor", "--credentials-file", credentials.to_str().unwrap()]),
        world.session(&["vendor", "--ca-file", "/does/not/exist"]),
    ];
    let shown = shown.join("\n");
    assert!(!shown.contains("hunter"), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn files_are_never_written_through_symbolic_links() {
    let world = World::new();
    let outside = world.path("outside");
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, world.root().join("vendor")).unwrap();
    insta::assert_snapshot!(world.session(&["vendor"]));
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}
