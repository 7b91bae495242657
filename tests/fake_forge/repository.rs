//! The repository, which clients of other programs change as well: what was answered before is not repeated after a ref moved.

use serde_json::json;
use tidegate_model::forge::ForgeKind;

use super::commits::NewCommit;
use super::support::Stage;
use crate::git_command::git;

/// Returns the refs of the project as a client that fetches gets them, and as git reads them from the directory.
async fn listed(stage: &Stage) -> (String, String) {
    let remote = stage.git_in(&stage.repository(), &["ls-remote", &stage.forge.git_url(), "refs/*"]).await;
    let format = "--format=%(objectname)\t%(refname)";
    (remote, git(&stage.repository(), &["for-each-ref", format]))
}

#[tokio::test]
async fn refs_that_another_program_moves_packs_or_removes_are_seen_at_once() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let (number, head) = stage.pull("up").await;
    let (new, old) = (head.as_str(), stage.first.as_str());
    for step in [
        vec!["pack-refs", "--all"],
        vec!["update-ref", "refs/heads/release/1.0", old],
        vec!["update-ref", "refs/heads/release/1.0", new],
        vec!["update-ref", "refs/heads/up", old],
        vec!["update-ref", "refs/heads/up", new],
        vec!["update-ref", "-d", "refs/heads/release/1.0"],
        vec!["update-ref", "refs/heads/release", old],
        vec!["tag", "-m", "one", "v1", new],
        vec!["pack-refs", "--all"],
        vec!["update-ref", "-d", "refs/heads/release"],
    ] {
        git(&stage.repository(), &step);
        let (remote, local) = listed(&stage).await;
        // git lists the commit of a tag as well.
        let remote: Vec<&str> = remote.lines().filter(|line| !line.ends_with("^{}")).collect();
        assert_eq!(remote, local.lines().collect::<Vec<_>>(), "{step:?}");
        let branch = git(&stage.repository(), &["rev-parse", "refs/heads/up"]);
        let pull = stage.get("bob", &format!("/repos/platform/fleet/pulls/{number}")).await.body;
        assert_eq!(pull["head"]["sha"], json!(branch), "{step:?}");
    }
    assert!(stage.repository().join("packed-refs").exists());
}

#[tokio::test]
async fn a_commit_that_is_unknown_is_found_after_its_push() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let (clone, commit) = stage.cloned("later").await;
    let path = format!("/repos/platform/fleet/statuses/{commit}");
    let status = json!({ "state": "success", "context": "test" });
    assert_eq!(stage.post("tidegate", &path, status.clone()).await.status, 422);
    let url = stage.with_token(&stage.forge.git_url(), "ada");
    stage.git_in(&clone, &["push", "--quiet", &url, "later"]).await;
    assert_eq!(stage.post("tidegate", &path, status).await.status, 201);
}

