//! Tests of chart repositories: their index, versions, and archives.

use tidegate_download::{Chart, ChartRequest, Downloads, Error};
use tidegate_model::digest::Digest;

use crate::chart_archive::chart;

use super::server::{Server, downloads, redirect, send, shown, through};

fn request(server: &Server, version: &str) -> ChartRequest {
    ChartRequest {
        repository: server.url("charts/"),
        name: "web".to_owned(),
        version: version.to_owned(),
        devel: false,
    }
}

/// Serves an index with versions of the chart `web`, whose archives are all the same.
fn repository(index: &'static str) -> Server {
    Server::start(move |request, stream| match request.target.as_str() {
        "/charts/index.yaml" => send(stream, "200 OK", "", index.as_bytes()),
        path if path.ends_with(".tgz") => send(stream, "200 OK", "", &chart("web", "1.0.0")),
        _ => send(stream, "404 Not Found", "", b""),
    })
}

const ODD: &str = r#"
apiVersion: v1
generated: "2026-01-01T00:00:00Z"
entries:
  other:
  - {version: 9.9.9, urls: [other-9.9.9.tgz]}
  empty:
  web:
  - {version: 1.2.0, urls: [web-1.2.0.tgz]}
  - {version: "1.10.0", urls: [web-1.10.0.tgz, mirror/web-1.10.0.tgz]}
  - {version: v1.9.0, urls: ["sub/web 1.9.0.tgz"], unknown: {a: [b]}}
  - {version: 2.0.0-rc.1, urls: [web-2.0.0-rc.1.tgz]}
  - {version: 1.2.0+build.7, urls: [web-1.2.0+build.7.tgz]}
  - {version: 1.5, urls: [number.tgz]}
  - {version: latest, urls: [latest.tgz]}
  - {version: 1.99.0}
  - {version: 1.98.0, urls: []}
  - {urls: [nameless.tgz]}
"#;

#[test]
fn versions_are_selected_as_helm_selects_them() {
    let server = repository(ODD);
    for (wanted, version, path) in [
        ("", "1.10.0", "/charts/web-1.10.0.tgz"),
        ("1.2.0", "1.2.0", "/charts/web-1.2.0.tgz"),
        ("v1.2.0", "1.2.0", "/charts/web-1.2.0.tgz"),
        ("1.2.0+build.7", "1.2.0+build.7", "/charts/web-1.2.0+build.7.tgz"),
        ("1.9.0", "v1.9.0", "/charts/sub/web%201.9.0.tgz"),
        ("~1.9", "v1.9.0", "/charts/sub/web%201.9.0.tgz"),
        ("^1.2", "1.10.0", "/charts/web-1.10.0.tgz"),
        (">=1.2 <1.9", "1.2.0", "/charts/web-1.2.0.tgz"),
        ("^2.0.0-0", "2.0.0-rc.1", "/charts/web-2.0.0-rc.1.tgz"),
    ] {
        let found = downloads().chart(&request(&server, wanted)).unwrap();
        assert_eq!(found.version, version, "{wanted}");
        assert_eq!(server.targets().last().unwrap(), path, "{wanted}");
        assert_eq!(found.digest, Digest::of(&chart("web", "1.0.0")));
        assert_eq!(found.files.keys().collect::<Vec<_>>(), ["Chart.yaml", "templates/web.yaml"]);
    }
    let devel = ChartRequest { devel: true, ..request(&server, "") };
    assert_eq!(downloads().chart(&devel).unwrap().version, "2.0.0-rc.1");
}

#[test]
fn a_missing_version_is_reported_with_those_that_exist() {
    let server = repository(ODD);
    let absent = ChartRequest { name: "absent".to_owned(), ..request(&server, "") };
    let empty = ChartRequest { name: "empty".to_owned(), ..request(&server, "") };
    let requests = [request(&server, "^3"), request(&server, "2.x"), request(&server, "newest"), absent, empty];
    insta::assert_snapshot!(requests.map(|request| shown(downloads().chart(&request))).join("\n"));
}

