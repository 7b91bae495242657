//! The upgrade of the example repository, as reviewers see it.

use tidegate_model::time::SignedDuration;
use tidegate_review::presentation::{Options, html, markdown};
use tidegate_review::proposal::document::Plan;

use super::{html_check, markdown_check};
use crate::proposal::scene::{Scene, clouds};

fn upgrade() -> Scene {
    let addon = "fleet/addons/hello-template/addon.yaml";
    Scene::example(clouds(300, 10)).edit(addon, "hello-template-0.4.0", "hello-template-0.4.1")
}

fn comment(plan: &Plan) -> String {
    let repository = Some("platform/fleet".to_owned());
    let page = markdown(plan, &Options { repository, pull_request: Some(42), ..Options::default() });
    markdown_check::check(&page);
    page
}

#[test]
fn an_upgrade_of_300_clusters_as_markdown() {
    let mut scene = upgrade();
    scene.latencies.insert("hello-template".parse().unwrap(), SignedDuration::from_mins(4));
    insta::assert_snapshot!(comment(&scene.plan()));
}

#[test]
fn an_upgrade_of_300_clusters_as_html() {
    let mut scene = upgrade();
    scene.latencies.insert("hello-template".parse().unwrap(), SignedDuration::from_mins(4));
    let page = html(&scene.plan());
    html_check::check(&page);
    let body = page.split_once("<body>").map(|(_, body)| body.to_owned()).unwrap();
    insta::assert_snapshot!(body);
}

#[test]
fn a_plan_without_changes_is_short() {
    insta::assert_snapshot!(comment(&Scene::example(clouds(300, 10)).plan()));
}

#[test]
fn a_blocked_add_on_is_first_and_its_error_is_open() {
    let scene = Scene::example(clouds(300, 10))
        .edit("fleet/addons/managed-serviceaccount/addon.yaml", "0.4.0", "9.9.9")
        .edit("fleet/addons/hello-template/addon.yaml", "hello-template-0.4.0", "hello-template-0.4.1");
    insta::assert_snapshot!(comment(&scene.plan()));
}
