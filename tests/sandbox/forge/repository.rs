//! The repository, which clients of other programs change as well: what was answered before is not repeated after a ref moved.

use std::path::PathBuf;

use serde_json::json;
use tidegate_model::forge::ForgeKind;

use super::support::Stage;
use crate::git_command::git;

/// Returns the refs of the project as a client that fetches gets them, and as git reads them from the directory.
async fn listed(stage: &Stage) -> (String, String) {
    let remote = stage.git(&["ls-remote", &stage.forge.git_url(), "refs/*"]).await;
    let format = "--format=%(objectname)\t%(refname)";
    (remote, git(&directory(stage), &["for-each-ref", format]))
}

fn directory(stage: &Stage) -> PathBuf {
    stage.clone.with_file_name("forge").join("platform/fleet.git")
}

#[tokio::test]
async fn refs_that_another_program_moves_packs_or_removes_are_seen_at_once() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let (number, head) = stage.pull("up").await;
    let main = stage.git(&["rev-parse", "main"]).await;
    let (new, old) = (head.as_str(), main.as_str());
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
        git(&directory(&stage), &step);
        let (remote, local) = listed(&stage).await;
        // git lists the commit of a tag as well.
        let remote: Vec<&str> = remote.lines().filter(|line| !line.ends_with("^{}")).collect();
        assert_eq!(remote, local.lines().collect::<Vec<_>>(), "{step:?}");
        let branch = git(&directory(&stage), &["rev-parse", "refs/heads/up"]);
        let pull = stage.get("bob", &format!("/repos/platform/fleet/pulls/{number}")).await.body;
        assert_eq!(pull["head"]["sha"], json!(branch), "{step:?}");
    }
    assert!(directory(&stage).join("packed-refs").exists());
}

#[tokio::test]
async fn a_commit_that_is_unknown_is_found_after_its_push() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    stage.git(&["checkout", "--quiet", "-B", "later", "main"]).await;
    let commit = stage.write("later.yaml", "version: 3\n").await;
    let path = format!("/repos/platform/fleet/statuses/{commit}");
    let status = json!({ "state": "success", "context": "test" });
    assert_eq!(stage.post("tidegate", &path, status.clone()).await.status, 422);
    stage.push("later", "ada").await;
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
