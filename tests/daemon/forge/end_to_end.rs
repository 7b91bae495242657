//! A change from the pull request to the last cluster, with Git over HTTP.

use serde_json::json;
use tidegate_consent::Standing;
use tidegate_fake_forge::{Method, Verdict};
use tidegate_model::forge::{ForgeKind, Says};

use super::stage::Stage;
use super::trial::Trial;

#[tokio::test(start_paused = true)]
async fn a_change_goes_from_a_pull_request_on_gitea_to_all_clusters() {
    end_to_end(ForgeKind::Gitea, Method::Merge).await;
}

#[tokio::test(start_paused = true)]
async fn a_change_goes_from_a_pull_request_on_github_to_all_clusters() {
    end_to_end(ForgeKind::GitHub, Method::Squash).await;
}

#[tokio::test(start_paused = true)]
async fn a_change_goes_from_a_merge_request_on_gitlab_to_all_clusters() {
    end_to_end(ForgeKind::GitLab, Method::Rebase).await;
}

/// Starts a daemon that reports to the forge, and has its repository over HTTP.
async fn over_http(kind: ForgeKind, rules: &serde_json::Value) -> Trial {
    let stage = Stage::new(kind).await;
    let config = stage.over_http(stage.config());
    Trial::with(stage, config, rules).await
}