#[test]
fn what_is_not_an_index_is_reported() {
    let indexes = [
        "<html><form>",
        "entries: [",
        "entries: 1",
        "- a",
        "\u{0}",
        "entries: {web: {version: 1.0.0}}",
        "a: &a [x, x]\nb: &b [*a, *a]\nentries: *b",
        "",
    ];
    let reported = indexes.map(|index| shown(downloads().chart(&request(&repository(index), ""))));
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn an_index_in_json_is_read() {
    let server = repository(r#"{"entries": {"web": [{"version": "1.0.0", "urls": ["a.tgz"]}]}}"#);
    assert_eq!(downloads().chart(&request(&server, "")).unwrap().version, "1.0.0");
}

fn with_entry(entry: String) -> (Server, Result<Chart, Error>) {
    let server = Server::start(move |request, stream| match request.target.as_str() {
        "/charts/index.yaml" => {
            let index = format!("entries: {{web: [{{version: 1.0.0, {entry}}}]}}");
            send(stream, "200 OK", "", index.as_bytes());
        }
        "/charts/web.tgz" => send(stream, "200 OK", "", &chart("web", "1.0.0")),
        "/charts/page.tgz" => send(stream, "200 OK", "", b"<!doctype html>"),
        _ => send(stream, "404 Not Found", "", b""),
    });
    let found = downloads().chart(&request(&server, ""));
    (server, found)
}

#[test]
fn the_digest_of_the_index_is_checked() {
    let right = Digest::of(&chart("web", "1.0.0"));
    let (_, found) = with_entry(format!("urls: [web.tgz], digest: '{}'", right.as_str()));
    assert_eq!(found.unwrap().digest, right);
    // Without quotes, digits are a number.
    for digest in ["a".repeat(64), "'0'".to_owned(), "1".repeat(64), "{}".to_owned(), "true".to_owned()] {
        let (_, found) = with_entry(format!("urls: [web.tgz], digest: {digest}"));
        assert!(shown(found).contains("but the index says "), "{digest} is refused");
    }
}

#[test]
fn archives_that_cannot_be_used_are_reported() {
    let entries =
        ["urls: [absent.tgz]", "urls: [page.tgz]", "urls: ['oci://example.com/web']", "urls: ['file:///x.tgz']"];
    let reported = entries.map(|entry| shown(with_entry(entry.to_owned()).1));
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn archives_of_other_public_hosts_are_downloaded_but_not_of_private_ones() {
    let proxy = Server::start(|request, stream| match request.target.as_str() {
        "http://charts.test/index.yaml" => redirect(stream, "http://8.8.8.8/moved/index.yaml"),
        "http://8.8.8.8/moved/index.yaml" => {
            let index = "entries: {good: [{version: 1.0.0, urls: ['http://8.8.4.4/good.tgz']}], near: [{version: 1.0.0, urls: \
                         [near.tgz]}], bad: [{version: 1.0.0, urls: ['http://10.0.0.1/bad.tgz']}]}";
            send(stream, "200 OK", "", index.as_bytes());
        }
        "http://8.8.4.4/good.tgz" | "http://8.8.8.8/moved/near.tgz" => {
            send(stream, "200 OK", "", &chart("web", "1.0.0"))
        }
        _ => send(stream, "404 Not Found", "", b""),
    });
    let downloads: Downloads = through(&proxy);
    let chart = |name: &str| {
        let (repository, version) = ("http://charts.test".to_owned(), String::new());
        downloads.chart(&ChartRequest { repository, name: name.to_owned(), version, devel: false })
    };
    assert!(chart("good").is_ok() && chart("near").is_ok());
    assert!(shown(chart("bad")).contains("leads to http://10.0.0.1, which is not followed"));
}
