//! Tests of OCI registries: tags, tokens, manifests and layers.

use std::net::TcpStream;
use std::sync::Arc;

use tidegate_download::{ChartRequest, Downloads};
use tidegate_model::digest::Digest;

use crate::chart_archive::chart;

use super::server::{Seen, Server, downloads, downloads_with, send, shown};

fn request(server: &Server, version: &str) -> ChartRequest {
    let repository = format!("oci://{}/team/charts", server.host());
    ChartRequest { repository, name: "web".to_owned(), version: version.to_owned(), devel: false }
}

fn layer() -> String {
    format!("sha256:{}", Digest::of(&chart("web", "1.0.0")).as_str())
}

fn manifest(digest: &str, size: usize) -> String {
    format!(
        r#"{{"schemaVersion": 2, "config": {{"mediaType": "application/vnd.cncf.helm.config.v1+json"}}, "layers": [
            {{"mediaType": "application/vnd.cncf.helm.chart.provenance.v1.prov", "digest": "sha256:0", "size": 1}},
            {{"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", "digest": "{digest}", "size": {size}}}]}}"#
    )
}

/// Answers as a registry does.
fn serve(request: &Seen, stream: &mut TcpStream, manifest: &str) {
    let archive = chart("web", "1.0.0");
    match request.target.strip_prefix("/v2/team/charts/web/").unwrap_or_default() {
        "tags/list" => {
            let next = "Link: </v2/team/charts/web/tags/list?last=x>; rel=\"next\"\r\n";
            send(stream, "200 OK", next, br#"{"name": "team/charts/web", "tags": ["1.0.0", "1.2.0_b.1", "latest"]}"#);
        }
        "tags/list?last=x" => send(stream, "200 OK", "", br#"{"tags": ["1.1.0", "2.0.0-rc.1"]}"#),
        path if path.starts_with("manifests/") => send(stream, "200 OK", "", manifest.as_bytes()),
        path if path.starts_with("blobs/sha256:") => send(stream, "200 OK", "", &archive),
        _ => send(stream, "404 Not Found", "", b"{\"errors\": []}"),
    }
}

fn registry(manifest: String) -> Server {
    Server::start(move |request, stream| serve(request, stream, &manifest))
}

fn honest() -> String {
    manifest(&layer(), chart("web", "1.0.0").len())
}

#[test]
fn exact_versions_are_not_listed_but_ranges_are() {
    for (wanted, version, requests) in [
        ("1.0.0", "1.0.0", vec!["manifests/1.0.0"]),
        ("1.2.0+b.1", "1.2.0+b.1", vec!["manifests/1.2.0_b.1"]),
        ("~1.1", "1.1.0", vec!["tags/list", "tags/list?last=x", "manifests/1.1.0"]),
        ("", "1.2.0+b.1", vec!["tags/list", "tags/list?last=x", "manifests/1.2.0_b.1"]),
        ("latest", "latest", vec!["tags/list", "tags/list?last=x", "manifests/latest"]),
    ] {
        let server = registry(honest());
        let found = downloads().chart(&request(&server, wanted)).unwrap();
        assert_eq!((found.version.as_str(), found.files.len()), (version, 2), "{wanted}");
        assert_eq!(format!("sha256:{}", found.digest.as_str()), layer());
        let asked: Vec<String> = requests
            .iter()
            .map(|path| format!("/v2/team/charts/web/{path}"))
            .chain([format!("/v2/team/charts/web/blobs/{}", layer())])
            .collect();
        assert_eq!(server.targets(), asked, "{wanted}");
    }
}

#[test]
fn a_token_is_requested_where_the_registry_says_and_sent_only_to_the_registry() {
    let issuer = Arc::new(Server::of(&[(
        "/token?service=registry&scope=repository%3Ateam%2Fcharts%2Fweb%3Apull",
        br#"{"access_token": "t0ken"}"#,
    )]));
    let storage = Arc::new(Server::start(|_, stream| send(stream, "200 OK", "", &chart("web", "1.0.0"))));
    // Other names of this machine: credentials differ by host.
    let (realm, blobs) = (issuer.url("token").replace("127.0.0.1", "localhost"), storage.url("blob"));
    let server = Server::start(move |request, stream| match request.authorization.as_deref() {
        Some("Bearer t0ken") if request.target.contains("/blobs/") => {
            send(stream, "307 Temporary Redirect", &format!("Location: {blobs}\r\n"), b"");
        }
        Some("Bearer t0ken") => serve(request, stream, &honest()),
        _ => {
            let challenge = format!(
                "WWW-Authenticate: Bearer realm=\"{realm}\",service=\"registry\",scope=\"repository:team/charts/web:pull\"\r\n"
            );
            send(stream, "401 Unauthorized", &challenge, b"{}");
        }
    });
    let downloads: Downloads = downloads_with(
        "machine 127.0.0.1 login a password registry-secret machine localhost login ann password hunter2",
    );
    assert_eq!(downloads.chart(&request(&server, "1.0.0")).unwrap().version, "1.0.0");
    let sent = |server: &Server| server.seen().into_iter().map(|seen| seen.authorization).collect::<Vec<_>>();
    let token = || Some("Bearer t0ken".to_owned());
    assert_eq!(sent(&server), [None, token(), token()]);
    assert_eq!(sent(&issuer), [Some("Basic YW5uOmh1bnRlcjI=".to_owned())]);
    assert_eq!(sent(&storage), [None], "another origin does not get the token");
}

#[test]
fn basic_authentication_is_supported() {
    let server = Server::start(|request, stream| match request.authorization.as_deref() {
        Some("Basic YW5uOmh1bnRlcjI=") => serve(request, stream, &honest()),
        _ => send(stream, "401 Unauthorized", "WWW-Authenticate: Basic realm=\"registry\"\r\n", b""),
    });
    let downloads = downloads_with("machine 127.0.0.1 login ann password hunter2");
    assert_eq!(downloads.chart(&request(&server, "1.0.0")).unwrap().version, "1.0.0");
}

#[test]
fn registries_that_do_not_answer_properly_are_reported() {
    let size = chart("web", "1.0.0").len();
    let other = format!("sha256:{}", Digest::of(b"other").as_str());
    let manifests = [
        ("digest", manifest(&other, size)),
        ("length", manifest(&layer(), size + 1)),
        ("no digest", manifest("md5:1", size)),
        ("path", manifest("sha256:../../../x", size)),
        (
            "image",
            r#"{"layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar", "digest": "x", "size": 1}]}"#
                .to_owned(),
        ),
        ("index", r#"{"manifests": []}"#.to_owned()),
        ("page", "<html>".to_owned()),
        ("nothing", String::new()),
    ];
    let mut reported = Vec::new();
    for (what, manifest) in manifests {
        reported.push(format!("{what}: {}", shown(downloads().chart(&request(&registry(manifest), "1.0.0")))));
    }
    let server = registry(honest());
    reported.push(format!("range: {}", shown(downloads().chart(&request(&server, "^7")))));
    reported.push(format!("tag: {}", shown(downloads().chart(&request(&server, "newest")))));
    let absent = ChartRequest { name: "absent".to_owned(), ..request(&server, "1.0.0") };
    reported.push(format!("absent: {}", shown(downloads().chart(&absent))));
    for repository in ["oci://", "oci://host/../x", "oci://host/Team", "oci://host/a:1.0.0", "oci://ann:hunter2@host/x"]
    {
        let request = ChartRequest { repository: repository.to_owned(), ..request(&server, "1.0.0") };
        reported.push(format!("{repository}: {}", shown(downloads().chart(&request))));
    }
    // How well the archive is compressed depends on the implementation that the workspace selects.
    let reported = reported.join("\n").replace(&layer(), "sha256:[LAYER]");
    let sizes = [(format!("{size} bytes"), "[SIZE] bytes"), (format!("{} bytes", size + 1), "[SIZE + 1] bytes")];
    insta::assert_snapshot!(sizes.iter().fold(reported, |reported, (size, name)| reported.replace(size, name)));
}

#[test]
fn tokens_that_are_refused_or_useless_are_reported() {
    let mut reported = Vec::new();
    for (status, body) in
        [("403 Forbidden", "no"), ("200 OK", "{}"), ("200 OK", "{\"token\": \"a\\nb\"}"), ("200 OK", "<html>")]
    {
        let issuer = Server::start(move |_, stream| send(stream, status, "", body.as_bytes()));
        let realm = issuer.url("token");
        let server = Server::start(move |_, stream| {
            send(stream, "401 Unauthorized", &format!("WWW-Authenticate: Bearer realm=\"{realm}\"\r\n"), b"");
        });
        reported.push(shown(downloads().chart(&request(&server, "1.0.0"))));
    }
    // A registry that accepts no token is not asked forever.
    let server = Server::start(|request, stream| match request.target.as_str() {
        "/token" => send(stream, "200 OK", "", b"{\"token\": \"t\"}"),
        _ => send(stream, "401 Unauthorized", "WWW-Authenticate: Bearer realm=\"/token\"\r\n", b""),
    });
    reported.push(shown(downloads().chart(&request(&server, "1.0.0"))));
    assert_eq!(server.targets().len(), 3);
    insta::assert_snapshot!(reported.join("\n"));
}