/// Pull request, plan, review, merge, canaries, request for the others, review, completion. The journal names reviewer, review and digest.
async fn end_to_end(kind: ForgeKind, method: Method) {
    let rules = json!([
        { "name": "review", "count": 1, "of": ["forge:bob"] },
        { "name": "promotion", "count": 1, "of": ["forge:bob"], "before": ["1"], "after": "Reached" },
    ]);
    let mut trial = over_http(kind, &rules).await;
    let (pull, head) = trial.stage.open("upgrade");

    let title = format!("Tidegate plan for `{} 1 at {}` onto `main`", kind.pull_request(), head.short());
    let plan = trial.until_comment(pull, &title).await;
    assert!(plan.contains("hello-template"), "{plan}");
    trial.until_status(head.as_str(), "tidegate/plan", "1 add-on, 20 clusters").await;
    trial.until_status(head.as_str(), "tidegate/approvals", "0 of 1 for hello-template").await;

    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.until_status(head.as_str(), "tidegate/approvals", "approved; 1 approval during the rollout").await;
    trial.stage.forge.merge("bob", pull, method).unwrap();

    let request = trial.until_request().await;
    let snapshot =
        trial.until("the canaries are done", |s| s.report.addons["hello-template"].counts().succeeded == 10).await;
    let digest = snapshot.report.addons["hello-template"].digest.clone().unwrap();
    assert!(request.title.contains(digest.short()), "{}", request.title);
    assert!(request.body.contains("Approve this request, or merge it"), "{}", request.body);
    trial.until_status(&request.head, "tidegate/plan", "nothing changes").await;
    trial.until_status(&request.head, "tidegate/approvals", "a request of Tidegate changes nothing").await;
    let merged = trial.stage.tip("main");
    trial.until_status(merged.as_str(), "tidegate/hello-template", "waits for").await;

    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.until_settled().await;
    trial.looking(trial.stage.world.until_sealed_of("hello-template", 2)).await;
    trial.until_status(merged.as_str(), "tidegate/hello-template", "completed; 20 of 20 clusters").await;
    trial.until_comment(pull, "Tidegate rollout").await;
    trial.until_closed(&request).await;

    let facts = trial.until_record(pull, |record| record.state == Standing::Merged).await;
    let opinions: Vec<_> = facts.opinions.iter().map(|seen| &seen.opinion).collect();
    let [opinion] = opinions[..] else { panic!("{opinions:?}") };
    assert_eq!((opinion.by.as_ref().unwrap().login.as_str(), opinion.says), ("bob", Says::Approved));
    assert_eq!((opinion.commit.as_ref(), opinion.is_dismissed), (Some(&head), false));
    assert_eq!((&facts.head, facts.author.unwrap().login.as_str()), (&head, "ada"));
    assert_eq!(facts.trees[&head].digests["hello-template"], digest);

    let stage = &trial.stage;
    let (record, status) =
        (stage.journaled(&format!("pulls/{pull}.yaml")), stage.journaled("addons/hello-template/status.yaml"));
    for (text, file) in
        [("login: bob", &record), ("says: approved", &record), (digest.as_str(), &record), ("account:", &status)]
    {
        assert!(file.contains(text), "{text}: {file}");
    }
    assert_eq!(stage.forge.comments(pull).len(), 1);
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_comment_on_the_merged_pull_request_lets_the_next_group_start() {
    comment_on_a_merged_pull_request(Stage::new(ForgeKind::Gitea).await).await;
}

#[tokio::test(start_paused = true)]
async fn real_forge_d2_a_comment_on_the_merged_pull_request_counts_on_an_old_gitea() {
    comment_on_a_merged_pull_request(
        Stage::with(ForgeKind::Gitea, |options| options.behavior.has_commit_pull = false).await,
    )
    .await;
}

async fn comment_on_a_merged_pull_request(stage: Stage) {
    let rules = json!([
        { "name": "promotion", "count": 1, "of": ["forge:bob"], "before": ["1"], "after": "Reached" },
    ]);
    let config = stage.config();
    let mut trial = Trial::with(stage, config, &rules).await;
    let (pull, _) = trial.stage.open("upgrade");
    trial.until_comment(pull, "hello-template").await;
    trial.stage.forge.merge("cy", pull, Method::Merge).unwrap();
    let request = trial.until_request().await;
    let snapshot = trial.until("a digest", |s| s.report.addons["hello-template"].counts().succeeded == 10).await;
    let digest = snapshot.report.addons["hello-template"].digest.clone().unwrap();
    let forge = trial.stage.forge.clone();
    let approve = |login: &str, digest: &str| {
        forge.comment(login, pull, &format!("/tidegate approve hello-template 1 {digest}")).unwrap();
    };
    approve("cy", digest.as_str());
    approve("bob", "0123456789ab");
    trial.until_journaled(&format!("pulls/{pull}.yaml"), "digest: 0123456789ab").await;
    assert_eq!(trial.daemon.until("a tick", |_| true).await.report.addons["hello-template"].counts().succeeded, 10);
    // Someone can prepare a change with the same first digits.
    approve("bob", digest.short());
    trial.until_journaled(&format!("pulls/{pull}.yaml"), &format!("digest: {}\n", digest.short())).await;
    assert_eq!(trial.daemon.until("a tick", |_| true).await.report.addons["hello-template"].counts().succeeded, 10);
    approve("bob", digest.as_str());
    trial.until_settled().await;
    trial.until_closed(&request).await;
    trial.ends().await;
}

/// Mallory may push, and adds a change to the branch of a request, whose statuses let people merge it.
#[tokio::test(start_paused = true)]
async fn real_forge_d7_a_change_that_is_added_to_a_request_does_not_pass_the_required_status() {
    let rules = json!([{ "name": "promotion", "count": 1, "of": ["forge:bob"], "before": ["1"], "after": "Reached" }]);
    let trial = over_http(ForgeKind::Gitea, &rules).await;
    trial.stage.upgrade("main");
    let request = trial.until_request().await;
    trial.until_status(&request.head, "tidegate/approvals", "a request of Tidegate changes nothing").await;
    let evil = [("fleet/evil.yaml".to_owned(), Some(b"# evil\n".to_vec()))].into();
    let added = trial.stage.world.commit_to(&request.head_branch, "evil", evil);
    trial.until_status(added.as_str(), "tidegate/approvals", "was added to the request").await;
    trial.ends().await;
}
