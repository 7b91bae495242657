//! `tidegate ui`: the page as files, and served.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::clone::Clone;
use super::sandbox::{Served, serve};
use super::{program, tidegate};
use crate::scratch::tempdir;

const STATUS: &str = "apiVersion: tidegate.io/v1alpha1\nkind: AddonStatus\naddon: hello\nversion: 1.0.0\nphase: Completed\n\
    since: \"2026-11-20T10:00:00Z\"\nclusters: {total: 1, succeeded: 1, progressing: 0, failed: 0, waiting: 0}\n";
const CLUSTERS: &str = "apiVersion: tidegate.io/v1alpha1\nkind: ClusterList\naddon: hello\nclusters:\n  \
    \"aws-1\": {state: Succeeded, version: \"1.0.0\", group: 0}\n";

/// Returns a clone with a journal.
pub(super) fn journal() -> Clone {
    let clone = Clone::new();
    clone.git("Tidegate", &["checkout", "-q", "--orphan", "tidegate/journal"]);
    clone.git("Tidegate", &["rm", "-rqf", "."]);
    clone.write("sync.yaml", "apiVersion: tidegate.io/v1alpha1\nkind: Sync\nseen: null\ninstance: {id: 0123456789abcdef, name: hub-1, since: '2026-11-20T10:00:00Z'}\n");
    clone.write("addons/hello/status.yaml", STATUS);
    clone.write("addons/hello/clusters.yaml", CLUSTERS);
    clone.commit("Tidegate", "hello: install 1.0.0 completed");
    clone.git("Tidegate", &["checkout", "-q", "main"]);
    clone
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_page_is_written_as_files() {
    let (clone, directory) = (journal(), tempdir());
    let out = directory.path().join("page");
    let arguments = ["ui", "--source", clone.root(), "--export", out.to_str().unwrap()];
    let written = tidegate(&arguments);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    assert!(text(&written.stdout).ends_with("/page/index.html\n"), "{}", text(&written.stdout));
    let page = std::fs::read_to_string(out.join("clusters/aws-1.html")).unwrap();
    assert!(page.contains("hub-1"), "{page}");
    assert!(
        page.contains("<h1>aws-1</h1>") && page.contains("href=\"../style.css\"") && !page.contains("<form"),
        "{page}"
    );
    for file in ["index.html", "style.css", "script.js", "rollouts/hello.html", "fleet.html"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let again = tidegate(&arguments);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("the directory is not empty"), "{}", text(&again.stderr));
}

#[test]
fn a_mistake_is_reported_at_the_start() {
    let (clone, directory) = (journal(), tempdir());
    let file = directory.path().join("token");
    std::fs::write(&file, "short").unwrap();
    let token = file.to_str().unwrap();
    let source = ["ui", "--source", clone.root()];
    for (more, reason) in [
        (
            vec!["--listen", "0.0.0.0:0"],
            "0.0.0.0:0 is open to other machines: give --token-file, or listen on 127.0.0.1",
        ),
        (vec!["--token-file", token], "the token has fewer than 16 characters"),
        (vec!["--token-file", "/nope"], "/nope: No such file"),
        (vec!["--listen", "1"], "write an address and a port, such as 127.0.0.1:8090"),
        (vec!["--journal-branch", "nope"], "it holds no journal: nope"),
        (vec!["--export", "x", "--token-file", token], "cannot be used with"),
    ] {
        let refused = tidegate(&[source.as_slice(), &more].concat());
        assert_eq!(refused.status.code(), Some(2), "{more:?}");
        assert!(text(&refused.stderr).contains(reason), "{more:?}: {}", text(&refused.stderr));
    }
}

async fn page(address: &str, path: &str) -> (u16, String) {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let answer = reqwest::get(format!("{address}{path}")).await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// Asks until a page contains a text.
async fn until(address: &str, path: &str, text: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !page(address, path).await.1.contains(text) {
        assert!(Instant::now() < deadline, "{path} has no {text:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn the_daemon_serves_the_page_beside_its_probes_where_it_is_safe() {
    let directory = tempdir();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let kubeconfig = path("kubeconfig");
    let _hub = serve(directory.path().join("kubeconfig").as_path());
    std::fs::write(path("token"), "0123456789abcdef").unwrap();
    std::fs::write(path("daemon.toml"), "[page]\ntoken_file = \"token\"\n").unwrap();
    let pair = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    std::fs::write(path("tls.crt"), pair.cert.pem()).unwrap();
    std::fs::write(path("tls.key"), pair.signing_key.serialize_pem()).unwrap();
    let encrypted =
        "[page]\ntoken_file = \"token\"\n[page.tls]\ncertificate_file = \"tls.crt\"\nkey_file = \"tls.key\"\n";
    std::fs::write(path("tls.toml"), encrypted).unwrap();
    let (open, token) = (Vec::new(), vec!["--config".to_owned(), path("daemon.toml")]);
    for (listen, more, is_served, status) in [
        ("127.0.0.1:0", open.clone(), "page=true", 200),
        ("0.0.0.0:0", open, "page=false", 404),
        ("0.0.0.0:0", token, "page=true", 401),
        ("0.0.0.0:0", vec!["--config".to_owned(), path("tls.toml")], "page=true", 403),
    ] {
        let clone = Clone::new();
        let mut command = program();
        let state = path(&format!("state-{}-{status}", listen.len()));
        let fixed = ["--kubeconfig", &kubeconfig, "--log-format", "text", "--listen", listen, "--state-dir", &state];
        command.args(["run", "--source", clone.root()]).args(fixed).args(&more).stderr(Stdio::piped());
        let mut daemon = Served(command.spawn().unwrap());
        let mut log = BufReader::new(daemon.0.stderr.take().unwrap()).lines();
        let line = log.find_map(|line| line.ok().filter(|line| line.contains("serving"))).unwrap();
        // The daemon must never wait for a reader of its log.
        std::thread::spawn(move || log.for_each(drop));
        assert!(line.contains(is_served), "{line}");
        let port = line.split("address=").nth(1).unwrap().split(' ').next().unwrap().rsplit(':').next().unwrap();
        let address = format!("http://127.0.0.1:{port}/");
        assert_eq!(page(&address, "healthz").await, (200, "ok\n".to_owned()));
        let metrics = page(&address, "metrics").await.1;
        let has_certificate =
            metrics.contains("tidegate_certificate_expiration_timestamp_seconds{certificate=\"page\"}");
        assert_eq!(has_certificate, status == 403, "{metrics}");
        if status == 200 {
            until(&address, "", "complaint").await;
            until(&address, "about", "production says three").await;
        } else {
            assert_eq!(page(&address, "").await.0, status, "{listen}");
        }
    }
}

#[tokio::test]
async fn the_page_is_served_and_shows_what_is_pushed() {
    let clone = journal();
    let mut command = program();
    command.args(["ui", "--source", clone.root(), "--listen", "127.0.0.1:0"]).stdout(Stdio::piped());
    let mut served = Served(command.spawn().unwrap());
    let line = BufReader::new(served.0.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    let address = line.split(' ').find(|word| word.starts_with("http://")).unwrap().to_owned();
    assert!(page(&address, "").await.1.contains("No rollout waits for a person."));
    clone.git("Tidegate", &["checkout", "-q", "tidegate/journal"]);
    clone.write("addons/hello/status.yaml", &STATUS.replace("Completed", "Held"));
    clone.commit("Tidegate", "hello: held");
    until(&address, "", "it is held").await;
    assert!(page(&address, "?at=2000-01-01").await.1.contains("the journal has no entry"));
}
