//! Pull requests: opened, pushed, closed, merged, and found by their commits.

use tidegate_fake_forge::{Method, Verdict};
use tidegate_forge::Answer;
use tidegate_model::forge::ForgeKind;

use super::place::{Place, differs, login, same_facts};

/// Notes the pull requests that the forge links to a commit.
async fn note_links(place: &mut Place, commit: &tidegate_model::revision::CommitId) {
    let found = place.client.pulls_of(commit).await.unwrap();
    let numbers: Vec<u64> = found.iter().map(|pull| pull.number).collect();
    place.note(format!("{} leads to {numbers:?}", place.named(commit)));
}

/// Notes who made the commits of a pull request.
async fn note_authors(place: &mut Place, number: u64) {
    let pull = place.client.pull(number).await.unwrap();
    let found = place.client.commits(&pull).await.unwrap();
    assert!(found.is_complete);
    let mut authors = Vec::new();
    for author in found.commits.into_iter().flat_map(|commit| commit.authors) {
        if !authors.contains(&author) {
            authors.push(author);
        }
    }
    for author in authors {
        place.note(format!("made by {}, account of {}", author.email, login(author.account.as_ref())));
    }
}

/// Ada opens a pull request, pushes to it, and Bob merges it.
async fn merged(place: &mut Place, method: Method) {
    place.later().await;
    let number = place.open("up", "the upgrade");
    let Answer::New(open) = place.client.open_pulls("main").await.unwrap() else { panic!("the first list is new") };
    for pull in &open {
        place.note(place.pull(pull));
    }
    assert_eq!(open, [place.client.pull(number).await.unwrap()]);
    place.later().await;
    let head = place.commit("up", "a correction");
    place.note_pull(number).await;
    note_authors(place, number).await;
    place.later().await;
    let tip = place.forge.merge("bob", number, method).unwrap().parse().unwrap();
    place.call(&tip, "the merge");
    place.note_pull(number).await;
    assert!(matches!(place.client.open_pulls("main").await, Ok(Answer::New(open)) if open.is_empty()));
    note_links(place, &tip).await;
    note_links(place, &head).await;
    assert_eq!(place.client.find_pull("up", "main").await.unwrap(), None, "it is not an own one");
}

const MERGED: [&str; 6] = [
    "change 1: \"Add the upgrade\" by ada, the upgrade of up into main, open, updated in minute 1",
    "change 1: \"Add the upgrade\" by ada, a correction of up into main, open, updated in minute 2",
    "made by ada@example.com, account of ada",
    "change 1: \"Add the upgrade\" by ada, a correction of up into main, merged by bob in minute 3, updated in minute 3",
    "the merge leads to [1]",
    "a correction leads to [1]",
];

#[tokio::test(start_paused = true)]
async fn a_pull_request_is_opened_pushed_and_merged() {
    let differences = [
        differs(ForgeKind::GitLab, 2, "made by ada@example.com, account of no one"),
        differs(ForgeKind::Gitea, 5, "a correction leads to []"),
    ];
    for method in [Method::Merge, Method::Squash, Method::Rebase] {
        same_facts(async |place| merged(place, method).await, &MERGED, &differences).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_pull_request_is_closed_reopened_and_loses_its_branch() {
    let facts = [
        "change 1: \"Add notes\" by ada, notes of notes into main, closed, updated in minute 1",
        "bob Approved notes in minute 1",
        "change 1: \"Add notes\" by ada, notes of notes into main, open, updated in minute 2",
        "bob Approved notes in minute 1",
        "change 1: \"Add notes\" by ada, notes of notes into main, closed, updated in minute 3",
    ];
    let open = "change 1: \"Add notes\" by ada, notes of notes into main, open, updated in minute 2";
    same_facts(
        async |place| {
            let number = place.open("notes", "notes");
            place.later().await;
            place.forge.review("bob", number, Verdict::Approve).unwrap();
            place.forge.close("cy", number).unwrap();
            place.note_pull(number).await;
            place.note_opinions(number).await;
            place.later().await;
            place.forge.reopen("cy", number).unwrap();
            place.note_pull(number).await;
            place.note_opinions(number).await;
            place.later().await;
            place.forge.remove_branch("notes").unwrap();
            place.note_pull(number).await;
        },
        &facts,
        &[differs(ForgeKind::GitLab, 4, open)],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pull_request_of_a_fork_stays_one_after_the_fork_is_removed() {
    let facts = [
        "draft 1: \"Add notes\" by ada, notes of notes into main, open, updated in minute 1",
        "change of a fork 2: \"Theirs\" by ada, notes of notes into main, open, updated in minute 2",
        "change of a fork 2: \"Theirs\" by ada, notes of notes into main, open, updated in minute 2",
    ];
    same_facts(
        async |place| {
            let own = place.open("notes", "notes");
            place.later().await;
            place.forge.set_draft(own, true).unwrap();
            place.note_pull(own).await;
            place.later().await;
            place.forge.add_fork("ada").unwrap();
            let theirs = place.forge.open_pull("ada", "ada:notes", "main", "Theirs").unwrap();
            place.note_pull(theirs).await;
            place.forge.remove_fork("ada");
            place.note_pull(theirs).await;
        },
        &facts,
        &[],
    )
    .await;
}