#[tokio::test]
async fn a_repository_of_a_name_that_does_not_exist_is_not_found() {
    let stage = Stage::new(ForgeKind::GitLab).await;
    for (path, status) in [("platform/fleet", 200), ("platform/other", 404), ("ada/fleet", 404)] {
        let origin = stage.forge.web_url().replace("/platform/fleet", "");
        let url = format!("{origin}/{path}.git/info/refs?service=git-upload-pack");
        assert_eq!(stage.get("ada", &url).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn refs_that_the_forge_moves_are_seen_by_git_also_if_they_are_packed_or_in_the_way() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let (_, head) = stage.pull("up").await;
    let repository = stage.repository();
    let listed = || git(&repository, &["for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads"]);
    let (forge, first) = (&stage.forge, stage.first.as_str());
    forge.set_branch("release/1.0", &head).unwrap();
    assert_eq!(listed(), format!("main {first}\nrelease/1.0 {head}\nup {head}"));
    // A ref cannot be in the folder of another one.
    forge.set_branch("release", &head).unwrap_err();
    forge.set_branch("up/1.0", &head).unwrap_err();
    git(&repository, &["pack-refs", "--all"]);
    forge.set_branch("release", &head).unwrap_err();
    forge.set_branch("release/1.0", first).unwrap();
    forge.remove_branch("up").unwrap();
    forge.set_branch("up/1.0", first).unwrap();
    assert_eq!(listed(), format!("main {first}\nrelease/1.0 {first}\nup/1.0 {first}"));
    forge.remove_branch("release/1.0").unwrap();
    forge.set_branch("release", &head).unwrap();
    assert_eq!(listed(), format!("main {first}\nrelease {head}\nup/1.0 {first}"));
    forge.remove_branch("release").unwrap();
    // Another program is moving the branch.
    let lock = repository.join("refs/heads/main.lock");
    std::fs::write(&lock, "").unwrap();
    forge.set_branch("main", &head).unwrap_err();
    assert!(lock.exists());
    std::fs::remove_file(lock).unwrap();
    forge.set_branch("main", &head).unwrap();
    assert_eq!(listed(), format!("main {head}\nup/1.0 {first}"));
    assert!(forge.set_branch("main", &"1".repeat(40)).is_err());
}

#[tokio::test]
async fn the_commits_and_files_of_a_pull_request_are_those_that_git_lists() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let repository = stage.repository();
    let mut at = stage.now().as_second();
    let mut commit = |branch: &str, parents: &[&str], files: &[(&str, Option<&str>)]| {
        at += 1;
        NewCommit { branch, parents, files, message: "a change\n\nwith two paragraphs\n", at }.write(&repository)
    };
    let first = stage.first.as_str();
    let base = commit("main", &[first], &[("a/b.yaml", Some("1")), ("a/c.yaml", Some("1")), ("d.yaml", Some("1"))]);
    let left = commit("up", &[&base], &[("a/b.yaml", Some("2")), ("d.yaml", None), ("d.yaml/e.yaml", Some("1"))]);
    let right = commit("right", &[&base], &[("a/c.yaml", None), ("f/g.yaml", Some("1"))]);
    // Two branches that were merged into each other have two merge bases.
    let main = commit("main", &[&base, &right], &[("a/c.yaml", None), ("f/g.yaml", Some("1"))]);
    let both = commit("up", &[&left, &right], &[("a/c.yaml", None), ("f/g.yaml", Some("1"))]);
    let next = commit("main", &[&main, &left], &[("f/g.yaml", Some("2"))]);
    let head = commit("up", &[&both], &[("h.yaml", Some("1"))]);
    let number = stage.forge.open_pull("ada", "up", "main", "Two ways").unwrap();

    let base = git(&repository, &["merge-base", &next, &head]);
    let range = format!("{base}..{head}");
    let path = format!("/repos/platform/fleet/pulls/{number}");
    let commits = stage.get("bob", &format!("{path}/commits")).await;
    let mut listed: Vec<&str> = commits.each("sha").into_iter().map(|sha| sha.as_str().unwrap()).collect();
    assert_eq!(listed.last(), Some(&&*head), "parents come first");
    listed.sort_unstable();
    let expected = git(&repository, &["rev-list", &range]);
    let mut expected: Vec<&str> = expected.lines().collect();
    expected.sort_unstable();
    assert_eq!(listed, expected);
    assert_eq!(commits.body[0]["commit"]["author"]["email"], "ada@example.com");

    let files = stage.get("bob", &format!("{path}/files")).await;
    let letter = |status: &str| match status {
        "added" => "A",
        "removed" => "D",
        _ => "M",
    };
    let all = files.body.as_array().unwrap().iter();
    let shown =
        all.map(|file| format!("{}\t{}", letter(file["status"].as_str().unwrap()), file["filename"].as_str().unwrap()));
    let expected = git(&repository, &["diff", "--no-renames", "--name-status", &format!("{next}...{head}")]);
    assert_eq!(shown.collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>());
    assert!(!expected.is_empty());
}
