//! Who an account is: teams, roles, renamed and removed accounts.

use tidegate_fake_forge::{Fault, Role, Verdict};
use tidegate_model::forge::{ForgeKind, Membership};

use super::place::{Place, differs, same_facts};

/// Notes whether accounts are in the team of the leads.
async fn note_leads(place: &mut Place, logins: &[&str]) {
    for login in logins {
        let answer = place.client.membership(&place.account(login), "platform/leads").await.unwrap();
        let is = match answer {
            Membership::Yes => "is a lead",
            Membership::No => "is not a lead",
            Membership::Unknown(_) => "may be a lead",
        };
        place.note(format!("{login} {is}"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_member_of_a_team_is_one_until_leaving_it_and_an_unreadable_team_has_no_known_members() {
    let facts = [
        "bob may be a lead",
        "bob may be a lead",
        "bob is a lead",
        "eve is not a lead",
        "bob is not a lead",
        "cy is a lead",
    ];
    same_facts(
        async |place| {
            note_leads(place, &["bob"]).await;
            place.forge.add_team("leads", &["bob", "tidegate"]);
            let route = match place.kind {
                ForgeKind::GitHub => "/teams/leads/",
                ForgeKind::GitLab => "/members/all",
                ForgeKind::Gitea => "/teams/",
            };
            let forbidden = Fault::Status(403, Vec::new(), "{\"message\":\"Forbidden\"}".to_owned());
            place.forge.fail_next(route, forbidden);
            note_leads(place, &["bob", "bob", "eve"]).await;
            place.forge.set_team("leads", &["cy", "tidegate"]);
            note_leads(place, &["bob", "cy"]).await;
        },
        &facts,
        // GitHub's answer about a team that does not exist is that about someone who is not in it.
        &[differs(ForgeKind::GitHub, 0, "bob is not a lead")],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn roles_are_those_of_the_project() {
    let facts =
        ["ada: Some(Write)", "cy: Some(Maintain)", "tidegate: Some(Admin)", "eve: Some(Read)", "eve: Some(Write)"];
    same_facts(
        async |place| {
            for login in ["ada", "cy", "tidegate", "eve"] {
                let role = place.client.role(&place.account(login)).await.unwrap();
                place.note(format!("{login}: {role:?}"));
            }
            place.forge.set_role("eve", Role::Write).unwrap();
            let role = place.client.role(&place.account("eve")).await.unwrap();
            place.note(format!("eve: {role:?}"));
        },
        &facts,
        // Gitea has no maintainers.
        &[differs(ForgeKind::Gitea, 1, "cy: Some(Write)")],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_account_keeps_its_number_when_another_one_gets_its_login() {
    let facts = ["the new robert Approved the upgrade", "bobby, who was robert, Approved the upgrade"];
    same_facts(
        async |place| {
            let before = place.forge.add_account("robert", Role::Write);
            place.forge.rename_account("robert", "bobby").unwrap();
            let new = place.forge.add_account("robert", Role::Write);
            let number = place.open("up", "the upgrade");
            for login in ["robert", "bobby"] {
                place.later().await;
                place.forge.review(login, number, Verdict::Approve).unwrap();
            }
            let pull = place.client.pull(number).await.unwrap();
            for opinion in place.client.opinions(&pull).await.unwrap() {
                let by = opinion.by.unwrap();
                let who = match by.login.as_str() {
                    "robert" if by.id == new => "the new robert".to_owned(),
                    "bobby" if by.id == before => "bobby, who was robert,".to_owned(),
                    login => format!("{login} with the wrong number"),
                };
                let commit = place.named(&opinion.commit.unwrap());
                place.note(format!("{who} {:?} {commit}", opinion.says));
            }
        },
        &facts,
        &[],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_a_removed_account_said_is_of_no_one() {
    let facts = [
        "no one Approved the upgrade in minute 1",
        "cy Approved the upgrade in minute 2",
        "no one wrote \"hello\"",
        "change 1: \"Add the upgrade\" by no one, the upgrade of up into main, open, updated in minute 2",
    ];
    let ghost = "change 1: \"Add the upgrade\" by ghost, the upgrade of up into main, open, updated in minute 2";
    same_facts(
        async |place| {
            let number = place.open("up", "the upgrade");
            place.later().await;
            place.forge.review("bob", number, Verdict::Approve).unwrap();
            place.forge.comment("bob", number, "hello").unwrap();
            place.later().await;
            place.forge.review("cy", number, Verdict::Approve).unwrap();
            place.forge.remove_account("bob").unwrap();
            place.forge.remove_account("ada").unwrap();
            place.note_opinions(number).await;
            let pull = place.client.pull(number).await.unwrap();
            for comment in place.client.comments(&pull).await.unwrap() {
                place.note(format!("{} wrote {:?}", super::place::login(comment.by.as_ref()), comment.body));
            }
            place.note_pull(number).await;
        },
        &facts,
        // GitLab has an account for them.
        &[
            differs(ForgeKind::GitLab, 0, "ghost Approved the upgrade in minute 1"),
            differs(ForgeKind::GitLab, 2, "ghost wrote \"hello\""),
            differs(ForgeKind::GitLab, 3, ghost),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_account_of_a_program_is_a_bot_where_the_forge_shows_that() {
    let facts = ["renovate[bot] is a bot", "tidegate is a person"];
    same_facts(
        async |place| {
            place.forge.add_bot("renovate[bot]", Role::Write);
            let number = place.open("up", "the upgrade");
            place.later().await;
            place.forge.review("renovate[bot]", number, Verdict::Approve).unwrap();
            let pull = place.client.pull(number).await.unwrap();
            let opinions = place.client.opinions(&pull).await.unwrap();
            let accounts =
                opinions.into_iter().filter_map(|opinion| opinion.by).chain([place.client.me().await.unwrap()]);
            for account in accounts.collect::<Vec<_>>() {
                place.note(format!("{} is a {}", account.login, if account.is_bot { "bot" } else { "person" }));
            }
        },
        &facts,
        &[differs(ForgeKind::Gitea, 0, "renovate[bot] is a person")],
    )
    .await;
}
