//! Tests of bases in other Git repositories, served over HTTP by `git http-backend`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;
use tidegate_download::{Error, GitRequest, GitTree};
use tidegate_model::revision::CommitId;

use super::git_command::git_command;
use super::http_backend::{Answer, HttpBackend};
use super::server::{downloads, downloads_with, shown};

use crate::scratch::tempdir;

/// A repository with a work tree, and a server for it.
struct Remote {
    directory: TempDir,
    server: HttpBackend,
}

impl Remote {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::with(Answer::Open, |work| {
            for (path, content) in files {
                write(work, path, content);
            }
        })
    }

    fn with(answer: Answer, fill: impl FnOnce(&Path)) -> Self {
        let directory = tempdir();
        let work = directory.path().join("config");
        fs::create_dir(&work).unwrap();
        let remote = Self { server: HttpBackend::serve(directory.path(), answer), directory };
        remote.git(&["init", "--quiet", "--initial-branch=trunk"]);
        fill(&work);
        remote.commit();
        remote
    }

    fn work(&self) -> std::path::PathBuf {
        self.directory.path().join("config")
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = git_command(&self.work()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Commits everything in the work tree.
    fn commit(&self) -> CommitId {
        self.git(&["add", "--all"]);
        self.git(&["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "--quiet", "--message=x"]);
        self.git(&["rev-parse", "HEAD"]).parse().unwrap()
    }

    fn request(&self, path: &str, reference: Option<&str>) -> GitRequest {
        let repository = self.server.url("config");
        GitRequest { repository, reference: reference.map(str::to_owned), pinned: None, path: path.to_owned() }
    }

    fn tree(&self, path: &str, reference: Option<&str>) -> Result<GitTree, Error> {
        downloads().tree(&self.request(path, reference))
    }
}

fn write(work: &Path, path: &str, content: &str) {
    let path = work.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn paths(tree: &GitTree) -> Vec<&str> {
    tree.tree.files.keys().map(String::as_str).collect()
}

const BASE: &[(&str, &str)] = &[("base/kustomization.yaml", "resources: [web.yaml]\n"), ("base/web.yaml", "kind: x\n")];

#[test]
fn references_are_tags_branches_commits_and_the_default_branch() {
    let remote = Remote::new(BASE);
    let first = remote.git(&["rev-parse", "HEAD"]).parse::<CommitId>().unwrap();
    remote.git(&["tag", "v1"]);
    remote.git(&["-c", "user.name=A", "-c", "user.email=a@b", "tag", "--annotate", "--message=x", "annotated"]);
    write(&remote.work(), "base/web.yaml", "kind: y\n");
    let second = remote.commit();
    // The name of a tag and of a branch: kustomize uses the tag.
    remote.git(&["branch", "v1"]);
    remote.git(&["branch", "release/2"]);
    for (reference, commit) in [
        (None, &second),
        (Some("HEAD"), &second),
        (Some("trunk"), &second),
        (Some("release/2"), &second),
        (Some("refs/heads/v1"), &second),
        (Some("v1"), &first),
        (Some("refs/tags/v1"), &first),
        (Some("annotated"), &first),
        (Some(second.as_str()), &second),
    ] {
        let found = remote.tree("base", reference).unwrap();
        assert_eq!(found.commit, *commit, "{reference:?}");
        assert_eq!(paths(&found), ["base/kustomization.yaml", "base/web.yaml"]);
    }
}

#[test]
fn a_pinned_commit_is_fetched_although_the_reference_has_moved() {
    let remote = Remote::new(BASE);
    let first: CommitId = remote.git(&["rev-parse", "HEAD"]).parse().unwrap();
    write(&remote.work(), "base/web.yaml", "kind: y\n");
    remote.git(&["tag", "v1", first.as_str()]);
    let second = remote.commit();
    let pinned = GitRequest { pinned: Some(first.clone()), ..remote.request("base", Some("v1")) };
    assert_eq!(downloads().tree(&pinned).unwrap().tag, Some(first.clone()));
    remote.git(&["tag", "--force", "v1", second.as_str()]);
    let moved = downloads().tree(&pinned).unwrap();
    assert_eq!((moved.commit, moved.tag), (first.clone(), Some(second)), "the tag was moved");
    let pinned = GitRequest { pinned: Some(first.clone()), ..remote.request("base", Some("trunk")) };
    let found = downloads().tree(&pinned).unwrap();
    assert_eq!(found.tag, None, "a branch is expected to move");
    assert_eq!((found.commit, found.tree.files["base/web.yaml"].as_slice()), (first, &b"kind: x\n"[..]));
    let gone = GitRequest { pinned: Some("1".repeat(40).parse().unwrap()), ..remote.request("base", Some("trunk")) };
    let error = shown(downloads().tree(&gone));
    assert!(
        error.contains("the locked commit 111111111111 is not there any more") || error.contains("[HASH]"),
        "{error}"
    );
}

#[test]
fn only_what_the_base_names_is_kept() {
    let remote = Remote::with(Answer::Open, |work| {
        for (path, content) in [
            ("README.md", "x"),
            (
                "overlays/prod/kustomization.yaml",
                "resources: [../../base, web.yaml]\ncomponents: [../../parts/tls]\nhelmCharts: [{name: podinfo, valuesFile: ../../values/prod.yaml}]\nconfigMapGenerator: [{name: a, files: [app.ini, key=files/b.ini]}]\ngenerators: [generator.yaml]\npatches:\n- path: patch.yaml\n- patch: |-\n    kind: x\n    name: unused.yaml\n",
            ),
            ("overlays/prod/web.yaml", "kind: x\nname: unused.yaml\n"),
            ("overlays/prod/unused.yaml", "x"),
            ("overlays/prod/app.ini", "x"),
            ("overlays/prod/files/b.ini", "x"),
            ("overlays/prod/files/c.ini", "x"),
            ("overlays/prod/patch.yaml", "x"),
            (
                "overlays/prod/generator.yaml",
                "apiVersion: builtin\nkind: HelmChartInflationGenerator\nvaluesFile: more.yaml\n",
            ),
            ("overlays/prod/more.yaml", "x"),
            ("overlays/prod/charts/podinfo/Chart.yaml", "x"),
            ("overlays/prod/charts/podinfo/templates/a.yaml", "x"),
            ("overlays/prod/charts/other/Chart.yaml", "x"),
            ("overlays/test/kustomization.yaml", "resources: [../prod]"),
            ("values/prod.yaml", "x"),
            ("base/Kustomization", "resources: [linked]"),
            ("parts/tls/kustomization.yml", "kind: Component"),
            ("real/kustomization.yaml", "resources: [../overlays/prod]"),
        ] {
            write(work, path, content);
        }
        symlink("../real", work.join("base/linked")).unwrap();
    });
    let found = remote.tree("overlays/prod", None).unwrap();
    insta::assert_snapshot!(paths(&found).join("\n"));
    assert_eq!(found.tree.links.iter().collect::<Vec<_>>(), [(&"base/linked".to_owned(), &"../real".to_owned())]);
}

#[test]
fn what_cannot_be_used_is_reported() {
    let remote = Remote::with(Answer::Open, |work| {
        for (path, content) in BASE {
            write(work, path, content);
        }
        write(work, "plain/web.yaml", "kind: x");
        write(work, "evil/kustomization.yaml", "resources: [secret.yaml]");
        symlink("/etc/passwd", work.join("evil/secret.yaml")).unwrap();
        write(work, "worse/kustomization.yaml", "resources: [up/x.yaml]");
        symlink("../../..", work.join("worse/up")).unwrap();
        write(work, "round/kustomization.yaml", "resources: [round]");
        symlink("round", work.join("round/round")).unwrap();
        symlink("/etc", work.join("outside")).unwrap();
        write(work, "large/kustomization.yaml", "resources: [model.yaml]");
        write(work, "large/model.yaml", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    });
    let mut reported: Vec<String> = ["absent", "plain", "", "evil", "worse", "round", "outside", "../x", "large"]
        .iter()
        .map(|path| shown(remote.tree(path, None)))
        .collect();
    let short = remote.git(&["rev-parse", "--short=9", "HEAD"]);
    for reference in ["v9", "a..b", "-x", short.as_str()] {
        reported.push(shown(remote.tree("base", Some(reference))).replace(&short, "[SHORT]"));
    }
    let absent = GitRequest { repository: remote.server.url("absent"), ..remote.request("base", None) };
    reported.push(shown(downloads().tree(&absent)));
    insta::assert_snapshot!(reported.join("\n"));
    remote.server.answer(Answer::Always("503 Service Unavailable".to_owned()));
    assert!(remote.tree("base", None).unwrap_err().is_transient());
}

#[test]
fn credentials_of_the_host_are_sent_and_not_printed() {
    // `ann:hunter2`, encoded as in RFC 7617.
    let remote = Remote::with(Answer::Authorized("Basic YW5uOmh1bnRlcjI="), |work| {
        BASE.iter().for_each(|(path, content)| write(work, path, content));
    });
    let found = downloads_with("machine 127.0.0.1 login ann password hunter2").tree(&remote.request("base", None));
    assert_eq!(paths(&found.unwrap()).len(), 2);
    let wrong = downloads_with("machine 127.0.0.1 login ann password hunter3").tree(&remote.request("base", None));
    assert!(!shown(wrong).contains("hunter3"));
    let other = downloads_with("machine localhost login ann password hunter2").tree(&remote.request("base", None));
    assert!(shown(other).contains("add `machine 127.0.0.1 login USER password TOKEN` to a file"));
}
