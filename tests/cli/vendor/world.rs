//! A config repository, and the servers that it refers to.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use regex::Regex;
use tempfile::TempDir;

use crate::chart_archive::{archive, file};
use crate::git_command::git;
use crate::http_backend::{Answer, HttpBackend};
use crate::http_server::{Server, send};
use crate::redacted::redacted;
use crate::scratch::tempdir;

/// Replaces what is in capitals in the templates of a chart: the name of the release, the value `color`, and a random number.
const HELM: &str = r#"#!/bin/sh
case $1 in version) echo v4.1.4+g05fa379; exit;; esac
release=$2 chart=$3
color=$(sed -n 's/^color: //p' "$chart/values.yaml")
grep -q broken "$chart/Chart.yaml" && { echo "Error: $chart/templates/web.yaml:1: function \"x\" not defined" >&2; exit 1; }
while [ $# -gt 0 ]; do
  case $1 in -f) own=$(sed -n 's/^color: //p' "$2"); [ -n "$own" ] && color=$own;; esac
  shift
done
sed -e "s/RELEASE/$release/" -e "s/COLOR/$color/" -e "s/RANDOM/$$/" "$chart"/templates/*.yaml
"#;

const TEMPLATE: &str =
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: RELEASE-web\ndata:\n  color: COLOR\n  random: \"RANDOM\"\n";

/// A config repository in a directory, and two servers.
pub(crate) struct World {
    directory: TempDir,
    git: HttpBackend,
    web: Server,
    /// What the web server has, by path.
    pages: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
}

impl World {
    /// Returns a repository that uses a remote base at the tag `v1`, a remote file, and a chart.
    pub(crate) fn new() -> Self {
        let world = Self::empty();
        let (base, crd, charts) = (world.base("v1"), world.web.url("crd.yaml"), world.web.url("charts"));
        world.write(
            "kustomization.yaml",
            &format!(
                "resources:\n- {base}\n- {crd}\nhelmCharts:\n- name: web\n  repo: {charts}\n  version: ^1.0\n  releaseName: site\n  \
                 valuesInline:\n    color: blue\n"
            ),
        );
        world
    }

    /// Returns a repository without declarations.
    pub(crate) fn empty() -> Self {
        let directory = tempdir();
        let pages = Arc::<Mutex<BTreeMap<String, Vec<u8>>>>::default();
        let served = pages.clone();
        let web = Server::start(move |request, stream| {
            let page = served.lock().unwrap().get(&request.target).cloned();
            match page {
                Some(body) => send(stream, "200 OK", "", &body),
                None => send(stream, "404 Not Found", "", b""),
            }
        });
        let git = HttpBackend::serve(directory.path(), Answer::Open);
        let world = Self { directory, git, web, pages };
        let helm = world.path("bin/helm");
        write(&helm, HELM);
        fs::set_permissions(&helm, fs::Permissions::from_mode(0o755)).unwrap();
        let remote = world.path("config");
        write(&remote.join("base/kustomization.yaml"), "resources: [web.yaml, ../parts]\n");
        write(&remote.join("base/web.yaml"), "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n");
        write(&remote.join("parts/kustomization.yaml"), "resources: [account.yaml]\n");
        write(&remote.join("parts/account.yaml"), "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web}\n");
        write(&remote.join("README.md"), "not needed");
        git_in(&remote, &["init", "--quiet", "--initial-branch=main"]);
        world.commit("v1");
        world.page("/crd.yaml", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: file}\n");
        world.publish(&["1.0.0"]);
        world.write("tidegate.toml", "");
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The directory of the config repository.
    pub(crate) fn root(&self) -> PathBuf {
        self.path("fleet")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        write(&self.root().join(name), text);
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap()
    }

    /// Returns the declaration of the remote base.
    pub(crate) fn base(&self, reference: &str) -> String {
        format!("{}//base?ref={reference}", self.git.url("config"))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.web.url(path)
    }

    /// Returns the paths that were requested from the web server.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.web.targets()
    }

    /// Writes a file of the remote repository.
    pub(crate) fn write_remote(&self, name: &str, text: &str) {
        write(&self.path("config").join(name), text);
    }

    /// Returns the content of all files of the config repository.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = Vec::new();
        list(&self.root(), &mut found);
        let root = self.root();
        let name = |path: &Path| path.strip_prefix(&root).unwrap().display().to_string();
        found.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
    }

    /// Serves a page.
    pub(crate) fn page(&self, path: &str, body: &[u8]) {
        self.pages.lock().unwrap().insert(path.to_owned(), body.to_vec());
    }

    /// Commits the remote repository with a tag, which moves.
    pub(crate) fn commit(&self, tag: &str) {
        let remote = self.path("config");
        git_in(&remote, &["add", "--all"]);
        git_in(&remote, &["commit", "--quiet", "--allow-empty", "--message=x"]);
        git_in(&remote, &["tag", "--force", tag]);
    }

    /// Publishes versions of the chart `web`, each with a second object from version 1.1.0 on.
    pub(crate) fn publish(&self, versions: &[&str]) {
        let mut index = "entries:\n  web:\n".to_owned();
        for version in versions {
            let manifest = format!("apiVersion: v2\nname: web\nversion: {version}\n");
            let more = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: RELEASE-key}\n";
            let template = if *version == "1.0.0" { TEMPLATE.to_owned() } else { format!("{TEMPLATE}{more}") };
            let chart = archive(&[
                file("web/Chart.yaml", manifest.as_bytes()),
                file("web/values.yaml", b"color: red\n"),
                file("web/templates/web.yaml", template.as_bytes()),
            ]);
            self.page(&format!("/charts/web-{version}.tgz"), &chart);
            index += &format!("  - {{version: {version}, urls: [web-{version}.tgz]}}\n");
        }
        self.page("/charts/index.yaml", index.as_bytes());
    }

    /// Runs `tidegate` in the repository, with the script as helm.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
        command.env_clear().env("PATH", path).current_dir(self.root()).args(arguments).output().unwrap()
    }

    /// Returns what a user sees of a run.
    pub(crate) fn session(&self, arguments: &[&str]) -> String {
        let shown = super::super::shown(&self.run(arguments));
        self.redacted(&format!("$ tidegate {}\n{shown}", arguments.join(" ")))
    }

    /// Returns a text with placeholders for what differs from run to run.
    pub(crate) fn redacted(&self, text: &str) -> String {
        let ports = Regex::new(r"127\.0\.0\.1/\d{4,5}").unwrap();
        let hashes = Regex::new(r"\b(sha256:)?[0-9a-f]{40,64}\b").unwrap();
        let text = hashes.replace_all(text, "${1}[FULL]").into_owned();
        let text = ports.replace_all(&text, "127.0.0.1/PORT").into_owned();
        let suffix = Regex::new(r"@[0-9a-f]{8}\b").unwrap();
        redacted(&suffix.replace_all(&text, "@[KEY]"))
    }

    /// Returns the paths of all files below `vendor/`.
    pub(crate) fn vendored(&self) -> Vec<String> {
        let mut found = Vec::new();
        list(&self.root().join("vendor"), &mut found);
        let root = self.root();
        let mut names: Vec<String> =
            found.iter().map(|path| path.strip_prefix(&root).unwrap().display().to_string()).collect();
        names.sort();
        names
    }

    /// Returns the vendored file whose path ends like this.
    pub(crate) fn vendored_file(&self, end: &str) -> String {
        self.vendored().into_iter().find(|path| path.ends_with(end)).unwrap()
    }
}

fn git_in(directory: &Path, arguments: &[&str]) {
    git(directory, arguments);
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn list(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() { list(&path, found) } else { found.push(path) }
    }
}
