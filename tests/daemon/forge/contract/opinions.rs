//! What people say about a pull request.

use tidegate_fake_forge::{Method, Role, Verdict};
use tidegate_forge::Comment;
use tidegate_model::forge::ForgeKind;

use super::place::{Place, differs, login, same_facts};

#[tokio::test(start_paused = true)]
async fn an_approval_is_of_the_commit_that_was_reviewed_also_after_a_push_and_after_the_merge() {
    let facts = [
        "bob Approved the upgrade in minute 2",
        "bob Approved the upgrade in minute 2",
        "bob Approved the upgrade in minute 2",
        "cy Approved a correction in minute 4",
        "bob Approved the upgrade in minute 2",
        "cy Approved a correction in minute 4",
        "dan Approved a correction in minute 6",
    ];
    same_facts(
        async |place| {
            place.later().await;
            let number = place.open("up", "the upgrade");
            place.later().await;
            place.forge.review("bob", number, Verdict::Approve).unwrap();
            place.note_opinions(number).await;
            place.later().await;
            place.commit("up", "a correction");
            place.note_opinions(number).await;
            place.later().await;
            place.forge.review("cy", number, Verdict::Approve).unwrap();
            place.note_opinions(number).await;
            place.later().await;
            place.forge.merge("ada", number, Method::Squash).unwrap();
            place.later().await;
            place.forge.add_account("dan", Role::Write);
            place.forge.review("dan", number, Verdict::Approve).unwrap();
            place.note_opinions(number).await;
        },
        &facts,
        &[],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_approval_stays_one_of_its_commit_when_the_branch_is_replaced_and_put_back() {
    let facts = [
        "bob Approved the upgrade in minute 2",
        "bob Approved the upgrade in minute 2",
        "change 1: \"Add the upgrade\" by ada, the upgrade of up into main, open, updated in minute 4",
    ];
    same_facts(
        async |place| {
            place.later().await;
            let number = place.open("up", "the upgrade");
            let head = place.client.pull(number).await.unwrap().head;
            place.later().await;
            place.forge.review("bob", number, Verdict::Approve).unwrap();
            place.later().await;
            let other = place.commit("other", "something else");
            place.forge.set_branch("up", other.as_str()).unwrap();
            place.note_opinions(number).await;
            place.later().await;
            place.forge.set_branch("up", head.as_str()).unwrap();
            place.note_opinions(number).await;
            place.note_pull(number).await;
        },
        &facts,
        &[],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_approval_that_was_dismissed_or_withdrawn_is_not_one() {
    let facts = [
        "bob Approved the upgrade in minute 1",
        "bob Approved the upgrade in minute 1, dismissed",
        "bob Approved the upgrade in minute 1, dismissed",
        "bob Approved the upgrade in minute 3",
    ];
    same_facts(
        async |place| {
            let number = place.open("up", "the upgrade");
            place.later().await;
            let review = place.forge.review("bob", number, Verdict::Approve).unwrap();
            place.note_opinions(number).await;
            place.later().await;
            // GitLab has only the latter.
            match place.kind {
                ForgeKind::GitLab => place.forge.unapprove("bob", number).unwrap(),
                ForgeKind::GitHub | ForgeKind::Gitea => place.forge.dismiss("cy", number, review).unwrap(),
            }
            place.note_opinions(number).await;
            place.later().await;
            place.forge.review("bob", number, Verdict::Approve).unwrap();
            place.note_opinions(number).await;
        },
        &facts,
        &[differs(ForgeKind::GitLab, 1, "no opinions"), differs(ForgeKind::GitLab, 2, "")],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn refusals_are_opinions_and_comments_are_none() {
    let facts = [
        "bob Approved the upgrade in minute 1",
        "bob Refused the upgrade in minute 2",
        "eve Refused the upgrade in minute 4",
        "cy Approved the upgrade in minute 5",
    ];
    same_facts(
        async |place| {
            let number = place.open("up", "the upgrade");
            for (login, verdict) in [
                ("bob", Verdict::Approve),
                ("bob", Verdict::RequestChanges),
                ("bob", Verdict::Comment),
                ("eve", Verdict::RequestChanges),
                ("cy", Verdict::Approve),
            ] {
                place.later().await;
                place.forge.review(login, number, verdict).unwrap();
            }
            place.note_opinions(number).await;
        },
        &facts,
        // GitLab has only approvals.
        &[differs(ForgeKind::GitLab, 1, ""), differs(ForgeKind::GitLab, 2, "")],
    )
    .await;
}

/// Returns a comment as a fact.
fn comment(place: &Place, comment: &Comment) -> String {
    let (by, created, updated) = (login(comment.by.as_ref()), place.when(comment.created), place.when(comment.updated));
    format!("{by} wrote {:?} in {created}, changed in {updated}", comment.body)
}

#[tokio::test(start_paused = true)]
async fn comments_are_listed_with_who_wrote_them_and_when() {
    let facts = [
        "eve wrote \"looks good\" in minute 1, changed in minute 1",
        "tidegate wrote \"<!-- plan -->\\ntwo\" in minute 2, changed in minute 3",
        "bob wrote \"/tidegate approve istio 1 0123\" in minute 4, changed in minute 4",
    ];
    same_facts(
        async |place| {
            let number = place.open("up", "the upgrade");
            let pull = place.client.pull(number).await.unwrap();
            place.later().await;
            place.forge.comment("eve", number, "looks good").unwrap();
            for text in ["<!-- plan -->\none", "<!-- plan -->\ntwo", "<!-- plan -->\ntwo"] {
                place.later().await;
                place.client.comment(&pull, "<!-- plan -->", None, text).await.unwrap();
            }
            place.forge.comment("bob", number, "/tidegate approve istio 1 0123").unwrap();
            let comments = place.client.comments(&pull).await.unwrap();
            for one in &comments {
                place.note(comment(place, one));
                assert!(one.url.starts_with(&place.forge.web_url()), "{}", one.url);
            }
        },
        &facts,
        &[],
    )
    .await;
}
